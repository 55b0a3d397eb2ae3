import { Loader } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './data-table.module.css';

interface ListFrameProps {
  heading: string;
  /** Search and filters. */
  tools?: ReactNode;
  /** Other rows than those shown are loading. */
  isBusy?: boolean;
  children: ReactNode;
}

/** The box around a list, with its name, search and filters. */
export function ListFrame({ heading, tools, isBusy, children }: ListFrameProps) {
  const id = useId();
  return (
    <section className={classes.frame} aria-labelledby={id} aria-busy={isBusy || undefined}>
      <div className={classes.head}>
        <div className={classes.title}>
          <h2 className={classes.heading} id={id}>
            {heading}
          </h2>
          {isBusy ? <Loader className={classes.busy} size={16} aria-hidden="true" /> : null}
        </div>
        {tools ? <div className={classes.tools}>{tools}</div> : null}
      </div>
      {children}
    </section>
  );
}
