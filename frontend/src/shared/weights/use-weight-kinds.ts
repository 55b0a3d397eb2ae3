import { useQuery } from '@tanstack/react-query';
import type { WeightKind } from '../../api/types';
import { weightKindQueries } from './queries';

const NONE: WeightKind[] = [];

/** The kinds of weight of the organization. None while they load. */
export function useWeightKinds(): WeightKind[] {
  return useQuery(weightKindQueries.list()).data ?? NONE;
}
