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

/** Admits a person to the open round who was not in its register. */
export function AdmitLatecomer({ meetingId, roundId, isOpen }: AdmitLatecomerProps) {
  const admit = useAdmit(meetingId, roundId);
  const { isUnfolded, unfold, fold, opener } = useUnfolded();

  if (isUnfolded) {
    // The form stays open if the round ends meanwhile: the server's error appears, and the input is not lost.
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
