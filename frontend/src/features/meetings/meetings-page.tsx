import { Button } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Meeting } from '../../api/types';
import { formatNumber, formatPeriod } from '../../shared/format';
import { ListView } from '../../shared/list/list-view';
import { useListState } from '../../shared/list/use-list-state';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import type { Column } from '../../shared/ui/data-table';
import { FormPanel } from '../../shared/ui/form-panel';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import { PageHead } from '../../shared/ui/page-head';
import { TitleLink } from '../../shared/ui/title-link';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { CopyMeetingForm } from './copy-meeting-form';
import { DeleteMeetingDialog } from './delete-meeting-dialog';
import { EditMeetingForm } from './edit-meeting-form';
import { EndMeetingDialog } from './end-meeting-dialog';
import { MeetingActions } from './meeting-actions';
import { MeetingEditor } from './meeting-editor';
import { meetingStatuses } from './meeting-statuses';
import { meetingQueries } from './queries';

/** A draft is prepared, a meeting that has ended is read, and every other one is run. */
function titlePath({ id, status }: Meeting): string {
  switch (status) {
    case 'DRAFT':
      return paths.meetingQuestions(id);
    case 'COMPLETED':
      return paths.clientMeetingResults(id);
    default:
      return paths.meetingControl(id);
  }
}

const COLUMNS: Column<Meeting>[] = [
  {
    header: 'Meeting',
    onPhone: 'title',
    isSortable: true,
    isTwoLine: true,
    render: (meeting) => (
      <TwoLineCell
        main={<TitleLink to={titlePath(meeting)}>{meeting.title}</TitleLink>}
        sub={meeting.description}
        isTest={meeting.isTest}
      />
    ),
  },
  {
    header: 'Scheduled Time',
    onPhone: 'fact',
    render: (meeting) => formatPeriod(meeting.scheduledStartTime, meeting.scheduledEndTime),
  },
  {
    header: 'Status',
    isUnbroken: true,
    onPhone: 'fact',
    render: (meeting) => <MeetingStatusBadge status={meeting.status} />,
  },
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
  const list = useListState({ filters: meetingStatuses.map(({ value }) => value) });
  const { search, filter, sort, page } = list;
  const meetings = useQuery(
    meetingQueries.list({
      page,
      ...(search ? { search } : {}),
      ...(filter ? { status: filter } : {}),
      ...(sort ? { sort } : {}),
    }),
  );
  const [isCreating, setIsCreating] = useCreatePanel();
  const [isCreated, setIsCreated] = useState(false);
  const task = useRowTask<'edit' | 'copy' | 'end' | 'delete', Meeting>();

  function handleCreate() {
    setIsCreated(false);
    setIsCreating(true);
  }

  return (
    <>
      <PageHead
        title="Meetings"
        description="Set a meeting up, put its questions in order, and run it live."
        back={{ to: paths.client, label: 'Back to Dashboard' }}
        action={<PageActions onCreate={handleCreate} />}
      />
      <ListView
        heading="All Meetings"
        list={list}
        query={meetings}
        columns={COLUMNS}
        rowKey={(meeting) => meeting.id}
        actions={(meeting) => (
          <MeetingActions
            meeting={meeting}
            onEnd={() => task.start('end', meeting)}
            onEdit={() => task.start('edit', meeting)}
            onCopy={() => task.start('copy', meeting)}
            onDelete={() => task.start('delete', meeting)}
          />
        )}
        searchLabel="Search meetings"
        filter={{ all: 'All Status', options: meetingStatuses }}
        defaultOrder="Latest first"
        loadingText="Loading meetings..."
        errorText="Failed to fetch meetings"
        emptyIcon={IconCalendarEvent}
        emptyTitle="No meetings found"
        emptyHint="Create your first meeting to get started"
      />
      <FormPanel
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title={isCreated ? 'Edit Meeting' : 'Create New Meeting'}
      >
        <MeetingEditor
          edited={null}
          onDone={() => setIsCreating(false)}
          onCreated={() => setIsCreated(true)}
        />
      </FormPanel>
      <FormPanel opened={task.isOn('edit')} onClose={task.end} title="Edit Meeting">
        {task.row ? <EditMeetingForm meetingId={task.row.id} onDone={task.end} /> : null}
      </FormPanel>
      <FormPanel opened={task.isOn('copy')} onClose={task.end} title="Copy Meeting">
        {task.row ? <CopyMeetingForm meeting={task.row} /> : null}
      </FormPanel>
      <EndMeetingDialog meeting={task.row} opened={task.isOn('end')} onClose={task.end} />
      <DeleteMeetingDialog meeting={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}

function PageActions({ onCreate }: { onCreate: () => void }) {
  return (
    <>
      <Button component={Link} to={paths.quickVote} variant="default">
        Quick Vote
      </Button>
      <Button onClick={onCreate}>Create Meeting</Button>
    </>
  );
}

/** The address contains whether the form of a new meeting is open, because the dashboard links to it. */
function useCreatePanel(): [boolean, (isOpen: boolean) => void] {
  const [params, setParams] = useSearchParams();
  function setIsOpen(isOpen: boolean) {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (isOpen) {
          next.set('create', '1');
        } else {
          next.delete('create');
        }
        return next;
      },
      { replace: true },
    );
  }
  return [params.get('create') === '1', setIsOpen];
}
