import type { ReactNode } from 'react';
import { paths } from '../../shared/paths';
import '../../shared/theme/sign-in-styles';
import { TextLink } from '../../shared/ui/text-link';
import { Wordmark } from '../../shared/ui/wordmark';
import { ChamberDrawing } from './chamber-drawing';
import classes from './sign-in-page.module.css';

interface SignInShellProps {
  title: string;
  description?: string;
  children: ReactNode;
}

/** The frame of all pages for account holders who are not signed in. */
export function SignInShell({ title, description, children }: SignInShellProps) {
  return (
    <div className={classes.root}>
      <title>{`${title} · Plenum`}</title>
      <header className={classes.head}>
        <Wordmark size={24} />
        <ChamberDrawing className={classes.drawing} />
        <p className={classes.line}>Meetings that decide, with every vote counted once.</p>
      </header>
      <main className={classes.main}>
        <div className={classes.panel}>
          <h1 className={classes.title}>{title}</h1>
          {description ? <p className={classes.description}>{description}</p> : null}
          {children}
          <p className={classes.text}>
            <TextLink to={paths.verify()}>Check a result</TextLink>
          </p>
        </div>
      </main>
    </div>
  );
}
