import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { messageOf } from '../../api/api-error';
import type { PaperBatchHead } from '../../api/types';
import { countOf } from '../format';
import { reloadAfterAttempt } from '../reload';
import { FormError } from '../ui/form-error';
import rows from '../ui/named-rows.module.css';
import { ballotsWords, historyWords } from './batch-words';
import { DiscardButton } from './discard-button';
import type { PaperApi } from './paper-api';
import { paperQueries } from './paper-queries';
import classes from './paper-votes.module.css';

interface LeftBatchesProps {
  api: PaperApi;
  round: { id: string; text: string };
  onDiscarded?: () => void;
}

/** The batches of a round that still waited when its voting ended. Nothing is shown without any. */
export function LeftBatches({ api, round, onDiscarded }: LeftBatchesProps) {
  const id = useId();
  const batches = useQuery(paperQueries.batches(api, round.id));
  const waiting = batches.data?.filter(({ state }) => state === 'WAITING') ?? [];
  return waiting.length === 0 ? null : (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.subtitle} dir="auto">
        {round.text}
      </h3>
      <p className={classes.notice} data-tone="danger" role="status">
        Voting has ended, and {countOf(waiting.length, 'batch', 'batches')} of votes on paper{' '}
        {waiting.length === 1 ? 'was' : 'were'} not confirmed. Such votes count only if an organizer opens the
        question again, another teller confirms them, and voting ends once more. Until then, or until they are
        discarded, no vote on this question is counted while the meeting goes on.
      </p>
      <ul className={classes.list}>
        {waiting.map((batch) => (
          <LeftBatch
            key={batch.id}
            api={api}
            roundId={round.id}
            batch={batch}
            {...(onDiscarded ? { onDiscarded } : {})}
          />
        ))}
      </ul>
    </section>
  );
}

interface LeftBatchProps {
  api: PaperApi;
  roundId: string;
  batch: PaperBatchHead;
  onDiscarded?: () => void;
}

function LeftBatch({ api, roundId, batch, onDiscarded }: LeftBatchProps) {
  const queryClient = useQueryClient();
  const discard = useMutation({
    mutationFn: () => api.discard(roundId, batch.id),
    onSuccess: () => onDiscarded?.(),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: paperQueries.ofRound(roundId) }),
    ),
  });
  return (
    <li className={classes.entry}>
      <span className={`${rows.who} ${classes.words}`}>
        <span className={rows.name}>
          Batch {batch.number}: {ballotsWords(batch)}
        </span>
        <span className={classes.quiet} dir="auto">
          {historyWords(batch)}
        </span>
        <FormError
          message={discard.isError ? messageOf(discard.error, 'The batch was not discarded') : null}
        />
      </span>
      <DiscardButton
        batch={batch}
        label="Discard"
        isDiscarding={discard.isPending}
        onDiscard={discard.mutate}
        isListed
      />
    </li>
  );
}
