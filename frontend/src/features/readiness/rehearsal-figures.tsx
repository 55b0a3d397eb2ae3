import type { RehearsalReport } from '../../api/types';
import { formatNumber, PERCENT_SIGN } from '../../shared/format';
import classes from './readiness.module.css';
import { delayWords, silentOf } from './readiness-text';

/** The number of answers and their delays. */
export function RehearsalFigures({ report }: { report: RehearsalReport }) {
  const { rehearsal, counts, received, answered } = report;
  const figures = [
    ['Invited', counts.invited],
    ['Answered', counts.answered],
    [rehearsal ? 'Connected, no answer' : 'Connected', silentOf(counts)],
    ['Not connected', counts.absent],
    ['Never signed in', counts.neverSignedIn],
  ] as const;
  const delays = [
    ['Received', received],
    ['Answered', answered],
  ] as const;

  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([label, count]) => (
          <div key={label} className={classes.figure}>
            <dt>{label}</dt>
            <dd>{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      {rehearsal ? (
        <table className={classes.table} aria-label="Delays">
          <thead>
            <tr>
              <th scope="col">Time after the start</th>
              <th scope="col">Median</th>
              <th scope="col">95{PERCENT_SIGN}</th>
              <th scope="col">Longest</th>
            </tr>
          </thead>
          <tbody>
            {delays.map(([label, { medianMs, p95Ms, maxMs }]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{delayWords(medianMs)}</td>
                <td>{delayWords(p95Ms)}</td>
                <td>{delayWords(maxMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </>
  );
}
