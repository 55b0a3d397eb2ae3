import { formatNumber } from '../../shared/format';
import type { LiveState } from '../../shared/live/live-events';
import { VoteRing, voteShare } from '../../shared/live/vote-ring';
import classes from './live-figures.module.css';

interface LiveFiguresProps {
  live: LiveState | null;
  completed: number;
  total: number;
}

export function LiveFigures({ live, completed, total }: LiveFiguresProps) {
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
              {registerSize > 0 ? `${Math.round(voteShare(voteCount, registerSize) * 100)} %` : '–'}
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
      <dl className={classes.facts}>
        <Fact label="Participants" value={formatNumber(participantCount)} />
        <Fact label="Current Votes" value={formatNumber(voteCount)} />
        <Fact label="Questions completed" value={`${completed} / ${total}`} />
        <Fact label="Progress" value={`${total > 0 ? Math.round((completed / total) * 100) : 0}%`} />
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
