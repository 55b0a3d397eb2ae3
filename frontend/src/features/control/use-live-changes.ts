import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Question } from '../../api/types';
import type { LiveQuestion, LiveState } from '../../shared/live/live-events';
import { resultQueries } from '../../shared/result/queries';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import { roundQueries } from './queries';
import type { VoteTrail } from './question/recent-votes';
import { changedWords, closedByItself } from './steps/step-descriptions';
import type { Notice } from './steps/step-notice';

/** Changes to the agenda are no steps, so no event tells of those to a question that is not on the screen. */
const AGENDA_EVERY_MS = 30_000;

interface LiveChangesOptions {
  meetingId: string;
  questions: Question[];
  trail: VoteTrail;
  /** Receives the number of the new step. Returns whether this screen made it. */
  followStep: (step: number) => boolean;
  /** Called after a step: a pending confirmation was based on another state. */
  onStep: () => void;
  onNotice: (notice: Notice | null) => void;
  /** Called when the question with this id is on the screen, also after a step of another screen. */
  onCurrent: (questionId: string) => void;
}

/** Follows the live state: reloads outdated data and reports the steps of other screens. */
export function useLiveChanges(options: LiveChangesOptions) {
  const { meetingId, questions, trail, followStep, onStep, onNotice, onCurrent } = options;
  const queryClient = useQueryClient();
  const agenda = questionQueries.ofMeeting(meetingId);
  useQuery({ ...agenda, refetchInterval: AGENDA_EVERY_MS });

  function followLiveChange(previous: LiveState | null, next: LiveState) {
    trail.note(previous, next);
    if (previous !== null && previous.step !== next.step) {
      handleStep(previous, next);
    }
    handleQuestionChange(previous?.currentQuestion, next.currentQuestion);
    if (previous === null) {
      return;
    }
    if (previous.status !== next.status) {
      void queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    } else if (previous.wholeAt !== next.wholeAt && previous.isDelayed === next.isDelayed) {
      void queryClient.invalidateQueries({ queryKey: meetingQueries.detail(meetingId).queryKey });
    }
  }

  function handleStep(previous: LiveState, next: LiveState) {
    onStep();
    // A result may also have been declared for a question that is not on the screen.
    refreshRounds();
    refreshAgenda();
    void queryClient.invalidateQueries({ queryKey: resultQueries.elections(meetingId).queryKey });
    if (followStep(next.step)) {
      onNotice(null);
      return;
    }
    const text = closedByItself(previous, next)
      ? 'The countdown has ended and voting has closed automatically.'
      : changedWords(previous, next);
    onNotice({ tone: 'info', text });
  }

  function handleQuestionChange(
    before: LiveState['currentQuestion'] | undefined,
    now: LiveState['currentQuestion'],
  ) {
    if (now) {
      onCurrent(now.id);
    }
    if (
      before?.id !== now?.id ||
      before?.isActive !== now?.isActive ||
      before?.roundId !== now?.roundId ||
      before?.declaredRoundId !== now?.declaredRoundId
    ) {
      refreshRounds();
    }
    // Only with a change: an open round keeps its wording, which may differ from the agenda for as long as it is open.
    if (now && !(before && isSameOnScreen(before, now)) && !questions.some((one) => isAsListed(now, one))) {
      refreshAgenda();
    }
  }

  function refreshAgenda() {
    void queryClient.invalidateQueries({ queryKey: agenda.queryKey });
  }

  /** Without the tallies: each end and each declaration has its own cache entry. */
  function refreshRounds() {
    void queryClient.invalidateQueries({
      queryKey: roundQueries.ofMeeting(meetingId).queryKey,
      exact: true,
    });
  }

  return { followLiveChange, refreshRounds };
}

function isSameOnScreen(one: LiveQuestion, other: LiveQuestion): boolean {
  return isSameQuestion(one, other, other.options);
}

/** Whether the agenda has the question as it is on the screen. */
function isAsListed(live: LiveQuestion, { id, questionText, orderIndex, optionsList }: Question): boolean {
  const options = optionsList.map(({ text }) => text);
  return isSameQuestion(live, { id, text: questionText, orderIndex }, options);
}

function isSameQuestion(
  live: LiveQuestion,
  { id, text, orderIndex }: Pick<LiveQuestion, 'id' | 'text' | 'orderIndex'>,
  options: readonly string[],
): boolean {
  return (
    live.id === id &&
    live.text === text &&
    live.orderIndex === orderIndex &&
    live.options.length === options.length &&
    live.options.every((option, place) => option === options[place])
  );
}
