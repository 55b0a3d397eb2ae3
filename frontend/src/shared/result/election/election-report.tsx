import type { ElectionResult } from '../../elections/election-types';
import { methodName, seatsWords } from '../../elections/method-names';
import type { NamedKind } from '../weight-names';
import { BallotsTable } from './ballots-table';
import { DecisionsList } from './decisions-list';
import { ElectedList } from './elected-list';
import { namesOf } from './election-names';
import classes from './election-report.module.css';
import { AnswersTable, ListsTable, PairsTables } from './method-tables';
import { StagesTable } from './stages-table';

/** The whole result of an election: the elected, the ballots, and the count that led from one to the other. */
export function ElectionReport({
  election,
  weightKind,
}: {
  election: ElectionResult;
  weightKind?: NamedKind;
}) {
  const { method, seats, order } = election;
  return (
    <div className={classes.root}>
      <p className={classes.quiet}>
        {methodName(method)}, {seatsWords(seats)}
      </p>
      <ElectedList election={election} />
      <BallotsTable election={election} weightKind={weightKind} />
      <ListsTable election={election} />
      <AnswersTable election={election} />
      <StagesTable election={election} />
      <PairsTables election={election} />
      {order.length > 0 ? (
        <p className={classes.sentence}>
          Order of all candidates:{' '}
          {order.map((rank, index) => `${index + 1}. ${namesOf(election, rank)}`).join('; ')}.
        </p>
      ) : null}
      <DecisionsList election={election} />
    </div>
  );
}
