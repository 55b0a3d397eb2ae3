import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useId } from 'react';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';

const DEFAULT_MAX = 5;

/** A whole number from 1 to the question's scale: as stars up to five, as numbers beyond. */
export function RatingControl({
  question,
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const name = useId();
  const max = question.ratingMax ?? DEFAULT_MAX;
  const chosen = Number(answers[0] ?? 0);
  const steps = Array.from({ length: max }, (_, index) => index + 1);

  return (
    <div>
      <div
        className={classes.scale}
        role="radiogroup"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
      >
        {steps.map((step) => (
          <label
            key={step}
            className={classes.step}
            data-reached={max <= DEFAULT_MAX && step <= chosen}
            data-chosen={step === chosen}
            data-disabled={isDisabled}
          >
            <input
              className={classes.input}
              type="radio"
              name={name}
              value={step}
              aria-label={`${step} of ${max}`}
              checked={step === chosen}
              disabled={isDisabled}
              onChange={() => onChange([String(step)])}
            />
            {max <= DEFAULT_MAX ? <Star isReached={step <= chosen} /> : null}
            <span aria-hidden="true">{step}</span>
            <span className={classes.ring} aria-hidden="true" />
          </label>
        ))}
      </div>
      <p className={classes.scaleEnds} aria-hidden="true">
        <span>1 is lowest</span>
        <span>{max} is highest</span>
      </p>
    </div>
  );
}

function Star({ isReached }: { isReached: boolean }) {
  return isReached ? (
    <IconStarFilled size={24} aria-hidden="true" />
  ) : (
    <IconStar size={24} stroke={1.5} aria-hidden="true" />
  );
}
