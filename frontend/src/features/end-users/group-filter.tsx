import { useQuery } from '@tanstack/react-query';
import { groupQueries } from '../../shared/groups/queries';
import type { ListState } from '../../shared/list/use-list-state';
import { FilterSelect } from '../../shared/ui/filter-select';
import { useAddressParams } from '../../shared/use-address-params';

interface GroupFilterState {
  /** The group in the address; empty for all. */
  id: string;
  choose: (id: string) => void;
  /** The list with this filter among the others. */
  narrow: <Filter extends string>(list: ListState<Filter>) => ListState<Filter>;
}

/** The filter by group, in the address like the other parts of a list. */
export function useGroupFilter(): GroupFilterState {
  const { params, change } = useAddressParams();
  const id = params.get('group') ?? '';
  return {
    id,
    choose: (chosen) => change({ group: chosen || undefined, page: undefined }),
    narrow: (list) => ({
      ...list,
      isNarrowed: list.isNarrowed || id !== '',
      clear: () => change({ group: undefined, search: undefined, status: undefined, page: undefined }),
    }),
  };
}

/** A choice of a group. An organization without groups does not see it. */
export function GroupFilter({ filter }: { filter: GroupFilterState }) {
  const groups = useQuery(groupQueries.list());
  const known = groups.data ?? [];
  return known.length === 0 ? null : (
    <FilterSelect
      label="Filter by group"
      value={filter.id}
      options={[
        { value: '', label: 'All Groups' },
        ...known.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={filter.choose}
    />
  );
}
