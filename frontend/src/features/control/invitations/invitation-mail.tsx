import { Button } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import type { Invitations } from '../../../api/types';
import { countOf, formatNumber } from '../../../shared/format';
import { PersonalLinkField, usePersonalLinkChoice } from '../../../shared/join-links/personal-link-field';
import { BusyButton } from '../../../shared/ui/busy-button';
import { Card } from '../../../shared/ui/card';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { toast } from '../../../shared/ui/toast';
import { WarningNote } from '../../../shared/ui/warning-note';
import { useSendInvitations, useStopInvitations } from '../mutations';
import type { InvitationFilters } from '../queries';
import classes from './invitations.module.css';
import { Recipients } from './recipients';

interface InvitationMailProps {
  meetingId: string;
  isOver: boolean;
  invitations: Invitations;
  filters: InvitationFilters;
  onFilters: (filters: InvitationFilters) => void;
}

/** Sends invitations by email, and shows their status for every invited person. */
export function InvitationMail({ meetingId, isOver, invitations, filters, onFilters }: InvitationMailProps) {
  const { canSendEmail, counts } = invitations;
  const send = useSendInvitations(meetingId);
  const choice = usePersonalLinkChoice(send.error);
  const [isAsking, setIsAsking] = useState(false);
  const open = counts.notSent + counts.failed;
  const people = countOf(open, 'person', 'people');

  return (
    <Card
      title="Send by email"
      description="Each person receives a separate message with the link and their username."
    >
      {canSendEmail ? null : (
        <WarningNote>
          This server is not set up to send email. To enable it, the server's operator sets PLENUM_SMTP_URL to
          the address of a mail server and PLENUM_MAIL_FROM to the sender, and restarts Plenum; then
          invitations can be sent from here. Until then, pass on the text or the QR code.
        </WarningNote>
      )}
      <dl className={classes.counts} aria-label="Invitations">
        <Count label="Invited" value={counts.invited} />
        <Count label="Sent" value={counts.sent} />
        <Count label="Not sent yet" value={counts.notSent} />
        <RareCount label="Waiting" value={counts.pending} />
        <RareCount label="Failed" value={counts.failed} />
        <RareCount label="Unconfirmed" value={counts.unknown} />
        <RareCount label="No address" value={counts.withoutAddress} />
        <RareCount label="Inactive" value={counts.inactive} />
      </dl>
      <Progress meetingId={meetingId} counts={counts} />
      {canSendEmail && !isOver ? (
        <div className={classes.send}>
          <Button
            leftSection={<IconSend size={18} stroke={1.75} aria-hidden="true" />}
            disabled={open === 0}
            onClick={() => setIsAsking(true)}
          >
            {open === 0 ? 'No one left to invite' : `Send to ${people}`}
          </Button>
          <p className={classes.quiet}>
            People who have already been sent an invitation do not receive another one.
          </p>
        </div>
      ) : null}
      <Recipients
        meetingId={meetingId}
        canSend={canSendEmail && !isOver}
        invitations={invitations}
        filters={filters}
        onFilters={onFilters}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Send to ${people}?`}
        confirmLabel={`Send to ${people}`}
        onConfirm={async () => {
          const { queued } = await send.mutateAsync({ to: 'everybody', links: choice.body });
          choice.reset();
          toast.success(`${countOf(queued, 'invitation')} on the way`);
        }}
      >
        Everyone on the list who has an email address and has not been sent an invitation receives one now.
        Sent messages cannot be recalled.
        <PersonalLinkField choice={choice} />
      </ConfirmDialog>
    </Card>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div className={classes.count}>
      <dt>{label}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  );
}

/** A count that is shown only above zero. */
function RareCount({ label, value }: { label: string; value: number }) {
  return value > 0 ? <Count label={label} value={value} /> : null;
}

/** The progress while messages are sent, and a button to cancel the rest. */
function Progress({ meetingId, counts }: { meetingId: string; counts: Invitations['counts'] }) {
  const stop = useStopInvitations(meetingId);
  const done = counts.sent + counts.failed + counts.unknown;
  const all = done + counts.pending;

  return (
    <div role="status">
      {counts.pending > 0 ? (
        <div className={classes.progress}>
          <div className={classes.progressWords}>
            <span>
              Sending: {formatNumber(done)} of {formatNumber(all)} done, {formatNumber(counts.pending)}{' '}
              waiting. You can close this panel.
            </span>
            <progress className={classes.bar} aria-label="Invitations sent" value={done} max={all} />
          </div>
          <BusyButton
            variant="default"
            isBusy={stop.isPending}
            busyLabel="Stopping…"
            onClick={() =>
              stop.mutate(undefined, {
                onSuccess: ({ stopped }) => toast.info(`${countOf(stopped, 'invitation')} stopped, not sent`),
              })
            }
          >
            Stop Sending
          </BusyButton>
        </div>
      ) : null}
    </div>
  );
}
