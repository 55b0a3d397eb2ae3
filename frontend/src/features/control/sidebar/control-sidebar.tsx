import type { Meeting, Question, Round } from '../../../api/types';
import type { LiveState } from '../../../shared/live/live-events';
import type { Live } from '../../../shared/live/use-live-connection';
import { completedCount } from '../agenda/agenda-state';
import type { Panel } from '../control-panels';
import { QuorumMeter } from '../quorum/quorum-meter';
import { SecondCall } from '../quorum/second-call';
import { ActiveParticipants } from './active-participants';
import { LiveCounts } from './live-counts';
import { PresentationPreview } from './presentation-preview';
import { QuickActions } from './quick-actions';

interface ControlSidebarProps {
  meeting: Meeting;
  questions: Question[];
  rounds: Round[];
  live: Live<LiveState>;
  onOpenPanel: (panel: Panel) => void;
}

/** The live figures and the quorum. */
export function LiveFigures({ meeting, questions, rounds, live, onOpenPanel }: ControlSidebarProps) {
  const current = live.state?.currentQuestion ?? null;
  const hasCheckIn = Boolean(live.state?.checkIn);
  const hasQuorum = meeting.quorum !== null || questions.some(({ quorum }) => quorum !== null);
  return (
    <>
      <LiveCounts
        live={live.state}
        completed={completedCount(questions, rounds)}
        total={questions.length}
        onShowMissing={() =>
          current?.roundId &&
          onOpenPanel({ kind: 'missing', questionId: current.id, roundId: current.roundId })
        }
      />
      <QuorumMeter quorum={live.state?.quorum ?? null} isExpected={hasQuorum} hasCheckIn={hasCheckIn} />
      <SecondCall meeting={meeting} questions={questions} />
    </>
  );
}

/** The quick actions, the preview of the presentation, and the connected people. */
export function SideActions({ meeting, questions, rounds, live, onOpenPanel }: ControlSidebarProps) {
  return (
    <>
      <QuickActions
        meetingId={meeting.id}
        onCheckIn={meeting.checkIn === 'ON' ? () => onOpenPanel({ kind: 'check-in' }) : null}
        onInvite={() => onOpenPanel({ kind: 'invitations' })}
        onMinutes={() => onOpenPanel({ kind: 'minutes' })}
      />
      {live.state ? (
        <PresentationPreview
          meeting={meeting}
          rounds={rounds}
          live={live.state}
          questionCount={questions.length}
          connection={live.status}
          lastContactAt={live.lastContactAt}
        />
      ) : null}
      <ActiveParticipants
        participantCount={live.state?.participantCount ?? 0}
        hasCheckIn={Boolean(live.state?.checkIn)}
        connection={live.status}
      />
    </>
  );
}
