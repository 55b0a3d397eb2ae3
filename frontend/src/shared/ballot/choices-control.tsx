import { useId } from 'react';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';
import { OptionRow } from './option-row';

/** A choice of one or more options, up to the question's limit. */
export function ChoicesControl({
  question,
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const name = useId();
  const limit = question.maxChoices ?? question.options.length;
  const isFull = answers.length >= limit;

  function handleToggle(option: string) {
    const isChosen = answers.includes(option);
    // In the order of the ballot, not of the taps.
    onChange(question.options.filter((other) => (other === option ? !isChosen : answers.includes(other))));
  }

  return (
    <>
      <p className={classes.hint} aria-live="polite">
        {hintFor(answers.length, limit, question.options.length)}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend. */}
      <div
        className={classes.options}
        role="group"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
      >
        {question.options.map((option) => (
          <OptionRow
            key={option}
            type="checkbox"
            name={name}
            text={option}
            isChosen={answers.includes(option)}
            isDisabled={isDisabled || (isFull && !answers.includes(option))}
            onToggle={() => handleToggle(option)}
          />
        ))}
      </div>
    </>
  );
}

function hintFor(chosen: number, limit: number, available: number): string {
  if (limit >= available) {
    return 'Choose one or more answers.';
  }
  if (chosen >= limit) {
    return `${chosen} of ${limit} chosen. To choose another answer, clear one first.`;
  }
  return chosen === 0 ? `Choose up to ${limit} answers.` : `${chosen} of ${limit} chosen.`;
}
