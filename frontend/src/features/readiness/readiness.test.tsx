import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveState, Meeting, Question, RehearsalPerson, RehearsalReport } from '../../api/types';
import type { AssemblyFigures } from '../../shared/diagnostics/assembly/measurements';
import { simulateAssembly } from '../../shared/diagnostics/assembly/simulate';
import type { Run } from '../../shared/diagnostics/run/diagnostic';
import type { Finding } from '../../shared/diagnostics/run/finding';
import { TEST_MEETING } from '../../shared/test-data';
import { liveQuestion, liveState, timed } from '../../test/live-samples';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../test/samples';
import { http, server } from '../../test/server';

vi.mock('../../shared/diagnostics/assembly/simulate', () => ({ simulateAssembly: vi.fn() }));

const NO_DELAYS = { medianMs: null, p95Ms: null, maxMs: null };
const RUNNING = {
  id: 'h1',
  startedAt: '2026-11-21T13:00:00Z',
  endedAt: null,
  startedBy: 'Anna Berg',
};

let meeting: Meeting;
let live: LiveState;
let report: RehearsalReport;
let questions: Question[];
/** The requests of the list, and each step. */
let asked: string[];

function person(changes: Partial<RehearsalPerson> = {}): RehearsalPerson {
  return {
    endUserId: 'e1',
    name: 'Vera Lind',
    username: 'vera',
    status: 'answered',
    isConnected: true,
    receivedMs: 412,
    answeredMs: 12_300,
    canSeal: true,
    lastLoginAt: '2026-11-21T12:59:00Z',
    ...changes,
  };
}

beforeEach(() => {
  meeting = sampleMeeting();
  live = timed(liveState({ meetingId: meeting.id, title: meeting.title, status: 'SCHEDULED' }));
  report = {
    rehearsal: null,
    counts: { invited: 184, answered: 0, received: 0, connected: 12, absent: 170, neverSignedIn: 2 },
    cannotSeal: 0,
    received: NO_DELAYS,
    answered: NO_DELAYS,
    data: [person({ status: 'connected', receivedMs: null, answeredMs: null })],
    meta: { page: 1, pageSize: 50, total: 1 },
  };
  asked = [];
  server.use(
    http.get('/client/meetings/{meetingId}/proxies/settings', ({ response }) =>
      response(200).json({
        isOn: false,
        principalsMayGrant: false,
        maxPrincipals: null,
        maxWeight: null,
        maxSharePercent: null,
        holders: 'PARTICIPANTS',
        questionsWithout: [],
      }),
    ),
  );
  questions = [sampleQuestion()];
  server.use(
    http.get('/client/meetings', ({ response }) =>
      response(200).json({ data: [meeting], meta: { page: 1, pageSize: 20, total: 1 } }),
    ),
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(live)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) => response(200).json(questions)),
    http.get('/client/meetings/{meetingId}/rehearsal', ({ request, response }) => {
      asked.push(new URL(request.url).search);
      return response(200).json(report);
    }),
    http.post('/client/meetings/{meetingId}/rehearsal', ({ response }) => {
      asked.push('start');
      report = {
        ...report,
        rehearsal: RUNNING,
        counts: { ...report.counts, answered: 172, received: 3, connected: 9, absent: 0, neverSignedIn: 0 },
        received: { medianMs: 412, p95Ms: 1_240, maxMs: 61_000 },
      };
      return response(201).json(RUNNING);
    }),
    http.post('/client/meetings/{meetingId}/rehearsal/end', ({ response }) => {
      asked.push('end');
      const ended = { ...RUNNING, endedAt: '2026-11-21T13:04:00Z' };
      report = { ...report, rehearsal: ended };
      return response(200).json(ended);
    }),
    http.delete('/client/meetings/{meetingId}/rehearsal', ({ response }) => {
      asked.push('discard');
      report = { ...report, rehearsal: null };
      return response(204).empty();
    }),
  );
});

async function openPage(query = '') {
  const app = await renderApp(`/client/meetings/${meeting.id}/readiness${query}`, { as: clientAdmin });
  await screen.findByRole('heading', { level: 1, name: 'Readiness Check' });
  await screen.findByText(meeting.title);
  return app;
}

it('marks a meeting that is test data', async () => {
  meeting = sampleMeeting({ title: 'TEST_Assembly' });
  live = timed(liveState({ title: meeting.title, status: 'SCHEDULED' }));
  await openPage();
  expect(screen.getByText(TEST_MEETING)).toBeInTheDocument();
});

const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const rehearsal = () => within(screen.getByRole('region', { name: 'Rehearsal' }));
const advice = () =>
  within(rehearsal().getByRole('list', { name: 'What to do' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the rehearsal', () => {
  it('says before it who is there', async () => {
    await openPage();
    expect(await screen.findByText('No rehearsal has been held yet.')).toBeInTheDocument();
    expect(figure('Invited')).toBe('184');
    expect(figure('Connected')).toBe('12');
    expect(figure('Never signed in')).toBe('2');
    expect(advice()).toEqual([
      '12 are connected now. Start the rehearsal when everybody who can be there has opened the meeting.',
    ]);
    expect(
      within(screen.getByRole('region', { name: /^People/ })).getByText('Connected'),
    ).toBeInTheDocument();
  });

  it('sends personal links by email to those who never signed in, where the server can', async () => {
    const sent: unknown[] = [];
    const counts = {
      invited: 184,
      withoutAddress: 0,
      inactive: 0,
      notSent: 0,
      pending: 0,
      sent: 184,
      failed: 0,
      unknown: 0,
    };
    server.use(
      http.get('/client/join-links/settings', ({ response }) => response(200).json({ asks: 'NOTHING' })),
      http.get('/client/meetings/{meetingId}/invitations', ({ response }) =>
        response(200).json({ canSendEmail: true, subject: '', text: null, link: null, counts, data: [] }),
      ),
      http.post('/client/meetings/{meetingId}/invitations/send', async ({ request, response }) => {
        sent.push(await request.json());
        const skipped = { alreadySent: 0, withoutAddress: 0, inactive: 0, pending: 0 };
        return response(202).json({ queued: 2, skipped, counts });
      }),
    );
    const { user } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Personal links' }));
    await user.click(await screen.findByRole('button', { name: 'Send personal links by email' }));
    const question = within(await screen.findByRole('dialog', { name: 'Send personal links by email?' }));
    await user.click(question.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('2 invitations on the way')).toBeInTheDocument();
    expect(sent).toEqual([
      expect.objectContaining({ neverSignedIn: true, again: true, personalLinks: true }),
    ]);
  });

  it('is started, followed, ended and discarded', async () => {
    const { user } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Start Rehearsal' }));
    expect(await screen.findByText(/^Running since .*, started by Anna Berg\.$/)).toBeInTheDocument();
    expect(figure('Connected, no answer')).toBe('12');
    expect(advice()).toEqual([
      '12 are connected but did not answer: ask them to reload the page and to tap “I see this”.',
    ]);
    const row = screen.getByRole('row', { name: /^Received/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['0.4 s', '1.2 s', '1:01 min']);

    await user.click(screen.getByRole('button', { name: 'End Rehearsal' }));
    expect(await screen.findByText(/^Held from .* to .*, started by Anna Berg\.$/)).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Start Rehearsal' })).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Discard' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Discard this rehearsal?' }));
    await user.click(dialog.getByRole('button', { name: 'Discard rehearsal' }));
    expect(await screen.findByText('No rehearsal has been held yet.')).toBeInTheDocument();
    expect(asked.filter((one) => !one.startsWith('?'))).toEqual(['start', 'end', 'discard']);
  });

  it('is followed while it runs, without a hand', async () => {
    report = { ...report, rehearsal: RUNNING };
    await openPage();
    await waitFor(() => expect(figure('Answered')).toBe('0'));
    report = { ...report, counts: { ...report.counts, answered: 7, connected: 5 } };
    await waitFor(() => expect(figure('Answered')).toBe('7'), { timeout: 5_000 });
  });

  it.each([
    [{ status: 'DRAFT' as const }, /is a draft/],
    [{ status: 'COMPLETED' as const }, /The meeting is over/],
    [{ status: 'ACTIVE' as const, currentQuestion: liveQuestion() }, /voting on a question is open/],
  ])('is not offered where there can be none: %o', async (state, reason) => {
    live = { ...live, ...state };
    await openPage();
    const button = await screen.findByRole('button', { name: 'Start Rehearsal' });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription(reason);
  });

  it('says what the server refuses', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/rehearsal', ({ response }) =>
        response.untyped(
          HttpResponse.json(
            { error: 'A rehearsal is running already.', code: 'rehearsal_running' },
            { status: 409 },
          ),
        ),
      ),
    );
    const { user } = await openPage();
    await user.click(await screen.findByRole('button', { name: 'Start Rehearsal' }));
    expect(await screen.findByText('A rehearsal is running already.')).toBeInTheDocument();
  });

  it('names each way of being missing, and what to do', async () => {
    report = {
      ...report,
      rehearsal: RUNNING,
      counts: { invited: 184, answered: 100, received: 1, connected: 0, absent: 80, neverSignedIn: 3 },
      received: { medianMs: 400, p95Ms: 5_200, maxMs: 9_000 },
    };
    await openPage();
    await screen.findByText(/^Running since/);
    expect(advice()).toEqual([
      '1 is connected but did not answer: ask them to reload the page and to tap “I see this”.',
      '80 are not connected: ask them to sign in and to open the meeting on their phone.',
      '3 have never signed in: check that they have their invitation, their username and their password.',
      expect.stringMatching(/^The slowest phones got the rehearsal only 5\.2 s after its start\./),
    ]);
  });
});

describe('secret questions', () => {
  const RISK = 'The votes of 3 people could be inferred from the totals (weights 37.5; 50)';
  const words = async () =>
    within(await screen.findByRole('list', { name: 'Secrecy' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  beforeEach(() => {
    server.use(
      http.get('/client/meetings/{meetingId}/secrecy-forecast', ({ response }) =>
        response(200).json({ people: 184, byWeight: RISK, byHeads: null }),
      ),
    );
  });

  it('are checked with the people who may vote now', async () => {
    questions = [
      sampleQuestion({ id: 'q1', orderIndex: 1 }),
      sampleQuestion({ id: 'q2', orderIndex: 2, secrecy: 'secret' }),
      sampleQuestion({ id: 'q3', orderIndex: 3, secrecy: 'secret', countsHeads: true }),
    ];
    await openPage();
    expect(await words()).toEqual([
      'Question 2: the votes of 3 people could be inferred from the totals (weights 37.5; 50). Counting by heads avoids that.',
      'Question 3: no vote can be inferred from the totals, unless all are equal.',
    ]);
    expect(screen.getByText('A rehearsal shows whether the devices can seal a ballot.')).toBeInTheDocument();
  });

  it('are checked by the weight that each of them counts', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}/secrecy-forecast', ({ query, response }) =>
        response(200).json({
          people: 184,
          byWeight: query.get('weightKindId') === 'w1' ? RISK : null,
          byHeads: null,
        }),
      ),
    );
    questions = [
      sampleQuestion({ id: 'q1', orderIndex: 1, secrecy: 'secret' }),
      sampleQuestion({ id: 'q2', orderIndex: 2, secrecy: 'secret', weightKindId: 'w1' }),
    ];
    await openPage();
    expect(await words()).toEqual([
      expect.stringMatching(/^Question 1: no vote can be inferred/),
      expect.stringMatching(/^Question 2: the votes of 3 people could be inferred/),
    ]);
  });

  it('are named beside the devices that cannot seal a ballot, which can be listed', async () => {
    questions = [sampleQuestion({ secrecy: 'secret' })];
    report = { ...report, rehearsal: RUNNING, cannotSeal: 2 };
    const { user } = await openPage();
    expect(await screen.findByText(/^2 devices cannot seal a ballot/)).toBeInTheDocument();
    const filter = await screen.findByRole('combobox', { name: 'Filter by status' });
    await user.selectOptions(filter, 'Cannot seal a ballot');
    await waitFor(() => expect(asked.at(-1)).toContain('canSeal=false'));
    expect(asked.at(-1)).not.toContain('status=');
  });

  it('are no subject without one', async () => {
    await openPage();
    await screen.findByText('No rehearsal has been held yet.');
    expect(screen.queryByRole('region', { name: 'Secret Questions' })).not.toBeInTheDocument();
  });
});

describe('the list of people', () => {
  it('shows the status, the delays and the last login of each', async () => {
    report = {
      ...report,
      rehearsal: RUNNING,
      data: [
        person(),
        person({ endUserId: 'e2', name: 'Tomas Okafor', status: 'received', answeredMs: null }),
        person({
          endUserId: 'e3',
          name: 'Ines Duarte',
          status: 'never_signed_in',
          receivedMs: null,
          answeredMs: null,
          lastLoginAt: null,
        }),
      ],
      meta: { page: 1, pageSize: 50, total: 3 },
    };
    await openPage();
    const cells = (name: RegExp) =>
      within(screen.getByRole('row', { name }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(await screen.findByRole('heading', { name: 'People (3)' })).toBeInTheDocument();
    expect(cells(/Vera/).slice(1, 4)).toEqual(['Answered', '0.4 s', '12 s']);
    expect(cells(/Tomas/).slice(1, 4)).toEqual(['Received, no answer', '0.4 s', '–']);
    expect(cells(/Ines/).slice(1)).toEqual(['Never signed in', '–', '–', 'Never']);
  });

  it('is filtered and searched by the server, and not by the letter', async () => {
    const { user } = await openPage();
    await user.selectOptions(
      await screen.findByRole('combobox', { name: 'Filter by status' }),
      'Connected, no answer',
    );
    await waitFor(() => expect(asked.at(-1)).toContain('status=silent'));
    await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'okafor');
    await waitFor(() => expect(asked.at(-1)).toContain('search=okafor'));
    expect(asked.filter((query) => query.includes('search='))).toHaveLength(1);
    expect(asked.at(-1)).toContain('pageSize=50');
  });
});

const FIGURES: AssemblyFigures = {
  voters: 50,
  register: 184,
  signIn: { calls: 50, p50: 180, p95: 320, max: 4_061, perSecond: 12.5, failed: 0 },
  load: { calls: 50, p50: 12, p95: 20, max: 41, perSecond: 90, failed: 0 },
  vote: { calls: 150, p50: 14, p95: 33, max: 80, perSecond: 210, failed: 1 },
  event: { calls: 3, p50: 9, p95: 15, max: 15 },
  count: { calls: 0, p50: 0, p95: 0, max: 0 },
  roundTripMs: 2.4,
  databaseMs: 0.6,
  votesSent: 150,
  votesCounted: 149,
  differences: ['The tally of question 2 has 49 votes instead of 50'],
  serverErrors: [],
  failures: [],
  forecast: { signInSeconds: 14.2, voteSeconds: 130 },
};

describe('the simulated run', () => {
  let endRun: (finding: Finding) => void;
  let run: Run | null;

  beforeEach(() => {
    run = null;
    vi.mocked(simulateAssembly).mockImplementation((given) => {
      run = given;
      return new Promise((resolve, reject) => {
        endRun = resolve;
        given.signal.addEventListener('abort', () => reject(given.signal.reason));
      });
    });
    // The page searches for leftovers of the run.
    server.use(
      http.get('/client/end-users', ({ response }) =>
        response(200).json({ success: true, data: [], meta: { page: 1, pageSize: 200, total: 0 } }),
      ),
      http.get('/client/meetings', ({ response }) =>
        response(200).json({ data: [], meta: { page: 1, pageSize: 200, total: 0 } }),
      ),
    );
  });

  const startButton = () => screen.findByRole('button', { name: 'Start Simulated Run' });
  const card = () => within(screen.getByRole('region', { name: 'Simulated Run' }));

  async function startRun() {
    const app = await openPage();
    await waitFor(() => expect(figure('Invited')).toBe('184'));
    await app.user.selectOptions(screen.getByRole('combobox', { name: 'Voters' }), '100');
    await app.user.click(await startButton());
    await waitFor(() => expect(run).not.toBeNull());
    return app;
  }

  it('says what it does, for as many voters as were chosen and the register of the meeting', async () => {
    await startRun();
    expect(simulateAssembly).toHaveBeenCalledWith(expect.anything(), { voters: 100, register: 184 });
    run?.progress(3, 10, 'Signing in voter 30');
    expect(await screen.findByRole('progressbar', { name: 'Signing in voter 30' })).toHaveAttribute(
      'value',
      '3',
    );
    endRun({ verdict: 'success', message: 'This server can hold the assembly.', details: FIGURES });
    await startButton();
  });

  it.each([
    ['success', 'Green: ready'],
    ['warning', 'Amber: ready, with limits'],
    ['error', 'Red: not ready'],
  ] as const)('answers %s in words, with what was measured', async (verdict, words) => {
    await startRun();
    endRun({ verdict, message: 'Open the doors 3 minutes before.', details: FIGURES });
    expect(await screen.findByRole('heading', { name: words })).toBeInTheDocument();
    expect(card().getByText('Open the doors 3 minutes before.')).toBeInTheDocument();
    const cells = (name: RegExp) =>
      within(card().getByRole('row', { name }))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
    expect(cells(/^Sign in/)).toEqual(['180 ms', '320 ms', '4.1 s', '12.5']);
    expect(cells(/^Vote \(1 failed\)/)).toEqual(['14 ms', '33 ms', '80 ms', '210']);
    expect(cells(/^Full count/)).toEqual(['–', '–', '–', '–']);
    expect(cells(/^Votes counted/)).toEqual(['149 of 150 sent']);
    expect(cells(/^All 184 signed in/)).toEqual(['after 15 s']);
    expect(cells(/^All 184 voted/)).toEqual(['after 2:10 min']);
    expect(
      card().getByText(/^Two screens stand for the hall\. This does not detect a proxy/),
    ).toBeInTheDocument();
    expect(card().getByText('The tally of question 2 has 49 votes instead of 50')).toBeInTheDocument();
  });

  it('is stopped, and then answers nothing', async () => {
    const { user } = await startRun();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByRole('heading', { name: 'Stopped: no answer' })).toBeInTheDocument();
  });

  it('is stopped by leaving the page', async () => {
    const { user } = await startRun();
    await user.click(screen.getByRole('link', { name: 'Back to Meetings' }));
    await waitFor(() => expect(run?.signal.aborted).toBe(true));
  });

  it('does not begin while voting is open in another meeting', async () => {
    server.use(
      http.get('/client/meetings', ({ response }) =>
        response(200).json({
          data: [sampleMeeting({ id: 'other', status: 'ACTIVE' })],
          meta: { page: 1, pageSize: 20, total: 1 },
        }),
      ),
      http.get('/sse/meetings/{meetingId}/state', ({ params, response }) =>
        response(200).json(
          params.meetingId === 'other'
            ? timed(liveState({ title: 'Board election', currentQuestion: liveQuestion() }))
            : live,
        ),
      ),
    );
    await openPage();
    expect(await screen.findByText(/voting is open in “Board election”/)).toBeInTheDocument();
    expect(await startButton()).toBeDisabled();
    expect(await startButton()).toHaveAccessibleDescription(/^Not now: voting is open/);
  });

  it('gives way when voting is opened', async () => {
    await startRun();
    live = { ...live, status: 'ACTIVE', currentQuestion: liveQuestion() };
    await waitFor(() => expect(run?.signal.aborted).toBe(true), { timeout: 6_000 });
    expect(await screen.findByText(/^The simulated run was stopped: voting was opened/)).toBeInTheDocument();
  });
});

it('says so where the meeting is gone', async () => {
  server.use(
    http.get('/sse/meetings/{meetingId}/state', ({ response }) =>
      response.untyped(HttpResponse.json({ error: 'Not found', code: 'not_found' }, { status: 404 })),
    ),
  );
  await renderApp('/client/meetings/gone/readiness', { as: clientAdmin });
  expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
});

it('is linked from the list of meetings', async () => {
  server.use(
    http.get('/client/end-users/stats', ({ response }) =>
      response.untyped(HttpResponse.json({ success: true, data: { total: 1, active: 1, inactive: 0 } })),
    ),
  );
  await renderApp('/client/meetings', { as: clientAdmin });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /actions/i }));
  expect(await screen.findByRole('menuitem', { name: 'Readiness Check' })).toHaveAttribute(
    'href',
    `/client/meetings/${meeting.id}/readiness`,
  );
});

it('names the groups that the meeting and its questions are for, and those without members', async () => {
  const data = [
    { id: 'g1', name: 'Owners', members: 12, createdAt: '2026-11-21T13:00:00Z' },
    { id: 'g2', name: 'Tenants', members: 0, createdAt: '2026-11-21T13:00:00Z' },
    { id: 'g3', name: 'Guests', members: 3, createdAt: '2026-11-21T13:00:00Z' },
  ];
  server.use(http.get('/client/groups', ({ response }) => response(200).json({ success: true, data })));
  meeting = sampleMeeting({ groupIds: ['g1'] });
  questions = [sampleQuestion({ groupIds: ['g2'] })];
  await openPage();
  const groups = within(await screen.findByRole('list', { name: 'Groups' })).getAllByRole('listitem');
  expect(groups.map(({ textContent }) => textContent)).toEqual([
    'Owners has 12 members. Used by the meeting.',
    'Tenants has no members. Used by question 1. Nobody can vote in it.',
  ]);
});

describe('the kinds of weight', () => {
  const lines = async () =>
    within(await screen.findByRole('list', { name: 'Weights' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const vera = { endUserId: 'e1', name: 'Vera Lind', username: 'vera' };

  beforeEach(() => {
    server.use(
      http.get('/client/meetings/{meetingId}/missing-weights', ({ query, response }) =>
        response(200).json(
          query.get('weightKindId') === 'w1'
            ? { people: 22, first: [vera] }
            : { people: query.get('groupIds') === 'g1' ? 1 : 0, first: query.get('groupIds') ? [vera] : [] },
        ),
      ),
    );
  });

  it('warn of people whose votes would count zero, in the meeting and in questions', async () => {
    meeting = { ...meeting, weightKindId: 'w1' };
    questions = [
      sampleQuestion({ id: 'q1', orderIndex: 1, weightKindId: 'w1' }),
      sampleQuestion({ id: 'q2', orderIndex: 2, secondWeightKindId: 'w2', groupIds: ['g1'] }),
      sampleQuestion({ id: 'q3', orderIndex: 3, weightKindId: 'w2' }),
    ];
    await openPage();
    await waitFor(async () =>
      expect(await lines()).toEqual([
        'A kind of weight: 22 people who may vote have no value, so these votes count zero: Vera Lind and 21 more. Used by the meeting, question 1.',
        'A kind of weight: 1 person who may vote has no value, so this vote counts zero: Vera Lind. Used by the second weight of question 2.',
        'A kind of weight: everybody who may vote has a value. Used by question 3.',
      ]),
    );
  });

  it('are not listed where everything counts the ordinary weight', async () => {
    await openPage();
    await screen.findByRole('region', { name: 'Rehearsal' });
    expect(screen.queryByRole('list', { name: 'Weights' })).not.toBeInTheDocument();
  });
});

it('says that a meeting without questions cannot be started', async () => {
  questions = [];
  await openPage();
  const card = within(await screen.findByRole('region', { name: 'Questions' }));
  expect(card.getByText(/This meeting has no questions, so it cannot be started/)).toBeInTheDocument();
  expect(card.getByRole('link', { name: 'Add a question' })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/questions$/),
  );
});
