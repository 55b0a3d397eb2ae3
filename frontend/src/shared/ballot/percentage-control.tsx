import { Button } from '@mantine/core';
import { PERCENT_SIGN } from '../format';
import { readPercentage } from '../number-text';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';
import { PercentageInput } from './percentage-input';
import { PercentageSlider } from './percentage-slider';

const QUICK = [0, 25, 50, 75, 100];

/** A number from 0 to 100: typed, dragged or tapped. No value is set before the voter's first input. */
export function PercentageControl({
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const text = answers[0] ?? '';
  const plain = readPercentage(text);
  const chosen = plain === null ? null : Number(plain);
  const choose = (value: number) => onChange([String(value)]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend.
    <div
      className={classes.percentage}
      role="group"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <PercentageInput
        className={classes.figureInput}
        text={text}
        isDisabled={isDisabled}
        onChange={(typed) => onChange(typed === '' ? [] : [typed])}
      />
      <PercentageSlider value={chosen} isDisabled={isDisabled} onChange={choose} />
      <div className={classes.quick}>
        {QUICK.map((value) => (
          <Button
            key={value}
            className={classes.quickButton}
            variant="default"
            aria-pressed={chosen === value}
            disabled={isDisabled}
            onClick={() => choose(value)}
          >
            {`${value}${PERCENT_SIGN}`}
          </Button>
        ))}
      </div>
    </div>
  );
}
