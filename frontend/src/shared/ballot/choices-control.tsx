import { useId } from 'react';
import type { BallotControlProps } from './ballot-control-props';
import classes from './ballot-controls.module.css';
import { OptionRow } from './option-row';

/** A choice of one or more options, up to the question's limit. An abstention stands alone. Of one, the next takes the place. */
export function ChoicesControl({
  question,
  answers,
  isDisabled,
  labelledBy,
  describedBy,
  onChange,
}: BallotControlProps) {
  const name = useId();
  const isAbstention = (option: string) => option === question.abstention;
  const choices = question.options.filter((option) => !isAbstention(option));
  const limit = Math.min(question.maxChoices ?? choices.length, choices.length);
  const hasAbstained = answers.some(isAbstention);
  const isSingle = limit === 1;
  const isFull = !isSingle && answers.length >= limit;

  function handleToggle(option: string) {
    const isChosen = answers.includes(option);
    const stays = (other: string) =>
      !isSingle && answers.includes(other) && isAbstention(other) === isAbstention(option);
    // In the order of the ballot, not of the taps.
    onChange(question.options.filter((other) => (other === option ? !isChosen : stays(other))));
  }

  return (
    <>
      <p className={classes.hint} aria-live="polite">
        {hasAbstained
          ? 'You are abstaining. Choosing an answer withdraws the abstention.'
          : hintFor(answers.length, limit, choices.length)}
      </p>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support it. */}
      <div
        className={classes.options}
        role={isSingle ? 'radiogroup' : 'group'}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
      >
        {question.options.map((option) => (
          <OptionRow
            key={option}
            type={isSingle ? 'radio' : 'checkbox'}
            name={name}
            text={option}
            role={isAbstention(option) ? 'abstain' : 'choice'}
            isChosen={answers.includes(option)}
            isDisabled={
              isDisabled || (isFull && !hasAbstained && !answers.includes(option) && !isAbstention(option))
            }
            onToggle={() => handleToggle(option)}
          />
        ))}
      </div>
    </>
  );
}

function hintFor(chosen: number, limit: number, available: number): string {
  if (limit === 1) {
    return 'Choose one answer.';
  }
  if (limit >= available) {
    return 'Choose one or more answers.';
  }
  if (chosen >= limit) {
    return `${chosen} of ${limit} chosen. To choose another answer, clear one first.`;
  }
  return chosen === 0 ? `Choose up to ${limit} answers.` : `${chosen} of ${limit} chosen.`;
}
