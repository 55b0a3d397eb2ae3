import type { MeetingResults } from '../../api/types';
import { countOf } from '../../shared/format';
import classes from './results-page.module.css';

type Uncounted = MeetingResults['uncounted'];

/** Questions with uncounted votes, which have no result yet, and secret votes that will never have one. */
export function UncountedRounds({ uncounted }: { uncounted: Uncounted }) {
  const countable = uncounted.filter(({ isVoid }) => !isVoid);
  const lost = uncounted.filter(({ isVoid }) => isVoid);
  return (
    <>
      {countable.length > 0 ? (
        <p className={classes.note}>
          {countOf(countable.length, 'question is', 'questions are')} not counted yet: {namesOf(countable)}.
          Count the votes in meeting control.
        </p>
      ) : null}
      {lost.length > 0 ? (
        <p className={classes.note}>
          {countOf(
            lost.length,
            'secret vote is void, because its key is',
            'secret votes are void, because their keys are',
          )}{' '}
          lost: {namesOf(lost)}. The ballots cannot be opened.
        </p>
      ) : null}
    </>
  );
}

function namesOf(rounds: Uncounted): string {
  return rounds.map(nameOf).join('; ');
}

function nameOf({ position, number, questionText }: Uncounted[number]): string {
  return `question ${position}${number > 1 ? `, round ${number}` : ''} (${questionText})`;
}
