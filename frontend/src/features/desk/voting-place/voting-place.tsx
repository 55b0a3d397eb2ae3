import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DeskQuestion } from '../../../api/types';
import { registerSearch } from '../../../shared/paper-votes/paper-api';
import { VoterSearch } from '../../../shared/paper-votes/voter-search';
import { votedWords } from '../../../shared/terms/cast-on';
import { SECRECY_NAMES } from '../../../shared/terms/secrecy';
import { deskClient } from '../desk-api';
import classes from '../desk-page.module.css';
import { QuestionDeskHead } from '../question-desk-head';
import { type DeskWorkProps, useDeskQuestion } from '../use-desk-question';
import { placeApi } from './place-api';
import { PlaceBallot } from './place-ballot';
import { STOPPED } from './place-words';
import { Thanks } from './thanks';
import { useIdleCountdown } from './use-idle-countdown';
import { type GivenBallot, useVotingPlace } from './use-voting-place';
import place from './voting-place.module.css';

/** A voting place: a helper finds a person, who votes on this screen, which then forgets them. */
export function VotingPlace({ token, meeting, onEnded }: DeskWorkProps) {
  const [client] = useState(() => deskClient(token));
  const [api] = useState(() => placeApi(client));
  const [find] = useState(() => registerSearch(client, meeting.meetingId));
  const { question, isConnected } = useDeskQuestion(client, onEnded);
  const { state, give, cast, forget } = useVotingPlace(api, question);

  switch (state.at) {
    case 'issuing':
      return <Issuing ballot={state.ballot} isDelayed={state.isDelayed} onForget={forget} />;
    case 'ballot':
      return (
        <PlaceBallot
          key={state.ballot.id}
          ballot={state.ballot}
          closesAt={question?.closesAt ?? null}
          onCast={(answers) => void cast(state.ballot, answers)}
          onForget={forget}
        />
      );
    case 'sending':
      return <Sending isDelayed={state.isDelayed} onStop={() => forget(STOPPED)} />;
    case 'thanks':
      return <Thanks receipt={state.receipt} onDone={() => forget(null)} />;
    case 'search':
      return (
        <main className={classes.root}>
          <QuestionDeskHead meeting={meeting} votes={question ?? null} isConnected={isConnected} />
          {state.notice === null ? null : (
            <p className={classes.problem} role="alert">
              {state.notice}
            </p>
          )}
          {question ? (
            <>
              <OpenQuestion question={question} />
              <VoterSearch
                key={question.roundId}
                find={find}
                roundId={question.roundId}
                label="Name or username of the person"
                isFocused
                refusal={votedWords}
                onChoose={(person) => void give(person)}
              />
            </>
          ) : (
            <p role="status">
              {question === null
                ? 'Voting is not open. As soon as a question opens, people can vote here.'
                : 'Loading the open question…'}
            </p>
          )}
        </main>
      );
  }
}

function OpenQuestion({ question }: { question: DeskQuestion }) {
  return (
    <div>
      <h2 className={classes.question} dir="auto">
        {question.text}
      </h2>
      <p className={classes.meeting}>{SECRECY_NAMES[question.secrecy]}</p>
    </div>
  );
}

const ISSUING_MS = 60_000;

interface IssuingProps {
  ballot: GivenBallot;
  isDelayed: boolean;
  onForget: (notice: string | null) => void;
}

function Issuing({ ballot, isDelayed, onForget }: IssuingProps) {
  useIdleCountdown(ISSUING_MS, () => onForget(null));
  return (
    <main className={place.calm}>
      <h1 className={place.name} dir="auto">
        {ballot.person.name}
      </h1>
      <p role="status">
        {isDelayed ? 'There is no connection. This screen tries again…' : 'Getting the ballot…'}
      </p>
      <Button size="lg" variant="default" onClick={() => onForget(null)}>
        Cancel
      </Button>
    </main>
  );
}

/** The name of the person and the answer are not on the screen any more. */
function Sending({ isDelayed, onStop }: { isDelayed: boolean; onStop: () => void }) {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  return (
    <main className={place.calm}>
      <h1 className={place.name}>{isDelayed ? 'Not delivered yet' : 'Casting the vote…'}</h1>
      {isDelayed ? (
        <>
          <p role="status">
            There is no answer from the server. This screen keeps sending the vote until it is confirmed. It
            counts once. Please wait, and do not close this page.
          </p>
          <Button size="lg" variant="default" onClick={onStop}>
            Stop, and forget this vote
          </Button>
        </>
      ) : null}
    </main>
  );
}
