import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { MadeJoinLink } from '../../api/types';
import { PasswordReason, useReasonRequest } from '../ui/password-reason';
import { JoinAskSelect } from './join-ask-select';
import classes from './join-links-form.module.css';
import type { JoinMeeting } from './join-meeting';
import { MadeLinks } from './made-links';
import { useMakeJoinLinks } from './mutations';

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
}

/** Makes personal links, and shows them once. */
export function JoinLinksForm({ recipients, meeting, label }: JoinLinksFormProps) {
  const make = useMakeJoinLinks();
  const [isSingleUse, setIsSingleUse] = useState(false);
  const [reason, setReason] = useState('');
  const [made, setMade] = useState<MadeJoinLink[] | null>(null);
  const { request, forget } = useReasonRequest(make.error);

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
      setMade(data);
    }
  }

  if (made) {
    return <MadeLinks links={made} meeting={meeting} onBack={() => setMade(null)} />;
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
