import { Notice } from '../notice';
import type { QuestionRound } from '../open-question';
import { ReceiptWarning } from '../secret/receipt-warning';
import { type HeldBallots, type HeldOutcome, keptReceiptOf, PERHAPS_STORED } from './held-delivery';
import classes from './holder-ballot.module.css';
import { SELF, votes } from './people-groups';
import type { HeldState } from './use-held-delivery';

interface HeldOutcomesProps {
  state: HeldState;
  /** The question that is open now. Above the ballot of another round, stored votes take as little space as possible. */
  open: QuestionRound | null;
}

/** What became of the ballots of a holder. It stays when their round closes: its outcome may arrive afterwards. */
export function HeldOutcomes({ state, open }: HeldOutcomesProps) {
  const { sent, isSending, isDelayed, isKept } = state;
  const on = placeOf(sent, open);
  const hasSummary = !sent.isSecret && (open === null || sent.roundId === open.roundId);
  const stored = sent.outcomes.filter(({ code }) => code === null);
  const unclear = sent.outcomes.filter(({ code }) => code === PERHAPS_STORED);
  const refused = sent.outcomes.filter(({ code }) => code !== null && code !== PERHAPS_STORED);
  const receipts = receiptsOf(stored, sent);
  return (
    <>
      {isSending ? (
        <Notice
          tone="waiting"
          title={isDelayed ? `Your votes${on} are not delivered yet` : 'Submitting your votes...'}
        >
          {sent.isSecret ? null : <p>{sent.summary}.</p>}
          <p>
            {stored.length} of {votes(sent.ballots.length)} are stored. They are sent again until the server
            answers. Each counts once.
          </p>
          {isDelayed ? (
            <p>
              {isKept
                ? 'Your votes are kept on this device. If you close this page, open this meeting again to send them.'
                : 'Keep this page open until then.'}
            </p>
          ) : null}
        </Notice>
      ) : null}
      {!isSending && stored.length > 0 ? (
        <Notice tone="stored" title={`${votes(stored.length)}${on} stored`} role="status">
          {hasSummary && refused.length === 0 ? <p>{sent.summary}.</p> : null}
          {receipts.map(({ id, name, kept, named }) => (
            <ReceiptWarning key={id} owner={id === SELF ? null : name} kept={kept} named={named} />
          ))}
          {receipts.length > 0 ? <Receipts receipts={receipts} /> : null}
        </Notice>
      ) : null}
      {unclear.length > 0 ? (
        <Notice
          tone="info"
          title={`${votes(unclear.length)}${on} counted, but not confirmed as yours`}
          role="status"
        >
          <p>For: {unclear.map(nameOf).join(', ')}.</p>
          <p>
            The connection broke while you submitted. A vote of each of these people is stored. It is the one
            that you sent, unless the person voted at the same moment.
          </p>
        </Notice>
      ) : null}
      {refused.length > 0 ? (
        <Notice tone="refused" title={`${votes(refused.length)}${on} not counted from you`}>
          <ul className={classes.list}>
            {refused.map((outcome) => (
              <li key={outcome.for}>
                {nameOf(outcome)}: {reasonOf(outcome)}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}

/** The question of the ballots, as a part of a sentence. Empty for the open round. */
function placeOf({ questionId, roundId, orderIndex }: HeldBallots, open: QuestionRound | null): string {
  if (roundId === open?.roundId) {
    return '';
  }
  const question = orderIndex === undefined ? '' : `question ${orderIndex}`;
  if (questionId === open?.id) {
    // Otherwise the heading would seem to be about the re-vote below it.
    return question && ` in the earlier round of ${question}`;
  }
  return question && ` on ${question}`;
}

interface PersonReceipt {
  id: string;
  name: string;
  /** As this device computed it. */
  kept: string | null;
  /** As the server names it. */
  named: string | null;
}

function receiptsOf(stored: HeldOutcome[], sent: HeldBallots): PersonReceipt[] {
  return stored
    .map((outcome) => ({
      id: outcome.for,
      name: nameOf(outcome),
      kept: keptReceiptOf(outcome, sent),
      named: outcome.receipt,
    }))
    .filter(({ kept, named }) => kept !== null || named !== null);
}

function Receipts({ receipts }: { receipts: PersonReceipt[] }) {
  return (
    <details className={classes.notes}>
      <summary>Receipts</summary>
      <ul className={classes.list}>
        {receipts.map(({ id, name, kept, named }) => (
          <li key={id}>
            {name}: {kept ?? named}
          </li>
        ))}
      </ul>
    </details>
  );
}

function nameOf({ for: id, name }: HeldOutcome): string {
  return id === SELF ? 'You' : name;
}

function reasonOf({ for: id, code, error }: HeldOutcome): string {
  if (code === 'already_voted') {
    return id === SELF ? 'You have already voted.' : 'This person has already voted, so your proxy rests.';
  }
  if (code === 'no_proxy') {
    return 'The proxy was revoked, or it rests because this person is present.';
  }
  return error ?? 'The server refused the vote.';
}
