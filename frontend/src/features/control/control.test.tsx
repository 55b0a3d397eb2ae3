import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../api/types';
import {
  arrangeControl,
  control,
  given,
  hearVotes,
  openFirst,
  option,
  result,
  round,
  shown,
} from '../../test/control-page-fixture';
import { FakeEventSource } from '../../test/fake-event-source';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { registerPage, sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';

beforeEach(arrangeControl);

describe('before it is known what is on the screens', () => {
  it('nothing can be started, because it would be the earlier question', async () => {
    given.rounds = [round()];
    const { user } = await renderApp(`/client/meetings/${given.meeting.id}/control`, { as: clientAdmin });
    expect(await screen.findByText('Loading the state of the meeting…')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Start Question' })).not.toBeInTheDocument();
    await user.keyboard(' ');
    expect(given.asked).toEqual([]);

    const [, second] = given.questions as [Question, Question];
    act(() =>
      FakeEventSource.latest.send(
        'connected',
        { ...given.live, currentQuestion: shown(second) },
        given.live.version,
      ),
    );
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    await waitFor(() => expect(given.asked).toEqual([{ questionId: 'q2' }]));
  });
});

describe('a meeting with check-in', () => {
  it('counts its participants by check-in, not by connections', async () => {
    await control({ participantCount: 44, checkIn: { eligible: 60, selfCheckIn: false } });
    expect(await screen.findByText('44 Active Participants')).toBeInTheDocument();
    expect(await screen.findByText('Checked in, with or without a phone')).toBeInTheDocument();
    expect(screen.queryByText('Connected via live stream')).not.toBeInTheDocument();
  });
});

describe('questions', () => {
  it('are started, counted and ended', async () => {
    const { user } = await control({ participantCount: 164 });
    expect(await screen.findByRole('heading', { name: 'Question Control - 1 of 2' })).toBeInTheDocument();
    expect(screen.getByText('164 Active Participants')).toBeInTheDocument();
    expect(screen.getByText('Connected via live stream')).toBeInTheDocument();

    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    expect(await screen.findByText('Question activated and broadcast to participants')).toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
    expect(await screen.findByRole('timer')).toHaveTextContent(/^Elapsed 0:0/);
    act(() =>
      FakeEventSource.latest.send(
        'vote_count',
        { voteCount: 45, registerSize: 180, quorum: null },
        given.live.version + 1,
      ),
    );
    const figures = within(screen.getByRole('region', { name: 'Live Statistics' }));
    expect(figures.getByText('45 of 180')).toBeInTheDocument();
    expect(figures.getByText('25 %')).toBeInTheDocument();
    expect(screen.getByText('The tally is shown when the question has ended.')).toBeInTheDocument();

    given.rounds = [round()];
    given.results = { r1: result(round()) };
    given.live.version += 1;
    await user.click(screen.getByRole('button', { name: 'End Question' }));
    await user.click(await screen.findByRole('button', { name: 'End Question Now' }));
    expect(await screen.findByText('Question ended and participants notified')).toBeInTheDocument();
    expect(given.asked.at(-1)).toEqual({ questionId: null });
    expect(await screen.findByText('1 / 2')).toBeInTheDocument();
    expect(screen.getByText('50 %')).toBeInTheDocument();

    const yes = await screen.findByRole('row', { name: /Yes/ });
    expect(yes).toHaveTextContent('132');
    expect(yes).toHaveTextContent('150.5');
    expect(screen.getByText(/171 of 180 voted, weight 190.25 of 200.5/)).toBeInTheDocument();
  });

  it('warn while nobody can vote, because the key of a secret vote is not confirmed', async () => {
    await control();
    const open = { ...shown(given.questions[0] as Question), isActive: true, roundId: 'r1' };
    const secret = { ...open, secrecy: 'secret' as const };
    given.live = { ...given.live, version: 11, currentQuestion: { ...secret, sealing: null } };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, 11));
    expect(await screen.findByText(/Nobody can vote on this question/)).toBeInTheDocument();
    const sealing = { publicKey: 'BKEk', size: 256 };
    given.live = { ...given.live, version: 12, currentQuestion: { ...secret, sealing } };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, 12));
    await waitFor(() =>
      expect(screen.queryByText(/Nobody can vote on this question/)).not.toBeInTheDocument(),
    );
  });

  it('are moved through, without opening them', async () => {
    const { user } = await control();
    expect(await screen.findByRole('button', { name: 'Previous' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('Moved to next question')).toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q2', open: false }]);
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Start Question' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByText('Moved to previous question')).toBeInTheDocument();
    expect(given.asked.at(-1)).toEqual({ questionId: 'q1', open: false });
  });

  it('follow another screen that moved on', async () => {
    await control();
    const second = given.questions[1] as Question;
    given.live = {
      ...given.live,
      version: 11,
      currentQuestion: { ...shown(second), isActive: true, roundId: 'r2' },
    };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, 11));
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
  });

  it('stand where the meeting was last after a reload', async () => {
    given.rounds = [round(), round({ id: 'r2', questionId: 'q2', openedAt: '2026-11-21T13:10:00Z' })];
    given.results = { r2: result(round({ id: 'r2', questionId: 'q2' })) };
    await control();
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
  });

  it('say why they could not be started', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    expect(await screen.findAllByText(/^Failed to start question/)).not.toHaveLength(0);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Start Question' })).toBeEnabled());
  });
});

describe('results', () => {
  it('of a question that is opened again are not asked for', async () => {
    given.rounds = [round({ status: 'ENDED', countedAt: null })];
    const { user } = await control();
    given.rounds = [round({ status: 'OPEN', endedAt: null, countedAt: null })];
    await user.click(await screen.findByRole('button', { name: 'Reopen' }));
    expect(await screen.findByText('The tally is shown when the question has ended.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('row', { name: /Yes/ })).not.toBeInTheDocument());
    expect(screen.queryByText(/out of date/)).not.toBeInTheDocument();
  });

  it('of earlier questions and rounds are seen from the agenda, and move nothing in the hall', async () => {
    const second = round({ id: 'r2', number: 2, endedAt: '2026-11-21T13:20:00Z' });
    given.rounds = [round(), second];
    given.results = {
      r1: result(round()),
      r2: result(second, {
        options: [option('Yes', 99, 99)],
      }),
    };
    const { user } = await control({ currentQuestion: shown(given.questions[1] as Question) });
    expect(await screen.findByText('This question has not been voted on yet.')).toBeInTheDocument();
    await user.click(within(screen.getByRole('navigation', { name: 'Agenda' })).getByText(/agenda adopted/));
    expect(await screen.findByRole('heading', { name: 'Result of question 1' })).toBeInTheDocument();
    expect(await screen.findByRole('row', { name: /Yes/ })).toHaveTextContent('99');
    await user.click(screen.getByRole('radio', { name: 'Round 1' }));
    await waitFor(() => expect(screen.getByRole('row', { name: /Yes/ })).toHaveTextContent('132'));
    expect(given.asked).toEqual([]);
    expect(screen.getByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
  });

  it('of numbers are averages and a distribution', async () => {
    const rating = round({ questionType: 'RATING' });
    given.rounds = [rating];
    given.results = {
      r1: result(rating, {
        options: [],
        numbers: {
          mean: 3.842,
          weightedMean: 3.9,
          median: 4,
          weightedMedian: 4,
          distribution: [
            { value: 3, heads: 40, weight: 41 },
            { value: 5, heads: 35, weight: 40.75 },
          ],
        },
      }),
    };
    await control();
    expect(await screen.findByText('of 5')).toBeInTheDocument();
    expect(screen.getAllByText('3.8')).toHaveLength(2);
    expect(screen.getByText('3.9')).toBeInTheDocument();
    const axis = within(screen.getByRole('table', { name: /^Distribution/ })).getAllByRole('row');
    expect(axis.map((row) => row.textContent)).toEqual(['AnswerVotes', '10', '20', '340', '40', '535']);
    const table = screen.getByRole('table', { name: /^Votes per answer/ });
    const rows = within(table).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['AnswerHeadsWeight', '34041', '53540.75']);
  });

  it('of texts are the list', async () => {
    const text = round({ questionType: 'OPEN_TEXT' });
    given.rounds = [text];
    given.results = { r1: result(text, { options: [], differentTexts: 1 }) };
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/answers', ({ response }) =>
        response(200).json({
          data: [{ text: 'More bicycle stands', heads: 3, weight: 3.5 }],
          meta: { page: 1, pageSize: 50, total: 1 },
        }),
      ),
    );
    await control();
    expect(await screen.findByText('More bicycle stands')).toBeInTheDocument();
    expect(screen.getByText('3 voters, weight 3.5')).toBeInTheDocument();
  });
});

describe('the meeting', () => {
  it('is started by its status', async () => {
    given.meeting = sampleMeeting({ status: 'SCHEDULED' });
    server.use(
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        given.asked.push(await request.json());
        given.meeting = sampleMeeting({ status: 'ACTIVE' });
        given.live = { ...given.live, version: 11, status: 'ACTIVE' };
        return response(200).json(given.meeting);
      }),
    );
    const { user } = await control({ status: 'SCHEDULED' });
    expect(await screen.findByRole('heading', { name: 'The meeting has not started' })).toBeInTheDocument();
    expect(screen.queryByText(/Question Control/)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Meeting' }));
    expect(await screen.findByText('Meeting started successfully')).toBeInTheDocument();
    expect(given.asked).toEqual([{ status: 'ACTIVE' }]);
    expect(await screen.findByRole('heading', { name: 'Question Control - 1 of 2' })).toBeInTheDocument();
  });

  it('opens with the check-in by a link, which a meeting without check-in ignores', async () => {
    const missing = { error: 'Not found', code: 'not_found' };
    server.use(
      http.get('/client/meetings/{meetingId}/attendance', ({ response }) =>
        response.untyped(HttpResponse.json(missing, { status: 404 })),
      ),
      http.get('/client/meetings/{meetingId}/desks', ({ response }) =>
        response.untyped(HttpResponse.json(missing, { status: 404 })),
      ),
    );
    const path = `/client/meetings/${given.meeting.id}/control?panel=check-in`;
    await renderApp(path, { as: clientAdmin });
    await screen.findByRole('heading', { level: 1, name: given.meeting.title });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    cleanup();
    given.meeting = sampleMeeting({ status: 'ACTIVE', checkIn: 'ON' });
    await renderApp(path, { as: clientAdmin });
    expect(await screen.findByRole('dialog', { name: 'Check-in' })).toBeInTheDocument();
  });

  it('is not started without questions', async () => {
    given.meeting = sampleMeeting({ status: 'SCHEDULED', questionCount: 0 });
    given.questions = [];
    await control({ status: 'SCHEDULED' });
    expect(await screen.findByRole('button', { name: 'Start Meeting' })).toBeDisabled();
    expect(screen.getByRole('heading', { name: 'No questions available' })).toBeInTheDocument();
    expect(screen.getByText('No participants yet')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Manage Questions' })).toHaveAttribute(
      'href',
      `/client/meetings/${given.meeting.id}/questions`,
    );
    expect(screen.getByRole('link', { name: 'Add a Question' })).toHaveAttribute(
      'href',
      `/client/meetings/${given.meeting.id}/questions`,
    );
    expect(screen.getByRole('link', { name: 'Proxies' })).toHaveAttribute(
      'href',
      `/client/meetings/${given.meeting.id}/proxies`,
    );
  });

  it('names before its end what is left undone', async () => {
    given.rounds = [round()];
    given.results = { r1: result(round()) };
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      '1 result is not declared. 1 question was never asked.',
    );
  });

  it('is ended only after asking', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/end', ({ response }) => {
        given.asked.push('end');
        given.meeting = sampleMeeting({ status: 'COMPLETED' });
        given.live = { ...given.live, version: 11, status: 'COMPLETED' };
        return response(200).json(given.meeting);
      }),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'End Meeting' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(given.asked).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByText('Meeting ended successfully')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'The meeting has ended' })).toBeInTheDocument();
  });

  it('starts again only after it was told what follows', async () => {
    const bodies: unknown[] = [];
    given.meeting = sampleMeeting({ status: 'COMPLETED', closingHash: 'ab'.repeat(32) });
    server.use(
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        bodies.push(await request.json());
        given.meeting = sampleMeeting({ status: 'ACTIVE', closingHash: 'ab'.repeat(32) });
        return response(200).json(given.meeting);
      }),
    );
    const { user } = await control({ status: 'COMPLETED' });
    await user.click(await screen.findByRole('button', { name: 'Start Meeting' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Start this meeting again?' }));
    expect(dialog.getByText(/Its closing record stays as it is/)).toBeInTheDocument();
    expect(bodies).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Start Again' }));
    expect(await screen.findByText('Meeting started successfully')).toBeInTheDocument();
    expect(bodies).toEqual([{ status: 'ACTIVE', confirmRestart: true }]);
  });

  it('says of a draft beside the invitation link that voters cannot open it', async () => {
    given.meeting = { ...given.meeting, status: 'DRAFT' };
    await control({ status: 'DRAFT' });
    expect(screen.getByText(/^This meeting is a draft: voters cannot open it yet\./)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Copy Invitation Link' })).toBeVisible();
  });

  it('is missing where the server does not know it', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) =>
        response.untyped(HttpResponse.json({ error: 'x', code: 'meeting_not_found' }, { status: 404 })),
      ),
    );
    await renderApp(`/client/meetings/${given.meeting.id}/control`, { as: clientAdmin });
    expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
  });

  it('can be tried again where it could not be loaded', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) => response.untyped(HttpResponse.error())),
    );
    const { user } = await renderApp(`/client/meetings/${given.meeting.id}/control`, { as: clientAdmin });
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getAllByText('Failed to load meeting data').length).toBeGreaterThan(0);
    server.use(http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(given.meeting)));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { level: 1, name: given.meeting.title })).toBeInTheDocument();
  });
});

describe('links', () => {
  it('are copied', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/generate-link', ({ response }) =>
        response(200).json({ invitationLink: 'abc' }),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Copy Presentation Link' }));
    expect(await screen.findByText('Presentation link copied to clipboard')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(
      `http://plenum.test/presentation/meeting/${given.meeting.id}`,
    );
    await user.click(screen.getByRole('button', { name: 'Copy Invitation Link' }));
    expect(await screen.findByText('Meeting invitation link copied to clipboard')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://plenum.test/vote/abc');
  });

  it('open the presentation in a window of its own', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(window);
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: 'Open Presentation' }));
    expect(open).toHaveBeenCalledWith(
      `http://plenum.test/presentation/meeting/${given.meeting.id}`,
      'plenum-presentation',
      'popup,width=1920,height=1080',
    );
    open.mockRestore();
  });
});

describe('the agenda', () => {
  it('says what each question is at', async () => {
    given.rounds = [round({ questionId: 'q2', id: 'r2' })];
    given.results = { r2: result(round({ questionId: 'q2', id: 'r2' })) };
    await control(openFirst());
    hearVotes(45);
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    expect(agenda.getByText('Voting open, 45 of 180 voted')).toBeInTheDocument();
    expect(agenda.getByText('Counted, 171 of 180 voted')).toBeInTheDocument();
  });

  it('calls the end of voting the same in the badge, the agenda and the preview', async () => {
    given.rounds = [round({ status: 'ENDED', countedAt: null })];
    await control({ currentQuestion: shown(given.questions[0] as Question) });
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    expect(await screen.findByText('On the presentation, voting closed')).toBeInTheDocument();
    expect(agenda.getByText('On the presentation, voting closed, 171 of 180 voted')).toBeInTheDocument();
    expect(screen.getByText('Question 1, voting closed')).toBeInTheDocument();
  });

  it('says of a question on the presentation whether it was asked, and whether its result is declared', async () => {
    given.rounds = [round({ questionId: 'q2', id: 'r2', status: 'DECLARED' })];
    given.results = { r2: result(round({ questionId: 'q2', id: 'r2' })) };
    const { user } = await control({ currentQuestion: shown(given.questions[0] as Question) });
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    expect(screen.getAllByText('On the presentation, not opened yet')).toHaveLength(2);
    expect(screen.queryByText(/voting closed/)).not.toBeInTheDocument();
    expect(agenda.getByText('On the presentation, not opened yet')).toBeInTheDocument();
    expect(screen.getByText('Question 1, not opened yet')).toBeInTheDocument();

    await user.click(await agenda.findByText('Declared, 171 of 180 voted'));
    await user.click(await screen.findByRole('button', { name: 'Show Result on Presentation' }));
    expect(await screen.findByText('On the presentation, result declared')).toBeInTheDocument();
    expect(agenda.getByText('On the presentation, declared, 171 of 180 voted')).toBeInTheDocument();
  });

  it('previews each question before the start, the first one too', async () => {
    given.meeting = sampleMeeting({ status: 'SCHEDULED' });
    const { user } = await control({ status: 'SCHEDULED' });
    const agenda = within(await screen.findByRole('navigation', { name: 'Agenda' }));
    for (const { orderIndex, questionText } of given.questions) {
      await user.click(agenda.getByText(questionText));
      const preview = within(
        await screen.findByRole('region', { name: `Preview of question ${orderIndex}` }),
      );
      expect(preview.getByText(questionText)).toBeInTheDocument();
      expect(preview.getByText('Yes')).toBeInTheDocument();
      expect(preview.queryByRole('button', { name: 'Show on Presentation' })).not.toBeInTheDocument();
    }
  });

  it('has the live figures directly after the question on a narrow screen', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
      ...new (class {
        media = query;
        matches = query === '(max-width: 55em)';
        onchange = null;
      })(),
      addListener: () => undefined,
      removeListener: () => undefined,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      dispatchEvent: () => false,
    }));
    await control(openFirst());
    const figures = await screen.findByRole('region', { name: 'Live Statistics' });
    const panel = screen.getByRole('region', { name: /^Question Control/ });
    const results = screen.getByRole('region', { name: 'Result of question 1' });
    expect(panel.compareDocumentPosition(figures)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(figures.compareDocumentPosition(results)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    vi.restoreAllMocks();
  });

  it('previews a question, which is shown in the hall only when that is asked for', async () => {
    const { user } = await control({ currentQuestion: shown(given.questions[0] as Question) });
    await user.click(
      within(await screen.findByRole('navigation', { name: 'Agenda' })).getByText(/accounts approved/),
    );
    const preview = within(await screen.findByRole('region', { name: 'Preview of question 2' }));
    expect(preview.getByText('Only you see this. Nothing has changed in the hall.')).toBeInTheDocument();
    await user.click(preview.getByRole('button', { name: 'Close Preview' }));
    expect(screen.queryByRole('region', { name: /^Preview/ })).not.toBeInTheDocument();
    expect(given.asked).toEqual([]);

    await user.click(within(screen.getByRole('navigation', { name: 'Agenda' })).getByText(/accounts/));
    await user.click(screen.getByRole('button', { name: 'Show on Presentation' }));
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: /^Preview/ })).not.toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q2', open: false }]);
  });
});

describe('votes on paper', () => {
  it('that nobody has confirmed are named before voting ends', async () => {
    const head = { number: 1, enteredAt: '2026-11-21T18:05:00Z', enteredBy: 'Tellers 1', isOwn: false };
    const open = { ...head, closedAt: null, closedBy: null, counted: null, state: 'WAITING' as const };
    const confirmed = { ...open, id: 'c', ballots: 9, state: 'CONFIRMED' as const, counted: 9 };
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/paper-batches', ({ response }) =>
        response(200).json({
          data: [confirmed, { ...open, id: 'a', ballots: 2 }, { ...open, id: 'b', ballots: 1 }],
        }),
      ),
    );
    await control(openFirst());
    expect(
      await screen.findByText(
        '2 batches with 3 votes on paper wait for confirmation. They do not count if voting ends before.',
      ),
    ).toBeInTheDocument();
  });
});

describe('who has voted', () => {
  it('is listed on request, with where the vote was cast', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ query, response }) => {
        const hasVoted = query.get('voted') === 'true';
        const person = { username: 'p', weight: 1, secondWeight: null, hasVoted, holder: null };
        const data = hasVoted
          ? [
              { ...person, endUserId: 'a', name: 'Ada Byron', castOn: 'PAPER' as const },
              { ...person, endUserId: 'b', name: 'Bo Nilsen', castOn: null },
            ]
          : [{ ...person, endUserId: 'c', name: 'Cleo Marsh', castOn: null }];
        return response(200).json(registerPage(data));
      }),
    );
    const { user } = await control(openFirst());
    await user.click(await screen.findByRole('button', { name: /not voted yet$/ }));
    const panel = within(await screen.findByRole('dialog', { name: 'Not voted yet' }));
    await panel.findByText('Cleo Marsh');
    await user.click(panel.getByRole('radio', { name: 'Voted' }));
    expect(await panel.findByText('Voted on paper')).toBeInTheDocument();
    expect(panel.getByText('Has voted')).toBeInTheDocument();
    expect(panel.getByText('2 people voted')).toBeInTheDocument();
    expect(panel.queryByRole('button', { name: /^Exclude/ })).not.toBeInTheDocument();
  });
});

describe('who has not voted', () => {
  it('is counted, named, searched and followed', async () => {
    let names = ['Ada Byron', 'Bo Nilsen'];
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ query, response }) => {
        const found = names.filter((name) => name.includes(query.get('search') ?? ''));
        expect(query.get('voted')).toBe('false');
        return response(200).json(
          registerPage(
            found.map((name) => ({
              endUserId: name,
              name,
              username: name.slice(0, 2),
              weight: 1.5,
              secondWeight: null,
              hasVoted: false,
              castOn: null,
              holder: null,
            })),
          ),
        );
      }),
    );
    const { user } = await control(openFirst());
    hearVotes(178);
    await user.click(await screen.findByRole('button', { name: '2 not voted yet' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Not voted yet' }));
    expect(await panel.findByText('Ada Byron')).toBeInTheDocument();
    expect(panel.getByText('2 people have not voted yet')).toBeInTheDocument();
    names = ['Bo Nilsen'];
    hearVotes(179);
    await waitFor(() => expect(panel.queryByText('Ada Byron')).not.toBeInTheDocument());
    expect(panel.getByText('1 person has not voted yet')).toBeInTheDocument();
    await user.type(panel.getByLabelText('Search by name or username'), 'Ada');
    expect(await panel.findByText('No one with this name is still to vote')).toBeInTheDocument();
  });

  it('is still known after the end', async () => {
    given.rounds = [round()];
    given.results = { r1: result(round()) };
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/register', ({ response }) =>
        response(200).json(registerPage([], 9)),
      ),
    );
    const { user } = await control();
    await user.click(await screen.findByRole('button', { name: '9 people did not vote' }));
    expect(await screen.findByRole('dialog', { name: 'People who did not vote' })).toHaveTextContent(
      '9 people did not vote',
    );
  });
});
