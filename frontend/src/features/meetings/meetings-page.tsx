import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Meeting, MeetingStatus } from '../../api/types';
import { formatNumber, formatPeriod } from '../../shared/format';
import { paths } from '../../shared/paths';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { FilterSelect } from '../../shared/ui/filter-select';
import { FormPanel } from '../../shared/ui/form-panel';
import { ListFrame } from '../../shared/ui/list-frame';
import { ListPages } from '../../shared/ui/list-pages';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import { PageHead } from '../../shared/ui/page-head';
import { SearchInput } from '../../shared/ui/search-input';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { CreateMeetingForm } from './create-meeting-form';
import { MeetingActions } from './meeting-actions';
import { meetingStatuses } from './meeting-statuses';
import { meetingQueries } from './queries';

const FILTERS: { value: MeetingStatus | 'ALL'; label: string }[] = [
  { value: 'ALL', label: 'All Status' },
  ...meetingStatuses,
];

const COLUMNS: Column<Meeting>[] = [
  {
    header: 'Meeting',
    onPhone: 'title',
    render: (meeting) => <TwoLineCell main={meeting.title} sub={meeting.description} />,
  },
  {
    header: 'Scheduled Time',
    onPhone: 'fact',
    render: (meeting) => formatPeriod(meeting.scheduledStartTime, meeting.scheduledEndTime),
  },
  { header: 'Status', onPhone: 'fact', render: (meeting) => <MeetingStatusBadge status={meeting.status} /> },
  {
    header: 'Participants',
    align: 'right',
    onPhone: 'hidden',
    render: (meeting) =>
      formatNumber(meeting.participantCount) +
      (meeting.maxParticipants === null ? '' : `/${formatNumber(meeting.maxParticipants)}`),
  },
  {
    header: 'Questions',
    align: 'right',
    onPhone: 'hidden',
    render: (meeting) => formatNumber(meeting.questionCount),
  },
];

export function MeetingsPage() {
  const { state } = useLocation();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<MeetingStatus | 'ALL'>('ALL');
  const [page, setPage] = useState(1);
  // "Create Meeting" on the dashboard comes here with the form open.
  const [isCreating, creating] = useDisclosure(
    (state as { isCreating?: boolean } | null)?.isCreating === true,
  );
  const isNarrowed = search !== '' || filter !== 'ALL';
  const meetings = useQuery(
    meetingQueries.list({
      page,
      ...(search ? { search } : {}),
      ...(filter === 'ALL' ? {} : { status: filter }),
    }),
  );

  return (
    <>
      <PageHead
        title="Meetings"
        description="Set a meeting up, put its questions in order, and run it live."
        back={{ to: paths.client, label: 'Back to Dashboard' }}
        action={<Button onClick={creating.open}>Create Meeting</Button>}
      />
      <ListFrame
        heading={meetings.data ? `All Meetings (${formatNumber(meetings.data.total)})` : 'All Meetings'}
        tools={
          <>
            <SearchInput
              label="Search meetings"
              onSearch={(text) => {
                setSearch(text);
                setPage(1);
              }}
            />
            <FilterSelect
              label="Filter by status"
              value={filter}
              options={FILTERS}
              onChange={(chosen) => {
                setFilter(chosen);
                setPage(1);
              }}
            />
          </>
        }
      >
        {meetings.data ? (
          meetings.data.total > 0 ? (
            <>
              <DataTable
                label="All Meetings"
                columns={COLUMNS}
                rows={meetings.data.rows}
                rowKey={(meeting) => meeting.id}
                actions={(meeting) => <MeetingActions meeting={meeting} />}
              />
              <ListPages label="All Meetings" page={page} total={meetings.data.total} onPage={setPage} />
            </>
          ) : (
            <EmptyState
              icon={IconCalendarEvent}
              title="No meetings found"
              hint={
                isNarrowed
                  ? 'Try adjusting your search or filters'
                  : 'Create your first meeting to get started'
              }
            />
          )
        ) : meetings.isError ? (
          <ErrorState
            title="Failed to fetch meetings"
            onRetry={() => void meetings.refetch()}
            isRetrying={meetings.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading meetings..." />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Create New Meeting">
        <CreateMeetingForm onDone={creating.close} />
      </FormPanel>
    </>
  );
}
