import { useQuery } from '@tanstack/react-query';
import { groupQueries } from './queries';

/** The names of groups by their ids, in the order of the list. Unknown ids, and all while it loads, are left out. */
export function useGroupNames(ids: readonly string[]): string[] {
  const groups = useQuery({ ...groupQueries.list(), enabled: ids.length > 0 });
  return (groups.data ?? []).filter(({ id }) => ids.includes(id)).map(({ name }) => name);
}

/** "For Delegates and Units"; nothing for everybody. */
export function audienceWords(names: readonly string[]): string | null {
  return names.length === 0 ? null : `For ${names.join(', ')}`;
}
