import type { Result } from '../../api/types';
import classes from './averages.module.css';
import { averagesOf } from './figures';
import type { NamedKind } from './weight-names';

interface AveragesProps {
  numbers: NonNullable<Result['numbers']>;
  isPercentage: boolean;
  weightKind: NamedKind;
  /** One below the other, as on a phone, instead of in boxes. */
  isList?: boolean;
}

/** Mean and median, by heads and by weight. */
export function Averages({ numbers, isPercentage, weightKind, isList = false }: AveragesProps) {
  return (
    <dl className={isList ? classes.list : classes.boxes}>
      {averagesOf(numbers, isPercentage, weightKind).map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
