import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { JoinLinksForm } from '../../shared/join-links/join-links-form';
import classes from '../../shared/join-links/join-links-form.module.css';
import { useRevokeJoinLinks } from '../../shared/join-links/mutations';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';

type People = 'ALL' | 'NEVER_SIGNED_IN';

const PEOPLE: { value: People; label: string }[] = [
  { value: 'ALL', label: 'Everybody who is active' },
  { value: 'NEVER_SIGNED_IN', label: 'Those who never signed in' },
];

/** Personal links for many people of the organization. */
export function JoinLinksPanel() {
  const [people, setPeople] = useState<People>('ALL');
  const [isRevoking, setIsRevoking] = useState(false);
  const revoke = useRevokeJoinLinks();
  return (
    <div className={classes.root}>
      <Select
        label="Links for"
        allowDeselect={false}
        data={PEOPLE}
        value={people}
        onChange={(value) => setPeople(value as People)}
      />
      <JoinLinksForm key={people} recipients={{ people }} label="Make personal links" />
      <div className={classes.buttons}>
        <Button variant="outline" color="var(--plenum-danger)" onClick={() => setIsRevoking(true)}>
          Revoke all personal links
        </Button>
      </div>
      <ConfirmDialog
        opened={isRevoking}
        onClose={() => setIsRevoking(false)}
        title="Revoke all personal links?"
        confirmLabel="Revoke all"
        isDangerous
        onConfirm={() => revoke.mutateAsync({ all: true })}
      >
        <p>No personal link of your organization works any more, those for meetings among them.</p>
        <p>People who are signed in stay signed in. Passwords still work.</p>
      </ConfirmDialog>
    </div>
  );
}
