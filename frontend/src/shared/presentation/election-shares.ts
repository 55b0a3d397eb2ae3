import type { Result } from '../../api/types';
import type { ElectionMethod, ElectionResult, ElectionStage } from '../elections/election-types';
import { candidateName, fateAfter } from '../result/election/election-names';
import type { SharedResult } from '../result/shares';
import type { OptionsWording } from './presentation-options';

/** The figures of an election, so that they are shown as those of any other result. */
export interface ElectionShares {
  result: SharedResult & Pick<Result, 'weightKind'>;
  wording: OptionsWording;
  /** The meaning of the percentages. */
  base: string;
}

interface Row {
  id: number;
  text: string;
  amount: string;
}

/** Candidates with the figures that decided: those of the only stage, or of the last one. Lists with their votes. */
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
    ? answers.map(({ candidate, yes }) => rowOf(election, candidate, yes))
    : last
      ? rowsAt(election, last)
      : [];
  return sharesOfRows(result, election, {
    rows,
    noun: 'candidate',
    elected: elected.map(({ candidate }) => candidate),
    tied: tie?.matter === 'seats' ? tie.numbers : [],
    excludedAt: last?.number,
  });
}

/** Candidates with their votes at one stage of the count. */
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

function rowsAt(election: ElectionResult, { votes }: ElectionStage): Row[] {
  const listed = votes.map(({ candidate, votes: amount }) => rowOf(election, candidate, amount));
  const others = election.candidates.filter(
    ({ number, isWithdrawn }) => !isWithdrawn && votes.every(({ candidate }) => candidate !== number),
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
}

function sharesOfRows(
  result: Result,
  election: ElectionResult,
  { rows, noun, elected, tied, excludedAt }: Rows,
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
      caption: `${figure.charAt(0).toUpperCase()}${figure.slice(1)}s per ${noun}`,
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
