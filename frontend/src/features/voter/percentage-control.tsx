import { Button, NumberInput, Slider } from '@mantine/core';
import type { BallotControlProps } from './ballot-control';
import classes from './ballot-controls.module.css';

const QUICK = [0, 25, 50, 75, 100];

/** A number from 0 to 100: typed, slid or tapped. Nothing is chosen before the voter touched one of them. */
export function PercentageControl({
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const chosen = answers[0] === undefined ? null : Number(answers[0]);
  const choose = (value: number) => onChange([String(value)]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend.
    <div
      className={classes.percentage}
      role="group"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      <div className={classes.figure}>
        <NumberInput
          className={classes.figureInput}
          aria-label="Percentage"
          inputMode="decimal"
          suffix=" %"
          placeholder="– %"
          min={0}
          max={100}
          clampBehavior="strict"
          decimalScale={2}
          allowNegative={false}
          hideControls
          value={chosen ?? ''}
          disabled={isDisabled}
          onChange={(value) => (value === '' ? onChange([]) : choose(Number(value)))}
        />
      </div>
      <Slider
        className={classes.slider}
        thumbLabel="Percentage"
        thumbSize={32}
        size="lg"
        label={null}
        min={0}
        max={100}
        step={1}
        value={chosen ?? 0}
        disabled={isDisabled}
        onChange={choose}
      />
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
            {value} %
          </Button>
        ))}
      </div>
    </div>
  );
}
