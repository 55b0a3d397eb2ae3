import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { useAdmit } from '../mutations';
import { PersonForm } from './person-form';

interface AdmitLatecomerProps {
  meetingId: string;
  roundId: string;
  isOpen: boolean;
}

/** Lets somebody vote who was not in the register when voting was opened. */
export function AdmitLatecomer({ meetingId, roundId, isOpen }: AdmitLatecomerProps) {
  const admit = useAdmit(meetingId, roundId);
  const { isUnfolded, unfold, fold, opener } = useUnfolded();

  if (isUnfolded) {
    // It stays when the round ends meanwhile: the server says that, and what was typed is not lost without a word.
    return (
      <PersonForm
        legend="Person who arrived late"
        submitLabel="Admit to this round"
        busyLabel="Admitting…"
        failure="Failed to admit"
        send={(body) => admit.mutateAsync(body)}
        onDone={fold}
        onCancel={fold}
      />
    );
  }
  return isOpen ? (
    <Button
      ref={opener}
      variant="default"
      leftSection={<IconUserPlus size={18} stroke={1.75} aria-hidden="true" />}
      onClick={unfold}
    >
      Admit a latecomer
    </Button>
  ) : null;
}
