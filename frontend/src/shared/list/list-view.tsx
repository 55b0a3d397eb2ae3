import { Button, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { hintOf, referenceOf } from '../../api/api-error';
import { PAGE_SIZE, type Page } from '../../api/page';
import { countOf, formatNumber } from '../format';
import { type Column, DataTable, type RowSelection, useIsPhone } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { FilterSelect } from '../ui/filter-select';
import { ListFrame } from '../ui/list-frame';
import { ListPages } from '../ui/list-pages';
import { SearchInput } from '../ui/search-input';
import { TableSkeleton } from '../ui/table-skeleton';
import { SortSelect } from './sort-select';
import type { ListState } from './use-list-state';

interface ListViewProps<Row, Filter extends string> {
  /** "All Meetings"; the count follows it. */
  heading: string;
  list: ListState<Filter>;
  query: UseQueryResult<Page<Row>>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The actions of a row: a `RowActions`. */
  actions?: (row: Row) => ReactNode;
  /** The choice of rows, for `bulk`. */
  selection?: RowSelection<Row>;
  /** The actions on the selected rows. */
  bulk?: ReactNode;
  /** "Search meetings" */
  searchLabel: string;
  /** A filter by status; `all` is the label of the choice without a filter. */
  filter?: { all: string; options: { value: Filter; label: string }[] };
  /** Further filters. */
  tools?: ReactNode;
  /** The name of the default order, for the choice on phones: "Newest first". */
  defaultOrder?: string;
  loadingText: string;
  errorText: string;
  emptyIcon: ComponentType<{ size?: number; stroke?: number }>;
  emptyTitle: string;
  /** The first step, shown in an empty list. */
  emptyHint: string;
}

/** A paged list from the server, with search, filter, order and all its states. */
export function ListView<Row, Filter extends string = never>(props: ListViewProps<Row, Filter>) {
  const { heading, list, query, columns, rowKey, actions, searchLabel, filter, defaultOrder } = props;
  const { selection, bulk, tools } = props;
  const { loadingText, errorText, emptyIcon, emptyTitle, emptyHint } = props;
  const { data, isPlaceholderData } = query;
  const isPhone = useIsPhone();

  const lastPage = data ? Math.max(1, Math.ceil(data.total / PAGE_SIZE)) : undefined;
  const isBeyondEnd = lastPage !== undefined && !isPlaceholderData && list.page > lastPage;
  const { correctPage } = list;
  useEffect(() => {
    if (isBeyondEnd) {
      correctPage(lastPage);
    }
  }, [isBeyondEnd, lastPage, correctPage]);

  return (
    <ListFrame
      heading={data ? `${heading} (${formatNumber(data.total)})` : heading}
      isBusy={isPlaceholderData}
      tools={<ListTools list={list} columns={columns} {...{ searchLabel, filter, tools, defaultOrder }} />}
    >
      <VisuallyHidden role="status">
        {data && !isPlaceholderData && list.isNarrowed ? countOf(data.total, 'result') : ''}
      </VisuallyHidden>
      {data && (data.total === 0 || data.rows.length > 0) ? (
        data.total > 0 ? (
          <>
            {isPhone ? null : bulk}
            <DataTable
              label={heading}
              selection={selection}
              columns={columns}
              rows={data.rows}
              rowKey={rowKey}
              sort={list.sort}
              onSort={() => list.setSort(nextSort(list))}
              {...(actions ? { actions } : {})}
            />
            {/* On phones it sticks to the bottom of the screen, so it is after the cards. */}
            {isPhone ? bulk : null}
            <ListPages label={heading} page={list.page} total={data.total} onPage={list.setPage} />
          </>
        ) : (
          <EmptyState
            icon={emptyIcon}
            title={emptyTitle}
            hint={list.isNarrowed ? 'Try adjusting your search or filters' : emptyHint}
            {...(list.isNarrowed
              ? {
                  action: (
                    <Button variant="default" onClick={list.clear}>
                      Clear search and filters
                    </Button>
                  ),
                }
              : {})}
          />
        )
      ) : query.isError ? (
        <ErrorState
          title={errorText}
          hint={hintOf(query.error)}
          reference={referenceOf(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <TableSkeleton label={loadingText} columns={columns} hasActions={actions !== undefined} />
      )}
    </ListFrame>
  );
}

type ListToolsProps<Row, Filter extends string> = Pick<
  ListViewProps<Row, Filter>,
  'list' | 'columns' | 'searchLabel'
> & {
  filter: ListViewProps<Row, Filter>['filter'] | undefined;
  tools: ReactNode;
  defaultOrder: string | undefined;
};

/** Search, filter and order. */
function ListTools<Row, Filter extends string>(props: ListToolsProps<Row, Filter>) {
  const { list, columns, searchLabel, filter, tools, defaultOrder } = props;
  const isSortable = columns.some((column) => column.isSortable);
  return (
    <>
      <SearchInput label={searchLabel} value={list.search} onSearch={list.setSearch} />
      {filter ? (
        <FilterSelect<Filter | ''>
          label="Filter by status"
          value={list.filter ?? ''}
          options={[{ value: '', label: filter.all }, ...filter.options]}
          onChange={(chosen) => list.setFilter(chosen || undefined)}
        />
      ) : null}
      {tools}
      {isSortable ? (
        <SortSelect
          sort={list.sort}
          {...(list.defaultSort ? {} : { defaultOrder: defaultOrder ?? 'As listed' })}
          onSort={list.setSort}
        />
      ) : null}
    </>
  );
}

/** The order after a click: by name, then reversed, then the default order if it is another one. */
function nextSort({ sort, defaultSort }: Pick<ListState, 'sort' | 'defaultSort'>) {
  if (sort === 'name') {
    return '-name';
  }
  return sort === '-name' && !defaultSort ? undefined : 'name';
}
