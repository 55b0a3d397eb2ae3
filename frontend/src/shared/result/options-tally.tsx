import { VisuallyHidden } from '@mantine/core';
import type { Result } from '../../api/types';
import { formatNumber } from '../format';
import { OptionMark } from './option-mark';
import { OptionSign } from './option-sign';
import { SecondTally } from './second-tally';
import { ShareBar } from './share-bar';
import { baseSentence, type Share, sharesOf } from './shares';
import classes from './tally.module.css';
import { TallyHead, TotalRows } from './totals';
import { weightName } from './weight-names';

/** Heads and weight of each option, the most votes first. */
export function OptionsTally({ result }: { result: Result }) {
  const { rows, units } = sharesOf(result);
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>
          Votes per option, in heads and in {weightName(result.weightKind)}
        </caption>
        <TallyHead label="Option" weightKind={result.weightKind} />
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.option.id}>
              <th scope="row" className={classes.label}>
                <span className={classes.name}>
                  <OptionSign role={row.option.role} />
                  <span className={classes.words} dir="auto">
                    {row.option.text}
                  </span>
                  <OptionMark row={row} />
                </span>
                {units.map((unit) => (
                  <span key={unit} className={classes.share}>
                    <ShareBar share={row.shares[unit]} role={row.option.role} isLabelled={index === 0} />
                  </span>
                ))}
              </th>
              <Figure share={row.shares.heads} />
              <Figure share={row.shares.weight} />
            </tr>
          ))}
        </tbody>
        <tbody>
          <TotalRows totals={result} isLined />
        </tbody>
      </table>
      <p className={classes.base}>{baseSentence(result)}</p>
      {result.secondWeight ? (
        <SecondTally kind={result.secondWeight.kind} counts={result.secondWeight} options={result.options} />
      ) : null}
    </div>
  );
}

function Figure({ share }: { share: Share }) {
  return (
    <td className={classes.figure}>
      <span className={classes.value}>{formatNumber(share.votes)}</span>
      <VisuallyHidden>, </VisuallyHidden>
      <span className={classes.percent}>{share.text}</span>
    </td>
  );
}
