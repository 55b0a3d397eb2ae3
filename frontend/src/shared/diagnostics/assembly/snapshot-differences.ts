import type { Question } from '../../../api/types';
import type { LiveState, PresentationState } from '../../live/live-events';
import type { Received } from './stream-watch';

/** Returns the differences between a screen and the organizer's data, a sentence each. */
export function shownDifferences(
  who: string,
  shown: LiveState['currentQuestion'],
  question: Question,
): string[] {
  return compared(who, question, {
    text: shown?.text,
    type: shown?.questionType,
    options: shown?.options,
    'largest rating': shown?.ratingMax,
    'limit of choices': shown?.maxChoices,
    place: shown?.orderIndex,
    open: shown?.isActive,
  });
}

export function presentationDifferences(
  who: string,
  shown: PresentationState['currentQuestion'],
  question: Question,
): string[] {
  return compared(who, question, {
    text: shown?.questionText,
    type: shown?.questionType,
    options: shown?.options,
    'largest rating': shown?.ratingMax,
    'limit of choices': shown?.maxChoices,
    place: shown?.orderIndex,
    open: shown?.isOpen,
  });
}

function compared(who: string, question: Question, shown: Record<string, unknown>): string[] {
  const wanted: Record<string, unknown> = {
    text: question.questionText,
    type: question.questionType,
    options: question.optionsList.map(({ text }) => text),
    'largest rating': question.ratingMax,
    'limit of choices': question.maxChoices,
    place: question.orderIndex,
    open: true,
  };
  return Object.entries(wanted).flatMap(([name, value]) => {
    const [found, expected] = [JSON.stringify(shown[name] ?? null), JSON.stringify(value ?? null)];
    return found === expected
      ? []
      : [`${capital(who)} showed “${question.questionText}” with ${name} ${found} instead of ${expected}.`];
  });
}

/** The events of one question, in the order in which every screen must receive them. */
const OF_A_QUESTION = ['question_activated', 'vote_count', 'question_deactivated', 'result_declared'];

/**
 * Compares the order of the received events with the events of `questions` questions. Several counts in a row are
 * treated as one. Events that may come at any time (heartbeats, participants, snapshots) are ignored.
 */
export function orderDifferences(who: string, types: readonly string[], questions: number): string[] {
  const received = types
    .filter((type) => OF_A_QUESTION.includes(type))
    .filter((type, index, all) => type !== 'vote_count' || all[index - 1] !== 'vote_count');
  const expected = Array.from({ length: questions }, () => OF_A_QUESTION).flat();
  const wrong = expected.findIndex((type, index) => received[index] !== type);
  if (wrong === -1 && received.length === expected.length) {
    return [];
  }
  const place = wrong === -1 ? expected.length : wrong;
  const found = received[place] ?? 'nothing';
  return [
    `${capital(who)} received ${found} instead of ${expected[place] ?? 'nothing'} (event ${place + 1}).`,
  ];
}

/**
 * Checks that the vote count on a screen never goes down while a question is open, and never exceeds the votes sent.
 */
export function countDifferences(
  who: string,
  received: readonly Received<{ voteCount: number }>[],
  sent: number,
): string[] {
  let last = 0;
  return received.flatMap(({ type, state }) => {
    if (type !== 'vote_count') {
      last = type === 'question_activated' ? 0 : last;
      return [];
    }
    const before = last;
    last = state.voteCount;
    if (state.voteCount < before) {
      return [`${capital(who)} counted down from ${before} to ${state.voteCount} votes.`];
    }
    return state.voteCount > sent
      ? [`${capital(who)} counted ${state.voteCount} votes, and only ${sent} were sent.`]
      : [];
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
