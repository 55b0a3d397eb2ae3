import { useState } from 'react';
import { LeftBatches } from '../../../shared/paper-votes/left-batches';
import { paperApi } from '../../../shared/paper-votes/paper-api';
import { PaperVotes } from '../../../shared/paper-votes/paper-votes';
import { SECRECY_NAMES } from '../../../shared/terms/secrecy';
import { deskClient } from '../desk-api';
import classes from '../desk-page.module.css';
import { QuestionDeskHead } from '../question-desk-head';
import { type DeskWorkProps, useDeskQuestion } from '../use-desk-question';
import { batchPlace } from './batch-place';

/** The screen of a teller: enters votes on paper, and confirms those that others entered. */
export function Tellers({ token, meeting, onEnded }: DeskWorkProps) {
  const [client] = useState(() => deskClient(token));
  const [api] = useState(() => paperApi(client, meeting.meetingId));
  const [place] = useState(() => batchPlace(token));
  const { question, leftBatches, isConnected } = useDeskQuestion(client, onEnded);
  return (
    <main className={classes.root}>
      <QuestionDeskHead meeting={meeting} votes={question ?? null} isConnected={isConnected} />
      {question ? (
        <div>
          <h2 className={classes.question} dir="auto">
            {question.text}
          </h2>
          <p className={classes.meeting}>{SECRECY_NAMES[question.secrecy]}</p>
        </div>
      ) : null}
      {question === undefined ? (
        <p role="status">Loading the open question…</p>
      ) : (
        <PaperVotes api={api} place={place} question={question} isFocused />
      )}
      {leftBatches.map(({ roundId, text }) => (
        <LeftBatches key={roundId} api={api} round={{ id: roundId, text }} />
      ))}
    </main>
  );
}
