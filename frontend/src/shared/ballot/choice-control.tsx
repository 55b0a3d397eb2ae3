import { useId } from 'react';
import { spokenRole } from '../option-roles';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';
import { OptionRow } from './option-row';

/** A choice of one option. */
export function ChoiceControl({
  question,
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const name = useId();
  return (
    <div
      className={classes.options}
      role="radiogroup"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
    >
      {question.options.map((option) => (
        <OptionRow
          key={option}
          type="radio"
          name={name}
          text={option}
          role={spokenRole(option)}
          isChosen={answers.includes(option)}
          isDisabled={isDisabled}
          onToggle={() => onChange([option])}
        />
      ))}
    </div>
  );
}
