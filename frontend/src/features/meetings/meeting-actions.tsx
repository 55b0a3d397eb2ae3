import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconDeviceDesktopAnalytics,
  IconListDetails,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Meeting } from '../../api/types';
import { paths } from '../../shared/paths';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { toast } from '../../shared/ui/toast';
import { meetingCan } from './meeting-can';
import { useEndMeeting, useStartMeeting } from './mutations';

/** What can be done with a meeting from the list. */
export function MeetingActions({ meeting }: { meeting: Meeting }) {
  const startMeeting = useStartMeeting();
  const endMeeting = useEndMeeting();
  const [isEnding, ending] = useDisclosure(false);

  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {meetingCan.start(meeting) ? (
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlayerPlay size={16} stroke={1.75} aria-hidden="true" />}
          loading={startMeeting.isPending}
          onClick={() =>
            startMeeting.mutate(meeting.id, {
              onSuccess: () => toast.success('Meeting started successfully'),
            })
          }
        >
          Start
        </Button>
      ) : null}
      {meetingCan.end(meeting) ? (
        <Button
          size="compact-sm"
          variant="subtle"
          color="var(--plenum-danger)"
          leftSection={<IconPlayerStop size={16} stroke={1.75} aria-hidden="true" />}
          onClick={ending.open}
        >
          End
        </Button>
      ) : null}
      <Button
        component={Link}
        to={paths.meetingQuestions(meeting.id)}
        size="compact-sm"
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        leftSection={<IconListDetails size={16} stroke={1.75} aria-hidden="true" />}
      >
        Questions
      </Button>
      <Button
        component={Link}
        to={paths.meetingControl(meeting.id)}
        size="compact-sm"
        variant="subtle"
        color="gray"
        c="var(--mantine-color-text)"
        leftSection={<IconDeviceDesktopAnalytics size={16} stroke={1.75} aria-hidden="true" />}
      >
        Control
      </Button>
      <ConfirmDialog
        opened={isEnding}
        onClose={ending.close}
        title="End this meeting?"
        confirmLabel="End Meeting"
        isDangerous
        onConfirm={async () => {
          await endMeeting.mutateAsync(meeting.id);
          toast.success('Meeting ended successfully');
        }}
      >
        “{meeting.title}” ends for everyone. Voting that is still open closes with the votes received so far.
      </ConfirmDialog>
    </Group>
  );
}
