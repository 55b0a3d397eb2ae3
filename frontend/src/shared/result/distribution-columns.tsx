import { VisuallyHidden } from '@mantine/core';
import { formatNumber } from '../format';
import { highestBar, type NumbersResult, scaleOf } from './distribution';
import classes from './distribution-columns.module.css';
import { meanText } from './figures';

/** The answers as columns on their true axis, with a line at the mean. Screen readers read a table. */
export function DistributionColumns({ result }: { result: NumbersResult }) {
  const { bars, placeOf, ticks } = scaleOf(result);
  const most = highestBar(bars);
  const { mean } = result.numbers;
  return (
    <div className={classes.root}>
      <VisuallyHidden component="table">
        <caption>Distribution of the answers, by heads</caption>
        <thead>
          <tr>
            <th scope="col">Answer</th>
            <th scope="col">Votes</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, heads }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{formatNumber(heads)}</td>
            </tr>
          ))}
        </tbody>
      </VisuallyHidden>
      <div className={classes.picture} aria-hidden="true">
        <div className={classes.plot} data-gap={ticks ? 'none' : undefined}>
          {bars.map(({ label, heads }) => (
            <span key={label} className={classes.column}>
              {heads > 0 ? (
                <>
                  <span className={classes.votes}>{formatNumber(heads)}</span>
                  <span className={classes.bar} style={{ height: `${(heads / most) * 75}%` }} />
                </>
              ) : null}
            </span>
          ))}
          {mean === null ? null : (
            <span
              className={classes.mean}
              data-side={placeOf(mean) > 50 ? 'before' : 'after'}
              style={{ insetInlineStart: `${placeOf(mean)}%` }}
            >
              <span className={classes.meanLabel}>Mean {meanText(mean)}</span>
            </span>
          )}
        </div>
        <div className={classes.axis} data-ticks={ticks !== null}>
          {(ticks ?? bars.map(({ label }) => label)).map((label) => (
            <span key={label} className={classes.tick}>
              {label}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
