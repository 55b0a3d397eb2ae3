import { Button } from '@mantine/core';
import { useState } from 'react';
import { toPage } from '../../../api/page';
import type { InvitationStatus, Invitations, Recipient } from '../../../api/types';
import { formatDateTime } from '../../../shared/format';
import { PersonalLinkField, usePersonalLinkChoice } from '../../../shared/join-links/personal-link-field';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { FilterSelect } from '../../../shared/ui/filter-select';
import { ListPages } from '../../../shared/ui/list-pages';
import { SearchInput } from '../../../shared/ui/search-input';
import { StatusBadge, type StatusTone } from '../../../shared/ui/status-badge';
import { toast } from '../../../shared/ui/toast';
import { useSendInvitations } from '../mutations';
import type { InvitationFilters } from '../queries';
import classes from './invitations.module.css';

interface RecipientsProps {
  meetingId: string;
  canSend: boolean;
  invitations: Invitations;
  filters: InvitationFilters;
  onFilters: (filters: InvitationFilters) => void;
}

const STATUSES: Record<InvitationStatus, { label: string; tone: StatusTone }> = {
  none: { label: 'Not sent yet', tone: 'neutral' },
  no_address: { label: 'No address', tone: 'neutral' },
  inactive: { label: 'Inactive', tone: 'neutral' },
  pending: { label: 'Waiting', tone: 'info' },
  sent: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'danger' },
  unknown: { label: 'Unconfirmed', tone: 'warning' },
};

const FILTERS = [
  { value: '' as const, label: 'Everyone invited' },
  ...Object.entries(STATUSES).map(([value, { label }]) => ({ value: value as InvitationStatus, label })),
];

/** The invited people, with the status of their invitations. */
export function Recipients({ meetingId, canSend, invitations, filters, onFilters }: RecipientsProps) {
  const send = useSendInvitations(meetingId);
  const choice = usePersonalLinkChoice(send.error);
  const [chosen, setChosen] = useState<Recipient | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { rows, total } = toPage({ data: invitations.data, meta: invitations.meta ?? null });
  const isAgain = chosen !== null && wasPerhapsSent(chosen);

  return (
    <section className={classes.recipients} aria-label="Who is invited">
      <div className={classes.tools}>
        <SearchInput
          label="Search by name or username"
          value={filters.search}
          onSearch={(search) => onFilters({ ...filters, search, page: 1 })}
        />
        <FilterSelect
          label="Filter by invitation"
          value={filters.status}
          options={FILTERS}
          onChange={(status) => onFilters({ ...filters, status, page: 1 })}
        />
      </div>
      {total === 0 ? <p className={classes.quiet}>No matches.</p> : null}
      <ul className={classes.list}>
        {rows.map((recipient) => (
          <RecipientEntry
            key={recipient.endUserId}
            recipient={recipient}
            onSend={
              canSend && isReachable(recipient)
                ? () => {
                    setChosen(recipient);
                    setIsAsking(true);
                  }
                : null
            }
          />
        ))}
      </ul>
      <ListPages
        label="those who are invited"
        page={filters.page}
        total={total}
        onPage={(page) => onFilters({ ...filters, page })}
      />
      {chosen ? (
        <ConfirmDialog
          opened={isAsking}
          onClose={() => setIsAsking(false)}
          title={isAgain ? `Send ${chosen.name} another invitation?` : `Send ${chosen.name} an invitation?`}
          confirmLabel={isAgain ? 'Send Again' : 'Send'}
          onConfirm={async () => {
            await send.mutateAsync({
              to: { endUserId: chosen.endUserId, again: isAgain },
              links: choice.body,
            });
            choice.reset();
            toast.success(`Invitation to ${chosen.name} on the way`);
          }}
        >
          {confirmWords(chosen)}
          <PersonalLinkField choice={choice} />
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

function RecipientEntry({ recipient, onSend }: { recipient: Recipient; onSend: (() => void) | null }) {
  const { name, username, email, status, error } = recipient;
  const { label, tone } = STATUSES[status];
  return (
    <li className={classes.entry}>
      <div className={classes.who}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.quiet}>{email ? `${username}, ${email}` : username}</span>
        {error ? <span className={classes.error}>{error}</span> : null}
      </div>
      <div className={classes.standing}>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <span className={classes.quiet}>{sentWords(recipient)}</span>
      </div>
      {onSend ? (
        <Button
          size="compact-sm"
          variant="default"
          onClick={onSend}
          aria-label={`${sendLabel(recipient)} to ${name}`}
        >
          {sendLabel(recipient)}
        </Button>
      ) : null}
    </li>
  );
}

function isReachable({ status }: Recipient): boolean {
  return status === 'none' || status === 'failed' || status === 'sent' || status === 'unknown';
}

function wasPerhapsSent({ status }: Recipient): boolean {
  return status === 'sent' || status === 'unknown';
}

function sendLabel(recipient: Recipient): string {
  return wasPerhapsSent(recipient) ? 'Send again' : 'Send';
}

function sentWords({ sentAt, sentTo, email }: Recipient): string {
  if (!sentAt) {
    return '';
  }
  const to = sentTo && sentTo !== email ? ` to ${sentTo}` : '';
  return `${formatDateTime(sentAt)}${to}`;
}

function confirmWords(recipient: Recipient): string {
  const { name, email, status } = recipient;
  if (status === 'sent') {
    return `${name} was sent an invitation on ${sentWords(recipient)}, and will receive a second message at ${email}.`;
  }
  if (status === 'unknown') {
    return `The mail server did not confirm the first message. ${name} may receive two messages at ${email}.`;
  }
  return `The message goes to ${email}.`;
}
