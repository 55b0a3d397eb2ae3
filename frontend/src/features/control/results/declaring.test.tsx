import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  endedRound,
  given,
  haveRounds,
  hear,
  installControl,
  noteStep,
  onScreen,
  openControl,
  opened,
  refused,
  resultOf,
  stepTo,
} from '../../../test/control-fixture';
import { sampleLogEntry } from '../../../test/result-samples';
import { http, server } from '../../../test/server';

installControl();
afterEach(() => void vi.useRealTimers());

const declaredRound = () =>
  endedRound({
    status: 'DECLARED',
    countedAt: '2026-11-21T13:05:10Z',
    declaredAt: '2026-11-21T18:10:00Z',
    declaredBy: 'Maria Keller',
  });

/** A server that declares any result. */
function answerDeclare() {
  server.use(
    http.post('/client/meetings/{meetingId}/rounds/{roundId}/declare', ({ request, params, response }) => {
      noteStep(request, `declare ${params.roundId}`);
      haveRounds(declaredRound());
      const { currentQuestion } = given.live;
      stepTo(currentQuestion ? { ...currentQuestion, declaredRoundId: params.roundId } : undefined);
      return response(200).json(resultOf(declaredRound()));
    }),
  );
}

const results = () => within(screen.getByRole('region', { name: 'Result of question 1' }));

async function askToDeclare(user: Awaited<ReturnType<typeof openControl>>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Declare result' }));
  return within(await screen.findByRole('dialog', { name: 'Declare the result of question 1?' }));
}

describe('the result of a round', () => {
  it('is the verdict with its sentence, the figures of the server and the log', async () => {
    haveRounds(endedRound());
    given.results = {
      r1: resultOf(endedRound(), {
        log: [
          sampleLogEntry(),
          sampleLogEntry({ kind: 'COUNTED' }),
          sampleLogEntry({
            kind: 'ADMITTED',
            person: { name: 'Ada Young', username: 'ada', weight: 1.5 },
            reason: 'Came late',
          }),
        ],
      }),
    };
    await openControl();
    expect(await screen.findByText('Accepted')).toBeInTheDocument();
    expect(
      screen.getByText('120 of 164 votes were yes; more than half was needed. Accepted.'),
    ).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /^Yes/ })).toHaveTextContent(/120, 73\s%140\.5, 77\s%$/);
    expect(screen.getByText('Ada Young (ada, weight 1.5) admitted by Maria Keller')).toBeInTheDocument();
    expect(screen.getByText('Came late')).toBeInTheDocument();
    expect(screen.getByText('Votes counted by Maria Keller')).toBeInTheDocument();
    const track = within(screen.getByRole('list', { name: 'Steps of the round' }));
    expect(track.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
      'Open',
      'Closed',
      'Counted',
      'Declared',
    ]);
    expect(track.getByText('Counted')).toHaveAttribute('aria-current', 'step');
    expect(
      screen.getByText(
        'Only you see this. The presentation and the voters’ screens show it when you declare it.',
      ),
    ).toBeInTheDocument();
  });

  it('is not there while voting is open', async () => {
    given.rounds = [endedRound({ status: 'OPEN', endedAt: null })];
    await openControl(opened(given.questions[0]));
    expect(await screen.findByText('The tally is shown when the question has ended.')).toBeInTheDocument();
    expect(screen.getByText('Open')).toHaveAttribute('aria-current', 'step');
    expect(screen.queryByRole('button', { name: 'Declare result' })).not.toBeInTheDocument();
  });

  it('follows the count where counting is a step of its own', async () => {
    given.questions = given.questions.map((question) => ({
      ...question,
      decisionRule: { kind: 'plurality', unit: 'heads', seats: 1 },
    }));
    given.rounds = [endedRound({ status: 'OPEN', endedAt: null })];
    await openControl(opened(given.questions[0]));
    expect(await screen.findByText('The tally is shown when the votes are counted.')).toBeInTheDocument();
  });

  it('follows the count of a survey, too, in a meeting that does not count surveys at their end', async () => {
    given.meeting = { ...given.meeting, countsSurveysAtEnd: false };
    given.rounds = [endedRound({ status: 'OPEN', endedAt: null })];
    await openControl(opened(given.questions[0]));
    expect(await screen.findByText('The tally is shown when the votes are counted.')).toBeInTheDocument();
  });

  it('of a round that is opened again is hidden at once, before the rounds are fetched anew', async () => {
    haveRounds(endedRound());
    await openControl();
    await screen.findByText('Accepted');
    server.use(http.get('/client/meetings/{meetingId}/rounds', () => new Promise<never>(() => {})));
    hear({ ...opened(given.questions[0]), step: 2 });
    expect(screen.queryByText('Accepted')).not.toBeInTheDocument();
    expect(screen.getByText('The tally is shown when the question has ended.')).toBeInTheDocument();
  });

  it('can be tried again where it could not be loaded', async () => {
    given.rounds = [endedRound()];
    const { user } = await openControl();
    await screen.findByText('The votes are stored; only this view of them is missing.');
    haveRounds(endedRound());
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Accepted')).toBeInTheDocument();
  });
});

describe('declaring', () => {
  it('says of a survey what the screens will show: its figures, and no verdict', async () => {
    haveRounds(endedRound());
    given.results = {
      r1: resultOf(endedRound(), {
        decisionRule: null,
        decision: { outcome: 'undecided', elected: [], tie: null },
      }),
    };
    const { user } = await openControl();
    const dialog = await askToDeclare(user);
    expect(
      dialog.getByText('The presentation and the voters’ screens will show the figures of this survey.'),
    ).toBeInTheDocument();
    expect(dialog.queryByText(/^Survey\./)).not.toBeInTheDocument();
  });

  it('shows the sentence first, then lets the hall know, and brings the question back to the screen', async () => {
    haveRounds(endedRound());
    answerDeclare();
    const { user } = await openControl({ step: 7 });
    const dialog = await askToDeclare(user);
    expect(dialog.getByText(/^120 of 164 votes were yes/)).toBeInTheDocument();
    expect(dialog.getByText('A declared result never changes.')).toBeInTheDocument();
    expect(dialog.getByText('The presentation and the voters’ screens will show:')).toBeInTheDocument();
    expect(given.asked).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    expect(await screen.findByText('Result of question 1 declared')).toBeInTheDocument();
    await waitFor(() =>
      expect(results().getByText(/^Declared at/)).toHaveTextContent('Declared at 18:10 by Maria Keller'),
    );
    expect(screen.getByText('Declared', { selector: '[aria-current]' })).toBeInTheDocument();
    await waitFor(() => expect(given.asked).toEqual(['declare r1', { questionId: 'q1', open: false }]));
    expect(given.decidedOn).toEqual(['7', '8']);
    expect(screen.queryByRole('button', { name: 'Declare result' })).not.toBeInTheDocument();
    expect(await screen.findByText('Question 1, result declared')).toBeInTheDocument();
    expect(screen.queryByText(/^Changed on another screen/)).not.toBeInTheDocument();
  });

  it('leaves the screen alone where the question is on it', async () => {
    haveRounds(endedRound());
    answerDeclare();
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[0]) });
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    await waitFor(() => expect(results().getByText(/^Declared at/)).toBeInTheDocument());
    expect(given.asked).toEqual(['declare r1']);
    expect(await screen.findByText('On the presentation, result declared')).toBeInTheDocument();
  });

  it('leaves the screen alone where another question is on it, and says so', async () => {
    haveRounds(endedRound());
    answerDeclare();
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[1]) });
    await user.click(
      within(await screen.findByRole('navigation', { name: 'Agenda' })).getByText(/agenda adopted/),
    );
    const dialog = await askToDeclare(user);
    expect(dialog.getByText(/^The voters will see this at once/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    await waitFor(() => expect(results().getByText(/^Declared at/)).toBeInTheDocument());
    expect(given.asked).toEqual(['declare r1']);
    expect(
      within(screen.getByRole('navigation')).getByText('Declared, 164 of 180 voted'),
    ).toBeInTheDocument();
  });

  it('is the big button of a counted question, by Space as well', async () => {
    haveRounds(endedRound());
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[0]) });
    const panel = within(await screen.findByRole('region', { name: /^Question Control/ }));
    expect(await panel.findByRole('button', { name: 'Declare result' })).toBeEnabled();
    expect(screen.getAllByRole('button', { name: 'Declare result' })).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Start Question' })).not.toBeInTheDocument();
    expect(results().getByRole('button', { name: 'Re-vote' })).toBeEnabled();
    expect(screen.getByRole('list', { name: 'Keyboard' })).toHaveTextContent('Space Declare');
    await user.keyboard(' ');
    const dialog = await screen.findByRole('dialog', { name: 'Declare the result of question 1?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(given.asked).toEqual([]);
  });

  it('declares nothing where it is not confirmed', async () => {
    haveRounds(endedRound());
    const { user } = await openControl();
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(given.asked).toEqual([]);
  });

  it.each([
    ['stale_step', 'Another organizer made a change first: voting on “Is the agenda adopted?” is open now.'],
    ['round_still_open', 'Voting in this round is still open.'],
  ])('is refused with the reason in its place (%s)', async (code, error) => {
    haveRounds(endedRound());
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/declare', ({ response }) =>
        response.untyped(refused(code, error)),
      ),
    );
    const { user } = await openControl();
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    expect(await results().findByText(error)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Declare result' })).toBeInTheDocument();
  });

  it('stays for another try where the server was not reached', async () => {
    haveRounds(endedRound());
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/declare', ({ response }) =>
        response.untyped(Response.error() as never),
      ),
    );
    const { user } = await openControl();
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    expect(await screen.findAllByText(/^Failed to declare result/)).not.toHaveLength(0);
    answerDeclare();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Declare result' })).toBeEnabled());
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    await waitFor(() => expect(results().getByText(/^Declared at/)).toBeInTheDocument());
  });

  it('is waited for long after the stream has shown it', async () => {
    haveRounds(endedRound());
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/declare', async ({ request, response }) => {
        noteStep(request, 'declare');
        await held;
        return response(200).json(resultOf(declaredRound()));
      }),
    );
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[0]) });
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    await waitFor(() => expect(given.asked).toEqual(['declare']));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    haveRounds(declaredRound());
    hear({ step: 2, currentQuestion: onScreen(given.questions[0]) });
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    respond();
    expect(await screen.findByText('Result of question 1 declared')).toBeInTheDocument();
    expect(screen.queryByText(/^No response came/)).not.toBeInTheDocument();
  });

  it('leaves the buttons usable if its response is lost', async () => {
    haveRounds(endedRound());
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/declare', async ({ request, response }) => {
        noteStep(request, 'declare');
        await delay('infinite');
        return response.untyped(HttpResponse.error());
      }),
    );
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[0]) });
    const dialog = await askToDeclare(user);
    await user.click(dialog.getByRole('button', { name: 'Declare result' }));
    await waitFor(() => expect(given.asked).toEqual(['declare']));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    haveRounds(declaredRound());
    hear({ step: 2, currentQuestion: onScreen(given.questions[0]) });
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(await screen.findByText(/^No response came/)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await screen.findByRole('button', { name: 'Re-vote' })).toBeEnabled();
  });

  it('elsewhere is heard', async () => {
    haveRounds(endedRound());
    await openControl({ currentQuestion: onScreen(given.questions[0]) });
    await screen.findByRole('button', { name: 'Declare result' });
    haveRounds(declaredRound());
    hear({ step: 2, currentQuestion: onScreen(given.questions[0]) });
    expect(await screen.findByText('Changed on another screen: a result was declared.')).toBeInTheDocument();
    await waitFor(() => expect(results().getByText(/^Declared at/)).toBeInTheDocument());
  });
});

describe('a re-vote', () => {
  function answerRevote() {
    server.use(
      http.post('/client/meetings/{meetingId}/rounds', async ({ request, response }) => {
        noteStep(request, await request.json());
        const first = given.rounds[0] ?? endedRound();
        given.rounds = [
          first,
          endedRound({
            id: 'r2',
            number: 2,
            status: 'OPEN',
            endedAt: null,
            reason: 'The count was disputed',
          }),
        ];
        return response(201).json(stepTo(opened(given.questions[0], 'r2').currentQuestion ?? undefined));
      }),
    );
  }

  async function askToRevote(user: Awaited<ReturnType<typeof openControl>>['user'], opener: string) {
    await user.click(await screen.findByRole('button', { name: opener }));
    return within(await screen.findByRole('dialog', { name: 'Start a re-vote?' }));
  }

  it('needs a reason and opens a new round; the earlier one stays with its result', async () => {
    haveRounds(endedRound());
    answerRevote();
    const { user } = await openControl({ step: 7 });
    const dialog = await askToRevote(user, 'Re-vote');
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    expect(await dialog.findByText('Enter the reason')).toBeInTheDocument();
    expect(given.asked).toEqual([]);
    await user.type(dialog.getByLabelText(/^Reason/), '  The count was disputed ');
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    expect(await screen.findByText('Re-vote opened and broadcast to participants')).toBeInTheDocument();
    expect(given.asked).toEqual([{ questionId: 'q1', reason: 'The count was disputed' }]);
    expect(given.decidedOn).toEqual(['7']);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await screen.findByText('Re-vote: The count was disputed')).toBeInTheDocument();
    expect(screen.getByText('The tally is shown when the question has ended.')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Round 1' }));
    expect(await screen.findByText('Accepted')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Re-vote' })).not.toBeInTheDocument();
  });

  it('is the big button once the result is declared, by Space as well', async () => {
    haveRounds(declaredRound());
    const { user } = await openControl({ currentQuestion: onScreen(given.questions[0]) });
    expect(screen.queryByRole('button', { name: 'Start Question' })).not.toBeInTheDocument();
    const dialog = await askToRevote(user, 'Re-vote');
    expect(dialog.getByText(/The declared result never changes/)).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('region', { name: /^Question Control/ })).toHaveFocus());
    expect(screen.getByRole('list', { name: 'Keyboard' })).toHaveTextContent('Space Re-vote');
    await user.keyboard(' ');
    expect(await screen.findByRole('dialog', { name: 'Start a re-vote?' })).toBeInTheDocument();
    expect(given.asked).toEqual([]);
  });

  it('is what Start Question leads to where the result was declared a moment ago, elsewhere', async () => {
    haveRounds(endedRound({ status: 'ENDED', voteCount: 0 }));
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) =>
        response.untyped(refused('result_declared', 'The result was declared.')),
      ),
    );
    const { user } = await openControl();
    await askToRevote(user, 'Start Question');
    expect(screen.queryByText('The result was declared.')).not.toBeInTheDocument();
  });

  it('is refused in its place, and decided on the present state then', async () => {
    haveRounds(endedRound());
    let answers = 0;
    server.use(
      http.post('/client/meetings/{meetingId}/rounds', async ({ request, response }) => {
        noteStep(request, await request.json());
        answers += 1;
        if (answers > 1) {
          return response(201).json(stepTo(opened(given.questions[0], 'r2').currentQuestion ?? undefined));
        }
        given.live = { ...given.live, version: 12, step: 9 };
        return response.untyped(refused('stale_step', 'Another organizer made a change first.'));
      }),
    );
    const { user } = await openControl({ step: 7 });
    const dialog = await askToRevote(user, 'Re-vote');
    await user.type(dialog.getByLabelText(/^Reason/), 'Disputed');
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    expect(await dialog.findByText('Another organizer made a change first.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/^Reason/)).toHaveValue('Disputed');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Start Re-vote' })).toBeEnabled());
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    await waitFor(() => expect(given.decidedOn).toEqual(['7', '9']));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('shows at the field what is wrong with the reason', async () => {
    haveRounds(endedRound());
    server.use(
      http.post('/client/meetings/{meetingId}/rounds', ({ response }) =>
        response(422).json({
          error: 'reason',
          message: 'reason',
          code: 'invalid_input',
          fields: { reason: ['Must be one line.'] },
        }),
      ),
    );
    const { user } = await openControl();
    const dialog = await askToRevote(user, 'Re-vote');
    await user.type(dialog.getByLabelText(/^Reason/), 'x');
    await user.click(dialog.getByRole('button', { name: 'Start Re-vote' }));
    expect(await dialog.findByText('Must be one line.')).toBeInTheDocument();
    expect(dialog.getByLabelText(/^Reason/)).toBeInvalid();
  });

  it('names the voting that it would close', async () => {
    haveRounds(endedRound());
    const { user } = await openControl(opened(given.questions[1], 'r9'));
    await user.click(
      within(await screen.findByRole('navigation', { name: 'Agenda' })).getByText(/agenda adopted/),
    );
    const dialog = await askToRevote(user, 'Re-vote');
    expect(dialog.getByText(/It will close with the votes received so far/)).toBeInTheDocument();
  });

  it('shows earlier rounds with their reasons', async () => {
    const second = endedRound({ id: 'r2', number: 2, reason: 'The count was disputed' });
    haveRounds(declaredRound(), second);
    const { user } = await openControl();
    expect(await screen.findByText('Re-vote: The count was disputed')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Declare result' })).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Round 1' }));
    await waitFor(() => expect(results().getByText(/^Declared at/)).toBeInTheDocument());
    expect(screen.queryByText(/^Re-vote: /)).not.toBeInTheDocument();
  });
});
