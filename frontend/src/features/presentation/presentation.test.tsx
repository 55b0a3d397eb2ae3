import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '../../api/types';
import { formatTime } from '../../shared/format';
import type { PresentationState } from '../../shared/live/live-events';
import { TEST_MEETING } from '../../shared/test-data';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { MEETING_ID, presentationState, quorumState, timed } from '../../test/live-samples';
import { renderApp } from '../../test/render-app';
import { sampleResult } from '../../test/result-samples';
import { http, server } from '../../test/server';

installFakeEventSource();

const question: NonNullable<PresentationState['currentQuestion']> = {
  questionText: 'Shall the accounts be approved?',
  questionType: 'YES_NO',
  options: ['Yes', 'No', 'Abstain'],
  election: null,
  ratingMax: null,
  maxChoices: null,
  secrecy: 'secret',
  groups: undefined,
  isOpen: true,
  isVoid: false,
  orderIndex: 2,
  openedAt: null,
  closesAt: null,
  declaredRoundId: null,
  answerWall: null,
};

const quorumResult = {
  quorum: quorumState().quorum,
  attending: 164,
  register: 180,
  percent: 91.11,
  needed: { amount: 90, isEnough: true, isRoundedUp: false },
  isMet: true,
  sentence:
    'Quorum met: 164 of 180 in the register by heads were present, 91.11 %; at least 1/2, that is 90, were needed',
};

beforeEach(() => {
  server.use(
    http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
      response(200).json(timed(presentationState())),
    ),
  );
});

/** The clock, and the time of the last update. */
function isClock(node: Node): boolean {
  return node.nodeName === 'TIME' || node.parentNode?.nodeName === 'TIME';
}

async function show(state: Partial<PresentationState>) {
  await renderApp(`/presentation/meeting/${MEETING_ID}`);
  await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
  act(() => FakeEventSource.latest.send('connected', presentationState(state), 10));
}

const choiceOf = (text: string, heads: number) => ({
  id: text,
  text,
  role: 'choice' as const,
  heads,
  headsPercent: 10,
  weight: 1,
  weightPercent: 10,
});

describe('the presentation', () => {
  it('needs no token', async () => {
    await show({});
    expect(FakeEventSource.latest.url).toMatch(
      new RegExp(`/api/public/meetings/${MEETING_ID}/presentation/stream$`),
    );
  });

  it.each([
    [{ status: 'COMPLETED' }, 'Meeting Completed', 'Thank you for participating!'],
    [{ status: 'DRAFT' }, 'Meeting Not Active', 'Please wait for the moderator to start the meeting'],
    [{ status: 'SCHEDULED' }, 'Meeting Not Active', 'Please wait for the moderator to start the meeting'],
    [{ status: 'CANCELLED' }, 'Meeting Not Active', 'This meeting was cancelled.'],
    [{ status: 'ACTIVE' }, 'Waiting for Question', 'The moderator will start the next question shortly'],
  ] as const)('says what the hall waits for: %o', async (state, title, text) => {
    await show(state);
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it('says that a meeting is test data, and nothing of it otherwise', async () => {
    await show({ title: 'TEST_Assembly' });
    expect(await screen.findByText(TEST_MEETING)).toBeInTheDocument();
    act(() => FakeEventSource.latest.send('connected', presentationState(), 11));
    await waitFor(() => expect(screen.queryByText(TEST_MEETING)).not.toBeInTheDocument());
  });

  it('shows the question with lettered options and counts the votes', async () => {
    await show({ currentQuestion: question, voteCount: 131, registerSize: 180, participantCount: 164 });
    expect(await screen.findByRole('heading', { name: question.questionText })).toBeInTheDocument();
    expect(screen.getByText('Yes/No Question')).toBeInTheDocument();
    const options = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(options.map((option) => option.textContent)).toEqual(['AYes', 'BNo', 'CAbstain']);
    expect(screen.getByText('164 participants')).toBeInTheDocument();
    expect(screen.getByText('131 of 180').parentElement).toHaveTextContent('131 of 180 votes received');

    act(() => FakeEventSource.latest.send('vote_count', { voteCount: 132, registerSize: 180 }, 11));
    expect(screen.getByText('132 of 180')).toBeInTheDocument();
    act(() => FakeEventSource.latest.send('vote_count', { voteCount: 1_131, registerSize: 1_512 }, 12));
    expect(screen.getByText('1,131 of 1,512')).toBeInTheDocument();
  });

  it('says how the meeting is, who is there and when it was last heard', async () => {
    await show({ participantCount: 1 });
    const head = within(await screen.findByRole('banner'));
    expect(head.getByRole('heading', { name: 'Annual General Meeting' })).toBeInTheDocument();
    expect(head.getByText('Riverside Housing Cooperative')).toBeInTheDocument();
    expect(head.getByText('Active')).toBeInTheDocument();
    expect(head.getByText('1 participant')).toBeInTheDocument();
    expect(head.getByText(/^Last update/)).toHaveTextContent(/^Last update \d\d:\d\d$/);
    const foot = within(screen.getByRole('contentinfo'));
    expect(foot.getByText('Accounts and elections')).toBeInTheDocument();
    expect(foot.getByText(/21.Nov.*–/)).toBeInTheDocument();
  });

  it('says that the voting is closed, with the votes received, while the question stays', async () => {
    await show({
      currentQuestion: { ...question, isOpen: false, openedAt: '2026-11-21T13:05:00Z' },
      voteCount: 131,
      registerSize: 180,
    });
    expect(await screen.findByText('Voting closed')).toBeInTheDocument();
    expect(screen.getByText('131 of 180').parentElement).toHaveTextContent('131 of 180 votes received');
    expect(screen.getByRole('heading', { name: question.questionText })).toBeInTheDocument();
    expect(screen.queryByText(/Voting is/)).not.toBeInTheDocument();
    expect(screen.queryByRole('img', { name: /^QR code/ })).not.toBeInTheDocument();
  });

  it('says that a vote is void', async () => {
    const openedAt = '2026-11-21T13:05:00Z';
    await show({ currentQuestion: { ...question, isOpen: false, isVoid: true, openedAt } });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This vote is voidIts key is lost, so the ballots cannot be opened',
    );
    expect(screen.queryByText('Voting closed')).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { name: question.questionText })).toBeInTheDocument();
  });

  it('has two columns from five options on', async () => {
    await show({ currentQuestion: { ...question, options: ['1', '2', '3', '4'] } });
    expect(await screen.findByRole('list')).toHaveAttribute('data-columns', '1');
    act(() =>
      FakeEventSource.latest.send(
        'meeting_update',
        presentationState({
          version: 11,
          currentQuestion: { ...question, options: ['1', '2', '3', '4', '5'] },
        }),
        11,
      ),
    );
    expect(screen.getByRole('list')).toHaveAttribute('data-columns', '2');
  });

  it('limits the choices where the question does', async () => {
    await show({ currentQuestion: { ...question, questionType: 'MULTIPLE_CHOICE', maxChoices: 2 } });
    expect(await screen.findByText('Choose up to 2')).toBeInTheDocument();
    const currentQuestion = { ...question, questionType: 'MULTIPLE_CHOICE' as const, maxChoices: 1 };
    act(() => FakeEventSource.latest.send('connected', presentationState({ currentQuestion }), 11));
    expect(await screen.findByText('Choose one')).toBeInTheDocument();
  });

  describe('a declared result', () => {
    const declared = {
      ...question,
      isOpen: false,
      openedAt: '2026-11-21T18:04:05Z',
      declaredRoundId: 'r1',
    };
    const result = sampleResult({
      status: 'DECLARED',
      questionText: question.questionText,
      declared: { at: '2026-11-21T18:10:02Z', by: 'Maria Keller' },
    });

    /** Counts the requests for the result. */
    function answerResult(answer: () => Result | null) {
      const asked = { times: 0 };
      server.use(
        http.get('/public/meetings/{meetingId}/presentation/result', ({ response }) => {
          asked.times += 1;
          const body = answer();
          return body === null
            ? response.untyped(HttpResponse.json({ error: 'x', code: 'result_not_found' }, { status: 404 }))
            : response(200).json(body);
        }),
      );
      return asked;
    }

    it('of a text question shows the curated answers, and follows the curation', async () => {
      answerResult(() => sampleResult({ ...result, questionType: 'OPEN_TEXT', options: [], numbers: null }));
      const card = { isCut: false, heads: 1, differentAnswers: 1 };
      let version = 1;
      server.use(
        http.get('/public/meetings/{meetingId}/presentation/answers', ({ response }) =>
          response(200).json({
            roundId: 'r1',
            version,
            wall: {
              cards:
                version === 1
                  ? [
                      { ...card, kind: 'PICKED', text: 'Water' },
                      { ...card, kind: 'GROUP', text: 'Trees', heads: 5, differentAnswers: 2 },
                      { ...card, kind: 'ANSWER', text: 'Rude words' },
                    ]
                  : [{ ...card, kind: 'PICKED', text: 'Water' }],
              more: 2,
              hidden: version === 1 ? 1 : 3,
            },
          }),
        ),
      );
      const text = { ...declared, questionType: 'OPEN_TEXT' as const, options: [] };
      await show({ currentQuestion: { ...text, answerWall: 1 } });
      await screen.findByText('Rude words');
      const cards = screen.getAllByRole('listitem').map((item) => item.textContent);
      expect(cards).toEqual(['Water1', 'Trees5 in 2 different answers', 'Rude words1']);
      expect(screen.getByText('2 more answers. 1 answer is not shown.')).toBeInTheDocument();
      version = 2;
      const currentQuestion = { ...text, answerWall: 2 };
      act(() => FakeEventSource.latest.send('meeting_update', presentationState({ currentQuestion }), 11));
      expect(await screen.findByText('2 more answers. 3 answers are not shown.')).toBeInTheDocument();
      expect(screen.queryByText('Rude words')).not.toBeInTheDocument();
    });

    it('with a damaged record is not shown, and a sentence says so', async () => {
      server.use(
        http.get('/public/meetings/{meetingId}/presentation/result', ({ response }) =>
          response.untyped(HttpResponse.json({ error: 'x', code: 'record_damaged' }, { status: 409 })),
        ),
      );
      await show({ currentQuestion: declared, voteCount: 164, registerSize: 180 });
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'The record of this result is damagedThe result is not shown',
      );
      expect(screen.queryByText('Accepted')).not.toBeInTheDocument();
    });

    it('is shown as a verdict, with its sentence, its figures and its time', async () => {
      answerResult(() => result);
      await show({ currentQuestion: declared, voteCount: 164, registerSize: 180 });
      expect(await screen.findByText('Accepted')).toBeInTheDocument();
      expect(
        screen.getByText('120 of 164 votes were yes; more than half was needed. Accepted.'),
      ).toBeInTheDocument();
      expect(screen.getByText(`Declared at ${formatTime('2026-11-21T18:10:02Z')}`)).toBeInTheDocument();
      expect(screen.getByRole('heading', { name: question.questionText })).toBeInTheDocument();
      const rows = within(screen.getByRole('table', { name: 'Votes per option' })).getAllByRole('row');
      expect(rows.map((row) => row.textContent)).toEqual([
        'OptionVotes by heads',
        'Yesmore than half120, 73\u00a0%',
        'No44, 27\u00a0%',
      ]);
      expect(screen.queryByText('Voting closed')).not.toBeInTheDocument();
      expect(screen.getByText(/^164 of 180 voted\./)).toBeInTheDocument();
    });

    it('is announced once', async () => {
      answerResult(() => result);
      await show({ currentQuestion: declared });
      await screen.findByText('Accepted');
      const spoken = screen
        .getAllByRole('status')
        .filter(({ textContent }) => textContent?.startsWith('Result'));
      expect(spoken.map(({ textContent }) => textContent)).toEqual([
        'Result declared. 120 of 164 votes were yes; more than half was needed. Accepted.',
      ]);
      expect(screen.getByText('Accepted').closest('[aria-live]')).toBeNull();
    });

    it('is shown in what the rule counts', async () => {
      const rule = result.decisionRule;
      if (rule?.kind !== 'majority') {
        throw new Error('The sample has another rule.');
      }
      const both = rule.conditions.map((condition) => ({ ...condition, units: 'both' as const }));
      answerResult(() => ({
        ...result,
        decisionRule: { ...rule, conditions: both },
        arithmetic: { ...result.arithmetic, quorum: quorumResult },
      }));
      await show({ currentQuestion: declared });
      const table = within(await screen.findByRole('table', { name: 'Votes per option' }));
      expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
        'Option',
        'Votes by heads',
        'Votes by weight',
      ]);
      expect(table.getByRole('row', { name: /Yes/ })).toHaveTextContent(/120, 73\s%140\.5, 77\s%$/);
      expect(screen.getByText('Quorum met: 164 present, 90 needed.')).toBeInTheDocument();
      expect(screen.getByText(/by weight 183\.25 of 201\.5/)).toBeInTheDocument();
    });

    it('marks who is elected, and the tie at the border', async () => {
      const options = [choiceOf('Ada', 9), choiceOf('Bo', 7), choiceOf('Cleo', 7)];
      answerResult(() => ({
        ...result,
        questionType: 'MULTIPLE_CHOICE',
        decisionRule: { kind: 'plurality', unit: 'heads', seats: 2 },
        options,
        decision: {
          outcome: 'elected',
          elected: ['Ada'],
          tie: { options: ['Bo', 'Cleo'], votes: 7, seats: 1 },
        },
      }));
      await show({ currentQuestion: declared });
      const table = within(await screen.findByRole('table', { name: 'Votes per option' }));
      const names = table.getAllByRole('rowheader').map(({ textContent }) => textContent);
      expect(names).toEqual(['AdaElected', 'BoTie', 'CleoTie']);
    });

    it('of many options shows those with the most votes, and counts the others', async () => {
      const options = Array.from({ length: 40 }, (_, index) => choiceOf(`Candidate ${index + 1}`, index));
      answerResult(() => ({
        ...result,
        questionType: 'MULTIPLE_CHOICE',
        decisionRule: { kind: 'plurality', unit: 'heads', seats: 1 },
        options,
        decision: { outcome: 'elected', elected: ['Candidate 40'], tie: null },
      }));
      await show({ currentQuestion: declared });
      const tables = await screen.findAllByRole('table', { name: /^Votes per option/ });
      const names = tables.flatMap((table) =>
        within(table)
          .getAllByRole('rowheader')
          .map(({ textContent }) => textContent),
      );
      expect(names).toHaveLength(20);
      expect(names[0]).toBe('Candidate 40Elected');
      expect(names[19]).toBe('Candidate 21');
      expect(
        screen.getByText('20 more options have at most 19 votes each. The phones show them all.'),
      ).toBeInTheDocument();
    });

    it('of numbers shows their mean and how they are spread', async () => {
      answerResult(() => ({
        ...result,
        questionType: 'RATING',
        ratingMax: 5,
        options: [],
        decisionRule: null,
        decision: { outcome: 'undecided', elected: [], tie: null },
        arithmetic: { checks: [], quorum: null, sentence: 'Not decided: the question has no decision rule' },
        numbers: {
          mean: 4.2525,
          weightedMean: 4.1875,
          median: 4,
          weightedMedian: 4.5,
          distribution: [
            { value: 4, heads: 60, weight: 66.5 },
            { value: 5, heads: 20, weight: 20 },
          ],
        },
      }));
      await show({ currentQuestion: declared });
      expect(await screen.findByText('4.3')).toBeInTheDocument();
      expect(screen.getByText('of 5')).toBeInTheDocument();
      expect(screen.getByText('4.2')).toBeInTheDocument();
      expect(screen.getByText('4.5')).toBeInTheDocument();
      const table = within(screen.getByRole('table', { name: 'Distribution of the answers, by heads' }));
      expect(table.getByRole('row', { name: '4 60' })).toBeInTheDocument();
      expect(table.getByRole('row', { name: '1 0' })).toBeInTheDocument();
      expect(screen.queryByText(/Not decided/)).not.toBeInTheDocument();
      expect(screen.getByText('Result declared. Mean 4.3')).toBeInTheDocument();
    });

    it('of an open question shows how many have answered, and no answer', async () => {
      answerResult(() => ({
        ...result,
        questionType: 'OPEN_TEXT',
        options: [],
        decisionRule: null,
        differentTexts: 57,
        decision: { outcome: 'undecided', elected: [], tie: null },
      }));
      await show({ currentQuestion: declared });
      expect((await screen.findByText('164')).parentElement).toHaveTextContent(/^164 ?answers$/);
      expect(screen.getByText(/57 different answers/)).toBeInTheDocument();
    });

    it('lets the closed vote stand until it is there, and is asked for again after a failure', async () => {
      let isReady = false;
      const asked = answerResult(() => (isReady ? result : null));
      await show({ currentQuestion: declared, voteCount: 164, registerSize: 180 });
      await waitFor(() => expect(asked.times).toBe(1));
      expect(screen.getByText('Voting closed')).toBeInTheDocument();
      isReady = true;
      expect(await screen.findByText('Accepted')).toBeInTheDocument();
      expect(asked.times).toBe(2);
    });

    it('of another round is not taken for this one', async () => {
      let answer = { ...result, roundId: 'r0' };
      const asked = answerResult(() => answer);
      await show({ currentQuestion: declared });
      await waitFor(() => expect(asked.times).toBe(1));
      expect(screen.queryByText('Accepted')).not.toBeInTheDocument();
      answer = result;
      expect(await screen.findByText('Accepted')).toBeInTheDocument();
    });

    it('is not asked for before it is declared, and goes when the vote is opened again', async () => {
      const asked = answerResult(() => result);
      await show({ currentQuestion: { ...declared, declaredRoundId: null } });
      expect(await screen.findByText('Voting closed')).toBeInTheDocument();
      expect(asked.times).toBe(0);
      const send = (type: string, data: unknown, version: number) =>
        act(() => FakeEventSource.latest.send(type, data, version));
      send('result_declared', { roundId: 'r1', questionId: 'q1' }, 11);
      send('meeting_update', presentationState({ version: 12, currentQuestion: declared }), 12);
      expect(await screen.findByText('Accepted')).toBeInTheDocument();
      send('question_activated', presentationState({ version: 13, currentQuestion: question }), 13);
      expect(screen.queryByText('Accepted')).not.toBeInTheDocument();
      expect(screen.getByText('Secret vote')).toBeInTheDocument();
      expect(screen.getByText('Voting is open')).toBeInTheDocument();
    });

    it('is revealed once: not after a reconnection, nor when it is shown again', async () => {
      const asked = answerResult(() => result);
      await show({ currentQuestion: declared });
      const isRevealing = () => screen.getByText('Accepted').closest('[data-new]')?.getAttribute('data-new');
      await screen.findByText('Accepted');
      expect(isRevealing()).toBe('true');
      const place = screen.getByText('Accepted');
      const send = (state: Partial<PresentationState>) =>
        act(() => FakeEventSource.latest.send('connected', presentationState(state), 20));
      send({ version: 20, currentQuestion: { ...declared } });
      expect(screen.getByText('Accepted')).toBe(place);
      expect(asked.times).toBe(1);
      send({ version: 21, currentQuestion: null });
      send({ version: 22, currentQuestion: declared });
      await screen.findByText('Accepted');
      expect(isRevealing()).toBe('false');
    });
  });

  describe('the quorum', () => {
    it('is shown while the hall waits for it, and follows the people', async () => {
      await show({ quorum: quorumState() });
      expect(await screen.findByText('Quorum not met: 64 present, 90 needed.')).toBeInTheDocument();
      const met = quorumState({ attending: 90, percent: 50, isMet: true });
      act(() => FakeEventSource.latest.send('participant_count', { participantCount: 90, quorum: met }, 11));
      expect(screen.getByText('Quorum met: 90 present, 90 needed.')).toBeInTheDocument();
    });

    it.each([
      [{ currentQuestion: { ...question, isOpen: false } }, true],
      [{ currentQuestion: question }, true],
      [{ currentQuestion: { ...question, isOpen: false, openedAt: '2026-11-21T13:05:00Z' } }, false],
      [{ status: 'COMPLETED' }, false],
      [{ quorum: null }, false],
    ] as const)('is shown where it matters: %#', async (state, isShown) => {
      await show({ quorum: quorumState(), ...state } as Partial<PresentationState>);
      await screen.findByRole('banner');
      expect(screen.queryAllByText(/^Quorum/)).toHaveLength(isShown ? 1 : 0);
    });
  });

  describe('the countdown', () => {
    const HOURS_MS = 5 * 3_600_000;

    /** A server whose clock is hours behind this device's, in every response. */
    async function showClosing(inMs: number) {
      const serverTime = () => new Date(Date.now() - HOURS_MS).toISOString();
      const closesAt = new Date(Date.now() - HOURS_MS + inMs).toISOString();
      const state = presentationState({ currentQuestion: { ...question, closesAt } });
      server.use(
        http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
          response(200).json({ ...state, serverTime: serverTime() }),
        ),
      );
      await renderApp(`/presentation/meeting/${MEETING_ID}`);
      await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
      act(() => {
        FakeEventSource.latest.send('connected', state, 10);
        // Two messages in succession count in any case, also after those of an earlier test.
        FakeEventSource.latest.send('heartbeat', { version: 10, serverTime: serverTime() }, 10);
        FakeEventSource.latest.send('heartbeat', { version: 10, serverTime: serverTime() }, 10);
      });
    }

    it.each([
      [65_500, 'Voting closes in', /^1:0\d$/],
      [8_500, 'Last seconds to vote', /^0:0\d$/],
      [-4_000, 'Time is up', /^0:00$/],
    ])('goes by the time of the server: %i', async (leftMs, label, time) => {
      await showClosing(leftMs);
      const timer = within(await screen.findByRole('timer'));
      expect(timer.getByText(label)).toBeInTheDocument();
      expect(timer.getByText(time)).toBeInTheDocument();
    });

    it('is not there without a closing time', async () => {
      await show({ currentQuestion: question });
      expect(await screen.findByText('Voting is open')).toBeInTheDocument();
      expect(screen.queryByRole('timer')).not.toBeInTheDocument();
    });
  });

  it('leaves the page as it is when nothing changed', async () => {
    const state = { currentQuestion: question, voteCount: 7, registerSize: 180 };
    await show(state);
    await screen.findByText('7 of 180');
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    const send = (type: string, data: unknown) => act(() => FakeEventSource.latest.send(type, data, 10));
    send('heartbeat', { version: 10, serverTime: new Date().toISOString() });
    send('connected', presentationState(state));
    send('meeting_update', presentationState(state));
    send('vote_count', { voteCount: 7, registerSize: 180 });
    changes.push(...observer.takeRecords());
    expect(changes.filter(({ target }) => !isClock(target))).toEqual([]);

    act(() => FakeEventSource.latest.send('vote_count', { voteCount: 8, registerSize: 180 }, 11));
    expect(observer.takeRecords(), 'the observer sees changes').not.toEqual([]);
    observer.disconnect();
  });

  it('shows by more than color whether voting is open', async () => {
    await show({ currentQuestion: { ...question, isOpen: false } });
    expect(await screen.findByText('Voting is not open')).toBeInTheDocument();
    expect(screen.queryByText(/votes received/)).not.toBeInTheDocument();
    act(() =>
      FakeEventSource.latest.send(
        'question_activated',
        presentationState({ version: 11, currentQuestion: question, registerSize: 180 }),
        11,
      ),
    );
    expect(screen.getByText('Voting is open')).toBeInTheDocument();
    expect(screen.getByText('0 of 180')).toBeInTheDocument();
  });

  it.each([
    [{ questionType: 'RATING', ratingMax: 10 }, 'Rating (1-10)', 'Rate from 1 to 10'],
    [{ questionType: 'RATING', ratingMax: 5 }, 'Rating (1-5)', 'Rate from 1 to 5'],
    [{ questionType: 'OPEN_TEXT' }, 'Open Text', 'Provide your text response'],
    [{ questionType: 'PERCENTAGE' }, 'Percentage', 'Enter percentage (0-100%)'],
  ] as const)('hints at the answer: %o', async (change, label, hint) => {
    await show({ currentQuestion: { ...question, options: [], ...change } });
    expect(await screen.findByText(hint)).toBeInTheDocument();
    expect(screen.getByText(label)).toBeInTheDocument();
  });

  it('shows big tiles for a yes/no question without options', async () => {
    await show({ currentQuestion: { ...question, options: [] } });
    expect(await screen.findByText('YES')).toBeInTheDocument();
    expect(screen.getByText('NO')).toBeInTheDocument();
  });

  it('shows how to join', async () => {
    await show({});
    expect(await screen.findByText('plenum.test/participant')).toBeInTheDocument();
    expect(screen.getByText('RIVERSIDE')).toBeInTheDocument();
    expect(
      screen.getByRole('img', { name: 'QR code of http://plenum.test/participant/login/riverside' }),
    ).toBeInTheDocument();
  });

  it('keeps the last state with its age when the server is gone', async () => {
    await show({ currentQuestion: question, registerSize: 180 });
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    act(() => FakeEventSource.latest.break());
    expect(
      await screen.findByText(/^No connection, last update (a moment|\d+ seconds) ago$/),
    ).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: question.questionText })).toBeInTheDocument();
  });
});
