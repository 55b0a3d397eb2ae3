import type { ElectionResult } from '../../elections/election-types';
import classes from './election-report.module.css';
import { nobodyWords } from './shown-election';

/** The reasons of an election, by their names in the result. */
const REASONS: Record<string, string> = {
  quota: 'Has the quota',
  majority: 'More than half of the votes',
  last_vacancies: 'As many candidates as seats were left',
  most_votes: 'Most votes',
  required_share: 'Has the required share of votes',
  order: 'By the order of all candidates',
  list_seat: 'Seat of the list',
  tie_decision: 'By lot',
};

/** The elected persons in the order of their election, with what it rests on. */
export function ElectedList({ election }: { election: ElectionResult }) {
  const { elected, candidates, lists, vacancies } = election;
  return (
    <section className={classes.part} aria-label="Elected">
      {elected.length === 0 ? (
        <p className={classes.nobody}>{nobodyWords(election)}</p>
      ) : (
        <ol className={classes.elected} aria-label="Elected, in the order of election">
          {elected.map(({ candidate, by, list }) => {
            const person = candidates.find(({ number }) => number === candidate);
            const listName = lists?.find((one) => one.list === list)?.name;
            return (
              <li key={candidate}>
                <strong dir="auto">{person?.name}</strong>
                {person?.line ? <span className={classes.quiet}> {person.line}</span> : null}
                {listName ? <span className={classes.quiet}> List {listName}</span> : null}
                <span className={classes.by}>{REASONS[by] ?? by}</span>
              </li>
            );
          })}
        </ol>
      )}
      {vacancies ? <p className={classes.sentence}>{vacancies.words}</p> : null}
    </section>
  );
}
