import { VisuallyHidden } from '@mantine/core';
import type { Result } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { OptionMark } from '../../../shared/result/option-mark';
import { OptionSign } from '../../../shared/result/option-sign';
import { ShareBar } from '../../../shared/result/share-bar';
import { baseSentence, sharesOf } from '../../../shared/result/shares';
import { weightHead } from '../../../shared/result/weight-names';
import classes from './option-bars.module.css';

/** The options for a narrow screen: the whole text, and below it the bar with its figures. */
export function OptionBars({ result }: { result: Result }) {
  const { rows, units } = sharesOf(result);
  return (
    <div>
      <ul className={classes.root} aria-label="Votes per option">
        {rows.map((row, index) => (
          <li key={row.option.id} className={classes.option}>
            <span className={classes.name}>
              <OptionSign role={row.option.role} />
              <span className={classes.text} dir="auto">
                {row.option.text}
              </span>
              <OptionMark row={row} />
            </span>
            <VisuallyHidden>: </VisuallyHidden>
            {units.map((unit) => (
              <span key={unit} className={classes.share}>
                <span className={classes.bar}>
                  <ShareBar share={row.shares[unit]} role={row.option.role} isLabelled={index === 0} />
                </span>
                <span className={classes.figures}>
                  {unit === 'weight' ? `${weightHead(result.weightKind)} ` : ''}
                  <strong>{formatNumber(row.shares[unit].votes)}</strong>
                  <VisuallyHidden>, </VisuallyHidden>{' '}
                  <span className={classes.percent}>{row.shares[unit].text}</span>
                </span>
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p className={classes.base}>{baseSentence(result)}</p>
    </div>
  );
}
