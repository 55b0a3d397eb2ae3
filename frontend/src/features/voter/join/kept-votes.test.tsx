import { screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ballotDraftNote, heldKey, undeliveredBallotNote, voteNotes } from '../../../shared/storage';
import { MEETING_ID } from '../../../test/live-samples';
import { voter } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { http, NO_BRANDING, server } from '../../../test/server';
import { voterMeeting } from '../../../test/voter-samples';
import { heldBallotsNote } from '../proxies/held-notes';

const client = {
  id: 'c1',
  name: 'Riverside Housing Cooperative',
  clientCode: 'riverside',
  branding: NO_BRANDING,
};
const keptBallot = {
  userId: voter.id,
  questionId: 'q1',
  roundId: 'r1',
  text: 'Shall the accounts be approved?',
  type: 'SINGLE_CHOICE' as const,
  orderIndex: 1,
  answers: ['No'],
};
const summary = {
  description: null,
  startTime: '2026-11-21T13:00:00Z',
  endTime: '2026-11-21T16:00:00Z',
  isRehearsing: false,
};

beforeEach(() => {
  server.use(
    http.get('/public/client/{clientCode}', ({ response }) => response(200).json({ success: true, client })),
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({ success: true, meeting: voterMeeting() }),
    ),
  );
});

describe('the list of meetings', () => {
  describe('with a vote that is not delivered', () => {
    const VOTE = '/voting/meetings/{meetingId}/questions/{questionId}/vote';

    beforeEach(() => {
      undeliveredBallotNote.save(MEETING_ID, keptBallot);
      server.use(
        http.get('/voting/meetings', ({ response }) =>
          response(200).json({
            success: true,
            meetings: [{ ...summary, id: MEETING_ID, title: 'Running', status: 'ACTIVE' }],
          }),
        ),
      );
    });

    it('sends it by itself as soon as the network is back, once', async () => {
      const received: unknown[] = [];
      let isDown = true;
      server.use(
        http.get('/voting/meetings', ({ response }) =>
          isDown ? response.untyped(HttpResponse.error()) : undefined,
        ),
        http.post(VOTE, async ({ request, response }) => {
          if (isDown) {
            return response.untyped(HttpResponse.error());
          }
          const body = await request.json();
          received.push(body);
          return response(201).json({
            success: true,
            vote: { id: 'v1', answers: ['No'], castAt: '2026-11-21T13:00:05Z', receipt: null },
          });
        }),
      );
      const { user } = await renderApp('/voting', { as: voter });
      expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
      expect(screen.getByText('Question 1: Shall the accounts be approved?')).toBeInTheDocument();
      expect(screen.getByText(/If you close this page, open Plenum again to send it\./)).toBeInTheDocument();
      expect(
        await screen.findByText(/Your vote is kept on this device until it is sent/),
      ).toBeInTheDocument();

      isDown = false;
      window.dispatchEvent(new Event('online'));
      expect(
        await screen.findByRole('heading', { name: 'Your vote is stored' }, { timeout: 8_000 }),
      ).toBeInTheDocument();
      expect(received).toEqual([{ answers: ['No'], roundId: 'r1' }]);
      expect(undeliveredBallotNote.isAnyKept()).toBe(false);
      expect(voteNotes.voted(MEETING_ID)).toEqual(['q1']);
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      await screen.findByRole('heading', { name: 'Running' });
      expect(screen.queryByText(/not yet delivered/)).not.toBeInTheDocument();
    });

    it('says that it came too late, and leads to the meeting', async () => {
      server.use(
        http.post(VOTE, ({ response }) =>
          response.untyped(HttpResponse.json({ error: 'x', code: 'round_not_open' }, { status: 409 })),
        ),
      );
      await renderApp('/voting', { as: voter });
      expect(await screen.findByRole('heading', { name: 'Your vote was not counted' })).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'Open the meeting' })).toHaveAttribute(
        'href',
        `/voting/meeting/${MEETING_ID}`,
      );
      expect(screen.queryByText(/not yet delivered/)).not.toBeInTheDocument();
      expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
    });

    it('keeps an answer that does not fit, so that the meeting offers it for a change', async () => {
      server.use(
        http.post(VOTE, ({ response }) =>
          response.untyped(HttpResponse.json({ error: 'x', code: 'invalid_ballot' }, { status: 400 })),
        ),
      );
      await renderApp('/voting', { as: voter });
      expect(await screen.findByText(/Change it and submit again\./)).toBeInTheDocument();
      expect(ballotDraftNote.read(MEETING_ID, voter.id)).toMatchObject({
        questionId: 'q1',
        roundId: 'r1',
        answers: ['No'],
      });
    });
  });

  describe('with a vote that was kept after the list was opened', () => {
    afterEach(() => vi.useRealTimers());

    it('sends it when its tab has not, and names its meeting', async () => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      server.use(
        http.get('/voting/meetings', ({ response }) =>
          response(200).json({
            success: true,
            meetings: [{ ...summary, id: MEETING_ID, title: 'Running', status: 'ACTIVE' }],
          }),
        ),
        http.post('/voting/meetings/{meetingId}/questions/{questionId}/vote', ({ response }) =>
          response.untyped(HttpResponse.error()),
        ),
      );
      await renderApp('/voting', { as: voter });
      await screen.findByRole('heading', { name: 'Running' });
      undeliveredBallotNote.save(MEETING_ID, keptBallot);
      await vi.advanceTimersByTimeAsync(5_500);
      // The tab in which it was submitted is perhaps just sending it.
      expect(screen.queryByRole('heading', { name: 'Not yet delivered' })).not.toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(5_500);
      expect(await screen.findByRole('heading', { name: 'Not yet delivered' })).toBeInTheDocument();
      expect(screen.getByText('Meeting: Running')).toBeInTheDocument();
    });
  });

  it('asks to open the meeting for votes by proxy, which only its page sends', async () => {
    server.use(http.get('/voting/meetings', ({ response }) => response.untyped(HttpResponse.error())));
    heldBallotsNote.save(MEETING_ID, {
      userId: voter.id,
      questionId: 'q1',
      roundId: 'r1',
      summary: '2 votes: 2 Yes',
      ballots: [{ for: 'p1', name: 'Person 1', answers: ['Yes'], envelope: null }],
      outcomes: [],
    });
    const { user } = await renderApp('/voting', { as: voter });
    expect(
      await screen.findByText(/^Your vote is kept on this device until it is sent\./),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByText(/Open the meeting first to send it\.$/)).toBeInTheDocument();
    server.use(
      http.get('/voting/meetings', ({ response }) =>
        response(200).json({
          success: true,
          meetings: [{ ...summary, id: MEETING_ID, title: 'Running', status: 'ACTIVE' }],
        }),
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(
      await screen.findByText('One of your votes is not yet delivered. Open the meeting to send it.'),
    ).toBeInTheDocument();
  });

  it('says on the sign-in page that votes by proxy need their meeting', async () => {
    localStorage.setItem(heldKey(MEETING_ID), '{}');
    await renderApp('/participant/login/riverside');
    expect(
      await screen.findByText(/sent when the same person signs in again and opens the meeting\.$/),
    ).toBeInTheDocument();
  });

  it('leaves the vote of another person on the device alone', async () => {
    undeliveredBallotNote.save(MEETING_ID, { ...keptBallot, userId: 'somebody-else' });
    await renderApp('/voting', { as: voter });
    expect(await screen.findByText('No Meetings Available')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Not yet delivered' })).not.toBeInTheDocument();
  });

  it('is not left by mistake while a vote is not delivered', async () => {
    server.use(http.post('/auth/logout', ({ response }) => response(200).json({ success: true })));
    server.use(
      http.post('/voting/meetings/{meetingId}/questions/{questionId}/vote', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    undeliveredBallotNote.save(MEETING_ID, keptBallot);
    const { user, location } = await renderApp('/voting', { as: voter });
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('One of your votes is not yet delivered');
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    expect(undeliveredBallotNote.isAnyKept()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await user.click(screen.getByRole('button', { name: 'Log out without sending' }));
    await waitFor(() => expect(location()).toBe('/participant'));
    expect(undeliveredBallotNote.isAnyKept()).toBe(false);
  });
});
