import type { Round } from '../../api/types';
import { countOf } from '../format';

/** What the end of a meeting leaves undone: "1 result is not declared. 2 questions were never asked." Null if nothing. */
export function leftUndoneWords(
  questionCount: number,
  rounds: Pick<Round, 'questionId' | 'number' | 'status'>[],
): string | null {
  const latest = new Map<string, (typeof rounds)[number]>();
  for (const round of rounds) {
    const other = latest.get(round.questionId);
    if (other === undefined || other.number < round.number) {
      latest.set(round.questionId, round);
    }
  }
  const undeclared = [...latest.values()].filter(({ status }) => status !== 'DECLARED').length;
  const unasked = questionCount - latest.size;
  const sentences = [
    ...(undeclared > 0 ? [`${countOf(undeclared, 'result is', 'results are')} not declared.`] : []),
    ...(unasked > 0 ? [`${countOf(unasked, 'question was', 'questions were')} never asked.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}
