import { type ReactNode, useId } from 'react';
import classes from './data-table.module.css';

interface ListFrameProps {
  heading: string;
  /** Search and filters. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The box around a list, with its name and what narrows it. */
export function ListFrame({ heading, tools, children }: ListFrameProps) {
  const id = useId();
  return (
    <section className={classes.frame} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 className={classes.heading} id={id}>
          {heading}
        </h2>
        {tools ? <div className={classes.tools}>{tools}</div> : null}
      </div>
      {children}
    </section>
  );
}
