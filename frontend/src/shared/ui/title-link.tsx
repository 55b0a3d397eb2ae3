import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './title-link.module.css';

interface TitleLinkProps {
  /** Where the row is shown or edited, also for another tab. */
  to: string;
  /** Opens the row on this page instead. */
  onOpen?: () => void;
  children: ReactNode;
}

/** The title of a row as a link to its subject. */
export function TitleLink({ to, onOpen, children }: TitleLinkProps) {
  function handleClick(event: MouseEvent) {
    // Other clicks open the address in another tab or window.
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (onOpen && isPlain) {
      event.preventDefault();
      onOpen();
    }
  }

  return (
    <Link to={to} className={classes.root} onClick={handleClick}>
      {children}
    </Link>
  );
}
