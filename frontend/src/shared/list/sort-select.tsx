import { useIsPhone } from '../ui/data-table';
import { FilterSelect } from '../ui/filter-select';
import type { ListSort } from './use-list-state';

interface SortSelectProps {
  sort: ListSort | undefined;
  /** The name of the default order, if it is not by name. */
  defaultOrder?: string;
  onSort: (sort: ListSort | undefined) => void;
}

/** The choice of the order on phones: cards have no column headers to press. */
export function SortSelect({ sort, defaultOrder, onSort }: SortSelectProps) {
  const isPhone = useIsPhone();
  if (!isPhone) {
    return null;
  }
  return (
    <FilterSelect<ListSort | ''>
      label="Sort"
      value={sort ?? ''}
      options={[
        ...(defaultOrder ? [{ value: '' as const, label: defaultOrder }] : []),
        { value: 'name', label: 'Name, A to Z' },
        { value: '-name', label: 'Name, Z to A' },
      ]}
      onChange={(chosen) => onSort(chosen || undefined)}
    />
  );
}
