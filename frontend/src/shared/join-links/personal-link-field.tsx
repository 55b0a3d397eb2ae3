import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { PasswordReason, useReasonRequest } from '../ui/password-reason';
import classes from './join-links-form.module.css';

/** Whether a mail contains a personal link, and the reason that the server asks for during a vote. */
export function usePersonalLinkChoice(error: unknown) {
  const [isChosen, setIsChosen] = useState(false);
  const [reason, setReason] = useState('');
  const { request, forget } = useReasonRequest(error);
  const given = reason.trim();
  return {
    isChosen,
    setIsChosen,
    reason,
    setReason,
    request,
    /** The choice in the request. */
    body: isChosen ? { personalLinks: true, ...(given ? { passwordReason: given } : {}) } : {},
    /** After the mails are queued. */
    reset: () => {
      forget();
      setReason('');
    },
  };
}

type PersonalLinkChoice = ReturnType<typeof usePersonalLinkChoice>;

/** Chooses whether a mail contains a personal link. */
export function PersonalLinkField({ choice }: { choice: PersonalLinkChoice }) {
  return (
    <div className={classes.choice}>
      <Checkbox
        label="With a personal link"
        description="It signs its owner in without typing, until the meeting is over. It replaces their earlier personal link for this meeting."
        checked={choice.isChosen}
        onChange={(event) => choice.setIsChosen(event.currentTarget.checked)}
      />
      {choice.isChosen ? <PersonalLinkReason choice={choice} /> : null}
    </div>
  );
}

/** Asks for the reason once the server has asked for it. */
export function PersonalLinkReason({ choice }: { choice: PersonalLinkChoice }) {
  return choice.request === null ? null : (
    <PasswordReason request={choice.request} value={choice.reason} onChange={choice.setReason} />
  );
}
