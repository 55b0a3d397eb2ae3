import { InputBase } from '@mantine/core';
import { lengthProblem, textLength } from '../text-length';
import { MAX_TEXT } from './ballot';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';

/** A text answer. */
export function TextControl({ answers, isDisabled, labelledBy, describedBy, onChange }: BallotControlProps) {
  const text = answers[0] ?? '';
  return (
    <div>
      <InputBase
        component="textarea"
        multiline
        rows={5}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        size="lg"
        error={lengthProblem(text, MAX_TEXT)}
        errorProps={{ role: 'alert', fz: 'md' }}
        value={text}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.value === '' ? [] : [event.currentTarget.value])}
      />
      <p className={classes.counter}>
        {textLength(text).toLocaleString('en-GB')} of {MAX_TEXT.toLocaleString('en-GB')} characters
      </p>
    </div>
  );
}
