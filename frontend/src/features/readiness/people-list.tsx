import { IconUsers } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type Page, toPage } from '../../api/page';
import type { RehearsalPerson, RehearsalReport } from '../../api/types';
import { formatDateTime } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import type { ListState } from '../../shared/list/use-list-state';
import type { Column } from '../../shared/ui/data-table';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import type { PeopleFilter } from './queries';
import { delayWords } from './readiness-text';
import { RehearsalBadge } from './rehearsal-badge';

const FILTERS: { value: PeopleFilter; label: string }[] = [
  { value: 'answered', label: 'Answered' },
  { value: 'silent', label: 'Connected, no answer' },
  { value: 'absent', label: 'Not connected' },
  { value: 'never_signed_in', label: 'Never signed in' },
  { value: 'cannot_seal', label: 'Cannot seal a ballot' },
];

function columns(isHeld: boolean): Column<RehearsalPerson>[] {
  return [
    {
      header: 'Name',
      onPhone: 'title',
      isTwoLine: true,
      render: ({ name, username }) => <TwoLineCell main={name} sub={username} />,
    },
    {
      header: 'Status',
      isUnbroken: true,
      onPhone: 'fact',
      render: ({ status }) => <RehearsalBadge status={status} isHeld={isHeld} />,
    },
    {
      header: 'Received After',
      align: 'right',
      onPhone: 'fact',
      render: ({ receivedMs }) => delayWords(receivedMs),
    },
    {
      header: 'Answered After',
      align: 'right',
      onPhone: 'fact',
      render: ({ answeredMs }) => delayWords(answeredMs),
    },
    {
      header: 'Last Login',
      isUnbroken: true,
      onPhone: 'hidden',
      render: ({ lastLoginAt }) => (lastLoginAt ? formatDateTime(lastLoginAt) : 'Never'),
    },
  ];
}

interface PeopleListProps {
  list: ListState<PeopleFilter>;
  report: UseQueryResult<RehearsalReport>;
}

/** Everybody who may vote, by name, with the state of their phone. */
export function PeopleList({ list, report }: PeopleListProps) {
  return (
    <ListView
      heading="People"
      list={list}
      // One response contains rows and figures, so that they are consistent.
      query={{ ...report, data: report.data && toPage(report.data) } as UseQueryResult<Page<RehearsalPerson>>}
      columns={columns(report.data?.rehearsal != null)}
      rowKey={({ endUserId }) => endUserId}
      searchLabel="Search people"
      filter={{ all: 'Everybody', options: FILTERS }}
      loadingText="Loading people..."
      errorText="Failed to load people"
      emptyIcon={IconUsers}
      emptyTitle="Nobody found"
      emptyHint="Nobody may vote in this meeting yet"
    />
  );
}
