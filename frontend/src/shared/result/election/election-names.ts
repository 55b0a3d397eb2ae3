import type { ElectionResult, ElectionStage, ElectionTie, TieRule } from '../../elections/election-types';
import { listed } from '../listed';

type Named = Pick<ElectionResult, 'candidates' | 'lists'>;

/** The name of a candidate of a result. Other numbers belong to "None of the above". */
export function candidateName({ candidates }: Pick<ElectionResult, 'candidates'>, number: number): string {
  return candidates.find((candidate) => candidate.number === number)?.name ?? 'None of the above';
}

/** "Nadia Brandt and Tomas Weller" */
export function namesOf(result: Pick<ElectionResult, 'candidates'>, numbers: number[]): string {
  return listed(numbers.map((number) => candidateName(result, number)));
}

/** The names of those who are tied: lists, where their seats are tied. */
export function tiedNames(
  result: Named,
  { matter, numbers }: ElectionTie,
): { number: number; name: string }[] {
  return numbers.map((number) => ({
    number,
    name:
      (matter === 'list_seats' ? result.lists?.find(({ list }) => list === number)?.name : undefined) ??
      candidateName(result, number),
  }));
}

/** More names than these say less than their number. */
const MOST_NAMES = 3;

/** "Nadia Brandt and Tomas Weller", "38 candidates" */
function fewNamesOf(result: Pick<ElectionResult, 'candidates'>, numbers: number[]): string {
  return numbers.length > MOST_NAMES ? `${numbers.length} candidates` : namesOf(result, numbers);
}

/** What happened at a stage, with the number of the candidates whose papers moved where their names would be too long. */
export function briefWords(
  result: Pick<ElectionResult, 'candidates'>,
  { of, words }: ElectionStage,
): string[] {
  return words.map((sentence) => sentence.replace(namesOf(result, of), () => fewNamesOf(result, of)));
}

/** "Surplus of Nadia Brandt", "Exclusion of Tomas Weller", "Exclusion of 38 candidates", "Count", "Next seat" */
export function stageKind(result: Pick<ElectionResult, 'candidates'>, { kind, of }: ElectionStage): string {
  switch (kind) {
    case 'count':
      return 'Count';
    case 'next_seat':
      return 'Next seat';
    case 'surplus':
      return `Surplus of ${fewNamesOf(result, of)}`;
    case 'exclusion':
      return `Exclusion of ${fewNamesOf(result, of)}`;
  }
}

/**
 * The fate of a candidate after a stage: its election or its exclusion. Where the count begins again for the next seat, those
 * excluded before stand again.
 */
export function fateAfter(
  { elected, stages }: Pick<ElectionResult, 'elected' | 'stages'>,
  candidate: number,
  stage: number,
): 'elected' | 'excluded' | null {
  if (elected.some((one) => one.candidate === candidate && one.stage <= stage)) {
    return 'elected';
  }
  const past = stages.filter(({ number }) => number <= stage);
  const isExcluded = past
    .slice(past.map(({ kind }) => kind).lastIndexOf('next_seat') + 1)
    .some(({ kind, of }) => kind === 'exclusion' && of.includes(candidate));
  return isExcluded ? 'excluded' : null;
}

/** The votes of a candidate at a stage; a dash where it takes no part any more. */
export function votesAt({ votes }: ElectionStage, candidate: number): string {
  return votes.find((one) => one.candidate === candidate)?.votes ?? '–';
}

/** Whether anything is transferred, so that the table needs a row for it. */
export function hasAmount(amount: string): boolean {
  return !/^0*(\.0*)?$/.test(amount);
}

/** Whether the count waits for a decision without which the result cannot be declared. */
export function waitsForLot(tie: ElectionTie | null, ties: TieRule): boolean {
  return tie !== null && !isLeftToRunOff(tie, ties);
}

/** A tie for seats that a run-off decides: the tied stay without a seat in this ballot. */
export function isLeftToRunOff(tie: ElectionTie, ties: TieRule): boolean {
  return ties === 'run_off' && (tie.matter === 'seats' || tie.matter === 'list_seats');
}
