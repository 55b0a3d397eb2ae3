import { type ReactNode, useId } from 'react';
import classes from './step-panel.module.css';

interface StepPanelProps {
  title: string;
  description?: ReactNode;
  /** The buttons to continue and to go back. */
  actions?: ReactNode;
  children: ReactNode;
}

/** One step of the import. Its heading gets the focus; see `useStepFocus`. */
export function StepPanel({ title, description, actions, children }: StepPanelProps) {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <h2 className={classes.title} id={id} tabIndex={-1}>
        {title}
      </h2>
      {description ? <p className={classes.description}>{description}</p> : null}
      <div className={classes.body}>{children}</div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </section>
  );
}
