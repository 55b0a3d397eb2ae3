import { WarningNote } from '../../../shared/ui/warning-note';

interface ReceiptWarningProps {
  /** The receipt that this device has kept. */
  kept: string | null;
  /** The receipt that the server names. */
  named: string | null;
}

/** Somebody may have replaced a ballot whose receipt has changed. */
export function ReceiptWarning({ kept, named }: ReceiptWarningProps) {
  return kept === null || named === null || kept === named ? null : (
    <WarningNote>
      This device has another receipt of this ballot: {kept}. The server names {named}. Tell the organizer.
    </WarningNote>
  );
}
