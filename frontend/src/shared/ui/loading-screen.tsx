import { Loader } from '@mantine/core';
import classes from './loading-screen.module.css';

/** The whole page waits. */
export function LoadingScreen({ text = 'Loading Plenum...' }: { text?: string }) {
  return (
    <div className={classes.root} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}
