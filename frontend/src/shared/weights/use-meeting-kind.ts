import { useQuery } from '@tanstack/react-query';
import type { NamedKind } from '../result/weight-names';
import { weightKindQueries } from './queries';
import { useWeightKinds } from './use-weight-kinds';

/** The kind that a meeting counts as weight. None for the ordinary weight, and while it loads. */
export function useMeetingKind(meetingId: string): NamedKind {
  const kinds = useWeightKinds();
  // Most organizations have the ordinary weight only.
  const chosen = useQuery({ ...weightKindQueries.ofMeeting(meetingId), enabled: kinds.length > 0 }).data;
  return kinds.find(({ id }) => id === chosen);
}
