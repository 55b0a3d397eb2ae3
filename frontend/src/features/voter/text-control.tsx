import { Textarea } from '@mantine/core';
import type { BallotControlProps } from './ballot-control';
import classes from './ballot-controls.module.css';

const MAX_LENGTH = 2_000;

/** An answer in the voter's own words. */
export function TextControl({ answers, isDisabled, labelledBy, describedBy, onChange }: BallotControlProps) {
  const text = answers[0] ?? '';
  return (
    <div>
      <Textarea
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        size="lg"
        autosize
        minRows={4}
        maxRows={12}
        maxLength={MAX_LENGTH}
        value={text}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.value === '' ? [] : [event.currentTarget.value])}
      />
      <p className={classes.counter}>
        {text.length.toLocaleString('en-GB')} of {MAX_LENGTH.toLocaleString('en-GB')} characters
      </p>
    </div>
  );
}
