import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { JoinLinksForm } from './join-links-form';
import classes from './join-links-form.module.css';
import { useRevokeJoinLinks } from './mutations';

type People = 'ALL' | 'NEVER_SIGNED_IN';

const PEOPLE: { value: People; label: string }[] = [
  { value: 'ALL', label: 'Everybody who is invited' },
  { value: 'NEVER_SIGNED_IN', label: 'Those who never signed in' },
];

interface MeetingJoinLinksProps {
  meeting: { id: string; title: string };
  /** The people chosen at first. */
  first: People;
}

/** Personal links for the people of a meeting. */
export function MeetingJoinLinks({ meeting, first }: MeetingJoinLinksProps) {
  const [people, setPeople] = useState(first);
  const [isRevoking, revoking] = useDisclosure(false);
  const revoke = useRevokeJoinLinks();
  return (
    <>
      <Select
        label="Links for"
        allowDeselect={false}
        data={PEOPLE}
        value={people}
        onChange={(value) => setPeople(value as People)}
      />
      <JoinLinksForm key={people} recipients={{ people }} meeting={meeting} label="Make personal links" />
      <div className={classes.buttons}>
        <Button variant="outline" color="var(--plenum-danger)" onClick={revoking.open}>
          Revoke all links for this meeting
        </Button>
      </div>
      <ConfirmDialog
        opened={isRevoking}
        onClose={revoking.close}
        title="Revoke all links for this meeting?"
        subject={meeting.title}
        confirmLabel="Revoke all"
        isDangerous
        onConfirm={() => revoke.mutateAsync({ meetingId: meeting.id })}
      >
        <p>People who are signed in stay signed in. Passwords still work.</p>
      </ConfirmDialog>
    </>
  );
}
