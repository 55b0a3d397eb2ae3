import { useQueryClient } from '@tanstack/react-query';
import type { Question } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { resultQueries } from '../../shared/result/queries';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import { roundQueries } from './queries';
import type { VoteTrail } from './question/recent-votes';
import { changedWords, closedByItself } from './steps/step-descriptions';
import type { Notice } from './steps/step-notice';

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

  function followLiveChange(previous: LiveState | null, next: LiveState) {
    trail.note(previous, next);
    if (previous !== null && previous.step !== next.step) {
      handleStep(previous, next);
    }
    handleQuestionChange(previous?.currentQuestion, next.currentQuestion);
    if (previous !== null && previous.status !== next.status) {
      void queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    }
  }

  function handleStep(previous: LiveState, next: LiveState) {
    onStep();
    // A result may also have been declared for a question that is not on the screen.
    refreshRounds();
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
    if (now && !questions.some(({ id }) => id === now.id)) {
      void queryClient.invalidateQueries({ queryKey: questionQueries.ofMeeting(meetingId).queryKey });
    }
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
