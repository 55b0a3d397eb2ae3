import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeskQuestion, RegisterEntry } from '../../../api/types';
import { fromBase64, receiptCode, toBase64 } from '../../../shared/sealing/sealing';
import { paperQuestion, registered } from '../../../test/fake-tellers';
import { newUrn, openEnvelope } from '../../../test/open-envelope';
import { renderApp } from '../../../test/render-app';
import { registerPage } from '../../../test/samples';
import { http, server } from '../../../test/server';

const TOKEN = 'desk_for-a-test-of-the-voting-place';
const ADA = 'e0000000-0000-7000-8000-000000000007';
const MEETING_ID = 'd0000000-0000-7000-8000-000000000001';

interface Vote {
  ballotId: string;
  answers?: string[] | null;
  envelope?: string | null;
}

let question: DeskQuestion | null;
let people: RegisterEntry[];
let issued: { id: string; endUserId: string; roundId: string }[];
let votes: Vote[];
/** The next responses to votes are lost. */
let lost: number;
let refusal: { code: string; status: 404 | 409 } | null;

function deskQuestion(change: Partial<DeskQuestion> = {}): DeskQuestion {
  return { ...paperQuestion(), votesCast: 3, registerSize: 9, waitingBatches: 0, ...change };
}

const refused = (code: string, status: number) =>
  HttpResponse.json({ error: 'x', message: 'x', code }, { status });

beforeEach(() => {
  question = deskQuestion();
  people = [
    registered('Ada Ash', { endUserId: ADA }),
    registered('Ben Birch', { hasVoted: true, castOn: 'PAPER' }),
  ];
  issued = [];
  votes = [];
  lost = 0;
  refusal = null;
  server.use(
    http.get('/desk', ({ response }) =>
      response(200).json({
        desk: 'Voting place 1',
        purpose: 'VOTING_PLACE',
        meetingId: MEETING_ID,
        meetingTitle: 'General assembly',
        organization: 'Rowing Club',
        status: 'ACTIVE',
        checkIn: 'OFF',
        weightKind: null,
        present: 0,
        eligible: 9,
        lastEntry: 0,
        serverTime: new Date().toISOString(),
      }),
    ),
    http.get('/desk/question', ({ response }) => response(200).json({ question, leftBatches: [] })),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ query, response }) => {
      const data = people.filter(({ name }) => name.toLowerCase().includes(query.get('search') ?? ''));
      return response(200).json(registerPage(data));
    }),
    http.post('/desk/ballots', async ({ request, response }) => {
      issued.push(await request.json());
      const person = people.find(({ endUserId }) => endUserId === issued.at(-1)?.endUserId);
      return person?.name === 'Ada Ash' && !refusal
        ? response(201).json({ success: true })
        : response.untyped(refused(refusal?.code ?? 'x', refusal?.status ?? 409));
    }),
    http.post('/desk/votes', async ({ request, response }) => {
      const body = await request.json();
      votes.push(body);
      if (lost > 0) {
        lost -= 1;
        return response.untyped(HttpResponse.error());
      }
      if (refusal) {
        return response.untyped(refused(refusal.code, refusal.status));
      }
      const receipt = body.envelope ? await receiptCode(fromBase64(body.envelope)) : null;
      return response(201).json({
        success: true,
        vote: { id: body.ballotId, answers: body.answers ?? [], castAt: null, receipt },
      });
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

const search = () => screen.findByLabelText('Name or username of the person');

async function openPlace() {
  const { user } = await renderApp(`/desk#${TOKEN}`);
  await search();
  return user;
}

async function openBallot() {
  const user = await openPlace();
  await user.type(await search(), 'ada{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Ada Ash' });
  return user;
}

type User = Awaited<ReturnType<typeof openPlace>>;

async function cast(user: User, option = 'Abstain') {
  await user.click(await screen.findByRole('radio', { name: option }));
  await user.click(screen.getByRole('button', { name: 'Cast vote' }));
}

/** Nothing of the person and the answer is in the document, the address or the storage of the device. */
async function expectForgotten() {
  expect(await search()).toHaveValue('');
  expect(document.body).not.toHaveTextContent('Ada Ash');
  expect(document.body.innerHTML).not.toContain('Abstain');
  expect(document.title).not.toContain('Ada');
  const stored = JSON.stringify({ ...localStorage, ...sessionStorage, history: window.history.state });
  expect(stored).not.toContain('Ada');
  expect(stored).not.toContain(ADA);
  expect(stored).not.toContain('Abstain');
}

describe('a voting place', () => {
  it('gives a person a ballot, counts the vote, and forgets the person', async () => {
    const user = await openBallot();
    expect(screen.getByRole('heading', { level: 2, name: 'Is the roof repaired?' })).toBeVisible();
    expect(screen.getByText(/^This is a named vote\./)).toBeVisible();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
    expect(issued).toMatchObject([{ endUserId: ADA, roundId: question?.roundId }]);
    expect(screen.getByRole('button', { name: 'Cast vote' })).toBeDisabled();
    await cast(user);
    expect(await screen.findByRole('heading', { name: 'Thank you. The vote is counted.' })).toBeVisible();
    expect(document.body).not.toHaveTextContent('Ada Ash');
    expect(votes).toEqual([{ ballotId: issued[0]?.id, answers: ['Abstain'] }]);
    await user.click(screen.getByRole('button', { name: 'Next person' }));
    await expectForgotten();
  });

  it('shows who has voted, and gives them no ballot', async () => {
    const user = await openPlace();
    await user.type(await search(), 'birch{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Ben Birch: Voted on paper.');
    expect(issued).toEqual([]);
  });

  it('says clearly that somebody has voted meanwhile', async () => {
    const user = await openBallot();
    refusal = { code: 'already_voted', status: 409 };
    await cast(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This person has already voted. That vote counts, and the one from this screen does not.',
    );
    await expectForgotten();
  });

  it('gives no ballot to somebody who has voted on another device', async () => {
    refusal = { code: 'already_voted', status: 409 };
    const user = await openPlace();
    await user.type(await search(), 'ada{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('This person has already voted.');
    await expectForgotten();
  });

  it('sends the same vote again without a response, and says so', async () => {
    const user = await openBallot();
    lost = 1;
    await cast(user);
    expect(await screen.findByRole('heading', { name: 'Not delivered yet' })).toBeVisible();
    expect(document.body).not.toHaveTextContent('Ada Ash');
    expect(
      await screen.findByRole('heading', { name: 'Thank you. The vote is counted.' }, { timeout: 8_000 }),
    ).toBeVisible();
    expect(votes).toHaveLength(2);
    expect(votes[1]).toEqual(votes[0]);
  });

  it('closes the ballot if voting ends meanwhile', async () => {
    await openBallot();
    question = null;
    expect(await screen.findByRole('alert', {}, { timeout: 8_000 })).toHaveTextContent(
      'Voting on this question has ended, before a vote was cast on this screen.',
    );
    expect(screen.getByText(/^Voting is not open\./)).toBeVisible();
    expect(document.body).not.toHaveTextContent('Ada Ash');
    expect(votes).toEqual([]);
  });

  it('closes the ballot if another question opens', async () => {
    await openBallot();
    question = deskQuestion({ roundId: 'c0000000-0000-7000-8000-000000000002', text: 'And the cellar?' });
    expect(await screen.findByRole('heading', { name: 'And the cellar?' }, { timeout: 8_000 })).toBeVisible();
    await expectForgotten();
  });

  it('is left without voting', async () => {
    const user = await openBallot();
    await user.click(screen.getByRole('radio', { name: 'Abstain' }));
    await user.click(screen.getByRole('button', { name: 'Leave without voting' }));
    await expectForgotten();
    expect(votes).toEqual([]);
  });
});

describe('a ballot that nobody touches', () => {
  it('is closed after a minute, with a warning before', async () => {
    const user = await openBallot();
    await user.click(screen.getByRole('radio', { name: 'Abstain' }));
    const begun = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => begun + 45_000);
    expect(await screen.findByText(/^Are you still there\?/, {}, { timeout: 4_000 })).toBeVisible();
    vi.spyOn(Date, 'now').mockImplementation(() => begun + 61_000);
    expect(await screen.findByText(/^Nobody touched/, {}, { timeout: 4_000 })).toBeVisible();
    await expectForgotten();
    expect(votes).toEqual([]);
  });

  it('is closed when the page is left', async () => {
    await openBallot();
    act(() => {
      window.dispatchEvent(new Event('pagehide'));
    });
    await expectForgotten();
  });
});

describe('a secret vote at a voting place', () => {
  it('that the server seals is not said to be refused if its repeat is', async () => {
    question = deskQuestion({
      secrecy: 'secret',
      sealing: { publicKey: toBase64((await newUrn()).publicKey), size: 64 },
    });
    const user = await openBallot();
    vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
    lost = 1;
    refusal = { code: 'already_voted', status: 409 };
    await cast(user);
    expect(await screen.findByRole('alert', {}, { timeout: 8_000 })).toHaveTextContent(
      'A vote of this person is counted. It is the one from this screen, unless',
    );
    expect(votes).toHaveLength(2);
    expect(votes[1]).toEqual({ ballotId: issued[0]?.id, answers: ['Abstain'] });
    await expectForgotten();
  });

  it('is not cast while the server cannot confirm its key', async () => {
    question = deskQuestion({ secrecy: 'secret', sealing: null });
    const user = await openBallot();
    refusal = { code: 'vote_key_unconfirmed', status: 409 };
    await cast(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The server could not confirm the key of this secret vote. No vote was cast.',
    );
    await expectForgotten();
  });

  it('is sealed on the device, and its receipt is shown once', async () => {
    const urn = await newUrn();
    question = deskQuestion({
      secrecy: 'secret',
      sealing: { publicKey: toBase64(urn.publicKey), size: 64 },
    });
    const user = await openBallot();
    await cast(user);
    await screen.findByRole('heading', { name: 'Thank you. The vote is counted.' });
    const envelope = fromBase64(votes[0]?.envelope ?? '');
    expect(votes[0]).not.toHaveProperty('answers');
    expect(await openEnvelope(envelope, urn, question.roundId, ADA)).toBe('{"options":[3]}');
    const receipt = await receiptCode(envelope);
    expect(screen.getByText(receipt)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'I have noted it' }));
    await expectForgotten();
    await waitFor(() => expect(document.body).not.toHaveTextContent(receipt));
    expect(JSON.stringify({ ...localStorage })).not.toContain(receipt);
  });
});
