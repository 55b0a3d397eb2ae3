import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { countOf } from '../format';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { toast } from '../ui/toast';
import classes from './join-links-form.module.css';
import { useMailJoinLinks } from './mutations';
import { PersonalLinkReason, usePersonalLinkChoice } from './personal-link-field';
import { joinLinkQueries } from './queries';

/** Sends an invitation with a personal link to the invited people who have never signed in. Nothing without a mail server. */
export function MailJoinLinks({ meeting }: { meeting: { id: string; title: string } }) {
  const canSend = useQuery(joinLinkQueries.canSend(meeting.id));
  const send = useMailJoinLinks(meeting.id);
  const choice = usePersonalLinkChoice(send.error);
  const [isAsking, asking] = useDisclosure(false);
  if (!canSend.data) {
    return null;
  }
  return (
    <div className={classes.buttons}>
      <Button
        variant="default"
        leftSection={<IconSend size={16} stroke={1.75} aria-hidden="true" />}
        onClick={asking.open}
      >
        Send personal links by email
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={asking.close}
        title="Send personal links by email?"
        subject={meeting.title}
        confirmLabel="Send"
        onConfirm={async () => {
          const { queued } = await send.mutateAsync(choice.reason.trim());
          choice.reset();
          toast.success(`${countOf(queued, 'invitation')} on the way`);
        }}
      >
        <p>
          Everyone who is invited, has an email address and has never signed in receives an invitation with a
          personal link now, also those who have received an invitation before. Sent messages cannot be
          recalled.
        </p>
        <PersonalLinkReason choice={choice} />
      </ConfirmDialog>
    </div>
  );
}
