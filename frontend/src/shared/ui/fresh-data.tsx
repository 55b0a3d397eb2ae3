import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { referenceOf } from '../../api/api-error';
import { ErrorState } from './error-state';
import classes from './fresh-data.module.css';
import { TableSkeleton } from './table-skeleton';

interface FreshDataProps<Data> {
  /** Of a query with a `staleTime` of 0. */
  query: UseQueryResult<Data>;
  loadingText: string;
  errorText: string;
  /** The form. What it starts from stays the same while it is open. */
  children: (data: Data) => ReactNode;
}

/** Loads what a form changes before it can be used: it would store the cached data of an earlier visit again. */
export function FreshData<Data>({ query, loadingText, errorText, children }: FreshDataProps<Data>) {
  const { data, dataUpdatedAt } = query;
  const [openedAt] = useState(Date.now);
  const [fresh, setFresh] = useState<{ data: Data } | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const isLoaded = fresh !== null;

  // The panel has opened without the form, so its focus could not be there.
  useEffect(() => {
    if (isLoaded) {
      root.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    }
  }, [isLoaded]);

  if (fresh === null && data !== undefined && dataUpdatedAt >= openedAt) {
    setFresh({ data });
  }
  if (fresh !== null) {
    return (
      <div ref={root} className={classes.root}>
        {children(fresh.data)}
      </div>
    );
  }
  if (query.isError) {
    return (
      <ErrorState
        title={errorText}
        hint="Without the current data, nothing can be changed now."
        reference={referenceOf(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return <TableSkeleton label={loadingText} />;
}
