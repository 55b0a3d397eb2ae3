import { Button, Stack } from '@mantine/core';
import { IconQrcode } from '@tabler/icons-react';
import { useState } from 'react';
import type { JoinMeeting } from '../../../shared/join-links/join-meeting';
import { MeetingJoinLinks } from '../../../shared/join-links/meeting-join-links';
import { Card } from '../../../shared/ui/card';

/** Personal links on slips or letters, with which people sign in without typing. */
export function JoinLinksCard({ meeting }: { meeting: JoinMeeting }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Card title="Personal links" description="On slips and letters: scan the code, confirm the name, vote.">
      {isShown ? (
        <Stack gap="md">
          <MeetingJoinLinks meeting={meeting} first="ALL" />
        </Stack>
      ) : (
        <Button
          variant="default"
          leftSection={<IconQrcode size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => setIsShown(true)}
        >
          Make personal links
        </Button>
      )}
    </Card>
  );
}
