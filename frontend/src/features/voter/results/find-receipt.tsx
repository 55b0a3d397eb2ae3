import { Button, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useParams } from 'react-router';
import { api, unwrap } from '../../../api/client';
import { voterQueries } from '../queries';
import { keptReceipt } from '../secret/receipt-notes';
import classes from './find-receipt.module.css';

const LENGTH = 16;
/** As many letters are sent as the server may learn. */
const SENT = 4;

/** Marks the receipt of this device in the published list, and looks up others. */
export function FindReceipt({ roundId }: { roundId: string }) {
  const own = keptReceipt(roundId);
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const code = readReceipt(typed);
    setError(code === null ? 'A receipt has 16 letters.' : null);
    setAsked(code);
  }

  return (
    <section className={classes.root} aria-label="Find your receipt">
      <h3 className={classes.title}>Find your receipt</h3>
      {own === null ? (
        <p>There is no receipt of this vote on this device.</p>
      ) : (
        <Mark roundId={roundId} code={own} isOwn />
      )}
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        <TextInput
          className={classes.field}
          label="Look for another receipt"
          placeholder="ABCD-EFGH-JKLM-NPQR"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          size="md"
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setError(null);
          }}
        />
        <Button type="submit" variant="default" size="md">
          Find
        </Button>
      </form>
      {asked === null ? null : <Mark roundId={roundId} code={asked} />}
    </section>
  );
}

interface MarkProps {
  roundId: string;
  code: string;
  isOwn?: boolean;
}

function Mark({ roundId, code, isOwn = false }: MarkProps) {
  const { meetingId = '' } = useParams();
  const receipts = useQuery(receiptsQuery(meetingId, roundId, code.slice(0, SENT)));
  const isFound = receipts.data?.includes(code);
  return (
    <p role="status" data-found={isFound}>
      {isOwn ? 'Your receipt ' : 'The receipt '}
      <strong className={classes.code}>{code}</strong>
      {markWords(receipts.isError, isFound, isOwn)}
    </p>
  );
}

function markWords(hasFailed: boolean, isFound: boolean | undefined, isOwn: boolean): string {
  if (isFound === undefined) {
    return hasFailed ? ' could not be looked up. Try again later.' : ' is being looked up…';
  }
  if (isFound) {
    return ` was found: ${isOwn ? 'your' : 'this'} ballot was in the urn.`;
  }
  return ` was not found.${isOwn ? ' Tell the organizer.' : ' Check the letters.'}`;
}

/** The receipts that begin with these letters. The server does not learn which one it is about. */
function receiptsQuery(meetingId: string, roundId: string, startsWith: string) {
  return queryOptions({
    queryKey: [...voterQueries.all(), 'receipts', meetingId, roundId, startsWith],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/voting/meetings/{meetingId}/rounds/{roundId}/receipts', {
          params: { path: { meetingId, roundId }, query: { startsWith } },
          signal,
        }),
      ),
    select: ({ data }) => data,
    // The list never changes.
    staleTime: 1 / 0,
  });
}

/** "abcd efgh jklm npqr" as "ABCD-EFGH-JKLM-NPQR"; null unless it has 16 letters. */
function readReceipt(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return letters.length === LENGTH ? (letters.match(/.{4}/g) ?? []).join('-') : null;
}
