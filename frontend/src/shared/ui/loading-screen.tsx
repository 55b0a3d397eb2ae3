import { Loader } from '@mantine/core';
import classes from './loading-screen.module.css';

/** Shown while the whole page loads. */
export function LoadingScreen({ text = 'Loading Plenum...' }: { text?: string }) {
  return (
    <div className={classes.root} role="status">
      <Loader size="sm" aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}
