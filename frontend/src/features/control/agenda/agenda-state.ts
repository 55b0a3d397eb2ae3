import type { Question, Round } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';

export type AgendaState = 'open' | 'shown' | 'ended' | 'next';

/** The state of a question in the agenda. */
export function agendaState(
  question: Pick<Question, 'id'>,
  live: LiveState | null,
  rounds: Round[],
): AgendaState {
  const current = live?.currentQuestion;
  if (current?.id === question.id) {
    return current.isActive ? 'open' : 'shown';
  }
  return endedRounds(rounds, question.id).length > 0 ? 'ended' : 'next';
}

/** The rounds of a question that have ended, the latest first. */
export function endedRounds(rounds: Round[], questionId: string): Round[] {
  return rounds
    .filter((round) => round.questionId === questionId && round.status !== 'OPEN')
    .sort((left, right) => right.number - left.number);
}

/**
 * All rounds of a question, the latest first. The live state knows the open round at once; the list of rounds is loaded
 * a moment later.
 */
export function roundsOf(rounds: Round[], questionId: string, live: LiveState | null): Round[] {
  const current = live?.currentQuestion;
  const openId = current?.id === questionId && current.isActive ? current.roundId : null;
  return rounds
    .filter((round) => round.questionId === questionId)
    .map((round) => (round.id === openId ? { ...round, status: 'OPEN' as const } : round))
    .sort((left, right) => right.number - left.number);
}

/** The state of a round after its end. It can be reopened until it is counted. */
export type RoundEnd = 'ended' | 'counted' | 'declared';

const ENDS: Record<Round['status'], RoundEnd | null> = {
  OPEN: null,
  ENDED: 'ended',
  COUNTED: 'counted',
  DECLARED: 'declared',
};

/** The states of a question that is not open, by the end of its last round. Each has one name on all parts of the screen. */
export const NOT_OPENED = 'not opened yet';
export const END_WORDS: Record<RoundEnd, string> = {
  ended: 'voting closed',
  counted: 'votes counted',
  declared: 'result declared',
};

/** The end of the first of these rounds, which is the latest. Null if it is open, or if there is none. */
export function latestEnd([latest]: Round[]): RoundEnd | null {
  return latest ? ENDS[latest.status] : null;
}

/** The latest of these rounds, if it has uncounted votes. */
export function uncountedRound([latest]: Round[]): Round | null {
  return latest?.status === 'ENDED' && latest.voteCount > 0 ? latest : null;
}

/** The number of questions with a round that has ended. */
export function completedCount(questions: Pick<Question, 'id'>[], rounds: Round[]): number {
  return questions.filter(({ id }) => endedRounds(rounds, id).length > 0).length;
}

/** The question that the panel shows while none is current: the one of the latest round, otherwise the first. */
export function initialQuestionId(questions: Pick<Question, 'id'>[], rounds: Round[]): string | undefined {
  const latest = rounds.reduce<Round | null>(
    (last, round) => (last === null || round.openedAt > last.openedAt ? round : last),
    null,
  );
  return questions.find(({ id }) => id === latest?.questionId)?.id ?? questions[0]?.id;
}
