import { Button } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { formatNumber, PERCENT_SIGN } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { VoteRing, voteShare } from '../../../shared/live/vote-ring';
import classes from './live-counts.module.css';

interface LiveCountsProps {
  live: LiveState | null;
  completed: number;
  total: number;
  /** Shows the voters in the register who have not voted in the open round. */
  onShowMissing: () => void;
}

export function LiveCounts({ live, completed, total, onShowMissing }: LiveCountsProps) {
  const isOpen = live?.currentQuestion?.isActive ?? false;
  const voteCount = isOpen ? (live?.voteCount ?? 0) : 0;
  const registerSize = isOpen ? (live?.registerSize ?? 0) : 0;
  const participantCount = live?.participantCount ?? 0;

  return (
    <section className={classes.card} aria-labelledby="live-statistics">
      <h2 id="live-statistics" className={classes.title}>
        Live Statistics
      </h2>
      <div className={classes.votes}>
        <span className={classes.ring}>
          <VoteRing share={voteShare(voteCount, registerSize)}>
            <span className={classes.percent}>
              {registerSize > 0
                ? `${Math.round(voteShare(voteCount, registerSize) * 100)}${PERCENT_SIGN}`
                : '–'}
            </span>
          </VoteRing>
        </span>
        <p className={classes.received}>
          {isOpen ? (
            <>
              <strong className={classes.count}>
                {formatNumber(voteCount)} of {formatNumber(registerSize)}
              </strong>
              <span>votes received of the register</span>
            </>
          ) : (
            <span>No voting is open</span>
          )}
        </p>
      </div>
      {isOpen ? (
        <Button
          className={classes.missing}
          variant="default"
          fullWidth
          leftSection={<IconUserQuestion size={18} stroke={1.75} aria-hidden="true" />}
          onClick={onShowMissing}
        >
          {formatNumber(Math.max(0, registerSize - voteCount))} not voted yet
        </Button>
      ) : null}
      <dl className={classes.facts}>
        <Fact label={live?.checkIn ? 'Checked in' : 'Participants'} value={formatNumber(participantCount)} />
        <Fact label="Current Votes" value={formatNumber(voteCount)} />
        <Fact label="Questions completed" value={`${completed} / ${total}`} />
        <Fact
          label="Progress"
          value={`${total > 0 ? Math.round((completed / total) * 100) : 0}${PERCENT_SIGN}`}
        />
      </dl>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
