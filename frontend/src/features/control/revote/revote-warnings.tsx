import { type OpenRound, OpenRoundWarning } from '../question/open-round-warning';
import { type OpeningObstacle, WITHOUT_QUORUM } from '../quorum/opening-obstacle';
import classes from './revote-warnings.module.css';

interface RevoteWarningsProps {
  obstacle: OpeningObstacle | null;
  openRound: OpenRound | null;
}

/** The further effects of a re-vote at this moment. */
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
          <strong>{obstacle.words}</strong>{' '}
          {obstacle.kind === 'bar' ? 'Voting cannot be opened until the quorum is met.' : WITHOUT_QUORUM}
        </p>
      ) : null}
    </>
  );
}
