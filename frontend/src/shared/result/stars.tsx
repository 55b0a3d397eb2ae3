import { IconStar, IconStarFilled } from '@tabler/icons-react';
import classes from './stars.module.css';

interface StarsProps {
  mean: number;
  max: number;
}

/** A mean rating as partly filled stars. The number stands beside them. */
export function Stars({ mean, max }: StarsProps) {
  const stars = Array.from({ length: max }, (_, index) => index + 1);
  return (
    <span className={classes.root} aria-hidden="true">
      {stars.map((star) => (
        <span key={star} className={classes.star}>
          <IconStar size="1em" stroke={1.5} />
          <span className={classes.filled} style={{ width: `${filledPercent(mean, star)}%` }}>
            <IconStarFilled size="1em" />
          </span>
        </span>
      ))}
    </span>
  );
}

function filledPercent(mean: number, star: number): number {
  return Math.round(Math.min(1, Math.max(0, mean - star + 1)) * 100);
}
