import { IconDownload, IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ClientReport } from '../../api/types';
import { clientStatuses } from '../../shared/client-statuses';
import { formatDateTime, formatNumber } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useListState } from '../../shared/list/use-list-state';
import { paths } from '../../shared/paths';
import { planLabel } from '../../shared/plans';
import { BusyButton } from '../../shared/ui/busy-button';
import { ClientStatusBadge } from '../../shared/ui/client-status-badge';
import type { Column } from '../../shared/ui/data-table';
import { PageHead } from '../../shared/ui/page-head';
import { TextLink } from '../../shared/ui/text-link';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { useExportReports } from './mutations';
import { reportQueries } from './queries';
import { Figure } from './report-number';

const COLUMNS: Column<ClientReport>[] = [
  {
    header: 'Client',
    isSortable: true,
    isTwoLine: true,
    onPhone: 'title',
    render: ({ name, clientCode, plan }) => (
      <TwoLineCell
        main={<TextLink to={paths.adminClient(clientCode)}>{name}</TextLink>}
        sub={`${planLabel(plan)} · ${clientCode}`}
      />
    ),
  },
  {
    header: 'Status',
    isUnbroken: true,
    onPhone: 'fact',
    render: ({ status }) => <ClientStatusBadge status={status} />,
  },
  {
    header: 'End Users',
    align: 'right',
    onPhone: 'fact',
    render: ({ endUsers }) => (
      <Figure value={endUsers.total} parts={[`${formatNumber(endUsers.active)} active`]} />
    ),
  },
  {
    header: 'Weight',
    align: 'right',
    onPhone: 'hidden',
    render: ({ totalWeight }) => formatNumber(totalWeight),
  },
  {
    header: 'Meetings',
    align: 'right',
    onPhone: 'fact',
    render: ({ meetings }) => (
      <Figure
        value={meetings.total}
        parts={[`${formatNumber(meetings.active)} active`, `${formatNumber(meetings.completed)} completed`]}
      />
    ),
  },
  {
    header: 'Questions',
    align: 'right',
    onPhone: 'hidden',
    render: ({ questions }) => formatNumber(questions),
  },
  { header: 'Rounds', align: 'right', onPhone: 'fact', render: ({ rounds }) => formatNumber(rounds) },
  {
    header: 'Votes Cast',
    align: 'right',
    onPhone: 'fact',
    render: ({ votesCast }) => formatNumber(votesCast),
  },
  {
    header: 'Last Activity',
    isUnbroken: true,
    onPhone: 'fact',
    render: ({ lastActivityAt }) => (lastActivityAt ? formatDateTime(lastActivityAt) : 'None'),
  },
];

export function ReportsPage() {
  const list = useListState({ filters: clientStatuses.map(({ value }) => value) });
  const filters = {
    ...(list.search ? { search: list.search } : {}),
    ...(list.filter ? { status: list.filter } : {}),
    ...(list.sort ? { sort: list.sort } : {}),
  };
  const reports = useQuery(reportQueries.clients({ ...filters, page: list.page }));
  const exportReports = useExportReports();

  return (
    <>
      <PageHead
        title="Reports"
        description="How much each client uses the platform."
        back={{ to: paths.admin, label: 'Back to Dashboard' }}
        action={
          <BusyButton
            leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
            isBusy={exportReports.isPending}
            busyLabel="Exporting..."
            onClick={() => exportReports.mutate(filters)}
          >
            Export CSV
          </BusyButton>
        }
      />
      <ListView
        heading="All Clients"
        list={list}
        query={reports}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        searchLabel="Search clients"
        filter={{ all: 'All Status', options: clientStatuses }}
        defaultOrder="Newest first"
        loadingText="Loading reports..."
        errorText="Failed to fetch reports"
        emptyIcon={IconReportAnalytics}
        emptyTitle="No clients found"
        emptyHint="Each client that you create is reported here"
      />
    </>
  );
}
