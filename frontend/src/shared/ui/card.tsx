import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title: string;
  description?: string;
  children?: ReactNode;
}

/** A titled group of related content. */
export function Card({ title, description, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.root} aria-labelledby={id}>
      <h2 className={classes.title} id={id}>
        {title}
      </h2>
      {description ? <p className={classes.description}>{description}</p> : null}
      {children ? <div className={classes.body}>{children}</div> : null}
    </section>
  );
}
