import { useId } from 'react';
import { nameOf, readRanks } from '../../elections/marks';
import { writeRanks } from '../../elections/marks-writing';
import { addLast, rankOf, remove } from '../../elections/ranking';
import ballot from '../ballot-controls.module.css';
import { CandidateRow } from './candidate-row';
import classes from './election.module.css';
import type { MarksProps } from './marks-props';
import { RankedList } from './ranked-list';

/**
 * A ranking by taps: each tapped candidate gets the next number and stays in its place, so that the next tap hits the
 * right one. The list of the ranked ones below changes their order.
 */
export function RankingBallot(props: MarksProps) {
  const { election, candidates, answers, isDisabled, labelledBy, describedBy, onChange } = props;
  const id = useId();
  const ranks = readRanks(answers);
  const count = ranks.flat().length;
  const isFull = election.most !== null && count >= election.most;
  const standing = candidates.filter(({ isWithdrawn }) => !isWithdrawn).length;

  function change(next: number[][], said: string) {
    onChange(writeRanks(next), said);
  }

  function handleToggle(number: number) {
    const name = nameOf(election, number);
    if (rankOf(ranks, number) > 0) {
      change(remove(ranks, number), `${name} is no longer ranked.`);
    } else {
      change(addLast(ranks, number), `${name} is your choice ${ranks.length + 1} of ${standing}.`);
    }
  }

  return (
    <>
      <p className={ballot.hint} id={`${id}-hint`}>
        Tap the candidates in order: your first choice, then your second. A second tap takes a candidate out.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend. */}
      <div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy ?? `${id}-hint`}>
        <ul className={classes.list}>
          {candidates.map((candidate) => {
            const rank = rankOf(ranks, candidate.number);
            return (
              <CandidateRow
                key={candidate.number}
                candidate={candidate}
                isChosen={rank > 0}
                rank={rank > 0 ? rank : undefined}
                isDisabled={isDisabled || (isFull && rank === 0)}
                onToggle={() => handleToggle(candidate.number)}
              />
            );
          })}
        </ul>
      </div>
      <RankedList
        election={election}
        standing={standing}
        ranks={ranks}
        isDisabled={isDisabled}
        onChange={change}
      />
    </>
  );
}
