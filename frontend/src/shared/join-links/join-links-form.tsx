import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLayoutEffect, useState } from 'react';
import type { MadeJoinLink } from '../../api/types';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { PasswordReason, useReasonRequest } from '../ui/password-reason';
import { JoinAskSelect } from './join-ask-select';
import classes from './join-links-form.module.css';
import type { JoinMeeting } from './join-meeting';
import { MadeLinks } from './made-links';
import { useMakeJoinLinks } from './mutations';
import { type LinksLoss, questionAbout, useLinksGuard } from './use-links-guard';

/** The people who get links. */
export type JoinRecipients =
  | { people: 'ALL' | 'NEVER_SIGNED_IN' }
  | { people: 'NAMED'; endUserIds: string[] };

interface JoinLinksFormProps {
  recipients: JoinRecipients;
  /** The meeting whose end makes the links void; without one they are for the organization. */
  meeting?: JoinMeeting | undefined;
  /** Names the button ("Make links for everybody"). */
  label: string;
  /** Receives whether the recipients must stay: links for them are being made, or are shown for the only time. */
  onHeld?: (isHeld: boolean) => void;
}

/** Makes personal links, and shows them once. */
export function JoinLinksForm({ recipients, meeting, label, onHeld }: JoinLinksFormProps) {
  const make = useMakeJoinLinks();
  const [isSingleUse, setIsSingleUse] = useState(false);
  const [reason, setReason] = useState('');
  const [made, setMade] = useState<MadeJoinLink[] | null>(null);
  const [isKept, setIsKept] = useState(false);
  const [isAskingBack, askingBack] = useDisclosure(false);
  const { request, forget } = useReasonRequest(make.error);
  const shown = isKept ? 0 : (made?.length ?? 0);
  const loss: LinksLoss = make.isPending ? 'running' : shown;
  useLinksGuard(loss);
  const isHeld = make.isPending || made !== null;
  // Before the next browser event, which may change the recipients.
  useLayoutEffect(() => onHeld?.(isHeld), [onHeld, isHeld]);

  async function handleMake() {
    if (make.isPending) {
      return;
    }
    const body = {
      ...recipients,
      singleUse: isSingleUse,
      ...(meeting ? { meetingId: meeting.id } : {}),
      ...(reason.trim() ? { passwordReason: reason.trim() } : {}),
    };
    const { data } = await make.mutateAsync(body).catch(() => ({ data: null }));
    if (data) {
      forget();
      setReason('');
      setIsKept(false);
      setMade(data);
    }
  }

  if (made) {
    const { title, text, confirmLabel, cancelLabel } = questionAbout(shown);
    return (
      <>
        <MadeLinks
          links={made}
          meeting={meeting}
          onKept={() => setIsKept(true)}
          onBack={() => (shown > 0 ? askingBack.open() : setMade(null))}
        />
        <ConfirmDialog
          opened={isAskingBack}
          onClose={askingBack.close}
          title={title}
          confirmLabel={confirmLabel}
          cancelLabel={cancelLabel}
          isDangerous
          onConfirm={() => setMade(null)}
        >
          {text}
        </ConfirmDialog>
      </>
    );
  }
  return (
    <>
      <p>
        A person who opens a personal link confirms the name and is signed in, without typing. It{' '}
        {meeting ? `works until “${meeting.title}” is over` : 'works for 90 days'}, and no longer after a new
        password. A new link replaces the earlier one.
      </p>
      <JoinAskSelect />
      <Checkbox
        label="Each link works only once"
        checked={isSingleUse}
        onChange={(event) => setIsSingleUse(event.currentTarget.checked)}
      />
      {request === null ? null : <PasswordReason request={request} value={reason} onChange={setReason} />}
      <div className={classes.buttons}>
        <Button loading={make.isPending} onClick={handleMake}>
          {label}
        </Button>
      </div>
    </>
  );
}
