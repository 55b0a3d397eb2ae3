import { type ReactNode, useState } from 'react';
import { session } from '../api/session';
import { listOf, nullable, object, optional, type Shape, text } from '../shared/shape';
import { device, draftKey, heldKey, keysOf, readNote, tab, undeliveredKey } from '../shared/storage';
import classes from './kept-ballots.module.css';

const ballotShape = object({
  userId: text,
  questionId: text,
  roundId: nullable(text),
  text: text,
  answers: listOf(text),
  shown: optional(listOf(text)),
  sealed: optional(object({})),
});
const person = object({ for: text });
const heldShape = object({
  userId: text,
  roundId: text,
  summary: text,
  ballots: listOf(person),
  outcomes: listOf(person),
});

/** The voter's ballots on this device, while the meeting itself cannot be shown. */
export function KeptBallots() {
  const [{ submitted, drafts, held }] = useState(() => ballotsOf(session.storedOwner()));
  return (
    <>
      {submitted.map((ballot) => (
        <Kept key={ballot.questionId} title="Your vote is kept on this device">
          <p>
            The server has not confirmed it yet. It is sent when the connection is back and the meeting is
            open on this device.
          </p>
          <p>{ballot.text}</p>
          {ballot.sealed ? null : <Answers answers={ballot.shown ?? ballot.answers} />}
        </Kept>
      ))}
      {held.map(({ roundId, summary, count }) => (
        <Kept
          key={roundId}
          title={count === 1 ? 'A vote is kept on this device' : `${count} votes are kept on this device`}
        >
          <p>
            You submitted {count === 1 ? 'it' : 'them'} as a proxy holder. The server has not confirmed{' '}
            {count === 1 ? 'it' : 'them'} yet. When the connection is back, open the meeting on this device to
            send {count === 1 ? 'it' : 'them'}.
          </p>
          <p>{summary}</p>
        </Kept>
      ))}
      {drafts.map((ballot) => (
        <Kept key={ballot.questionId} title="Your choice is kept on this device">
          <p>
            It is not submitted yet. When the connection is back, it is on your ballot as long as voting is
            open. Keep this tab.
          </p>
          <p>{ballot.text}</p>
          <Answers answers={ballot.shown ?? ballot.answers} />
        </Kept>
      ))}
    </>
  );
}

function Kept({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.root}>
      <h2 className={classes.title}>{title}</h2>
      {children}
    </section>
  );
}

function Answers({ answers }: { answers: string[] }) {
  return (
    <ul className={classes.answers}>
      {answers.map((answer) => (
        <li key={answer}>{answer}</li>
      ))}
    </ul>
  );
}

/** The ballots of this person only: phones are shared. */
function ballotsOf(userId: string | undefined) {
  const isOwn = (note: { userId: string }) => note.userId === userId;
  const submitted = notesBelow(device, undeliveredKey(''), ballotShape).filter(isOwn);
  const drafts = notesBelow(tab, draftKey(''), ballotShape).filter(isOwn);
  const held = notesBelow(device, heldKey(''), heldShape).filter(isOwn);
  return {
    submitted,
    held: held.map(({ ballots, outcomes, ...one }) => ({ ...one, count: ballots.length - outcomes.length })),
    drafts: drafts.filter(
      ({ questionId, roundId }) =>
        !submitted.some((ballot) => ballot.questionId === questionId && ballot.roundId === roundId),
    ),
  };
}

function notesBelow<T>(storage: () => Storage, prefix: string, shape: Shape<T>): T[] {
  return keysOf(storage)
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => readNote(storage, key, shape) ?? []);
}
