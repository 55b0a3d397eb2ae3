import type { ReactNode } from 'react';
import '@mantine/charts/styles.layer.css';
import classes from './chart-frame.module.css';
import { LazyVisible } from './lazy-visible';

interface ChartFrameProps {
  /** The subject of the chart for screen readers; the table next to it has the figures. */
  label: string;
  /** A short form of the label, above the chart. */
  caption: string;
  height: number;
  children: ReactNode;
}

/** A chart of figures that a table also contains. */
export function ChartFrame({ label, caption, height, children }: ChartFrameProps) {
  return (
    <div className={classes.root} role="img" aria-label={`${label}. The table shows the figures.`}>
      <p className={classes.caption}>{caption}</p>
      <LazyVisible height={height}>{children}</LazyVisible>
    </div>
  );
}
