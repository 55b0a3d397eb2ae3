import type { ElectionResult } from '../../elections/election-types';
import { candidateName } from './election-names';
import classes from './election-report.module.css';

/** Yes, no and abstain for each candidate, and whether the required share is met. */
export function AnswersTable({ election }: { election: ElectionResult }) {
  return election.answers ? (
    <div className={classes.wide}>
      <table className={classes.table}>
        <caption className={classes.caption}>Answers for each candidate</caption>
        <thead>
          <tr>
            <th scope="col">Candidate</th>
            {['Yes', 'No', 'Abstain', 'Required share'].map((label) => (
              <th key={label} scope="col" className={classes.cell}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {election.answers.map(({ candidate, yes, no, abstain, isMet }) => (
            <tr key={candidate}>
              <th scope="row" className={classes.label} dir="auto">
                {candidateName(election, candidate)}
              </th>
              <td className={classes.cell}>{yes}</td>
              <td className={classes.cell}>{no}</td>
              <td className={classes.cell}>{abstain}</td>
              <td className={classes.cell}>{isMet ? 'Met' : 'Not met'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ) : null;
}

/** For each pair, the votes that prefer the candidate of the row to the one of the column, and the paths between them. */
export function PairsTables({ election }: { election: ElectionResult }) {
  const { pairs } = election;
  return pairs ? (
    <>
      <PairTable
        caption="Votes that prefer the candidate of the row to that of the column"
        election={election}
        amounts={pairs.preferred}
      />
      <PairTable
        caption="Strength of the strongest path from the row to the column"
        election={election}
        amounts={pairs.paths}
      />
    </>
  ) : null;
}

interface PairTableProps {
  caption: string;
  election: ElectionResult;
  amounts: string[][];
}

function PairTable({ caption, election, amounts }: PairTableProps) {
  const numbers = election.pairs?.candidates ?? [];
  return (
    <section className={classes.wide} aria-label={caption} tabIndex={numbers.length > 4 ? 0 : undefined}>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            <td />
            {numbers.map((number) => (
              <th key={number} scope="col" className={classes.cell} dir="auto">
                {candidateName(election, number)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbers.map((row, at) => (
            <tr key={row}>
              <th scope="row" className={classes.label} dir="auto">
                {candidateName(election, row)}
              </th>
              {numbers.map((column, across) => (
                <td
                  key={column}
                  className={classes.cell}
                  data-wins={isMore(amounts[at]?.[across], amounts[across]?.[at]) || undefined}
                >
                  {row === column ? '' : (amounts[at]?.[across] ?? '–')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Only for the weight of the type: the figures decide nothing here. */
function isMore(one: string | undefined, other: string | undefined): boolean {
  return Number(one ?? 0) > Number(other ?? 0);
}

/** The votes and the seats of each list, with the divisors by which it got them. */
export function ListsTable({ election: { lists } }: { election: ElectionResult }) {
  return lists ? (
    <div className={classes.wide}>
      <table className={classes.table}>
        <caption className={classes.caption}>Votes and seats of the lists</caption>
        <thead>
          <tr>
            <th scope="col">List</th>
            <th scope="col" className={classes.cell}>
              Votes
            </th>
            <th scope="col" className={classes.cell}>
              Seats
            </th>
            <th scope="col" className={classes.cell}>
              Won as
            </th>
          </tr>
        </thead>
        <tbody>
          {lists.map(({ list, name, votes, seats }) => (
            <tr key={list}>
              <th scope="row" className={classes.label} dir="auto">
                {name}
              </th>
              <td className={classes.cell}>{votes}</td>
              <td className={classes.cell}>{seats.length}</td>
              <td className={classes.cell}>
                {seats.map(({ seat, divisor }) => `seat ${seat} (÷ ${divisor})`).join(', ') || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ) : null;
}
