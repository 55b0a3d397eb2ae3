import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GivenProxy, OwnProxies } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';
import { toBase64 } from '../../../shared/sealing/sealing';
import { liveQuestion, MEETING_ID } from '../../../test/live-samples';
import { activate, arrangeVoting, given, join, reopen, send } from '../../../test/live-voting-fixture';
import { newUrn } from '../../../test/open-envelope';
import { voter } from '../../../test/people';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';
import { heldBallotsNote } from './held-notes';

type State = OwnProxies['uses'][number]['state'];

/** The state of each principal's vote on the open question. */
let states: State[];
/** The states after the holder has submitted. */
let statesAfter: State[] | null;
/** The reasons why the server refuses ballots, by principal. */
let refusals: Record<string, string>;
/** Whether requests for held votes fail. */
let isFailing: boolean;
/** The requests for held votes so far. */
let asked: number;
/** These requests wait for it. */
let gate: Promise<void>;
let own: OwnProxies;
let received: { for: string; answers?: string[] | null }[][];

const person = (index: number) => ({ id: `p${index}`, name: `Person ${index}`, username: `person${index}` });

function proxyOf(index: number): GivenProxy {
  return {
    id: `x${index}`,
    principal: person(index),
    holder: { id: 'u1', name: 'Vera Lind', username: 'vera' },
    questionIds: null,
    weight: 1,
    note: null,
    reference: null,
    grantedAt: '2026-11-20T13:00:00Z',
    grantedBy: 'Olga Orr',
    isByPrincipal: true,
    rests: false,
    revokedAt: null,
    revokedBy: null,
  };
}

/** What became of the voter's own vote in a round. */
function use(roundId: string, state: State): OwnProxies['uses'][number] {
  const number = roundId === 'r1' ? 1 : 2;
  return { roundId, questionId: 'q1', questionText: 'Roof?', number, holder: 'Ben Birch', state };
}

/** The voter holds votes in these states, and the screen knew of the proxies before the question. */
function hold(...held: State[]) {
  states = held;
  own.held = held.map((_, index) => proxyOf(index));
}

/** Opens the page, and the question once the page has the voter's proxies. */
async function joinQuestion(state: Partial<LiveState> = {}) {
  const app = await join(state);
  const known = own.held.length > 0 ? /^You hold \d/ : 'Let somebody vote for you';
  await screen.findByText(known);
  activate(liveQuestion(), 11);
  return app;
}

beforeEach(() => {
  arrangeVoting();
  states = [];
  statesAfter = null;
  refusals = {};
  isFailing = false;
  asked = 0;
  gate = Promise.resolve();
  received = [];
  own = { isOn: true, mayGrant: true, given: [], held: [], uses: [] };
  given.meeting = voterMeeting({ hasProxies: true, questions: [voterQuestion()] });
  server.use(
    http.get('/voting/meetings/{meetingId}/proxies', ({ response }) => response(200).json(own)),
    http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', async ({ response }) => {
      asked += 1;
      await gate;
      return isFailing
        ? response.untyped(HttpResponse.error())
        : response(200).json({
            roundId: liveQuestion().roundId ?? '',
            votes: states.map((state, index) => ({ principal: person(index), weight: 1, note: null, state })),
          });
    }),
    http.post('/voting/meetings/{meetingId}/questions/{questionId}/votes', async ({ request, response }) => {
      const { ballots } = await request.json();
      received.push(ballots);
      if (ballots.some(({ for: id }) => id === 'self')) {
        given.meeting = voterMeeting({ hasProxies: true, questions: [voterQuestion({ hasVoted: true })] });
      }
      states = statesAfter ?? states.map(() => 'CAST_BY_HOLDER');
      return response(200).json({
        outcomes: ballots.map(({ for: id, answers }) =>
          refusals[id] === undefined
            ? {
                for: id,
                vote: { id, answers: answers ?? [], castAt: null, receipt: null },
                code: null,
                error: null,
              }
            : { for: id, vote: null, code: refusals[id], error: 'The vote was refused.' },
        ),
      });
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Submits two secret ballots, and leaves the page while they are sealed, which lasts until `seal` is called. */
async function leaveWhileSealing() {
  hold('OPEN');
  const sealing = { publicKey: toBase64((await newUrn()).publicKey), size: 64 };
  const roundId = crypto.randomUUID();
  server.use(
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) =>
      response(200).json({
        roundId,
        votes: states.map((state, index) => ({ principal: person(index), weight: 1, note: null, state })),
      }),
    ),
  );
  const app = await join();
  await screen.findByText(/^You hold \d/);
  activate(liveQuestion({ roundId, secrecy: 'secret', sealing }), 11);
  let seal = () => {};
  const isReady = new Promise<void>((resolve) => {
    seal = resolve;
  });
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...input) => {
    await isReady;
    return encrypt(...input);
  });
  await app.user.click(await screen.findByRole('radio', { name: 'Yes' }));
  await app.user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
  await app.user.click(screen.getByRole('link', { name: 'Back' }));
  await screen.findByText('No Meetings Available');
  window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
  return { ...app, seal };
}

describe('the ballot of a holder', () => {
  it('votes for everybody alike with one answer', async () => {
    hold('OPEN', 'OPEN');
    refusals = { p1: 'already_voted' };
    const { user } = await joinQuestion();
    expect(await screen.findByText('You vote for yourself and 2 others: 3 votes')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 3 votes' }));
    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    expect(received).toEqual([
      [
        { for: 'self', answers: ['Yes'] },
        { for: 'p0', answers: ['Yes'] },
        { for: 'p1', answers: ['Yes'] },
      ],
    ]);
    expect(
      screen.getByText('Person 1: This person has already voted, so your proxy rests.'),
    ).toBeInTheDocument();
  });

  it('is not said to be refused if the server seals it and its repeat is refused after a lost answer', async () => {
    hold('OPEN');
    const sealing = { publicKey: toBase64((await newUrn()).publicKey), size: 64 };
    vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
    let attempts = 0;
    server.use(
      http.post(
        '/voting/meetings/{meetingId}/questions/{questionId}/votes',
        async ({ request, response }) => {
          attempts += 1;
          const { ballots } = await request.json();
          const refused = { vote: null, code: 'already_voted', error: 'x' };
          return attempts === 1
            ? response.untyped(HttpResponse.error())
            : response(200).json({ outcomes: ballots.map(({ for: id }) => ({ for: id, ...refused })) });
        },
      ),
    );
    const app = await join();
    await screen.findByText(/^You hold \d/);
    const roundId = 'c0000000-0000-7000-8000-000000000001';
    server.use(
      http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) =>
        response(200).json({
          roundId,
          votes: [{ principal: person(0), weight: 1, note: null, state: 'OPEN' }],
        }),
      ),
    );
    activate(liveQuestion({ roundId, secrecy: 'secret', sealing }), 11);
    await app.user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await app.user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(
      await screen.findByText('2 votes counted, but not confirmed as yours', {}, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(screen.getByText('For: You, Person 0.')).toBeInTheDocument();
    expect(screen.queryByText(/not counted from you/)).not.toBeInTheDocument();
  });

  it('is kept for the next visit if it is sealed after the holder has left', async () => {
    const { seal } = await leaveWhileSealing();
    seal();
    await waitFor(() => expect(heldBallotsNote.read(MEETING_ID, voter.id)?.ballots).toHaveLength(2));
    expect(received).toEqual([]);
  });

  it('is sent by the page of the meeting if that is open again when it is sealed', async () => {
    const { seal, goBack } = await leaveWhileSealing();
    await reopen(goBack);
    expect(await screen.findByRole('button', { name: 'Submit 2 votes' })).toBeInTheDocument();
    seal();
    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    expect(received).toHaveLength(1);
    expect(heldBallotsNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('is dropped if the holder has voted again before it is sealed', async () => {
    const { user, seal, goBack } = await leaveWhileSealing();
    await reopen(goBack);
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    seal();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received).toHaveLength(1);
    expect(heldBallotsNote.read(MEETING_ID, voter.id)).toBeNull();
    expect(screen.getByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
  });

  it('does not replace one that is being sent', async () => {
    const { seal } = await leaveWhileSealing();
    const ballot = { for: 'p0', name: 'Person 0', answers: ['No'], envelope: null };
    const other = { userId: voter.id, questionId: 'q1', roundId: 'r9', summary: '1 vote: 1 No' };
    heldBallotsNote.save(MEETING_ID, { ...other, ballots: [ballot], outcomes: [] });
    seal();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heldBallotsNote.read(MEETING_ID, voter.id)?.ballots).toEqual([ballot]);
  });

  it('votes differently for some', async () => {
    hold('OPEN', 'OPEN');
    const { user } = await joinQuestion();
    await screen.findByText('You vote for yourself and 2 others: 3 votes');
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    await user.click(await screen.findByRole('button', { name: 'Vote differently for some' }));
    expect(screen.getByRole('button', { name: 'Submit 3 votes' })).toBeEnabled();
    const group = within(screen.getByRole('region', { name: /^Different answer/ }));
    await user.click(group.getByRole('checkbox', { name: 'Person 0' }));
    expect(screen.getByRole('button', { name: 'Submit 3 votes' })).toBeDisabled();
    await user.click(group.getByRole('radio', { name: 'No' }));
    expect(screen.getByText('3 votes: 1 No, 2 Yes')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Submit 3 votes' }));
    await screen.findByRole('heading', { name: '3 votes stored' });
    expect(received[0]).toContainEqual({ for: 'p0', answers: ['No'] });
  });

  it('has the answers again after a reload, until they are submitted', async () => {
    hold('OPEN', 'OPEN');
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await screen.findByRole('button', { name: 'Vote differently for some' }));
    const group = within(screen.getByRole('region', { name: /^Different answer/ }));
    await user.click(group.getByRole('checkbox', { name: 'Person 0' }));
    await user.click(group.getByRole('radio', { name: 'No' }));
    cleanup();

    const again = await joinQuestion();
    expect(await screen.findByText('3 votes: 1 No, 2 Yes')).toBeInTheDocument();
    await again.user.click(screen.getByRole('button', { name: 'Submit 3 votes' }));
    await screen.findByRole('heading', { name: '3 votes stored' });
    expect(received[0]).toContainEqual({ for: 'p0', answers: ['No'] });
    expect(Object.keys(window.sessionStorage)).toEqual([]);
  });

  it('says where the votes are kept while they are not delivered', async () => {
    hold('OPEN');
    server.use(
      http.post('/voting/meetings/{meetingId}/questions/{questionId}/votes', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(
      await screen.findByText(
        'Your votes are kept on this device. If you close this page, open this meeting again to send them.',
      ),
    ).toBeInTheDocument();
  });

  it('leaves out principals who have voted', async () => {
    hold('VOTED_BY_PRINCIPAL', 'OPEN');
    await joinQuestion();
    expect(await screen.findByText('You vote for yourself and 1 other: 2 votes')).toBeInTheDocument();
    expect(screen.getByText('Person 0 has voted')).toBeInTheDocument();
  });

  it('takes the own vote for stored once its outcome says so, before the meeting is fetched again', async () => {
    hold('OPEN');
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});

describe('a holder who has submitted', () => {
  it('votes for somebody whose proxy rested before, and still sees the first outcome', async () => {
    hold('OPEN', 'RESTING');
    statesAfter = ['CAST_BY_HOLDER', 'OPEN'];
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(await screen.findByText('You vote for Person 1: 1 vote')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    statesAfter = null;
    await user.click(screen.getByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Submit 1 vote' }));
    expect(await screen.findByRole('heading', { name: '3 votes stored' })).toBeInTheDocument();
    expect(screen.getByText('2 votes: 2 Yes. Then 1 vote: 1 No.')).toBeInTheDocument();
    expect(received[1]).toEqual([{ for: 'p1', answers: ['No'] }]);
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });

  it('votes again for somebody who was refused, if the vote is open afterwards', async () => {
    hold('OPEN', 'OPEN');
    refusals = { p1: 'no_proxy' };
    statesAfter = ['CAST_BY_HOLDER', 'OPEN'];
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 3 votes' }));
    expect(await screen.findByText('You vote for Person 1: 1 vote')).toBeInTheDocument();
    refusals = {};
    statesAfter = null;
    await user.click(screen.getByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 1 vote' }));
    expect(await screen.findByRole('heading', { name: '3 votes stored' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: '1 vote not counted from you' })).not.toBeInTheDocument();
  });
});

describe('the outcome of a holder’s ballots', () => {
  const VOTES = '/voting/meetings/{meetingId}/questions/{questionId}/votes';

  /** Submits two votes, and holds the answer until the returned function is called. */
  async function submitTwo(code: string | null) {
    let answer = () => {};
    const asking = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.post(VOTES, async ({ request, response }) => {
        const { ballots } = await request.json();
        await asking;
        const error = code === null ? null : 'The vote is closed.';
        return response(200).json({
          outcomes: ballots.map(({ for: id }) => {
            const vote = code === null ? { id, answers: ['Yes'], castAt: null, receipt: null } : null;
            return { for: id, vote, code, error };
          }),
        });
      }),
    );
    hold('OPEN');
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    await screen.findByRole('heading', { name: 'Submitting your votes...' });
    return { user, answer };
  }

  function close() {
    given.live = { ...given.live, version: 12, currentQuestion: null };
    given.meeting = { ...given.meeting, questions: [voterQuestion({ isActive: false })] };
    send('question_deactivated', { id: 'q1', step: 12 }, 12);
  }

  it('is shown though the vote was closed before it arrived', async () => {
    const { answer } = await submitTwo(null);
    close();
    answer();
    expect(await screen.findByRole('heading', { name: '2 votes on question 1 stored' })).toBeInTheDocument();
    expect(screen.getByText('2 votes: 2 Yes.')).toBeInTheDocument();
  });

  it('is no vote that was never submitted if the server refuses it', async () => {
    const { answer } = await submitTwo('round_not_open');
    close();
    answer();
    const heading = { name: '2 votes on question 1 not counted from you' };
    expect(await screen.findByRole('heading', heading)).toBeInTheDocument();
    expect(screen.getByText('You: The vote is closed.')).toBeInTheDocument();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.queryByText(/You had not submitted a vote/)).not.toBeInTheDocument();
  });

  it('is one line above the next question, until a vote on that is submitted', async () => {
    const { user, answer } = await submitTwo(null);
    server.use(
      http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) =>
        response(200).json({
          roundId: 'r2',
          votes: [{ principal: person(0), weight: 1, note: null, state: 'OPEN' }],
        }),
      ),
    );
    activate(liveQuestion({ id: 'q2', roundId: 'r2', orderIndex: 2 }), 12);
    answer();
    expect(await screen.findByRole('heading', { name: '2 votes on question 1 stored' })).toBeInTheDocument();
    expect(screen.queryByText('2 votes: 2 Yes.')).not.toBeInTheDocument();
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Submit 2 votes' }));
    expect(await screen.findByRole('heading', { name: '2 votes stored' })).toBeInTheDocument();
    expect(screen.queryByText('2 votes on question 1 stored')).not.toBeInTheDocument();
  });

  it('is not taken for one of the re-vote that is open', async () => {
    const { answer } = await submitTwo(null);
    activate(liveQuestion({ roundId: 'r2' }), 12);
    answer();
    const heading = { name: '2 votes in the earlier round of question 1 stored' };
    expect(await screen.findByRole('heading', heading)).toBeInTheDocument();
    expect(screen.queryByText('2 votes: 2 Yes.')).not.toBeInTheDocument();
  });
});

describe('votes of others that are not known yet', () => {
  const LOADING = 'Loading the votes you hold…';

  /** Holds the requests for held votes until the returned function is called. */
  function closeGate(): () => void {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  }

  it('keep the own ballot of a holder waiting, so that it is not replaced', async () => {
    hold('OPEN', 'OPEN');
    const openGate = closeGate();
    await joinQuestion();
    expect(await screen.findByText(LOADING)).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    openGate();
    expect(await screen.findByText('You vote for yourself and 2 others: 3 votes')).toBeInTheDocument();
    expect(screen.queryByText(LOADING)).not.toBeInTheDocument();
  });

  it('are asked for at once by a phone that expects some', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    hold('OPEN');
    await joinQuestion({ participantCount: 10_000 });
    expect(await screen.findByText('You vote for yourself and 1 other: 2 votes')).toBeInTheDocument();
    expect(asked).toBe(1);
  });

  it('are asked for later by a phone that expects none, in a hall of phones', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    await joinQuestion({ participantCount: 500 });
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    expect(asked).toBe(0);
    await waitFor(() => expect(asked).toBe(1));
    expect(screen.queryByText(LOADING)).not.toBeInTheDocument();
  });

  it('do not keep the own ballot waiting for long', async () => {
    hold('OPEN', 'OPEN');
    closeGate();
    await joinQuestion();
    expect(await screen.findByRole('radio', { name: 'Yes' }, { timeout: 5_000 })).toBeInTheDocument();
    expect(screen.getByText(LOADING)).toBeInTheDocument();
  });

  it('do not replace an own ballot that is shown until the voter asks for it', async () => {
    states = ['OPEN', 'OPEN'];
    const openGate = closeGate();
    const { user } = await joinQuestion();
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    openGate();
    expect(await screen.findByRole('heading', { name: 'You also hold 2 votes' })).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'No' })).toBeChecked();
    expect(screen.getByRole('button', { name: /^Submit Vote/ })).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Vote for yourself and 2 others' }));
    expect(screen.getByText('You vote for yourself and 2 others: 3 votes')).toBeInTheDocument();
  });

  it('that a phone expects none of are no alarm if they cannot be loaded', async () => {
    isFailing = true;
    await joinQuestion();
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    await waitFor(() => expect(asked).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.queryByText(/could not be loaded/)).not.toBeInTheDocument();
    expect(asked).toBe(1);
  });

  it('are asked for again by the voter after a failure', async () => {
    hold('OPEN');
    isFailing = true;
    const { user } = await joinQuestion();
    const failure = { name: 'The votes you hold could not be loaded' };
    expect(await screen.findByRole('heading', failure)).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yes' })).toBeEnabled();
    isFailing = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'You also hold 1 vote' })).toBeInTheDocument();
    expect(screen.queryByRole('heading', failure)).not.toBeInTheDocument();
  });
});

describe('the proxies of a principal', () => {
  it('shows who holds the proxy while a question is open, next to the own ballot', async () => {
    own.uses = [use('r1', 'OPEN')];
    await join();
    activate(liveQuestion(), 11);
    expect(await screen.findByRole('heading', { name: 'Ben Birch holds your proxy' })).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yes' })).toBeInTheDocument();
  });

  it('takes the ballot away as soon as the holder has voted', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999);
    own.given = [proxyOf(0)];
    own.uses = [use('r1', 'CAST_BY_HOLDER')];
    await join({ participantCount: 5_000 });
    await screen.findByText('Vera Lind holds your proxy');
    given.meeting.questions = [voterQuestion({ hasVoted: true, votedByProxy: true })];
    activate(liveQuestion(), 11);
    expect(await screen.findByRole('heading', { name: 'Ben Birch has voted for you' })).toBeInTheDocument();
    await screen.findByRole('heading', { name: /^The holder of your proxy/ }, { timeout: 3_000 });
  });

  it('does not say of a re-vote what became of the vote before', async () => {
    given.meeting.questions = [voterQuestion({ hasVoted: true, votedByProxy: true, isActive: false })];
    own.uses = [use('r1', 'CAST_BY_HOLDER')];
    await join();
    await screen.findByText('What became of your votes');
    activate(liveQuestion({ roundId: 'r2' }), 11);
    expect(await screen.findByRole('radio', { name: 'Yes' })).toBeInTheDocument();
    expect(screen.queryByText('Ben Birch has voted for you')).not.toBeInTheDocument();
  });

  it('does not say of the holder of a re-vote that they have voted in it', async () => {
    given.meeting.questions = [voterQuestion({ hasVoted: true, votedByProxy: true, isActive: false })];
    own.uses = [use('r2', 'OPEN'), use('r1', 'CAST_BY_HOLDER')];
    await join();
    await screen.findByText('What became of your votes');
    activate(liveQuestion({ roundId: 'r2' }), 11);
    expect(await screen.findByRole('heading', { name: 'Ben Birch holds your proxy' })).toBeInTheDocument();
  });

  it('says between questions which of the held ones rest', async () => {
    own.held = [proxyOf(0), { ...proxyOf(1), rests: true }];
    await join();
    expect(await screen.findByText('Person 0, Person 1 (present, so this proxy rests)')).toBeInTheDocument();
  });

  it('grants a proxy, and shows the reason if the server refuses it', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post('/voting/meetings/{meetingId}/proxies', async ({ request, response }) => {
        bodies.push(await request.json());
        const text = 'Ben would vote for 4 people on one question, and the limit is 3.';
        return response(422).json({
          error: text,
          message: text,
          code: 'proxy_limit',
          fields: { holder: [text] },
        });
      }),
    );
    const { user } = await join();
    await user.click(await screen.findByRole('button', { name: 'Let somebody vote for you' }));
    await user.type(screen.getByLabelText('Username of the person'), 'ben');
    await user.click(screen.getByRole('button', { name: 'Grant proxy' }));
    expect(await screen.findByText(/the limit is 3/)).toBeInTheDocument();
    expect(bodies).toEqual([{ holder: 'ben' }]);
  });
});
