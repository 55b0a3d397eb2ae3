import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Exclusion } from '../../../api/types';
import { given, installControl, openControl, opened, refused } from '../../../test/control-fixture';
import { registerPage, sampleEndUser, sampleRound } from '../../../test/samples';
import { http, server } from '../../../test/server';

installControl();

let exclusions: Exclusion[];
let missing: string[];
/** The requests, in order. */
let done: unknown[];

beforeEach(() => {
  exclusions = [];
  missing = ['Ada Young', 'Bo Nilsen'];
  done = [];
  server.use(
    http.get('/client/end-users', ({ query, response }) => {
      expect(query.get('status')).toBe('active');
      const people = [
        sampleEndUser({ id: 'ada', name: 'Ada Young', username: 'ada', weight: 1.5 }),
        sampleEndUser({ id: 'cleo', name: 'Cleo Marsh', username: 'cleo', weight: 2 }),
      ].filter(({ name }) => name.toLowerCase().includes(query.get('search') ?? ''));
      return response(200).json({
        success: true,
        data: people,
        meta: { page: 1, pageSize: 50, total: people.length },
      });
    }),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ response }) =>
      response(200).json(
        registerPage(
          missing.map((name) => ({
            endUserId: name,
            name,
            username: name,
            weight: 1,
            secondWeight: null,
            hasVoted: false,
            castOn: null,
            holder: name.startsWith('Ada') ? 'Ben Cole' : null,
          })),
        ),
      ),
    ),
    http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
      response(200).json(exclusions),
    ),
  );
});

type User = Awaited<ReturnType<typeof openControl>>['user'];

async function openNames(user: User) {
  await user.click(await screen.findByRole('button', { name: /not voted yet$/ }));
  return within(await screen.findByRole('dialog', { name: 'Not voted yet' }));
}

async function openExclusions(user: User, label = 'Exclude from this question') {
  await user.click(await screen.findByRole('button', { name: label }));
  return within(await screen.findByRole('dialog', { name: 'Excluded from question 1' }));
}

it('names the kinds of weight of the round', async () => {
  given.rounds = [
    sampleRound({
      status: 'OPEN',
      endedAt: null,
      weightKind: { id: 'w1', name: 'Floor area', unit: 'm²', decimals: 2 },
      secondWeightKind: { id: 'w2', name: 'Capital', unit: null, decimals: 0 },
    }),
  ];
  const person = { username: 'ada', secondWeight: 1_000, hasVoted: false, castOn: null, holder: null };
  server.use(
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ response }) =>
      response(200).json(registerPage([{ ...person, endUserId: 'a', name: 'Ada Young', weight: 250.5 }])),
    ),
  );
  const { user } = await openControl(opened(given.questions[0]));
  const panel = await openNames(user);
  expect(await panel.findByText('ada, Floor area 250.5 m², Capital 1,000')).toBeInTheDocument();
});

it('says who holds the proxy of somebody without a vote', async () => {
  const { user } = await openControl(opened(given.questions[0]));
  const panel = await openNames(user);
  expect(await panel.findByText('Proxy holder: Ben Cole')).toBeInTheDocument();
  expect(panel.getAllByText(/^Proxy holder/)).toHaveLength(1);
});

describe('a latecomer', () => {
  function answerAdmission() {
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/admissions', async ({ request, response }) => {
        done.push(await request.json());
        return response(201).json({
          at: '2026-11-21T18:06:00Z',
          by: 'Maria Keller',
          kind: 'ADMITTED',
          person: { name: 'Cleo Marsh', username: 'cleo', weight: 2 },
          reason: 'Came late',
        });
      }),
    );
  }

  it('is found among the active end users and admitted for a reason', async () => {
    answerAdmission();
    const { user } = await openControl(opened(given.questions[0]));
    const panel = await openNames(user);
    await user.click(panel.getByRole('button', { name: 'Admit a latecomer' }));
    await user.click(await panel.findByRole('button', { name: 'Admit to this round' }));
    expect(await panel.findByText('Choose a person')).toBeInTheDocument();
    expect(panel.getByText('Enter the reason')).toBeInTheDocument();

    await user.type(panel.getByLabelText('Search active end users'), 'cleo');
    await waitFor(() => expect(panel.queryByRole('radio', { name: /Ada Young/ })).not.toBeInTheDocument());
    await user.click(panel.getByRole('radio', { name: /Cleo Marsh/ }));
    await user.type(panel.getByLabelText(/^Reason/), 'Came late');
    await user.click(panel.getByRole('button', { name: 'Admit to this round' }));
    expect(await screen.findByText('Cleo Marsh can vote now')).toBeInTheDocument();
    expect(done).toEqual([{ endUserId: 'cleo', reason: 'Came late' }]);
    await waitFor(() => expect(panel.getByRole('button', { name: 'Admit a latecomer' })).toHaveFocus());
  });

  it.each([
    ['already_in_register', 'Cleo Marsh is in the register of this round already.'],
    ['end_user_inactive', 'Cleo Marsh is not active.'],
    ['round_over', 'Voting in this round is over.'],
  ])('is refused in its place, and nothing typed is lost (%s)', async (code, error) => {
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/admissions', ({ response }) =>
        response.untyped(refused(code, error)),
      ),
    );
    const { user } = await openControl(opened(given.questions[0]));
    const panel = await openNames(user);
    await user.click(panel.getByRole('button', { name: 'Admit a latecomer' }));
    await user.click(await panel.findByRole('radio', { name: /Cleo Marsh/ }));
    await user.type(panel.getByLabelText(/^Reason/), 'Came late');
    await user.click(panel.getByRole('button', { name: 'Admit to this round' }));
    expect(await panel.findByRole('alert')).toHaveTextContent(error);
    expect(panel.getByLabelText(/^Reason/)).toHaveValue('Came late');
    answerAdmission();
    await user.click(panel.getByRole('button', { name: 'Admit to this round' }));
    expect(await screen.findByText('Cleo Marsh can vote now')).toBeInTheDocument();
  });
});

describe('a person who takes no part', () => {
  function answerExclusion() {
    server.use(
      http.post(
        '/client/meetings/{meetingId}/questions/{questionId}/exclusions',
        async ({ request, response }) => {
          const { endUserId, reason } = await request.json();
          done.push({ endUserId, reason });
          const name = endUserId === 'cleo' ? 'Cleo Marsh' : endUserId;
          const exclusion = {
            endUserId,
            name,
            username: 'cleo',
            reason,
            at: '2026-11-21T18:06:00Z',
            by: 'Maria Keller',
          };
          exclusions = [exclusion];
          missing = missing.filter((other) => other !== name);
          return response(201).json(exclusion);
        },
      ),
    );
  }

  it('is excluded for a reason, listed with who, when and why, and put back', async () => {
    answerExclusion();
    server.use(
      http.delete(
        '/client/meetings/{meetingId}/questions/{questionId}/exclusions/{endUserId}',
        ({ params, response }) => {
          done.push(`lifted ${params.endUserId}`);
          exclusions = [];
          return response(204).empty();
        },
      ),
    );
    const { user } = await openControl();
    const panel = await openExclusions(user);
    expect(await panel.findByText('No one is excluded.')).toBeInTheDocument();
    await user.click(panel.getByRole('button', { name: 'Exclude a person' }));
    await user.click(await panel.findByRole('radio', { name: /Cleo Marsh/ }));
    await user.type(panel.getByLabelText(/^Reason/), 'Is a party to the contract');
    await user.click(panel.getByRole('button', { name: 'Exclude from this question' }));
    expect(await screen.findByText('Cleo Marsh is excluded from this question')).toBeInTheDocument();
    expect(done).toEqual([{ endUserId: 'cleo', reason: 'Is a party to the contract' }]);
    expect(await panel.findByText('Is a party to the contract')).toBeInTheDocument();
    expect(panel.getByText('21 Nov, 18:06, by Maria Keller')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: '1 excluded', hidden: true })).toBeInTheDocument();

    await user.click(panel.getByRole('button', { name: 'Lift the exclusion of Cleo Marsh' }));
    expect(await screen.findByText('The exclusion of Cleo Marsh is lifted')).toBeInTheDocument();
    expect(await panel.findByText('No one is excluded.')).toBeInTheDocument();
    expect(panel.getByRole('region', { name: 'People who take no part' })).toHaveFocus();
  });

  it.each([
    ['already_voted', 'Cleo Marsh has voted in this round already.'],
    ['already_excluded', 'Cleo Marsh is excluded from this question already.'],
  ])('is refused in its place (%s)', async (code, error) => {
    server.use(
      http.post('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
        response.untyped(refused(code, error)),
      ),
    );
    const { user } = await openControl();
    const panel = await openExclusions(user);
    await user.click(panel.getByRole('button', { name: 'Exclude a person' }));
    await user.click(await panel.findByRole('radio', { name: /Cleo Marsh/ }));
    await user.type(panel.getByLabelText(/^Reason/), 'x');
    await user.click(panel.getByRole('button', { name: 'Exclude from this question' }));
    expect(await panel.findByRole('alert')).toHaveTextContent(error);
  });

  it('cannot be put back while voting is open, which is shown at the person', async () => {
    exclusions = [
      {
        endUserId: 'cleo',
        name: 'Cleo Marsh',
        username: 'cleo',
        reason: 'x',
        at: '2026-11-21T18:06:00Z',
        by: 'Maria Keller',
      },
    ];
    const error = 'Voting is open: admit Cleo Marsh to the round instead.';
    server.use(
      http.delete(
        '/client/meetings/{meetingId}/questions/{questionId}/exclusions/{endUserId}',
        ({ response }) => response.untyped(refused('round_open', error)),
      ),
    );
    const { user } = await openControl(opened(given.questions[0]));
    const panel = await openExclusions(user, '1 excluded');
    await user.click(await panel.findByRole('button', { name: 'Lift the exclusion of Cleo Marsh' }));
    const entry = within(panel.getByRole('listitem'));
    expect(await entry.findByRole('alert')).toHaveTextContent(error);
  });

  it('is excluded from the row of who has not voted', async () => {
    answerExclusion();
    const { user } = await openControl(opened(given.questions[0]));
    const panel = await openNames(user);
    await user.click(await panel.findByRole('button', { name: 'Exclude Bo Nilsen from this question' }));
    expect(panel.getByLabelText(/^Reason/)).toHaveFocus();
    await user.keyboard('Conflict of interest{Enter}');
    expect(await screen.findByText('Bo Nilsen is excluded from this question')).toBeInTheDocument();
    expect(done).toEqual([{ endUserId: 'Bo Nilsen', reason: 'Conflict of interest' }]);
    await waitFor(() => expect(panel.queryByText('Bo Nilsen')).not.toBeInTheDocument());
  });

  it('is refused at the row', async () => {
    const error = 'Bo Nilsen has voted in this round already.';
    server.use(
      http.post('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
        response.untyped(refused('already_voted', error)),
      ),
    );
    const { user } = await openControl(opened(given.questions[0]));
    const panel = await openNames(user);
    await user.click(await panel.findByRole('button', { name: 'Exclude Bo Nilsen from this question' }));
    await user.keyboard('x{Enter}');
    const row = within(panel.getByRole('form', { name: 'Exclude Bo Nilsen from this question' }));
    expect(await row.findByRole('alert')).toHaveTextContent(error);
  });
});

it('the exclusions that cannot be loaded can be asked for again', async () => {
  server.use(
    http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
      response.untyped(refused('unavailable', 'Busy.', 503)),
    ),
  );
  const { user } = await openControl();
  const panel = await openExclusions(user);
  expect(await panel.findByRole('alert')).toHaveTextContent('Busy.');
  server.use(
    http.get('/client/meetings/{meetingId}/questions/{questionId}/exclusions', ({ response }) =>
      response(200).json([]),
    ),
  );
  await user.click(panel.getByRole('button', { name: 'Try again' }));
  expect(await panel.findByText('No one is excluded.')).toBeInTheDocument();
});
