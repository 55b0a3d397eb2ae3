import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OwnProxies } from '../../../api/types';
import { liveQuestion } from '../../../test/live-samples';
import { activate, arrangeVoting, given, join } from '../../../test/live-voting-fixture';
import { http, server } from '../../../test/server';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';

type State = OwnProxies['uses'][number]['state'];

/** The state of each principal's vote on the open question. */
let states: State[];
let own: OwnProxies;
let received: { for: string; answers?: string[] | null }[][];

const person = (index: number) => ({ id: `p${index}`, name: `Person ${index}`, username: `person${index}` });

beforeEach(() => {
  arrangeVoting();
  states = [];
  received = [];
  own = { isOn: true, mayGrant: true, given: [], held: [], uses: [] };
  given.meeting = voterMeeting({ hasProxies: true, questions: [voterQuestion()] });
  server.use(
    http.get('/voting/meetings/{meetingId}/proxies', ({ response }) => response(200).json(own)),
    http.get('/voting/meetings/{meetingId}/questions/{questionId}/proxies', ({ response }) =>
      response(200).json({
        roundId: liveQuestion().roundId,
        votes: states.map((state, index) => ({ principal: person(index), weight: 1, note: null, state })),
      }),
    ),
    http.post('/voting/meetings/{meetingId}/questions/{questionId}/votes', async ({ request, response }) => {
      const { ballots } = await request.json();
      received.push(ballots);
      states = states.map(() => 'CAST_BY_HOLDER');
      return response(200).json({
        outcomes: ballots.map(({ for: id, answers }) =>
          id === 'p1'
            ? { for: id, vote: null, code: 'already_voted', error: 'This person has already voted.' }
            : {
                for: id,
                vote: { id, answers: answers ?? [], castAt: null, receipt: null },
                code: null,
                error: null,
              },
        ),
      });
    }),
  );
});

describe('the ballot of a holder', () => {
  it('votes for everybody alike with one answer', async () => {
    states = ['OPEN', 'OPEN'];
    const { user } = await join();
    activate(liveQuestion(), 11);
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

  it('votes differently for some', async () => {
    states = ['OPEN', 'OPEN'];
    const { user } = await join();
    activate(liveQuestion(), 11);
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
    await screen.findByRole('heading', { name: '2 votes stored' });
    expect(received[0]).toContainEqual({ for: 'p0', answers: ['No'] });
  });

  it('leaves out principals who have voted', async () => {
    states = ['VOTED_BY_PRINCIPAL', 'OPEN'];
    await join();
    activate(liveQuestion(), 11);
    expect(await screen.findByText('You vote for yourself and 1 other: 2 votes')).toBeInTheDocument();
    expect(screen.getByText('Person 0 has voted')).toBeInTheDocument();
  });
});

describe('the proxies of a principal', () => {
  it('shows who holds the proxy while a question is open, next to the own ballot', async () => {
    own.uses = [{ questionId: 'q1', questionText: 'Roof?', number: 1, holder: 'Ben Birch', state: 'OPEN' }];
    await join();
    activate(liveQuestion(), 11);
    expect(await screen.findByRole('heading', { name: 'Ben Birch holds your proxy' })).toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'Yes' })).toBeInTheDocument();
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
