import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ApiError } from '../../api/api-error';
import type { Meeting, Question, Round } from '../../api/types';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { VoteTrail } from './question/recent-votes';
import { useQuestionSelection } from './question/use-question-selection';
import { stepOrders } from './steps/step-commands';
import type { Notice } from './steps/step-notice';
import { useSteps } from './steps/use-steps';
import { useLiveChanges } from './use-live-changes';
import { useQuestionActions } from './use-question-actions';

export interface ControlData {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
}

export type Control = ReturnType<typeof useControl>;

/** The state of the control view, and its actions. */
export function useControl(data: ControlData) {
  const { meeting, questions, rounds } = data;
  const [notice, setNotice] = useState<Notice | null>(null);
  const [trail] = useState(() => new VoteTrail());
  const orders = useMemo(() => stepOrders(meeting.id), [meeting.id]);
  const live = useLiveMeeting(meeting.id, {
    onChange: (previous, next) => followLiveChange(previous, next),
    onServerError: (message) => toast.error(message || 'Connection error'),
  });
  const steps = useSteps(meeting.id, live.refresh);
  const status = live.state?.status ?? meeting.status;
  const step = live.state?.step ?? meeting.step;
  const current = live.state?.currentQuestion ?? null;
  const selection = useQuestionSelection(questions, rounds, current, status === 'ACTIVE');
  const { followLiveChange, refreshRounds } = useLiveChanges({
    meetingId: meeting.id,
    questions,
    trail,
    followStep: steps.followStep,
    onStep: () => actions.confirmedSteps.cancel(),
    onNotice: setNotice,
    onCurrent: selection.followCurrent,
  });
  const actions = useQuestionActions({
    ...data,
    live,
    status,
    step,
    current,
    trail,
    steps,
    orders,
    selection,
    onAttempt: () => setNotice(null),
    refreshRounds,
  });
  useRefusedMeeting(live.refusal);

  return { live, status, step, current, steps, orders, selection, notice, ...actions };
}

/**
 * Fetches the meetings again after the server refused the stream: the meeting is deleted, and the page then shows that.
 */
function useRefusedMeeting(refusal: ApiError | null) {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (refusal !== null) {
      void queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    }
  }, [refusal, queryClient]);
}
