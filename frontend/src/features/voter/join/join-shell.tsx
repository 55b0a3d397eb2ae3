import type { ReactNode } from 'react';
import { paths } from '../../../shared/paths';
import { TextLink } from '../../../shared/ui/text-link';
import { Wordmark } from '../../../shared/ui/wordmark';
import { Brand } from '../brand';
import classes from './join-shell.module.css';

interface EntryShellProps {
  title: string;
  /** The code of the organization, if it is known. */
  code?: string | undefined;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
}

/** The frame of a voter's sign-in pages, with one action on each page. */
export function EntryShell({ title, code, description, children, footer }: EntryShellProps) {
  return (
    <div className={classes.root}>
      <title>{`${title} · Plenum`}</title>
      <header className={classes.header}>
        <Wordmark size={24} />
        {code ? <Brand code={code} /> : null}
      </header>
      <main className={classes.main}>
        <h1 className={classes.title}>{title}</h1>
        {description ? <div className={classes.description}>{description}</div> : null}
        {children}
        {footer ? <p className={classes.footer}>{footer}</p> : null}
        <p className={classes.footer}>
          Running the meeting? <TextLink to={paths.clientLogin}>Organizers sign in here</TextLink>
        </p>
        <p className={classes.footer}>
          <TextLink to={paths.verify()}>Check a result</TextLink>
        </p>
      </main>
    </div>
  );
}
