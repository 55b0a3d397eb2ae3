import { VOID_TITLE } from '../../../shared/terms/secrecy';
import type { GivenAnswer } from '../ballot/given-answers';
import { keptReceipt } from './receipt-notes';
import { ReceiptWarning } from './receipt-warning';

export interface ReceiptAnswerProps {
  sealed: NonNullable<GivenAnswer['sealed']>;
}

/** A secret ballot in the list of answers, with its receipt until the urn is opened. */
export function ReceiptAnswer({ sealed }: ReceiptAnswerProps) {
  const { roundId, receipt, isVoid } = sealed;
  if (isVoid) {
    return <p>{`Secret ballot. ${VOID_TITLE}.`}</p>;
  }
  const kept = keptReceipt(roundId);
  return (
    <>
      <p>{receipt ? `Secret ballot. Receipt: ${kept ?? receipt}` : 'Secret ballot'}</p>
      <ReceiptWarning kept={kept} named={receipt} />
    </>
  );
}
