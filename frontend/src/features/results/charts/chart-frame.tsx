import type { ReactNode } from 'react';
import '@mantine/charts/styles.layer.css';
import classes from './chart-frame.module.css';
import { LazyVisible } from './lazy-visible';

interface ChartFrameProps {
  /** What it shows, for those who do not see it; the figures stand in the table beside it. */
  label: string;
  /** The same in short, above it. */
  caption: string;
  height: number;
  children: ReactNode;
}

/** A picture of figures that stand in a table as well. */
export function ChartFrame({ label, caption, height, children }: ChartFrameProps) {
  return (
    <div className={classes.root} role="img" aria-label={`${label}. The table shows the figures.`}>
      <p className={classes.caption}>{caption}</p>
      <LazyVisible height={height}>{children}</LazyVisible>
    </div>
  );
}
