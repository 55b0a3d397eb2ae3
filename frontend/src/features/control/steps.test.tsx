import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../api/types';
import {
  arrangeControl,
  control,
  given,
  hearVotes,
  openFirst,
  pressSpace,
  shown,
} from '../../test/control-page-fixture';
import { FakeEventSource } from '../../test/fake-event-source';
import { http, server } from '../../test/server';

beforeEach(arrangeControl);
afterEach(() => void vi.useRealTimers());

describe('a step', () => {
  const stale = {
    error:
      'Another organizer made a change first: voting on “Are the accounts approved?” is open now. Your change was not made.',
    code: 'stale_step',
    step: 8,
    currentQuestion: null,
  };

  it('names the state that it was decided on', async () => {
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await screen.findByRole('button', { name: 'End Question' });
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    expect(given.decidedOn).toEqual(['7', '8']);
  });

  it('on an old state is refused with what changed, which is shown then', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) => {
        const second = given.questions[1] as Question;
        given.live = {
          ...given.live,
          version: 12,
          step: 8,
          currentQuestion: { ...shown(second), isActive: true, roundId: 'r2' },
        };
        return response.untyped(HttpResponse.json(stale, { status: 409 }));
      }),
    );
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    const panel = within(await screen.findByRole('region', { name: /^Question Control/ }));
    expect(await panel.findByText(stale.error)).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Question Control - 2 of 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
    expect(screen.getByText(stale.error, { selector: '[role="alert"] *' })).toBeInTheDocument();
    // Removed after the next step.
    given.live = { ...given.live, version: 13, step: 9, currentQuestion: null };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, 13));
    expect(panel.queryByText(stale.error)).not.toBeInTheDocument();
    expect(panel.getByText('Changed on another screen: the question was ended.')).toBeInTheDocument();
  });

  it('whose response is lost is not called failed where it was made', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) => {
        const first = given.questions[0] as Question;
        given.live = {
          ...given.live,
          version: 12,
          step: 8,
          currentQuestion: { ...shown(first), isActive: true, roundId: 'r1' },
        };
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    expect(await screen.findByRole('button', { name: 'End Question' })).toBeEnabled();
    expect(
      await screen.findByText('No response came from the server. This is the state of the meeting now.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/Failed to start question/)).not.toBeInTheDocument();
  });

  it('is not waited for once the stream has shown its result, if only the response is missing', async () => {
    let isAsked = false;
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', async ({ response }) => {
        isAsked = true;
        await delay('infinite');
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await control({ step: 7 });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await waitFor(() => expect(isAsked).toBe(true));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const first = given.questions[0] as Question;
    const opened = { ...shown(first), isActive: true, roundId: 'r1' };
    given.live = { ...given.live, version: 12, step: 8, currentQuestion: opened };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, 12));
    expect(screen.getByRole('button', { name: 'Starting…' })).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(await screen.findByRole('button', { name: 'End Question' })).toBeEnabled();
    expect(screen.queryByText(/Failed to start question/)).not.toBeInTheDocument();
  });

  it('answers in its place until it is made, and is sent once', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', async ({ request, response }) => {
        given.asked.push(await request.json());
        await held;
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await control();
    const start = await screen.findByRole('button', { name: 'Start Question' });
    await user.dblClick(start);
    expect(start).toHaveTextContent('Starting…');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.keyboard('{ArrowRight}');
    release();
    expect(await screen.findByRole('button', { name: 'Start Question' })).toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });
});

describe('ending a round', () => {
  it('while votes come in is asked for, with the choice that ends nothing at hand', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    const guard = await screen.findByRole('alertdialog', {
      name: 'Votes are still coming in: 12 in the last 10 seconds, 168 have not voted.',
    });
    expect(guard).toHaveTextContent('Ending the question closes its voting for everyone.');
    expect(screen.getByRole('button', { name: 'Keep Voting Open' })).toHaveFocus();
    await user.keyboard('{ArrowRight} ');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await user.dblClick(screen.getByRole('button', { name: 'End Question' }));
    expect(screen.getByRole('button', { name: 'Keep Voting Open' })).toHaveFocus();
    await user.keyboard('{ArrowRight}{Escape}');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(given.asked).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent('shows question 2');
    await user.click(screen.getByRole('button', { name: 'Close Voting, Go to Question 2' }));
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    expect(given.asked).toEqual([{ questionId: 'q2', open: false }]);
  });

  it('is asked for while the countdown runs, even if no vote came in lately', async () => {
    const closesAt = new Date(Date.now() + 58_000).toISOString();
    const { user } = await control({
      ...openFirst(),
      voteCount: 40,
      currentQuestion: { ...openFirst().currentQuestion, closesAt },
    });
    for (const [opener, confirm] of [
      ['Next', 'Close Voting, Go to Question 2'],
      ['End Question', 'End Question Now'],
    ]) {
      await user.click(await screen.findByRole('button', { name: opener as string }));
      const guard = await screen.findByRole('alertdialog', {
        name: /^The countdown still runs: 5[5-8] seconds are left\.$/,
      });
      expect(guard).toHaveTextContent('140 have not voted.');
      expect(within(guard).getByRole('button', { name: confirm as string })).toBeEnabled();
      await user.click(screen.getByRole('button', { name: 'Keep Voting Open' }));
    }
    expect(given.asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      /The countdown still runs: 5[4-8] seconds are left/,
    );
  });

  it('is the strong choice once everybody has voted, with nothing else to weigh', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    expect(await screen.findByRole('alertdialog')).toHaveAttribute('data-manner', 'dangerous');
    hearVotes(180);
    const guard = screen.getByRole('alertdialog', { name: 'Everyone has voted now.' });
    expect(guard).toHaveAttribute('data-manner', 'calm');
    expect(guard).not.toHaveTextContent('arrive later');
    expect(screen.getByRole('button', { name: 'End Question Now' })).toHaveAttribute(
      'data-variant',
      'filled',
    );
    expect(screen.getByRole('button', { name: 'Keep Voting Open' })).toHaveAttribute(
      'data-variant',
      'default',
    );
  });

  it('is not asked for where everybody has voted, or nobody is voting', async () => {
    const { user } = await control({ ...openFirst(), voteCount: 40 });
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    await screen.findByRole('button', { name: 'Start Question' });
    expect(given.asked).toEqual([{ questionId: null }]);

    given.live = {
      ...given.live,
      ...openFirst(),
      voteCount: 0,
      version: given.live.version + 1,
      step: given.live.step + 1,
    };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, given.live.version));
    hearVotes(180);
    await user.click(screen.getByRole('button', { name: 'End Question' }));
    await screen.findByRole('button', { name: 'Start Question' });
    expect(given.asked).toHaveLength(2);
  });

  it('is not confirmed on a state that somebody else has changed meanwhile', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Question' }));
    await screen.findByRole('alertdialog');
    given.live = {
      ...given.live,
      ...openFirst(),
      voteCount: 12,
      version: given.live.version + 1,
      step: given.live.step + 1,
      currentQuestion: { ...openFirst().currentQuestion, closesAt: '2099-01-01T00:00:00Z' },
    };
    act(() => FakeEventSource.latest.send('meeting_update', given.live, given.live.version));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.getByText('Changed on another screen: a countdown was set.')).toBeInTheDocument();
    expect(given.asked).toEqual([]);
  });

  it('with the meeting names the voters who are missing', async () => {
    const { user } = await control(openFirst());
    hearVotes(12);
    await user.click(await screen.findByRole('button', { name: 'End Meeting' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'Votes are still coming in: 12 in the last 10 seconds, 168 have not voted.',
    );
  });
});

describe('the keys', () => {
  it('move and start, except while one types or is in a dialog', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    expect(screen.getByRole('list', { name: 'Keyboard' })).toHaveTextContent('Space Start');
    await user.keyboard('{ArrowLeft}');
    await user.keyboard('{ArrowRight}');
    await screen.findByRole('heading', { name: 'Question Control - 2 of 2' });
    await screen.findByRole('button', { name: 'Previous' });
    await user.keyboard(' ');
    await screen.findByRole('button', { name: 'End Question' });
    expect(given.asked).toEqual([{ questionId: 'q2', open: false }, { questionId: 'q2' }]);

    await user.click(screen.getByRole('radio', { name: 'Custom' }));
    await user.click(screen.getByLabelText('Length in seconds'));
    await user.keyboard('{ArrowLeft} ');
    await user.click(screen.getByRole('button', { name: 'End Meeting' }));
    await screen.findByRole('dialog');
    await user.keyboard('{ArrowLeft}');
    expect(given.asked).toHaveLength(2);
  });

  it('leave an open menu its own keys', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    await user.click(screen.getByRole('button', { name: 'Export Results' }));
    act(() => screen.getByRole('menuitem', { name: 'CSV' }).focus());
    await user.keyboard('{ArrowRight}m');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(given.asked).toEqual([]);
  });

  it('do nothing more when held down', async () => {
    const { user } = await control();
    await screen.findByRole('button', { name: 'Start Question' });
    await user.keyboard('{ >3/}');
    await screen.findByRole('button', { name: 'End Question' });
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });

  it('end nothing by a slip of Space', async () => {
    await control();
    await screen.findByRole('button', { name: 'Start Question' });
    pressSpace(1_000_000);
    await screen.findByRole('button', { name: 'End Question' });
    pressSpace(1_000_500);
    expect(screen.getByRole('button', { name: 'End Question' })).toBeInTheDocument();
    pressSpace(1_001_200);
    await screen.findByRole('button', { name: 'Start Question' });
    expect(given.asked).toEqual([{ questionId: 'q1' }, { questionId: null }]);
  });
});

describe('a countdown', () => {
  it('is set, extended and canceled', async () => {
    const countdown = (closesAt: string | null) => {
      given.live = {
        ...given.live,
        version: given.live.version + 1,
        step: given.live.step + 1,
        currentQuestion: given.live.currentQuestion && { ...given.live.currentQuestion, closesAt },
      };
      return {
        success: true,
        currentQuestion: null,
        step: given.live.step,
        serverTime: new Date().toISOString(),
      };
    };
    server.use(
      http.put('/client/meetings/{meetingId}/countdown', async ({ request, response }) => {
        const body = await request.json();
        given.asked.push(body);
        return response(200).json(countdown(new Date(Date.now() + body.seconds * 1_000).toISOString()));
      }),
      http.delete('/client/meetings/{meetingId}/countdown', ({ response }) => {
        given.asked.push('canceled');
        return response(200).json(countdown(null));
      }),
    );
    const { user } = await control(openFirst());
    const region = within(await screen.findByRole('region', { name: 'Countdown' }));
    await user.click(region.getByRole('radio', { name: '2 min' }));
    await user.click(region.getByRole('button', { name: 'Start Countdown' }));
    expect(await region.findByRole('timer', { name: 'Time left' })).toHaveTextContent(/^(2:00|1:59)$/);
    await user.click(region.getByRole('button', { name: '+30 s' }));
    await waitFor(() => expect(region.getByRole('timer')).toHaveTextContent(/^2:/));
    await waitFor(() => expect(region.getByRole('button', { name: '+30 s' })).toBeEnabled());
    await user.click(await region.findByRole('button', { name: 'Cancel Countdown' }));
    expect(await region.findByRole('button', { name: 'Start Countdown' })).toBeInTheDocument();
    expect(given.asked[0]).toEqual({ seconds: 120 });
    expect((given.asked[1] as { seconds: number }).seconds).toBeGreaterThanOrEqual(145);
    expect(given.asked[2]).toBe('canceled');
  });

  it('of an impossible length is not set', async () => {
    const { user } = await control(openFirst());
    await user.click(await screen.findByRole('radio', { name: 'Custom' }));
    const length = screen.getByLabelText('Length in seconds');
    await user.clear(length);
    await user.type(length, '3');
    expect(screen.getByText('From 5 to 3600 seconds')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Start Countdown' }));
    expect(given.asked).toEqual([]);
  });

  it('that is over closes the voting by itself, and the screen says so', async () => {
    const closesAt = new Date(Date.now() - 100).toISOString();
    const open = openFirst().currentQuestion;
    await control({ ...openFirst(), currentQuestion: { ...open, closesAt } });
    expect(await screen.findByRole('timer', { name: 'Time left' })).toHaveTextContent('Closing…');
    given.live = {
      ...given.live,
      version: given.live.version + 2,
      step: given.live.step + 1,
      currentQuestion: { ...open, isActive: false, closesAt: null },
    };
    act(() => {
      FakeEventSource.latest.send(
        'question_deactivated',
        { id: 'q1', step: given.live.step },
        given.live.version - 1,
      );
      FakeEventSource.latest.send('meeting_update', given.live, given.live.version);
    });
    expect(
      screen.getByText('The countdown has ended and voting has closed automatically.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Start Question' })).toBeInTheDocument();
  });
});

describe('without a stream', () => {
  it('the screen says that it asks', async () => {
    await control();
    expect(await screen.findByText('Connected')).toBeInTheDocument();
    act(() => FakeEventSource.latest.break());
    expect(
      await screen.findByText('The live stream is not available. This screen updates every 5 seconds.'),
    ).toBeInTheDocument();
  });
});
