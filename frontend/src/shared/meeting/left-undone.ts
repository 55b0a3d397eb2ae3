import type { Round } from '../../api/types';
import { countOf } from '../format';
import type { LiveQuestion } from '../live/live-events';

/**
 * What the end of a meeting leaves undone: "1 result is not declared. 2 questions were never asked." Null if nothing. A round
 * that is open has no result yet, and one that is void never has one.
 */
export function leftUndoneWords(
  questionCount: number,
  rounds: Pick<Round, 'id' | 'questionId' | 'number' | 'status'>[],
  current: Pick<LiveQuestion, 'roundId' | 'isVoid'> | null = null,
): string | null {
  const latest = new Map<string, (typeof rounds)[number]>();
  for (const round of rounds) {
    const other = latest.get(round.questionId);
    if (other === undefined || other.number < round.number) {
      latest.set(round.questionId, round);
    }
  }
  const undeclared = [...latest.values()].filter(
    ({ id, status }) =>
      status !== 'OPEN' && status !== 'DECLARED' && !(current?.isVoid && current.roundId === id),
  ).length;
  const unasked = questionCount - latest.size;
  const sentences = [
    ...(undeclared > 0 ? [`${countOf(undeclared, 'result is', 'results are')} not declared.`] : []),
    ...(unasked > 0 ? [`${countOf(unasked, 'question was', 'questions were')} never asked.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}
