import { Button } from '@mantine/core';
import {
  IconArrowsExchange,
  IconChartBar,
  IconChecklist,
  IconCopy,
  IconDeviceDesktopAnalytics,
  IconFileText,
  IconListDetails,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { Meeting } from '../../api/types';
import { checkInPath } from '../../shared/meeting/check-in-path';
import { paperPath } from '../../shared/paper-votes/paper-path';
import { paths } from '../../shared/paths';
import { proxiesPath } from '../../shared/proxies-path';
import { type RowAction, RowActions } from '../../shared/ui/row-actions';
import { toast } from '../../shared/ui/toast';
import { meetingCan } from './meeting-can';
import { useStartMeeting } from './mutations';

interface MeetingActionsProps {
  meeting: Meeting;
  onEnd: () => void;
  onEdit: () => void;
  onCopy: () => void;
  onDelete: () => void;
}

/** The actions on a meeting in the list: the next step visible, the others in a menu. */
export function MeetingActions({ meeting, onEnd, onEdit, onCopy, onDelete }: MeetingActionsProps) {
  // Here, and not in the button: the button is removed after the start, and the toast would be lost with it.
  const start = useStart(meeting);
  const { questions, control, results, readiness, proxies, checkIn, paper } = linksOf(meeting);
  // Before the meeting the questions are prepared; afterwards the results are read.
  const next = meeting.status === 'DRAFT' ? questions : meeting.status === 'COMPLETED' ? results : control;
  const isStartable = meetingCan.start(meeting);
  const rest: RowAction[] = [
    ...(meetingCan.end(meeting) ? [{ label: 'End', icon: IconPlayerStop, onClick: onEnd }] : []),
    ...[questions, control].filter((action) => isStartable || action !== next),
    ...(meetingCan.rehearse(meeting) ? [readiness] : []),
    ...(meetingCan.rehearse(meeting) && meeting.checkIn === 'ON' ? [checkIn] : []),
    proxies,
    ...(meetingCan.rehearse(meeting) ? [paper] : []),
    ...(meetingCan.haveResults(meeting) && next !== results ? [results] : []),
    { label: 'Edit', icon: IconPencil, onClick: onEdit },
    { label: 'Copy', icon: IconCopy, onClick: onCopy },
    {
      label: 'Delete',
      icon: IconTrash,
      isDangerous: true,
      onClick: onDelete,
      refusal: meetingCan.delete(meeting) ? undefined : 'Not while the meeting is running',
    },
  ];

  return (
    <RowActions
      name={meeting.title}
      actions={rest}
      main={
        isStartable ? (
          <StartButton isStarting={start.isPending} onStart={start.handleStart} />
        ) : (
          <Button
            component={Link}
            to={next.to}
            size="compact-sm"
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            leftSection={<next.icon size={16} stroke={1.75} aria-hidden="true" />}
          >
            {next.label}
          </Button>
        )
      }
    />
  );
}

/** The screens of a meeting. */
function linksOf({ id }: Pick<Meeting, 'id'>) {
  return {
    questions: {
      label: 'Questions',
      icon: IconListDetails,
      to: paths.meetingQuestions(id),
    },
    control: {
      label: 'Control',
      icon: IconDeviceDesktopAnalytics,
      to: paths.meetingControl(id),
    },
    results: {
      label: 'Results',
      icon: IconChartBar,
      to: paths.clientMeetingResults(id),
    },
    readiness: {
      label: 'Readiness Check',
      icon: IconChecklist,
      to: paths.meetingReadiness(id),
    },
    proxies: {
      label: 'Proxies',
      icon: IconArrowsExchange,
      to: proxiesPath(id),
    },
    checkIn: {
      label: 'Check-in',
      icon: IconUserCheck,
      to: checkInPath(id),
    },
    paper: {
      label: 'Votes on Paper',
      icon: IconFileText,
      to: paperPath(id),
    },
  };
}

/** Starts the meeting, once. */
function useStart(meeting: Meeting) {
  const startMeeting = useStartMeeting();
  // The pending state is rendered a moment later, and a double click may be faster.
  const isStarting = useRef(false);

  function handleStart() {
    if (!isStarting.current) {
      isStarting.current = true;
      startMeeting.mutate(meeting.id, {
        onSuccess: () => toast.success('Meeting started successfully'),
        onSettled: () => {
          isStarting.current = false;
        },
      });
    }
  }

  return { isPending: startMeeting.isPending, handleStart };
}

function StartButton({ isStarting, onStart }: { isStarting: boolean; onStart: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden="true" />}
      aria-disabled={isStarting || undefined}
      onClick={onStart}
    >
      {isStarting ? 'Starting...' : 'Start'}
    </Button>
  );
}
