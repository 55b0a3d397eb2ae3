import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Meeting, Question, Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { useLiveMeeting } from '../../shared/live/use-live-meeting';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { Agenda } from './agenda';
import { completedCount, endedRounds, restingQuestionId } from './agenda-state';
import classes from './control-desk.module.css';
import { ControlHead } from './control-head';
import { HallCards } from './hall-cards';
import { LiveFigures } from './live-figures';
import { roundQueries } from './queries';
import { QuestionPanel } from './question-panel';
import { RoundResults } from './round-results';
import { StageNote } from './stage-note';
import { WallPreview } from './wall-preview';

interface ControlDeskProps {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
}

/** The stage: the agenda, the question of the moment, and the figures. None of the three ever moves. */
export function ControlDesk({ meeting, questions, rounds }: ControlDeskProps) {
  const queryClient = useQueryClient();
  /** Where the panel stands while no question is current. */
  const [restingId, setRestingId] = useState(() => restingQuestionId(questions, rounds));
  /** A question whose tally is looked at, where it is not the panel's own. */
  const [viewedId, setViewedId] = useState<string | null>(null);
  const live = useLiveMeeting(meeting.id, {
    onChange: handleLiveChange,
    onServerError: (message) => toast.error(message || 'Connection error'),
  });

  function handleLiveChange(previous: LiveState | null, next: LiveState) {
    const before = previous?.currentQuestion;
    const now = next.currentQuestion;
    if (now) {
      // Also when another screen moved it.
      setRestingId(now.id);
    }
    if (before?.id !== now?.id || before?.isActive !== now?.isActive || before?.roundId !== now?.roundId) {
      setViewedId(null);
      void queryClient.invalidateQueries({ queryKey: roundQueries.ofMeeting(meeting.id).queryKey });
    }
    if (previous !== null && previous.status !== next.status) {
      void queryClient.invalidateQueries({ queryKey: meetingQueries.all() });
    }
  }

  const status = live.state?.status ?? meeting.status;
  const current = live.state?.currentQuestion ?? null;
  const panelId = current?.id ?? restingId;
  const index = Math.max(
    0,
    questions.findIndex(({ id }) => id === panelId),
  );
  const question = questions[index];
  const viewed = questions.find(({ id }) => id === viewedId) ?? question;

  return (
    <div className={classes.root}>
      <ControlHead
        meeting={{ ...meeting, status }}
        hasQuestions={questions.length > 0}
        connection={live.status}
        isVotingOpen={current?.isActive ?? false}
        refresh={live.refresh}
      />
      <div className={classes.zones}>
        <Agenda
          questions={questions}
          rounds={rounds}
          live={live.state}
          viewedId={viewed?.id ?? null}
          onView={setViewedId}
        />
        <main className={classes.stage}>
          {status === 'ACTIVE' && question ? (
            <QuestionPanel
              meetingId={meeting.id}
              questions={questions}
              index={index}
              current={current?.id === question.id ? current : null}
              hasEnded={endedRounds(rounds, question.id).length > 0}
              refresh={live.refresh}
            />
          ) : (
            <StageNote status={status} hasQuestions={questions.length > 0} />
          )}
          {viewed ? (
            <RoundResults
              key={viewed.id}
              meetingId={meeting.id}
              question={viewed}
              rounds={endedRounds(rounds, viewed.id)}
              isOpen={current?.id === viewed.id && current.isActive}
            />
          ) : null}
        </main>
        <aside className={classes.figures} aria-label="Live figures">
          <LiveFigures
            live={live.state}
            completed={completedCount(questions, rounds)}
            total={questions.length}
          />
          {live.state ? (
            <WallPreview
              meeting={meeting}
              live={live.state}
              questionCount={questions.length}
              connection={live.status}
              heardAt={live.heardAt}
            />
          ) : null}
          <HallCards meetingId={meeting.id} participantCount={live.state?.participantCount ?? 0} />
        </aside>
      </div>
    </div>
  );
}
