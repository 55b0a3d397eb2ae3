import type { ReactNode } from 'react';
import classes from './field-row.module.css';

interface FieldRowProps {
  legend: string;
  description?: string;
  children: ReactNode;
}

/** Short fields that belong together, such as a name or a period. */
export function FieldRow({ legend, description, children }: FieldRowProps) {
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>{legend}</legend>
      {description ? <p className={classes.description}>{description}</p> : null}
      <div className={classes.fields}>{children}</div>
    </fieldset>
  );
}
