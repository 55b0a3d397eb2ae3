import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../api/use-session';
import { toastsAtBottom } from '../../shared/ui/toast';
import { Brand } from './brand';
import classes from './voter-shell.module.css';

interface VoterShellProps {
  title: string;
  /** The lines below the title. */
  subtitle?: string[];
  back?: { to: string; label: string };
  /** On the right of the top line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The voter's page: one column, with the same header on every screen. */
export function VoterShell({ title, subtitle, back, aside, children }: VoterShellProps) {
  const code = useUser()?.clientCode;
  return (
    <div ref={toastsAtBottom} className={classes.root}>
      <title>{`${title} · Plenum`}</title>
      <header className={classes.header}>
        <div className={classes.line}>
          {back ? (
            <Link className={classes.back} to={back.to}>
              <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
              {back.label}
            </Link>
          ) : null}
          <span>{code ? <Brand code={code} /> : null}</span>
          {aside}
        </div>
        <h1 className={classes.title}>{title}</h1>
        {subtitle?.map((line) => (
          <p key={line} className={classes.subtitle}>
            {line}
          </p>
        ))}
      </header>
      <main className={classes.main}>{children}</main>
    </div>
  );
}
