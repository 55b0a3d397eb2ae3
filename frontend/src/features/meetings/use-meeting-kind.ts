import { useQuery } from '@tanstack/react-query';
import type { NamedKind } from '../../shared/result/weight-names';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { meetingQueries } from './queries';

/** The kind that a meeting counts as weight. None for the ordinary weight, and while it loads. */
export function useMeetingKind(meetingId: string): NamedKind {
  const kinds = useWeightKinds();
  // Most organizations have the ordinary weight only.
  const meeting = useQuery({ ...meetingQueries.detail(meetingId), enabled: kinds.length > 0 }).data;
  return kinds.find(({ id }) => id === meeting?.weightKindId);
}
