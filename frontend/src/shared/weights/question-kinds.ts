import type { Question, WeightKind } from '../../api/types';
import type { NamedKinds } from '../result/weight-names';
import { useWeightKinds } from './use-weight-kinds';

type Chosen = Pick<Question, 'weightKindId' | 'secondWeightKindId'>;

/** The kinds that a question counts by. Without one of its own, that of the meeting. */
export function kindsOfQuestion(
  { weightKindId, secondWeightKindId }: Chosen,
  meeting: { weightKindId: string | null } | undefined,
  kinds: WeightKind[],
): NamedKinds {
  const kind = (id: string | null | undefined) => kinds.find((known) => known.id === id);
  return {
    weightKind: kind(weightKindId ?? meeting?.weightKindId),
    secondWeightKind: kind(secondWeightKindId),
  };
}

export function useKindsOfQuestion(
  question: Chosen,
  meeting: { weightKindId: string | null } | undefined,
): NamedKinds {
  return kindsOfQuestion(question, meeting, useWeightKinds());
}
