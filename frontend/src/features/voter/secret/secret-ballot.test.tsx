import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveQuestion } from '../../../shared/live/live-events';
import { fromBase64, receiptCode, toBase64 } from '../../../shared/sealing/sealing';
import { ballotDraftNote, undeliveredBallotNote } from '../../../shared/storage';
import { liveQuestion, liveState, MEETING_ID } from '../../../test/live-samples';
import {
  activate,
  arrangeVoting,
  given,
  join,
  reopen,
  send,
  submitButton,
  VOTE,
} from '../../../test/live-voting-fixture';
import { newUrn, openEnvelope, type Urn } from '../../../test/open-envelope';
import { voter } from '../../../test/people';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { voterQuestion } from '../../../test/voter-samples';

const ROUND_ID = 'c0000000-0000-7000-8000-000000000001';
const CODE = 'ABCD-EFGH-JKLM-NPQR';
const OTHER_CODE = 'WXYZ-EFGH-JKLM-NPQR';
const SIZE = 64;

beforeEach(arrangeVoting);
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

function secretQuestion({ publicKey }: Urn): LiveQuestion {
  return liveQuestion({
    roundId: ROUND_ID,
    secrecy: 'secret',
    sealing: { publicKey: toBase64(publicKey), size: SIZE },
  });
}

/** The bodies of the ballots that arrived. The first `lost` responses are lost. */
function acceptBallots(lost = 0) {
  const received: { answers?: string[] | null; envelope?: string | null }[] = [];
  server.use(
    http.post(VOTE, async ({ request, response }) => {
      const body = await request.json();
      received.push(body);
      const receipt = body.envelope ? await receiptCode(fromBase64(body.envelope)) : CODE;
      given.meeting = {
        ...given.meeting,
        questions: [
          voterQuestion({ roundId: ROUND_ID, secrecy: 'secret', hasVoted: true, userVote: null, receipt }),
        ],
      };
      if (received.length <= lost) {
        return response.untyped(HttpResponse.error());
      }
      return response(201).json({ success: true, vote: { id: 'v1', answers: [], castAt: null, receipt } });
    }),
  );
  return received;
}

describe('a secret ballot', () => {
  it('is sealed on the device, and its answer is shown nowhere afterwards', async () => {
    const urn = await newUrn();
    const received = acceptBallots();
    const { user } = await join({ currentQuestion: secretQuestion(urn) });
    expect(await screen.findByText(/This is a secret vote/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Secret from whom' })).toHaveAttribute('href', '/secrecy');
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());

    expect(await screen.findByRole('heading', { name: 'Your ballot is in the urn' })).toBeInTheDocument();
    const envelope = fromBase64(received[0]?.envelope ?? '');
    expect(received[0]?.answers).toBeUndefined();
    expect(await openEnvelope(envelope, urn, ROUND_ID, voter.id)).toBe('{"options":[2]}');
    expect(await screen.findByText(await receiptCode(envelope))).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy receipt' })).toBeInTheDocument();
    expect(screen.queryByText('No')).not.toBeInTheDocument();
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('"No"');
  });

  it('is repeated as the same envelope, which is all that the device keeps', async () => {
    const received = acceptBallots(1);
    const { user } = await join({ currentQuestion: secretQuestion(await newUrn()) });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
    expect(screen.queryByText('Your answer:')).not.toBeInTheDocument();
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toMatchObject({
      answers: [],
      sealed: { envelope: received[0]?.envelope },
    });
    expect(
      await screen.findByRole('heading', { name: 'Your ballot is in the urn' }, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(received[1]).toEqual(received[0]);
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('is sealed by the server if the browser cannot, and the screen says so', async () => {
    const question = secretQuestion(await newUrn());
    vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
    const received = acceptBallots();
    const { user } = await join({ currentQuestion: question });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    expect(await screen.findByText(/Your ballot was sealed by the server/)).toBeInTheDocument();
    expect(screen.getByText(CODE)).toBeInTheDocument();
    expect(received[0]).toEqual({ answers: ['No'], roundId: ROUND_ID });
    await waitFor(() => expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull());
  });

  it('that the server has sealed shows its receipt, though its repeat after a lost answer is refused', async () => {
    const question = secretQuestion(await newUrn());
    vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
    let attempts = 0;
    server.use(
      http.post(VOTE, ({ response }) => {
        attempts += 1;
        given.meeting = {
          ...given.meeting,
          questions: [
            voterQuestion({
              roundId: ROUND_ID,
              secrecy: 'secret',
              hasVoted: true,
              userVote: null,
              receipt: CODE,
            }),
          ],
        };
        const refused = { code: 'already_voted', error: 'You have already voted', message: 'x' };
        return response.untyped(
          attempts === 1 ? HttpResponse.error() : HttpResponse.json(refused, { status: 409 }),
        );
      }),
    );
    const { user } = await join({ currentQuestion: question });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    expect(
      await screen.findByText(/Your ballot was sealed by the server/, {}, { timeout: 8_000 }),
    ).toBeInTheDocument();
    expect(screen.getByText(CODE)).toBeInTheDocument();
    expect(attempts).toBe(2);
    expect(screen.queryByText(/was not counted/)).not.toBeInTheDocument();
  });

  it('shows its receipt again after a reload', async () => {
    given.meeting = {
      ...given.meeting,
      questions: [voterQuestion({ roundId: ROUND_ID, secrecy: 'secret', hasVoted: true, receipt: CODE })],
    };
    await join({ currentQuestion: { ...secretQuestion(await newUrn()), hasVoted: true } });
    expect(await screen.findByRole('heading', { name: 'Your ballot is in the urn' })).toBeInTheDocument();
    expect((await screen.findAllByText(new RegExp(CODE))).length).toBeGreaterThan(0);
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});

describe('a secret ballot that is still being sealed', () => {
  /** Submits a ballot, and holds its sealing until the returned function is called. */
  async function submitSlowly() {
    const urn = await newUrn();
    const app = await join({ currentQuestion: secretQuestion(urn) });
    let seal = () => {};
    const sealing = new Promise<void>((resolve) => {
      seal = resolve;
    });
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...input) => {
      await sealing;
      return encrypt(...input);
    });
    await app.user.click(await screen.findByRole('radio', { name: 'No' }));
    await app.user.click(await submitButton());
    await screen.findByRole('button', { name: 'Submitting...' });
    return { ...app, urn, seal };
  }

  it('is kept to be sent elsewhere if the voter leaves the page', async () => {
    const received = acceptBallots();
    server.use(
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    const { user, urn, seal } = await submitSlowly();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByText('No Meetings Available');
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).not.toBeNull();
    window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
    seal();
    await waitFor(() => expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).not.toBeNull());
    const kept = undeliveredBallotNote.read(MEETING_ID, voter.id);
    expect(kept).toMatchObject({ roundId: ROUND_ID, answers: [] });
    const envelope = fromBase64(kept?.sealed?.envelope ?? '');
    expect(await openEnvelope(envelope, urn, ROUND_ID, voter.id)).toBe('{"options":[2]}');
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
    expect(received).toEqual([]);
  });

  it('is sent by the page of the meeting if that is open again', async () => {
    const received = acceptBallots();
    server.use(
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    const { user, urn, seal, goBack } = await submitSlowly();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByText('No Meetings Available');
    window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
    await reopen(goBack);
    expect(await screen.findByRole('radio', { name: 'No' })).toBeEnabled();
    seal();
    expect(await screen.findByRole('heading', { name: 'Your ballot is in the urn' })).toBeInTheDocument();
    expect(received).toHaveLength(1);
    const envelope = fromBase64(received[0]?.envelope ?? '');
    expect(await openEnvelope(envelope, urn, ROUND_ID, voter.id)).toBe('{"options":[2]}');
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('is dropped if the voter has submitted another one since', async () => {
    const received = acceptBallots();
    server.use(
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    const { user, urn, seal, goBack } = await submitSlowly();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByText('No Meetings Available');
    window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
    await reopen(goBack);
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    await screen.findByRole('button', { name: 'Submitting...' });
    seal();
    expect(await screen.findByRole('heading', { name: 'Your ballot is in the urn' })).toBeInTheDocument();
    expect(received).toHaveLength(1);
    const envelope = fromBase64(received[0]?.envelope ?? '');
    expect(await openEnvelope(envelope, urn, ROUND_ID, voter.id)).toBe('{"options":[1]}');
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  });

  it('is not kept after the voter has signed out', async () => {
    server.use(
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    const { user, seal } = await submitSlowly();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await screen.findByText('No Meetings Available');
    window.localStorage.removeItem('accessToken');
    seal();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(undeliveredBallotNote.isAnyKept()).toBe(false);
  });

  it('leaves the draft of a question alone that has opened meanwhile', async () => {
    const received = acceptBallots();
    const { seal } = await submitSlowly();
    activate(liveQuestion({ id: 'q2', roundId: 'r2', text: 'Roof?' }), 12);
    await screen.findByRole('heading', { name: /Roof\?/ });
    const draft = { userId: voter.id, questionId: 'q2', roundId: 'r2', text: 'Roof?', answers: ['Yes'] };
    ballotDraftNote.save(MEETING_ID, draft);
    seal();
    await waitFor(() => expect(received).toHaveLength(1));
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toEqual(draft);
  });
});

describe('a receipt that the device has kept', () => {
  it('is never replaced by another one that the server names, and the voter is warned', async () => {
    given.meeting = {
      ...given.meeting,
      questions: [
        voterQuestion({ roundId: ROUND_ID, secrecy: 'secret', hasVoted: true, receipt: OTHER_CODE }),
      ],
    };
    localStorage.setItem(`receipt_${ROUND_ID}`, CODE);
    await join({ currentQuestion: { ...secretQuestion(await newUrn()), hasVoted: true } });
    const heading = await screen.findByRole('heading', { name: 'Your ballot is in the urn' });
    expect(heading).toBeInTheDocument();
    // Beside the ballot and in the list of answers.
    await waitFor(() =>
      expect(
        screen.getAllByText(
          `This device has another receipt of this ballot: ${CODE}. The server names ${OTHER_CODE}. Tell the organizer.`,
        ),
      ).toHaveLength(2),
    );
    expect(screen.getByText(CODE)).toBeInTheDocument();
    expect(localStorage.getItem(`receipt_${ROUND_ID}`)).toBe(CODE);
  });

  it('is that of the envelope which the device sealed, whatever the server confirms', async () => {
    let envelope = '';
    server.use(
      http.post(VOTE, async ({ request, response }) => {
        envelope = (await request.json()).envelope ?? '';
        given.meeting = {
          ...given.meeting,
          questions: [voterQuestion({ roundId: ROUND_ID, secrecy: 'secret', hasVoted: true, receipt: CODE })],
        };
        return response(201).json({
          success: true,
          vote: { id: 'v1', answers: [], castAt: null, receipt: CODE },
        });
      }),
    );
    const { user } = await join({ currentQuestion: secretQuestion(await newUrn()) });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    const [warning] = await screen.findAllByText(/This device has another receipt of this ballot/);
    const own = await receiptCode(fromBase64(envelope));
    expect(warning).toHaveTextContent(`${own}. The server names ${CODE}.`);
    expect(localStorage.getItem(`receipt_${ROUND_ID}`)).toBe(own);
  });

  it('is forgotten with the ballot that is reset, so that the next ballot gives no warning', async () => {
    const urn = await newUrn();
    const received = acceptBallots();
    server.use(
      http.delete(VOTE, ({ response }) => {
        given.meeting = {
          ...given.meeting,
          questions: [voterQuestion({ roundId: ROUND_ID, secrecy: 'secret' })],
        };
        given.live = liveState({ version: 12, currentQuestion: secretQuestion(urn) });
        return response(200).json({ success: true });
      }),
    );
    given.meeting.canResetVote = true;
    const { user } = await join({ currentQuestion: secretQuestion(urn) });
    await user.click(await screen.findByRole('radio', { name: 'No' }));
    await user.click(await submitButton());
    await waitFor(() => expect(received).toHaveLength(1));
    const first = await receiptCode(fromBase64(received[0]?.envelope ?? ''));
    await waitFor(() => expect(localStorage.getItem(`receipt_${ROUND_ID}`)).toBe(first));

    await user.click(await screen.findByRole('button', { name: 'Reset for Testing' }));
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    await waitFor(() => expect(received).toHaveLength(2));
    const second = await receiptCode(fromBase64(received[1]?.envelope ?? ''));
    expect(await screen.findByText(second)).toBeInTheDocument();
    await waitFor(() => expect(localStorage.getItem(`receipt_${ROUND_ID}`)).toBe(second));
    expect(screen.queryByText(/This device has another receipt/)).not.toBeInTheDocument();
  });
});

describe('a secret vote whose key is lost', () => {
  it('is void, which the voter is told and finds in the list of answers', async () => {
    const question = { ...secretQuestion(await newUrn()), sealing: null, isActive: false };
    const { text } = question;
    await join({ currentQuestion: null });
    expect(await screen.findByRole('heading', { name: 'Waiting for Next Question' })).toBeInTheDocument();
    given.meeting = {
      ...given.meeting,
      questions: [
        voterQuestion({
          roundId: ROUND_ID,
          secrecy: 'secret',
          hasVoted: true,
          isActive: false,
          isVoid: true,
        }),
      ],
    };
    send('meeting_update', { ...given.live, currentQuestion: { ...question, isVoid: true } }, 12);
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading', { name: 'This vote is void' })).toBeInTheDocument();
    expect(alert).toHaveTextContent(text);
    expect(await screen.findByText('Secret ballot. This vote is void.')).toBeInTheDocument();
  });
});

describe('a secret vote whose key is not confirmed', () => {
  it('has no ballot until it is', async () => {
    const question = secretQuestion(await newUrn());
    await join({ currentQuestion: { ...question, sealing: null } });
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('heading', { name: 'You cannot vote at the moment' })).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    send('meeting_update', { ...given.live, currentQuestion: question }, 12);
    expect(await screen.findByRole('radio', { name: 'No' })).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('a ballot that is not secret', () => {
  it.each([
    ['named', 'This is a named vote. The results will show your choice with your name.'],
    ['unshown', 'Nobody is shown how you voted. The operator’s database has it.'],
  ] as const)('tells who can learn it: %s', async (secrecy, sentence) => {
    await join({ currentQuestion: liveQuestion({ secrecy }) });
    expect(await screen.findByText(new RegExp(sentence))).toBeInTheDocument();
  });
});
