import { Button } from '@mantine/core';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import type { PaperBatch } from '../../api/types';
import { countOf, formatNumber } from '../format';
import { reloadAfterAttempt } from '../reload';
import { BusyButton } from '../ui/busy-button';
import { FormError } from '../ui/form-error';
import { StatusBadge } from '../ui/status-badge';
import { historyWords, OUTCOMES, outcomeSentences, STATES } from './batch-words';
import { DiscardButton } from './discard-button';
import type { PaperApi } from './paper-api';
import { paperQueries } from './paper-queries';
import { type PaperQuestion, storedTexts } from './paper-question';
import classes from './paper-votes.module.css';
import { PersonWords } from './person-words';

interface BatchViewProps {
  api: PaperApi;
  question: PaperQuestion;
  batchId: string;
  onClose: () => void;
}

/** A batch to compare with its papers, and what became of it. */
export function BatchView({ api, question, batchId, onClose }: BatchViewProps) {
  const { roundId } = question;
  const batch = useQuery(paperQueries.batch(api, roundId, batchId));
  const root = useRef<HTMLElement>(null);
  const id = useId();

  useEffect(() => root.current?.focus(), []);

  return (
    <section ref={root} className={classes.part} aria-labelledby={id} tabIndex={-1}>
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          Back to the batches
        </Button>
      </div>
      <h3 id={id} className={classes.title}>
        {batch.data ? `Batch ${batch.data.number}: ${countOf(batch.data.ballots, 'vote')}` : 'Batch'}
      </h3>
      {batch.isError ? (
        <p className={classes.notice} data-tone="danger" role="alert">
          {messageOf(batch.error, 'The batch could not be loaded')}. This screen tries again.
        </p>
      ) : null}
      {batch.isPending ? <p role="status">Loading the batch…</p> : null}
      {batch.data ? <Batch api={api} question={question} batch={batch.data} /> : null}
    </section>
  );
}

interface BatchProps {
  api: PaperApi;
  question: PaperQuestion;
  batch: PaperBatch;
}

function Batch({ api, question, batch }: BatchProps) {
  const { label, tone } = STATES[batch.state];
  const outcome = outcomeSentences(batch);
  return (
    <>
      <p>
        <StatusBadge tone={tone}>{label}</StatusBadge> <span dir="auto">{historyWords(batch)}</span>
      </p>
      {outcome.length > 0 ? (
        <div
          className={classes.notice}
          data-tone={batch.state === 'CONFIRMED' ? 'good' : undefined}
          role="status"
        >
          <div>
            {outcome.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        </div>
      ) : null}
      {batch.state === 'WAITING' ? <Totals question={question} batch={batch} /> : null}
      <ol className={classes.list} aria-label="Votes of the batch">
        {batch.people.map(({ answers, outcome: became, ...person }) => (
          <li key={person.endUserId} className={classes.entry}>
            <PersonWords person={person} kind={question.weightKind} />
            {answers ? (
              <span className={classes.answer} dir="auto">
                {storedTexts(question, answers).join(', ')}
              </span>
            ) : null}
            {became === 'WAITING' ? null : <span className={classes.answer}>{OUTCOMES[became]}</span>}
          </li>
        ))}
      </ol>
      {batch.state === 'WAITING' ? <Decision api={api} roundId={question.roundId} batch={batch} /> : null}
    </>
  );
}

/** How many votes have which answers, for a quick comparison. */
function Totals({ question, batch }: Pick<BatchProps, 'question' | 'batch'>) {
  const counts = new Map<string, number>(
    batch.counts.map(({ answers, count }) => [storedTexts(question, answers).join(', '), count]),
  );
  for (const { answers } of batch.people) {
    if (answers) {
      const words = storedTexts(question, answers).join(', ');
      counts.set(words, (counts.get(words) ?? 0) + 1);
    }
  }
  return (
    <ul className={classes.list} aria-label="Votes by answer">
      {[...counts].map(([words, count]) => (
        <li key={words} className={classes.entry}>
          <span className={classes.answer} dir="auto">
            {words}
          </span>
          <span className={classes.sum}>{formatNumber(count)}</span>
        </li>
      ))}
    </ul>
  );
}

type Closing = UseMutationResult<PaperBatch, Error, void>;

function useClosing(api: PaperApi, roundId: string, batchId: string): { confirm: Closing; discard: Closing } {
  const queryClient = useQueryClient();
  const onSettled = reloadAfterAttempt(() =>
    queryClient.invalidateQueries({ queryKey: paperQueries.ofRound(roundId) }),
  );
  const onSuccess = (batch: PaperBatch) =>
    queryClient.setQueryData(paperQueries.batch(api, roundId, batchId).queryKey, batch);
  const confirm = useMutation({ mutationFn: () => api.confirm(roundId, batchId), onSuccess, onSettled });
  const discard = useMutation({ mutationFn: () => api.discard(roundId, batchId), onSuccess, onSettled });
  return { confirm, discard };
}

interface DecisionProps {
  api: PaperApi;
  roundId: string;
  batch: PaperBatch;
}

function Decision({ api, roundId, batch }: DecisionProps) {
  const { confirm, discard } = useClosing(api, roundId, batch.id);
  const error = confirm.error ?? discard.error;
  const ballots = countOf(batch.ballots, 'vote');
  return (
    <>
      <p>
        {batch.isOwn
          ? 'You entered this batch, so another teller confirms it, with a link of their own, or an organizer.'
          : 'Compare each vote with its paper. If anything differs, discard the batch and enter it again.'}
      </p>
      <FormError message={error ? closingError(error) : null} />
      <div className={classes.actions}>
        {batch.isOwn ? null : (
          <BusyButton
            size="lg"
            isBusy={confirm.isPending}
            busyLabel="Confirming…"
            onClick={() => {
              discard.reset();
              confirm.mutate();
            }}
          >
            {`Confirm ${ballots}`}
          </BusyButton>
        )}
        <DiscardButton
          batch={batch}
          label="Discard the batch"
          isDiscarding={discard.isPending}
          onDiscard={() => {
            confirm.reset();
            discard.mutate();
          }}
        />
      </div>
    </>
  );
}

/** What a refusal means for the batch, and what to do. */
const REFUSALS: Record<string, string> = {
  second_teller_needed:
    'You entered this batch, so another teller confirms it, with a link of their own, or an organizer.',
  batch_closed: 'This batch has already been confirmed or discarded.',
  unreachable: 'No response came from the server. The list of batches shows whether this one still waits.',
  round_not_open: 'Voting has ended, so the batch can no longer be confirmed. None of its votes is counted.',
};

function closingError(error: Error): string {
  const known = error instanceof ApiError ? REFUSALS[error.code] : undefined;
  return known ?? messageOf(error, 'The batch was not changed');
}
