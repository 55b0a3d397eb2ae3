import { useAddressParams } from '../use-address-params';

/** The orders in which the API sorts lists: by name or title. */
export type ListSort = 'name' | '-name';

interface ListStateOptions<Filter extends string> {
  /** The filters of the list. */
  filters?: readonly Filter[];
  /** The server's order without a parameter; left out if that is not by name. */
  defaultSort?: ListSort;
}

/** Which part of a list is shown. */
export interface ListState<Filter extends string = never> {
  search: string;
  /** `undefined`: all. */
  filter: Filter | undefined;
  /** `undefined` in the server's own order. */
  sort: ListSort | undefined;
  defaultSort: ListSort | undefined;
  /** From 1. */
  page: number;
  isNarrowed: boolean;
  setSearch: (search: string) => void;
  setFilter: (filter: Filter | undefined) => void;
  setSort: (sort: ListSort | undefined) => void;
  setPage: (page: number) => void;
  /** The page asked for is not there: to the last one, without a step that "back" would lead to. */
  correctPage: (page: number) => void;
  /** Neither search nor filter. */
  clear: () => void;
}

const LARGEST_PAGE = 1_000_000;

/**
 * The state of a list, kept in the address: a reload, "back" and a link that is passed on show the same rows. What is
 * as it is from the start is left out. What else the address says is left alone.
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
    // Typing leaves no trail of half words to go "back" through.
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

/** An address that was typed or cut may say anything. */
function readPage(text: string | null): number {
  const page = /^\d{1,7}$/.test(text ?? '') ? Number(text) : 1;
  return Math.min(Math.max(page, 1), LARGEST_PAGE);
}
