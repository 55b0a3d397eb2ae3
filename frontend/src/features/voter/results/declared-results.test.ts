import { describe, expect, it } from 'vitest';
import type { VoterResult } from '../../../api/types';
import type { ElectionMethod, ElectionResult } from '../../../shared/elections/election-types';
import { electionResult } from '../../../test/election-samples';
import { liveQuestion, liveState } from '../../../test/live-samples';
import { sampleResult } from '../../../test/result-samples';
import { voterMeeting, voterQuestion } from '../../../test/voter-samples';
import { agendaEntries } from './agenda-entries';
import { latestResult, mayBeDeclared } from './declared-results';
import { ownVoteWords } from './own-vote';

const open = liveQuestion();

describe('whether a result may have been declared', () => {
  it.each([
    ['nothing was done', liveState(), liveState({ version: 11 }), false],
    [
      'votes came in',
      liveState({ currentQuestion: open }),
      liveState({ currentQuestion: open, voteCount: 4 }),
      false,
    ],
    ['voting was opened', liveState(), liveState({ step: 2, currentQuestion: open }), false],
    ['voting was ended', liveState({ currentQuestion: open }), liveState({ step: 2 }), false],
    ['a step was made beside the voting', liveState(), liveState({ step: 2 }), true],
    [
      'the same while another question is open',
      liveState({ currentQuestion: open }),
      liveState({ currentQuestion: open, step: 2 }),
      true,
    ],
    [
      'the end was missed, and what followed',
      liveState({ currentQuestion: open }),
      liveState({ step: 3 }),
      true,
    ],
  ])('%s', (_, previous, next, expected) => {
    expect(mayBeDeclared(previous, next)).toBe(expected);
  });
});

function declared(roundId: string, at: string, changes: Partial<VoterResult['result']> = {}): VoterResult {
  return {
    result: sampleResult({ roundId, status: 'DECLARED', declared: { at, by: 'Maria Keller' }, ...changes }),
    damaged: null,
    hasVoted: false,
    ownVote: null,
  };
}

const first = declared('r1', '2026-11-21T18:10:00Z');
const second = declared('r2', '2026-11-21T18:30:00Z', { questionId: 'q2', position: 2 });

describe('the own vote', () => {
  it.each([
    ['is named in the words of the question', true, ['Yes'], 'You voted: Yes'],
    [
      'of another session is counted and not shown',
      true,
      null,
      'You voted. Only the device and session that you voted with show your answer',
    ],
    ['is said to be missing', false, null, 'You did not vote'],
  ])('%s', (_, hasVoted, ownVote, expected) => {
    const vote = { ...declared('r1', '2026-11-21T18:10:00Z'), hasVoted, ownVote };
    expect(ownVoteWords(vote, undefined)).toBe(expected);
  });
});

describe('the own vote by proxy', () => {
  it.each([
    ['named', ['Yes'], 'The holder of your proxy voted for you: Yes'],
    ['unshown', null, 'The holder of your proxy voted for you'],
    ['secret', null, 'The holder of your proxy voted for you by secret ballot'],
  ] as const)('is not taken for one of the voter, in a question that is %s', (secrecy, ownVote, expected) => {
    const vote = {
      ...declared('r1', '2026-11-21T18:10:00Z', { secrecy }),
      hasVoted: true,
      ownVote: ownVote && [...ownVote],
    };
    const meeting = voterMeeting({ questions: [voterQuestion({ hasVoted: true, votedByProxy: true })] });
    expect(ownVoteWords(vote, meeting)).toBe(expected);
  });
});

describe('the own vote in an election', () => {
  const nobody = { number: 4, name: 'None of the above', line: null, isWithdrawn: false, support: '0' };

  it.each<[ElectionMethod, string, string, Partial<ElectionResult>?]>([
    ['irv', '1:2 2:1 2:3', '1. Tomas Weller, 2. Nadia Brandt, 2. Imani Okoye'],
    ['plurality', '1 3', 'Nadia Brandt, Imani Okoye'],
    ['approval', '4', 'None of the above', { candidates: [...electionResult().candidates, nobody] }],
    [
      'approval',
      '3',
      'None of the above',
      { candidates: [...electionResult().candidates.slice(0, 2), { ...nobody, number: 3 }] },
    ],
    ['per_candidate', '1=yes 2=abstain', 'Nadia Brandt: yes, Tomas Weller: abstain'],
    ['cumulative', '1=1 3=2', 'Nadia Brandt: 1 vote, Imani Okoye: 2 votes'],
    ['score', '2=0 3=5', 'Tomas Weller: 0 points, Imani Okoye: 5 points'],
    [
      'lists',
      'list=2 3',
      'List: Greens, Imani Okoye',
      { lists: [{ list: 2, name: 'Greens', votes: '10', seats: [] }] },
    ],
    ['schulze', 'abstain', 'Abstain'],
    ['borda', 'blank', 'Blank'],
  ])('by %s is shown in words', (method, written, words, change = {}) => {
    const election = electionResult({ method, ...change });
    const round = declared('r1', '2026-11-21T18:10:00Z', { questionType: 'ELECTION', election });
    expect(ownVoteWords({ ...round, hasVoted: true, ownVote: [written] }, undefined)).toBe(
      `You voted: ${words}`,
    );
  });
});

describe('the result that is news', () => {
  it('is the one that was declared last', () => {
    expect(latestResult([second, first], [null])).toBe(second);
    expect(latestResult([], [])).toBeNull();
  });

  it('gives way to a question that was opened later', () => {
    expect(latestResult([first], ['2026-11-21T18:05:00Z', null])).toBe(first);
    expect(latestResult([first], ['2026-11-21T18:15:00Z'])).toBeNull();
  });
});

describe('the list of the agenda', () => {
  const answer = {
    questionId: 'q2',
    text: 'Second?',
    type: 'RATING' as const,
    orderIndex: 2,
    answers: ['4'],
    castAt: null,
    castOn: null,
    votedByProxy: false,
    sealed: null,
  };

  it('joins what was answered and what was declared, in order', () => {
    expect(agendaEntries([answer], [second, first])).toMatchObject([
      { questionId: 'q1', orderIndex: 1, answer: null, results: [first] },
      { questionId: 'q2', orderIndex: 2, answer, results: [second] },
    ]);
  });

  it('keeps the earlier round of a question that was voted on once more', () => {
    const again = declared('r3', '2026-11-21T19:00:00Z', { number: 2 });
    expect(agendaEntries([], [again, first])).toMatchObject([{ questionId: 'q1', results: [first, again] }]);
  });

  it('has a question at the place of its last round', () => {
    const before = declared('r3', '2026-11-21T18:00:00Z', { questionId: 'q3', position: 3 });
    const again = declared('r4', '2026-11-21T19:00:00Z', { questionId: 'q3', position: 1, number: 2 });
    expect(agendaEntries([answer], [again, before])).toMatchObject([
      { questionId: 'q3', orderIndex: 1, results: [before, again] },
      { questionId: 'q2', orderIndex: 2 },
    ]);
  });
});
