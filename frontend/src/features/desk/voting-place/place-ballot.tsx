import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { emptyHint } from '../../../shared/ballot/ballot';
import { BallotControl } from '../../../shared/ballot/ballot-control';
import { SecrecyNote } from '../../../shared/ballot/secrecy-note';
import { formatTime } from '../../../shared/format';
import { ballotQuestion, isFilled } from '../../../shared/paper-votes/paper-question';
import { IDLE } from './place-words';
import { useIdleCountdown } from './use-idle-countdown';
import type { GivenBallot } from './use-voting-place';
import classes from './voting-place.module.css';

const IDLE_MS = 60_000;
/** From this number of seconds on, the screen says that it will close the ballot. */
const WARN_S = 20;

interface PlaceBallotProps {
  ballot: GivenBallot;
  /** The organizer may start a countdown at any time. */
  closesAt: string | null;
  onCast: (answers: string[]) => void;
  onForget: (notice: string | null) => void;
}

/** The ballot of one person. The answer is in the memory of this component only. */
export function PlaceBallot({ ballot, closesAt, onCast, onForget }: PlaceBallotProps) {
  const { person, question } = ballot;
  const [answers, setAnswers] = useState<string[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const secondsLeft = useIdleCountdown(IDLE_MS, () => onForget(IDLE));
  const canCast = isFilled(question, answers);

  useEffect(() => heading.current?.focus(), []);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (canCast) {
      onCast(answers);
    }
  }

  return (
    <main className={classes.ballot}>
      <form className={classes.form} noValidate autoComplete="off" onSubmit={handleSubmit}>
        <header>
          <p className={classes.lead}>Ballot of</p>
          <h1 ref={heading} className={classes.name} tabIndex={-1} dir="auto">
            {person.name}
          </h1>
        </header>
        <h2 id={id} className={classes.question} dir="auto">
          {question.text}
        </h2>
        <BallotControl
          question={ballotQuestion(question)}
          answers={answers}
          isDisabled={false}
          labelledBy={id}
          describedBy={undefined}
          orderKey={person.endUserId}
          onChange={setAnswers}
        />
        <div className={classes.bar}>
          <SecrecyNote secrecy={question.secrecy} hasLink={false} />
          {closesAt === null ? null : <p role="status">Voting closes at {formatTime(closesAt)}.</p>}
          {secondsLeft <= WARN_S ? (
            <p className={classes.warning} role="alert">
              Are you still there? Touch the screen to go on. Otherwise this ballot closes in a moment,
              without a vote.
            </p>
          ) : null}
          {answers.length === 0 ? <p>{emptyHint(question.type)}</p> : null}
          <Button className={classes.cast} type="submit" size="lg" disabled={!canCast}>
            Cast vote
          </Button>
          <Button className={classes.leave} size="lg" variant="default" onClick={() => onForget(null)}>
            Leave without voting
          </Button>
        </div>
      </form>
    </main>
  );
}
