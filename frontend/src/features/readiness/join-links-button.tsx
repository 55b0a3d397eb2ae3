import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconQrcode } from '@tabler/icons-react';
import classes from '../../shared/join-links/join-links-form.module.css';
import type { JoinMeeting } from '../../shared/join-links/join-meeting';
import { MeetingJoinLinks } from '../../shared/join-links/meeting-join-links';
import { FormPanel } from '../../shared/ui/form-panel';

interface JoinLinksButtonProps {
  meeting: JoinMeeting;
  /** Whether there is somebody to make links for. An open panel stays, because its links are shown only once. */
  isOffered: boolean;
}

/** Makes personal links for the people who have never signed in. */
export function JoinLinksButton({ meeting, isOffered }: JoinLinksButtonProps) {
  const [isOpen, panel] = useDisclosure(false);
  return (
    <>
      {isOffered ? (
        <Button
          variant="default"
          leftSection={<IconQrcode size={18} stroke={1.75} aria-hidden="true" />}
          onClick={panel.open}
        >
          Personal links
        </Button>
      ) : null}
      <FormPanel opened={isOpen} onClose={panel.close} title="Personal links">
        <div className={classes.root}>
          <MeetingJoinLinks meeting={meeting} first="NEVER_SIGNED_IN" />
        </div>
      </FormPanel>
    </>
  );
}
