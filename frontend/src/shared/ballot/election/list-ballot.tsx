import { useId } from 'react';
import type { BallotList } from '../../elections/election-types';
import { nameOf, readChoices, readList } from '../../elections/marks';
import { writeList } from '../../elections/marks-writing';
import ballot from '../ballot-controls.module.css';
import { CandidateRow } from './candidate-row';
import classes from './election.module.css';
import type { MarksProps } from './marks-props';

/** A choice of one list, and of candidates on it, where the election allows that. */
export function ListBallot(props: MarksProps) {
  const { election, candidates, answers, isDisabled, labelledBy, describedBy, onChange } = props;
  const group = useId();
  const chosenList = readList(answers);
  const chosen = readChoices(answers);
  const most = election.most ?? 0;
  const list = election.lists.find(({ number }) => number === chosenList);

  function handleList({ number, name }: BallotList) {
    const cleared = chosen.length > 0 ? ' Your choices on the other list are cleared.' : '';
    onChange(writeList(number, []), `${name} is chosen.${cleared}`);
  }

  function handleCandidate(listNumber: number, candidate: number) {
    const isChosen = chosen.includes(candidate);
    const next = isChosen ? chosen.filter((other) => other !== candidate) : [...chosen, candidate];
    const name = nameOf(election, candidate);
    onChange(writeList(listNumber, next), isChosen ? `${name} is no longer chosen.` : `${name} is chosen.`);
  }

  return (
    <>
      <div
        className={ballot.options}
        role="radiogroup"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
      >
        {election.lists.map((one) => (
          <ListRow
            key={one.number}
            list={one}
            names={one.candidates.map((number) => nameOf(election, number))}
            group={group}
            isChosen={one.number === chosenList}
            isDisabled={isDisabled}
            onChoose={() => handleList(one)}
          />
        ))}
      </div>
      {list && most > 0 ? (
        <fieldset className={classes.onList}>
          <legend>
            Candidates of {list.name}: choose up to {most}, or none
          </legend>
          <ul className={classes.list}>
            {list.candidates
              .flatMap((number) => candidates.find((one) => one.number === number) ?? [])
              .map((candidate) => (
                <CandidateRow
                  key={candidate.number}
                  candidate={candidate}
                  isChosen={chosen.includes(candidate.number)}
                  isDisabled={isDisabled || (chosen.length >= most && !chosen.includes(candidate.number))}
                  onToggle={() => handleCandidate(list.number, candidate.number)}
                />
              ))}
          </ul>
        </fieldset>
      ) : null}
    </>
  );
}

interface ListRowProps {
  list: BallotList;
  names: string[];
  group: string;
  isChosen: boolean;
  isDisabled: boolean;
  onChoose: () => void;
}

function ListRow({ list, names, group, isChosen, isDisabled, onChoose }: ListRowProps) {
  const id = useId();
  return (
    <label className={ballot.option} data-chosen={isChosen} data-disabled={isDisabled}>
      <input
        className={ballot.input}
        type="radio"
        name={group}
        aria-label={list.name}
        aria-describedby={id}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
      />
      <span className={ballot.mark} data-shape="round">
        <span className={classes.dot} />
      </span>
      <span className={classes.texts} dir="auto">
        <span>{list.name}</span>
        <span id={id} className={classes.line}>
          {names.join(', ')}
        </span>
      </span>
      <span className={ballot.ring} aria-hidden="true" />
    </label>
  );
}
