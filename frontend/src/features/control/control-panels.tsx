import { useState } from 'react';
import type { MeetingStatus, Question, Round } from '../../api/types';
import type { LiveState } from '../../shared/live/live-events';
import { MinutesPanel } from '../../shared/minutes/minutes-panel';
import { useRemarkDraft } from '../../shared/minutes/use-remark-draft';
import { AnswersPanel } from './answers/answers-panel';
import { CheckInPanel } from './check-in/check-in-panel';
import { InvitationsPanel } from './invitations/invitations-panel';
import { ExclusionsPanel } from './register/exclusions-panel';
import { MissingVoters } from './register/missing-voters';
import { SidePanel } from './side-panel';

/** A side panel, and its subject. */
export type Panel =
  | { kind: 'missing'; questionId: string; roundId: string }
  | { kind: 'exclusions'; questionId: string }
  | { kind: 'answers'; roundId: string }
  | { kind: 'minutes' }
  | { kind: 'check-in' }
  | { kind: 'invitations' };

interface ControlPanelsProps {
  panel: Panel | null;
  onClose: () => void;
  meetingId: string;
  status: MeetingStatus;
  questions: Question[];
  rounds: Round[];
  live: LiveState | null;
}

/** The side panels of the control view. */
export function ControlPanels(props: ControlPanelsProps) {
  const { panel, onClose, meetingId, status, questions, rounds, live } = props;
  const remark = useRemarkDraft(meetingId);
  // A closing panel still shows its last content.
  const [last, setLast] = useState<Panel | null>(panel);
  if (panel !== null && panel !== last) {
    setLast(panel);
  }

  const current = live?.currentQuestion;
  const question = questions.find(({ id }) => last?.kind === 'exclusions' && id === last.questionId);
  const missingId = last?.kind === 'missing' ? last.roundId : null;
  const isMissingOpen = current?.isActive === true && current.roundId === missingId;
  const missingRound = rounds.find(({ id }) => id === missingId);

  return (
    <>
      <SidePanel
        opened={panel?.kind === 'missing'}
        onClose={onClose}
        title={isMissingOpen ? 'Not voted yet' : 'People who did not vote'}
      >
        {last?.kind === 'missing' ? (
          <MissingVoters
            key={last.roundId}
            meetingId={meetingId}
            questionId={last.questionId}
            roundId={last.roundId}
            voteCount={isMissingOpen ? (live?.voteCount ?? 0) : (missingRound?.voteCount ?? 0)}
            isOpen={isMissingOpen}
          />
        ) : null}
      </SidePanel>
      <SidePanel
        opened={panel?.kind === 'exclusions'}
        onClose={onClose}
        title={`Excluded from question ${question?.orderIndex ?? ''}`}
      >
        {question ? (
          <ExclusionsPanel
            key={question.id}
            meetingId={meetingId}
            question={question}
            isOpen={current?.id === question.id && current.isActive}
          />
        ) : null}
      </SidePanel>
      <SidePanel
        opened={panel?.kind === 'answers'}
        onClose={onClose}
        title="Answers on the presentation"
        size="44rem"
      >
        {last?.kind === 'answers' ? (
          <AnswersPanel key={last.roundId} meetingId={meetingId} roundId={last.roundId} />
        ) : null}
      </SidePanel>
      <SidePanel opened={panel?.kind === 'minutes'} onClose={onClose} title="Minutes">
        <MinutesPanel meetingId={meetingId} remark={remark} />
      </SidePanel>
      <SidePanel opened={panel?.kind === 'check-in'} onClose={onClose} title="Check-in" size="44rem">
        <CheckInPanel meetingId={meetingId} live={live} />
      </SidePanel>
      <SidePanel
        opened={panel?.kind === 'invitations'}
        onClose={onClose}
        title="Send Invitations"
        size="44rem"
      >
        <InvitationsPanel
          meetingId={meetingId}
          meetingTitle={live?.title ?? ''}
          hasCheckIn={Boolean(live?.checkIn)}
          status={status}
        />
      </SidePanel>
    </>
  );
}
