import type { ImportVerdict, ImportView } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import classes from './verdict-filter.module.css';
import { VERDICTS } from './verdicts';

interface VerdictFilterProps {
  counts: ImportView['counts'];
  total: number;
  chosen: ImportVerdict | null;
  onChoose: (verdict: ImportVerdict | null) => void;
}

/** The number of rows of each kind, as buttons that filter the table. */
export function VerdictFilter({ counts, total, chosen, onChoose }: VerdictFilterProps) {
  return (
    <fieldset className={classes.chips}>
      <legend className={classes.legend}>Show rows</legend>
      <button
        type="button"
        className={classes.chip}
        aria-pressed={chosen === null}
        onClick={() => onChoose(null)}
      >
        All <strong>{formatNumber(total)}</strong>
      </button>
      {VERDICTS.map(({ verdict, label, tone }) => (
        <button
          key={verdict}
          type="button"
          className={classes.chip}
          data-tone={tone}
          aria-pressed={chosen === verdict}
          onClick={() => onChoose(chosen === verdict ? null : verdict)}
        >
          <span className={classes.dot} aria-hidden="true" />
          {label} <strong>{formatNumber(counts[verdict])}</strong>
        </button>
      ))}
    </fieldset>
  );
}
