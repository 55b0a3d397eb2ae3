import type { MeetingResults } from '../../api/types';
import { countOf } from '../../shared/format';
import classes from './results-page.module.css';

/** Questions with uncounted votes. They have no result yet. */
export function UncountedRounds({ uncounted }: Pick<MeetingResults, 'uncounted'>) {
  return (
    <p className={classes.note}>
      {countOf(uncounted.length, 'question is', 'questions are')} not counted yet:{' '}
      {uncounted.map(nameOf).join('; ')}. Count the votes in meeting control.
    </p>
  );
}

function nameOf({ position, number, questionText }: MeetingResults['uncounted'][number]): string {
  return `question ${position}${number > 1 ? `, round ${number}` : ''} (${questionText})`;
}
