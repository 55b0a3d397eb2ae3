import { WarningNote } from '../../../shared/ui/warning-note';

interface ReceiptWarningProps {
  /** The person whose ballot it is, if the holder of a proxy reads it. */
  owner?: string | null;
  /** The receipt that this device has kept. */
  kept: string | null;
  /** The receipt that the server names. */
  named: string | null;
}

/** Somebody may have replaced a ballot whose receipt has changed. */
export function ReceiptWarning({ owner = null, kept, named }: ReceiptWarningProps) {
  return kept === null || named === null || kept === named ? null : (
    <WarningNote>
      This device has another receipt of {owner === null ? 'this ballot' : `the ballot for ${owner}`}: {kept}.
      The server names {named}. Tell the organizer.
    </WarningNote>
  );
}
