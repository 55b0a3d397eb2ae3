import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../../api/api-error';
import { api, unwrap } from '../../../api/client';
import type { GivenProxy, OwnProxies, ProxyUse, VoterMeeting } from '../../../api/types';
import type { BallotQuestion } from '../../../shared/ballot/ballot';
import { reloadAfterAttempt, reloadAfterSuccess } from '../../../shared/reload';
import { Notice } from '../notice';
import { voterQueries } from '../queries';
import classes from './holder-ballot.module.css';
import { proxyQueries } from './proxy-queries';

interface ProxiesPanelProps {
  meetingId: string;
  meeting: VoterMeeting;
  /** The open question. */
  question: BallotQuestion | null;
}

/** The proxies of a voter: whom they trust, for whom they vote, and what became of their vote. */
export function ProxiesPanel({ meetingId, meeting, question }: ProxiesPanelProps) {
  const { data } = useQuery(proxyQueries.own(meetingId));
  if (data === undefined) {
    return null;
  }
  if (question !== null) {
    return <OnQuestion own={data} question={question} meeting={meeting} />;
  }
  return (
    <section className={classes.panel} aria-label="Proxies">
      {data.held.length > 0 ? (
        <Notice
          tone="info"
          title={`You hold ${data.held.length === 1 ? '1 proxy' : `${data.held.length} proxies`}`}
        >
          <p>{data.held.map(heldWords).join(', ')}</p>
        </Notice>
      ) : null}
      {data.given.map((proxy) => (
        <Given key={proxy.id} meetingId={meetingId} proxy={proxy} meeting={meeting} />
      ))}
      {data.uses.length > 0 ? <Uses uses={data.uses} /> : null}
      {data.mayGrant && data.given.length === 0 ? <GrantForm meetingId={meetingId} /> : null}
    </section>
  );
}

function heldWords({ principal, rests }: GivenProxy): string {
  return rests ? `${principal.name} (present, so this proxy rests)` : principal.name;
}

function OnQuestion({
  own,
  question,
  meeting,
}: {
  own: OwnProxies;
  question: BallotQuestion;
  meeting: VoterMeeting;
}) {
  // An earlier round of the question says nothing about a re-vote.
  const fetched = meeting.questions.find(
    ({ id, roundId }) => id === question.id && roundId === question.roundId,
  );
  const used = own.uses.find(({ roundId }) => roundId === question.roundId);
  const isNews = used?.state === 'CAST_BY_HOLDER' && fetched?.hasVoted === false;
  useRefetchOnce(meeting.id, isNews ? used.roundId : null);
  if (used === undefined) {
    return null;
  }
  if (used.state === 'CAST_BY_HOLDER' || fetched?.votedByProxy) {
    return <Notice tone="stored" title={`${used.holder} has voted for you`} role="status" />;
  }
  return used.state === 'OPEN' ? (
    <Notice tone="info" title={`${used.holder} holds your proxy`}>
      <p>If you vote yourself, the proxy rests for this vote.</p>
    </Notice>
  ) : (
    <Notice tone="info" title="Your proxy rests">
      <p>{REST_TEXT[used.state]}</p>
    </Notice>
  );
}

/** Fetches the meeting when the holder has voted in this round: the own ballot must not stay on the screen. */
function useRefetchOnce(meetingId: string, castIn: string | null) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (castIn !== null) {
      void queryClient.invalidateQueries({ queryKey: voterQueries.meeting(meetingId).queryKey });
    }
  }, [queryClient, meetingId, castIn]);
}

const REST_TEXT: Record<string, string> = {
  VOTED_BY_PRINCIPAL: 'You have voted yourself.',
  RESTING: 'You are present, so you vote yourself.',
};

function Given({
  meetingId,
  proxy,
  meeting,
}: {
  meetingId: string;
  proxy: GivenProxy;
  meeting: VoterMeeting;
}) {
  const revoke = useRevoke(meetingId);
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Notice tone="info" title={`${proxy.holder.name} holds your proxy`}>
      <p>
        For {proxy.questionIds === null ? 'the whole meeting' : named(proxy.questionIds, meeting)}.{' '}
        {proxy.isByPrincipal ? 'You granted it.' : `${proxy.grantedBy} entered it.`}
        {proxy.reference ? ` Proof: ${proxy.reference}.` : null}
      </p>
      {proxy.note ? <p>Your instructions: {proxy.note}</p> : null}
      <p>
        {proxy.rests
          ? 'It rests because you are present.'
          : 'When you vote yourself, it rests for that vote.'}
      </p>
      {proxy.isByPrincipal ? (
        <Button
          variant={isAsked ? 'filled' : 'default'}
          size="md"
          loading={revoke.isPending}
          onClick={() => (isAsked ? revoke.mutate(proxy.id) : setIsAsked(true))}
        >
          {isAsked ? `Yes, revoke the proxy of ${proxy.holder.name}` : 'Revoke proxy'}
        </Button>
      ) : (
        <p>If this is wrong, speak to the organizer.</p>
      )}
      {revoke.isError ? (
        <p role="alert">{messageOf(revoke.error, 'The proxy could not be revoked.')}</p>
      ) : null}
    </Notice>
  );
}

function named(questionIds: string[], meeting: VoterMeeting): string {
  const texts = meeting.questions.filter(({ id }) => questionIds.includes(id)).map(({ text }) => `“${text}”`);
  return texts.length === questionIds.length ? texts.join(', ') : `${questionIds.length} of the questions`;
}

function Uses({ uses }: { uses: ProxyUse[] }) {
  return (
    <details className={classes.notes}>
      <summary>What became of your votes</summary>
      <ul className={classes.list}>
        {uses.map((used) => (
          <li key={used.roundId}>
            <span dir="auto">{used.questionText}</span>: {USE_TEXT[used.state](used.holder)}
          </li>
        ))}
      </ul>
    </details>
  );
}

const USE_TEXT: Record<ProxyUse['state'], (holder: string) => string> = {
  OPEN: () => 'no vote yet',
  CAST_BY_HOLDER: (holder) => `${holder} voted for you`,
  VOTED_BY_PRINCIPAL: () => 'you voted yourself',
  RESTING: () => 'the proxy rested',
};

function GrantForm({ meetingId }: { meetingId: string }) {
  const queryClient = useQueryClient();
  const [holder, setHolder] = useState('');
  const [note, setNote] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const grant = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/voting/meetings/{meetingId}/proxies', {
          params: { path: { meetingId } },
          body: { holder: holder.trim(), ...(note.trim() === '' ? {} : { note: note.trim() }) },
        }),
      ),
    onSuccess: reloadAfterSuccess(() =>
      queryClient.invalidateQueries({ queryKey: proxyQueries.own(meetingId).queryKey }),
    ),
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (holder.trim() !== '') {
      grant.mutate();
    }
  }

  if (!isOpen) {
    return (
      <Button variant="default" size="md" fullWidth onClick={() => setIsOpen(true)}>
        Let somebody vote for you
      </Button>
    );
  }
  return (
    <form noValidate onSubmit={handleSubmit}>
      <h2 className={classes.part}>Let somebody vote for you</h2>
      <TextInput
        label="Username of the person"
        description="It counts from the next vote on. Whenever you vote yourself, the proxy rests."
        size="md"
        autoCapitalize="none"
        value={holder}
        error={errorOf(grant.error)}
        onChange={(event) => setHolder(event.currentTarget.value)}
      />
      <TextInput
        label="Instructions (optional)"
        size="md"
        mt="sm"
        maxLength={1_000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="lg"
        fullWidth
        mt="md"
        loading={grant.isPending}
        disabled={holder.trim() === ''}
      >
        Grant proxy
      </Button>
    </form>
  );
}

function errorOf(error: unknown): string | null {
  if (error === null) {
    return null;
  }
  const field = error instanceof ApiError ? error.fields.holder?.[0] : undefined;
  return field ?? messageOf(error, 'The proxy could not be granted.');
}

function useRevoke(meetingId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (proxyId: string) =>
      unwrap(
        api.DELETE('/voting/meetings/{meetingId}/proxies/{proxyId}', {
          params: { path: { meetingId, proxyId } },
        }),
      ),
    onSettled: reloadAfterAttempt(() =>
      queryClient.invalidateQueries({ queryKey: proxyQueries.own(meetingId).queryKey }),
    ),
  });
}
