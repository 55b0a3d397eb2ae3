import { formatNumber } from '../../shared/format';
import classes from './report-number.module.css';

/** A number, and the description of its parts. */
export function Figure({ value, parts }: { value: number; parts: string[] }) {
  return (
    <>
      {formatNumber(value)} <span className={classes.parts}>{parts.join(', ')}</span>
    </>
  );
}
