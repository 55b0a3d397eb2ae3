import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './page-head.module.css';

interface PageHeadProps {
  title: string;
  /** A one-line description of the screen. */
  description?: ReactNode;
  /** The main action, on the right. */
  action?: ReactNode;
  back?: { to: string; label: string };
}

export function PageHead({ title, description, action, back }: PageHeadProps) {
  return (
    <header className={classes.root}>
      <title>{`${title} · Plenum`}</title>
      <div className={classes.text}>
        {back ? (
          <Link to={back.to} className={classes.back}>
            <IconArrowLeft size={16} stroke={1.75} aria-hidden="true" />
            {back.label}
          </Link>
        ) : null}
        <h1 className={classes.title}>{title}</h1>
        {description ? <p className={classes.description}>{description}</p> : null}
      </div>
      {action ? <div className={classes.actions}>{action}</div> : null}
    </header>
  );
}
