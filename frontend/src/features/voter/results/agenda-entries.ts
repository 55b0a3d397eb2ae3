import type { VoterResult } from '../../../api/types';
import type { GivenAnswer } from '../ballot/given-answers';

export interface AgendaEntry {
  questionId: string;
  text: string;
  orderIndex: number | null;
  /** The answer in the question's last round; null without one. */
  answer: Pick<GivenAnswer, 'type' | 'answers' | 'castOn' | 'votedByProxy' | 'sealed'> | null;
  /** The results of its declared rounds, the earliest first. */
  results: VoterResult[];
}

/** This voter's answers and the declared results, in the order of the agenda. */
export function agendaEntries(answers: GivenAnswer[], results: VoterResult[]): AgendaEntry[] {
  const entries = new Map<string, AgendaEntry>();
  const places = new Map(answers.map(({ questionId, orderIndex }) => [questionId, orderIndex]));
  for (const answer of answers) {
    const { questionId, text, orderIndex } = answer;
    entries.set(questionId, { questionId, text, orderIndex, answer, results: [] });
  }
  for (const vote of [...results].sort((left, right) => left.result.number - right.result.number)) {
    const { result } = vote;
    const entry = entries.get(result.questionId) ?? {
      questionId: result.questionId,
      text: result.questionText,
      answer: null,
      results: [],
    };
    entries.set(result.questionId, {
      ...entry,
      // A declared round keeps its position, and the question may have moved before the next one.
      orderIndex: places.get(result.questionId) ?? result.position,
      results: [...entry.results, vote],
    });
  }
  return [...entries.values()].sort((left, right) => placeOf(left) - placeOf(right));
}

function placeOf({ orderIndex }: AgendaEntry): number {
  return orderIndex ?? Number.POSITIVE_INFINITY;
}
