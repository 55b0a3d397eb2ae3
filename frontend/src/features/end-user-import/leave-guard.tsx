import { countOf } from '../../shared/format';
import { DiscardGuard } from '../../shared/ui/discard-guard';

/** The data that leaving the page would lose. */
export type Loss = 'matching' | 'running' | 'passwords';

interface LeaveGuardProps {
  loss: Loss;
  newPasswords: number;
  isAsking: boolean;
  onAsk: (isAsking: boolean) => void;
  onLeave: () => void;
}

export function LeaveGuard({ loss, newPasswords, isAsking, onAsk, onLeave }: LeaveGuardProps) {
  return (
    <DiscardGuard
      isAsking={isAsking}
      onAsk={onAsk}
      onDiscard={onLeave}
      question={questionAbout(loss, newPasswords)}
    />
  );
}

function questionAbout(loss: LeaveGuardProps['loss'], newPasswords: number) {
  if (loss === 'matching') {
    return {
      title: 'Leave the import?',
      text: 'Nothing has been imported yet. The file would have to be chosen and checked again.',
      confirmLabel: 'Leave the import',
      cancelLabel: 'Stay here',
    };
  }
  if (loss === 'running') {
    return {
      title: 'Leave while it is being imported?',
      text: 'The import goes on without you, but the passwords of new people are then never shown.',
      confirmLabel: 'Leave all the same',
      cancelLabel: 'Stay here',
    };
  }
  return {
    title: 'Leave without the passwords?',
    text: `The credentials of ${countOf(newPasswords, 'person', 'people')} have not been downloaded. The passwords cannot be read again later.`,
    confirmLabel: 'Leave without them',
    cancelLabel: 'Stay here',
  };
}
