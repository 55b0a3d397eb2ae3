import type { OptionRole } from '../../api/types';
import classes from './share-bar.module.css';
import type { Share } from './shares';

interface ShareBarProps {
  share: Share;
  role: OptionRole;
  /** Off on all bars but the first, if all have the same line. */
  isLabelled?: boolean;
}

/**
 * A bar as long as the share, with a line at the share that was needed. Yes is filled, no is striped, abstain is an
 * outline: they differ without color too. The figures beside it say the same.
 */
export function ShareBar({ share, role, isLabelled = true }: ShareBarProps) {
  const { percent, needed } = share;
  return (
    <span className={classes.root} data-role={role} aria-hidden="true">
      <span className={classes.track} data-outside={percent === null}>
        {/* Without votes, the outline of an abstention would still be visible. */}
        {percent ? <span className={classes.bar} style={{ width: `${Math.min(percent, 100)}%` }} /> : null}
        {needed.map((line) => (
          <span key={line.label} className={classes.line} style={{ insetInlineStart: `${line.percent}%` }} />
        ))}
      </span>
      {isLabelled
        ? needed.map((line) => (
            <span
              key={line.label}
              className={classes.label}
              data-side={line.percent > 50 ? 'before' : 'after'}
              style={
                line.percent > 50
                  ? { marginInlineEnd: `${100 - line.percent}%` }
                  : { marginInlineStart: `${line.percent}%` }
              }
            >
              {line.label}
            </span>
          ))
        : null}
    </span>
  );
}
