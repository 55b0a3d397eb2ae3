import { Fragment, type ReactNode } from 'react';
import classes from './slip-sheet.module.css';

const SLIPS_A_ROW = 2;

interface SlipRowsProps<Slip> {
  slips: Slip[];
  keyOf: (slip: Slip) => string;
  render: (slip: Slip) => ReactNode;
}

/** Slips in rows of two, so that no page break divides one. */
export function SlipRows<Slip>({ slips, keyOf, render }: SlipRowsProps<Slip>) {
  const rows = Array.from({ length: Math.ceil(slips.length / SLIPS_A_ROW) }, (_, index) =>
    slips.slice(index * SLIPS_A_ROW, (index + 1) * SLIPS_A_ROW),
  );
  return rows.map((row) => (
    <div key={row.map(keyOf).join()} className={classes.row}>
      {row.map((slip) => (
        <Fragment key={keyOf(slip)}>{render(slip)}</Fragment>
      ))}
    </div>
  ));
}
