import type { KeptBallot } from '../shared/storage';
import classes from './kept-ballots.module.css';

/** The voter's ballots on this device, while the meeting itself cannot be shown. */
export function KeptBallots({ ballots }: { ballots: KeptBallot[] }) {
  return ballots.map(({ text, answers, isSubmitted }) => (
    <section key={`${isSubmitted} ${text}`} className={classes.root}>
      <h2 className={classes.title}>
        {isSubmitted ? 'Your vote is kept on this device' : 'Your choice is kept on this device'}
      </h2>
      <p>
        {isSubmitted
          ? 'The server has not confirmed it yet. It is sent when the connection is back and the meeting is open on this device.'
          : 'It is not submitted yet. When the connection is back, it is on your ballot as long as voting is open. Keep this tab.'}
      </p>
      <p>{text}</p>
      <ul className={classes.answers}>
        {answers.map((answer) => (
          <li key={answer}>{answer}</li>
        ))}
      </ul>
    </section>
  ));
}
