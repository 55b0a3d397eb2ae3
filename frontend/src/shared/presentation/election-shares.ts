import type { Result } from '../../api/types';
import type { ElectionMethod, ElectionResult, ElectionStage } from '../elections/election-types';
import { candidateName, fateAfter } from '../result/election/election-names';
import { capitalized } from '../result/result-words';
import type { SharedResult } from '../result/shares';
import type { OptionsWording } from './presentation-options';

/** The figures of an election, so that they are shown as those of any other result. */
export interface ElectionShares {
  result: SharedResult & Pick<Result, 'weightKind'>;
  wording: OptionsWording;
  /** The meaning of the percentages. Null without any. */
  base: string | null;
}

interface Row {
  id: number;
  text: string;
  amount: string;
  /** The base of its own percentage. By default all rows have the same. */
  whole?: number;
}

/**
 * Candidates with the figures that decided: the elected, in the order of their election, with those of the stage that elected
 * them, and the others with those of the last one. Lists with their votes.
 */
export function outcomeShares(result: Result, election: ElectionResult): ElectionShares {
  const { answers, lists, elected, stages, tie } = election;
  if (lists) {
    const rows = lists.map(({ list, name, votes, seats }) => ({
      id: list,
      text: seats.length === 0 ? name : `${name}: ${seats.length} ${seats.length === 1 ? 'seat' : 'seats'}`,
      amount: votes,
    }));
    const won = lists.filter(({ seats }) => seats.length > 0).map(({ list }) => list);
    return sharesOfRows(result, election, { rows, noun: 'list', elected: won, tied: [] });
  }
  const last = stages.at(-1);
  const rows = answers
    ? answers.map(({ candidate, yes, no }) => ({
        ...rowOf(election, candidate, yes),
        whole: hasAnswerShares(result) ? Number(yes) + Number(no) : 0,
      }))
    : last
      ? outcomeRows(election, last)
      : [];
  const shares = sharesOfRows(result, election, {
    rows: inOrder(rows, elected),
    noun: 'candidate',
    elected: elected.map(({ candidate }) => candidate),
    tied: tie?.matter === 'seats' ? tie.numbers : [],
    excludedAt: last?.number,
    isInOrder: true,
  });
  if (answers) {
    const base = 'Percentages are of the yes and no votes for each candidate.';
    return { ...shares, base: hasAnswerShares(result) ? base : null };
  }
  return elected.some(({ stage }) => stage !== last?.number) && stages.length > 1
    ? { ...shares, base: `${shares.base} The elected have their votes of the stage that elected them.` }
    : shares;
}

/** Whether the rule is of the yes and no votes for each candidate. Other shares would contradict it. */
function hasAnswerShares({ decisionRule }: Result): boolean {
  const requirement = decisionRule?.kind === 'election' ? decisionRule.election.requirement : null;
  return (requirement?.base ?? 'yes_and_no') === 'yes_and_no';
}

/** Those elected in an earlier count may be missing at the last stage, or have passed on votes since. */
function outcomeRows(election: ElectionResult, last: ElectionStage): Row[] {
  const deciding = election.elected.flatMap(({ candidate, stage }) => {
    const at = election.stages.find(({ number }) => number === stage);
    const amount = at?.votes.find((one) => one.candidate === candidate)?.votes;
    return amount === undefined ? [] : [rowOf(election, candidate, amount)];
  });
  return [...deciding, ...rowsAt(election, last).filter(({ id }) => deciding.every((row) => row.id !== id))];
}

/** The elected in the order of their election, then the others by their votes. */
function inOrder(rows: Row[], elected: ElectionResult['elected']): Row[] {
  const place = ({ id }: Row) => {
    const index = elected.findIndex(({ candidate }) => candidate === id);
    return index < 0 ? elected.length : index;
  };
  return [...rows].sort(
    (left, right) => place(left) - place(right) || Number(right.amount) - Number(left.amount),
  );
}

/** Candidates with their votes at one stage of the count. Those elected in the counts of earlier seats take no part in it. */
export function stageShares(result: Result, election: ElectionResult, stage: ElectionStage): ElectionShares {
  const rows = rowsAt(election, stage);
  const elected = rows
    .map(({ id }) => id)
    .filter((id) => fateAfter(election, id, stage.number) === 'elected');
  const shares = sharesOfRows(result, election, {
    rows,
    noun: 'candidate',
    elected,
    tied: [],
    excludedAt: stage.number,
  });
  return { ...shares, wording: { ...shares.wording, caption: `Votes at stage ${stage.number}` } };
}

function rowsAt(election: ElectionResult, { votes, number: stage }: ElectionStage): Row[] {
  const listed = votes.map(({ candidate, votes: amount }) => rowOf(election, candidate, amount));
  const others = election.candidates.filter(
    ({ number, isWithdrawn }) =>
      !isWithdrawn &&
      votes.every(({ candidate }) => candidate !== number) &&
      fateAfter(election, number, stage) !== 'elected',
  );
  return [...listed, ...others.map(({ number }) => rowOf(election, number, '0'))];
}

/** The line tells apart persons of one name. */
function rowOf(election: ElectionResult, candidate: number, amount: string): Row {
  const line = election.candidates.find(({ number }) => number === candidate)?.line;
  const name = candidateName(election, candidate);
  return { id: candidate, text: line ? `${name}, ${line}` : name, amount };
}

interface Rows {
  rows: Row[];
  noun: string;
  elected: number[];
  tied: number[];
  /** The stage by which a candidate may have been excluded. */
  excludedAt?: number | undefined;
  /** By default the elected come first, then those with the most votes. */
  isInOrder?: boolean;
}

function sharesOfRows(
  result: Result,
  election: ElectionResult,
  { rows, noun, elected, tied, excludedAt, isInOrder = false }: Rows,
): ElectionShares {
  const amounts = rows.map(({ amount }) => Number(amount));
  const isSum = SUMMED.includes(election.method);
  const whole = isSum
    ? amounts.reduce((sum, amount) => sum + amount, 0)
    : Number(election.ballots.valid.votes);
  const figure = FIGURES[election.method] ?? 'vote';
  return {
    result: {
      ...result,
      options: rows.map(({ id, text }, index) => ({
        id: String(id),
        text,
        role: 'choice' as const,
        heads: amounts[index] ?? 0,
        headsPercent: null,
        weight: amounts[index] ?? 0,
        weightPercent: null,
      })),
      isInOrder,
      wholes: new Map(rows.flatMap((row) => (row.whole === undefined ? [] : [[String(row.id), row.whole]]))),
      votesCast: { heads: whole, weight: whole },
      decisionRule: { kind: 'plurality', unit: election.unit, seats: election.seats ?? rows.length },
      decision: {
        outcome: result.decision.outcome,
        elected: elected.map(String),
        tie: tied.length > 0 ? { options: tied.map(String), votes: 0, seats: 0 } : null,
      },
      arithmetic: { checks: [], quorum: null, sentence: '' },
    },
    wording: {
      caption: `${capitalized(figure)}s per ${noun}`,
      noun,
      figure,
      noteOf: (id) =>
        excludedAt !== undefined && fateAfter(election, Number(id), excludedAt) === 'excluded'
          ? 'excluded'
          : null,
    },
    base: isSum ? `Percentages are of all ${figure}s.` : 'Percentages are of the valid ballots.',
  };
}

/** A ballot gives more than one of these, so they have no share of the ballots. */
const SUMMED: ElectionMethod[] = ['cumulative', 'borda', 'score'];

const FIGURES: Partial<Record<ElectionMethod, string>> = {
  per_candidate: 'yes vote',
  borda: 'point',
  score: 'point',
  // Pairs decide; of a single candidate only these can be counted.
  schulze: 'first choice',
};
