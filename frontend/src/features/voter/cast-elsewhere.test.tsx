import { screen } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { liveQuestion } from '../../test/live-samples';
import { arrangeVoting, given, join, submitButton, VOTE } from '../../test/live-voting-fixture';
import { http, server } from '../../test/server';
import { voterMeeting, voterQuestion } from '../../test/voter-samples';

beforeEach(arrangeVoting);

describe('a vote that was cast elsewhere', () => {
  it.each([
    ['PAPER', 'Your vote was cast on paper.'],
    ['VOTING_PLACE', 'Your vote was cast at a voting place.'],
  ] as const)('stands in place of the ballot: %s', async (castOn, words) => {
    given.meeting = voterMeeting({ questions: [voterQuestion({ hasVoted: true, castOn })] });
    await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    expect(await screen.findByRole('heading', { name: words })).toBeInTheDocument();
    expect(screen.getByText('It counts. If this is wrong, speak to the organizer.')).toBeInTheDocument();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
    expect(screen.queryByText(/Only the device and session/)).not.toBeInTheDocument();
  });

  it('stands in place of the ballot: by the holder of the proxy', async () => {
    given.meeting = voterMeeting({ questions: [voterQuestion({ hasVoted: true, votedByProxy: true })] });
    await join({ currentQuestion: liveQuestion({ hasVoted: true }) });
    const heading = { name: 'The holder of your proxy voted for you.' };
    expect(await screen.findByRole('heading', heading)).toBeInTheDocument();
    expect(screen.queryByText(/Only the device and session/)).not.toBeInTheDocument();
  });

  it('is not said to be of another session if the holder of the proxy was faster', async () => {
    server.use(
      http.post(VOTE, ({ response }) => {
        given.meeting = voterMeeting({ questions: [voterQuestion({ hasVoted: true, votedByProxy: true })] });
        return response.untyped(
          HttpResponse.json({ error: 'x', message: 'x', code: 'already_voted' }, { status: 409 }),
        );
      }),
    );
    given.meeting = voterMeeting({ questions: [voterQuestion()] });
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(
      await screen.findByText(
        'The holder of your proxy voted for you. It counts. If this is wrong, speak to the organizer.',
      ),
    ).toBeInTheDocument();
    expect(screen.queryByText(/in another session/)).not.toBeInTheDocument();
  });

  it('of a secret question has its receipt beside it', async () => {
    given.meeting = voterMeeting({
      questions: [
        voterQuestion({
          hasVoted: true,
          castOn: 'VOTING_PLACE',
          secrecy: 'secret',
          receipt: 'ABCD-EFGH-JKLM-NPQR',
        }),
      ],
    });
    await join({ currentQuestion: liveQuestion({ hasVoted: true, secrecy: 'secret' }) });
    expect(
      await screen.findByText(/^Your vote was cast at a voting place\. It counts\./),
    ).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Your ballot is in the urn' })).toBeInTheDocument();
  });

  it('is the one that counts if the phone sends a ballot as well, even with the same answer', async () => {
    server.use(
      http.post(VOTE, ({ response }) => {
        given.meeting = voterMeeting({
          questions: [voterQuestion({ hasVoted: true, castOn: 'PAPER', userVote: ['Yes'] })],
        });
        return response.untyped(
          HttpResponse.json({ error: 'x', message: 'x', code: 'already_voted' }, { status: 409 }),
        );
      }),
    );
    given.meeting = voterMeeting({ questions: [voterQuestion()] });
    const { user } = await join({ currentQuestion: liveQuestion() });
    await user.click(await screen.findByRole('radio', { name: 'Yes' }));
    await user.click(await submitButton());
    expect(await screen.findByRole('heading', { name: 'You have already voted' })).toBeInTheDocument();
    expect(screen.getAllByText(/^Your vote was cast on paper\./).length).toBeGreaterThan(0);
    expect(screen.queryByRole('heading', { name: 'Your vote is stored' })).not.toBeInTheDocument();
  });
});
