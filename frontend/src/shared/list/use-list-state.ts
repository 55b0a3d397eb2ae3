import { useAddressParams } from '../use-address-params';

/** The orders of the API's lists: by name or title. */
export type ListSort = 'name' | '-name';

interface ListStateOptions<Filter extends string> {
  /** The filters of the list. */
  filters?: readonly Filter[];
  /** The server's default order; omitted if it is not by name. */
  defaultSort?: ListSort;
}

/** The visible part of a list. */
export interface ListState<Filter extends string = never> {
  search: string;
  /** `undefined` means all. */
  filter: Filter | undefined;
  /** `undefined` means the server's default order. */
  sort: ListSort | undefined;
  defaultSort: ListSort | undefined;
  /** From 1. */
  page: number;
  isNarrowed: boolean;
  setSearch: (search: string) => void;
  setFilter: (filter: Filter | undefined) => void;
  setSort: (sort: ListSort | undefined) => void;
  setPage: (page: number) => void;
  /** Replaces a page that does not exist with the last one, without a history entry. */
  correctPage: (page: number) => void;
  /** Neither search nor filter. */
  clear: () => void;
}

const LARGEST_PAGE = 1_000_000;

/**
 * The state of a list, kept in the address. A reload, "back" and a shared link show the same rows. Default values are
 * omitted. Other parameters of the address are kept.
 */
export function useListState<Filter extends string = never>({
  filters,
  defaultSort,
}: ListStateOptions<Filter> = {}): ListState<Filter> {
  const { params, change } = useAddressParams();
  const search = params.get('search')?.trim() ?? '';
  const filter = filters?.find((known) => known === params.get('status'));
  const sort = readSort(params.get('sort')) ?? defaultSort;
  const page = readPage(params.get('page'));

  const pageParam = (number: number) => (number > 1 ? String(number) : undefined);

  return {
    search,
    filter,
    sort,
    defaultSort,
    page,
    isNarrowed: search !== '' || filter !== undefined,
    // Typing creates no history entries.
    setSearch: (text) => change({ search: text.trim(), page: undefined }, { replace: true }),
    setFilter: (chosen) => change({ status: chosen, page: undefined }),
    setSort: (chosen) => change({ sort: chosen === defaultSort ? undefined : chosen, page: undefined }),
    setPage: (number) => change({ page: pageParam(number) }),
    correctPage: (number) => change({ page: pageParam(number) }, { replace: true }),
    clear: () => change({ search: undefined, status: undefined, page: undefined }),
  };
}

function readSort(text: string | null): ListSort | undefined {
  return text === 'name' || text === '-name' ? text : undefined;
}

/** An address that a person typed may contain anything. */
function readPage(text: string | null): number {
  const page = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), LARGEST_PAGE);
}
