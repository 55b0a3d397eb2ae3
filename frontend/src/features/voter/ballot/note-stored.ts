import { voteNotes } from '../../../shared/storage';
import { toast } from '../../../shared/ui/toast';
import { ignore } from '../secret/load-sealing';
import type { Delivery } from './ballot-delivery';

/** Notes a stored vote on this device, keeps its receipt, and tells the voter. */
export function noteStored(
  meetingId: string,
  { ballot, castAt, receipt }: Extract<Delivery, { state: 'stored' }>,
) {
  voteNotes.add(meetingId, {
    id: ballot.questionId,
    roundId: ballot.roundId,
    text: ballot.text,
    type: ballot.type,
    userAnswers: ballot.shown ?? ballot.answers,
    answeredAt: castAt ?? new Date().toISOString(),
  });
  const code = ballot.sealed?.receipt ?? receipt;
  if (code !== null) {
    void import('../secret/receipt-notes').then(
      ({ keepReceipt }) => keepReceipt(ballot.roundId, code),
      ignore,
    );
  }
  toast.success('Vote submitted successfully!');
}
