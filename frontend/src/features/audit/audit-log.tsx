import { Button } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { hintOf } from '../../api/api-error';
import { DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { ListFrame } from '../../shared/ui/list-frame';
import { PageHead } from '../../shared/ui/page-head';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import classes from './audit.module.css';
import { AUDIT_COLUMNS } from './audit-columns';
import { AuditTools } from './audit-tools';
import { ExportAuditMenu } from './export-audit-menu';
import { type AuditScope, auditQueries } from './queries';
import { useAuditFilters } from './use-audit-filters';

interface AuditLogProps {
  scope: AuditScope;
  description: string;
  back: { to: string; label: string };
}

/** The entries of the audit log, the newest first. Older ones are loaded on request. */
export function AuditLog({ scope, description, back }: AuditLogProps) {
  const state = useAuditFilters();
  const log = useInfiniteQuery(auditQueries.list(scope, state.filters));

  return (
    <>
      <PageHead
        title="Audit Log"
        description={description}
        back={back}
        action={<ExportAuditMenu scope={scope} filters={state.filters} isNarrowed={state.isNarrowed} />}
      />
      <ListFrame heading="Entries" isBusy={log.isPlaceholderData} tools={<AuditTools state={state} />}>
        {log.data ? (
          log.data.length > 0 ? (
            <>
              <DataTable
                label="Entries"
                columns={AUDIT_COLUMNS}
                rows={log.data}
                rowKey={({ id }) => String(id)}
              />
              {log.hasNextPage ? (
                <div className={classes.more}>
                  <Button
                    variant="default"
                    loading={log.isFetchingNextPage}
                    onClick={() => void log.fetchNextPage()}
                  >
                    Show older entries
                  </Button>
                </div>
              ) : null}
            </>
          ) : (
            <EmptyState
              icon={IconListSearch}
              title="No entries found"
              hint={state.isNarrowed ? 'Try adjusting your search or filters' : 'Changes will be listed here'}
              {...(state.isNarrowed
                ? {
                    action: (
                      <Button variant="default" onClick={state.clear}>
                        Clear search and filters
                      </Button>
                    ),
                  }
                : {})}
            />
          )
        ) : log.isError ? (
          <ErrorState
            title="Failed to load the audit log"
            hint={hintOf(log.error)}
            onRetry={() => void log.refetch()}
            isRetrying={log.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading the audit log..." columns={AUDIT_COLUMNS} hasActions={false} />
        )}
      </ListFrame>
    </>
  );
}
