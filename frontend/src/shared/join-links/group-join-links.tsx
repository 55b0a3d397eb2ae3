import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { RevokeJoinLinksBody } from '../../api/types';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { JoinLinksForm } from './join-links-form';
import classes from './join-links-form.module.css';
import type { JoinMeeting } from './join-meeting';
import { MailJoinLinks } from './mail-join-links';
import { useRevokeJoinLinks } from './mutations';

/** Everybody, or those who never signed in. */
export type JoinGroup = 'ALL' | 'NEVER_SIGNED_IN';

interface GroupJoinLinksProps {
  /** The name of the largest group. */
  everybody: string;
  /** The group chosen at first. */
  first: JoinGroup;
  /** The meeting, if the links are for one. */
  meeting?: JoinMeeting;
  revocation: { label: string; choice: RevokeJoinLinksBody };
  /** The first consequences of the revocation. */
  children?: ReactNode;
}

/** Makes personal links for many people, and revokes them. */
export function GroupJoinLinks({ everybody, first, meeting, revocation, children }: GroupJoinLinksProps) {
  const [people, setPeople] = useState(first);
  // Another group would remove links that cannot be shown again.
  const [isHeld, setIsHeld] = useState(false);
  const [isRevoking, revoking] = useDisclosure(false);
  const revoke = useRevokeJoinLinks();
  const groups: { value: JoinGroup; label: string }[] = [
    { value: 'ALL', label: everybody },
    { value: 'NEVER_SIGNED_IN', label: 'Those who never signed in' },
  ];
  return (
    <>
      <Select
        label="Links for"
        allowDeselect={false}
        disabled={isHeld}
        data={groups}
        value={people}
        onChange={(value) => setPeople(value as JoinGroup)}
      />
      <JoinLinksForm
        key={people}
        recipients={{ people }}
        label="Make personal links"
        meeting={meeting}
        onHeld={setIsHeld}
      />
      {meeting && people === 'NEVER_SIGNED_IN' ? <MailJoinLinks meeting={meeting} /> : null}
      <div className={classes.buttons}>
        <Button variant="outline" color="var(--plenum-danger)" onClick={revoking.open}>
          {revocation.label}
        </Button>
      </div>
      <ConfirmDialog
        opened={isRevoking}
        onClose={revoking.close}
        title={`${revocation.label}?`}
        subject={meeting?.title}
        confirmLabel="Revoke all"
        isDangerous
        onConfirm={() => revoke.mutateAsync(revocation.choice)}
      >
        {children}
        <p>People who are signed in stay signed in. Passwords still work.</p>
      </ConfirmDialog>
    </>
  );
}
