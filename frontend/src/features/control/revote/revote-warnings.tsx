import { type OpenRound, OpenRoundWarning } from '../question/open-round-warning';
import type { OpeningObstacle } from '../quorum/opening-obstacle';
import classes from './revote-warnings.module.css';

interface RevoteWarningsProps {
  obstacle: OpeningObstacle | null;
  openRound: OpenRound | null;
}

/** What else a re-vote would do right now. */
export function RevoteWarnings({ obstacle, openRound }: RevoteWarningsProps) {
  return (
    <>
      {openRound ? (
        <p className={classes.root}>
          <OpenRoundWarning {...openRound} />
        </p>
      ) : null}
      {obstacle ? (
        <p className={classes.root}>
          <strong>Too few are present: {obstacle.words}.</strong>{' '}
          {obstacle.kind === 'bar'
            ? 'Voting cannot be opened before the quorum is met.'
            : 'Without the quorum nothing is decided, whatever the votes are.'}
        </p>
      ) : null}
    </>
  );
}
