import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { messageOf } from '../../api/api-error';
import type { PaperBatchHead } from '../../api/types';
import rows from '../ui/named-rows.module.css';
import { StatusBadge } from '../ui/status-badge';
import { ballotsWords, historyWords, STATES } from './batch-words';
import type { PaperApi } from './paper-api';
import { paperQueries } from './paper-queries';
import classes from './paper-votes.module.css';

interface BatchListProps {
  api: PaperApi;
  roundId: string;
  onOpen: (batchId: string) => void;
}

/** The batches of the open round, those that wait first. */
export function BatchList({ api, roundId, onOpen }: BatchListProps) {
  const id = useId();
  const batches = useQuery(paperQueries.batches(api, roundId));
  const all = batches.data ?? [];
  const waiting = all.filter(({ state }) => state === 'WAITING');
  const closed = all.filter(({ state }) => state !== 'WAITING').reverse();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.subtitle}>
        Batches
      </h3>
      {batches.isError ? (
        <p className={classes.notice} data-tone="danger" role="alert">
          {messageOf(batches.error, 'The batches could not be loaded')}. This screen tries again.
        </p>
      ) : null}
      {batches.data && all.length === 0 ? <p>No batch has been entered for this question.</p> : null}
      {all.length > 0 ? (
        <>
          <p role="status">{waitingWords(waiting)}</p>
          <ul className={classes.list}>
            {[...waiting, ...closed].map((batch) => (
              <BatchRow key={batch.id} batch={batch} onOpen={() => onOpen(batch.id)} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function BatchRow({ batch, onOpen }: { batch: PaperBatchHead; onOpen: () => void }) {
  const { number, state, isOwn } = batch;
  const { label, tone } = STATES[state];
  const canConfirm = state === 'WAITING' && !isOwn;
  const action = canConfirm ? 'Compare and confirm' : 'Show';
  return (
    <li className={classes.entry}>
      <span className={`${rows.who} ${classes.words}`}>
        <span className={rows.name}>
          Batch {number}: {ballotsWords(batch)}
        </span>
        <span className={classes.quiet} dir="auto">
          {historyWords(batch)}
        </span>
      </span>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <Button
        variant={canConfirm ? 'filled' : 'default'}
        aria-label={`${action}: batch ${number}`}
        onClick={onOpen}
      >
        {action}
      </Button>
    </li>
  );
}

function waitingWords(waiting: PaperBatchHead[]): string {
  if (waiting.length === 0) {
    return 'No batch waits for a second teller.';
  }
  const first = waiting.length === 1 ? '1 batch waits' : `${waiting.length} batches wait`;
  return `${first} for a second teller. Only confirmed batches are counted when voting ends.`;
}
