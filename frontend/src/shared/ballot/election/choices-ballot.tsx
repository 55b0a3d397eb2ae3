import { nameOf, readChoices } from '../../elections/marks';
import { writeChoices } from '../../elections/marks-writing';
import { CandidateRow } from './candidate-row';
import classes from './election.module.css';
import type { MarksProps } from './marks-props';

/** A choice of candidates up to a limit. "None of the above" cannot be combined with them. */
export function ChoicesBallot(props: MarksProps) {
  const { election, candidates, answers, isDisabled, labelledBy, describedBy, onChange } = props;
  const chosen = readChoices(answers);
  const none = election.noneOfTheAbove;
  const persons = chosen.filter((number) => number !== none);
  const isFull = election.most !== null && persons.length >= election.most;

  function handleToggle(number: number) {
    const name = nameOf(election, number);
    if (chosen.includes(number)) {
      onChange(writeChoices(chosen.filter((other) => other !== number)), `${name} is no longer chosen.`);
    } else if (number === none) {
      const replaced = persons.length > 0 ? ' It cannot be combined, so your other choices are cleared.' : '';
      onChange(writeChoices([number]), `${name} is chosen.${replaced}`);
    } else {
      const replaced = persons.length < chosen.length ? ' None of the above is cleared.' : '';
      // In the order of the ballot, not of the taps.
      const next = candidates
        .map((one) => one.number)
        .filter((one) => one === number || persons.includes(one));
      onChange(writeChoices(next), `${name} is chosen.${replaced}`);
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend.
    <div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <ul className={classes.list}>
        {candidates.map((candidate) => (
          <CandidateRow
            key={candidate.number}
            candidate={candidate}
            isChosen={chosen.includes(candidate.number)}
            isDisabled={
              isDisabled || (isFull && !chosen.includes(candidate.number) && candidate.number !== none)
            }
            onToggle={() => handleToggle(candidate.number)}
          />
        ))}
      </ul>
    </div>
  );
}
