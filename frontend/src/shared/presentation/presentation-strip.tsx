import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import type { PresentationState } from '../live/live-events';
import { VOID_TITLE } from '../terms/secrecy';
import { PresentationCountdown } from './presentation-countdown';
import { PresentationJoin } from './presentation-join';
import type { PresentationPhase } from './presentation-phase';
import classes from './presentation-strip.module.css';
import { PresentationVotes } from './presentation-votes';
import { VotesReceived } from './votes-received';

interface PresentationStripProps {
  phase: PresentationPhase;
  presentation: PresentationState;
  joinUrl: string;
  /** The votes are shown beside the question. */
  hasVotesBeside: boolean;
  /** The result is declared, and its record is damaged. */
  isResultDamaged: boolean;
}

/** The state of the voting, below the question. It has the same height in each phase, so that the question does not move. */
export function PresentationStrip(props: PresentationStripProps) {
  const { phase, presentation, joinUrl, hasVotesBeside, isResultDamaged } = props;
  const { currentQuestion, voteCount, registerSize, clientCode } = presentation;
  if (phase === 'closed') {
    if (currentQuestion?.isVoid) {
      return <Warning words={VOID_TITLE} reason="Its key is lost, so the ballots cannot be opened" />;
    }
    return isResultDamaged ? (
      <Warning words="The record of this result is damaged" reason="The result is not shown" />
    ) : (
      <Closed voteCount={voteCount} registerSize={registerSize} />
    );
  }
  const hasVotes = phase === 'open' && !hasVotesBeside;
  const closesAt = hasVotes ? (currentQuestion?.closesAt ?? null) : null;
  return (
    <div className={classes.root}>
      <div className={classes.votes}>
        {hasVotes ? <PresentationVotes voteCount={voteCount} registerSize={registerSize} /> : null}
      </div>
      {closesAt === null ? null : (
        <div className={classes.countdown}>
          <PresentationCountdown closesAt={closesAt} />
        </div>
      )}
      <div className={classes.join}>
        <PresentationJoin clientCode={clientCode} joinUrl={joinUrl} />
      </div>
    </div>
  );
}

function Warning({ words, reason }: { words: string; reason: string }) {
  return (
    <div className={classes.closed} role="alert">
      <IconAlertTriangle className={classes.lock} stroke={2} aria-hidden="true" />
      <p className={classes.words}>{words}</p>
      <p className={classes.total}>{reason}</p>
    </div>
  );
}

function Closed({ voteCount, registerSize }: { voteCount: number; registerSize: number }) {
  return (
    <div className={classes.closed}>
      <IconLock className={classes.lock} stroke={2} aria-hidden="true" />
      <p className={classes.words}>Voting closed</p>
      <VotesReceived className={classes.total} voteCount={voteCount} registerSize={registerSize} />
    </div>
  );
}
