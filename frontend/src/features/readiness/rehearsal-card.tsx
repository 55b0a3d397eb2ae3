import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { LiveState, RehearsalReport } from '../../api/types';
import { BusyButton } from '../../shared/ui/busy-button';
import { Card } from '../../shared/ui/card';
import { ConfirmDialog } from '../../shared/ui/confirm-dialog';
import { LoadError } from '../../shared/ui/load-error';
import { WarningNote } from '../../shared/ui/warning-note';
import { useDiscardRehearsal, useEndRehearsal, useStartRehearsal } from './mutations';
import { isRunning } from './queries';
import classes from './readiness.module.css';
import { advice, standingWords } from './readiness-text';
import { RehearsalFigures } from './rehearsal-figures';

interface RehearsalCardProps {
  meetingId: string;
  state: LiveState;
  report: UseQueryResult<RehearsalReport>;
}

/** A rehearsal with the phones of all voters. */
export function RehearsalCard({ meetingId, state, report }: RehearsalCardProps) {
  return (
    <Card
      title="Rehearsal"
      description="Everybody who is connected to this meeting sees on their phone that this is a rehearsal in which nothing is counted, and is asked to tap a button once. It is part of no result and no export."
    >
      {report.data ? (
        <Rehearsing meetingId={meetingId} state={state} report={report.data} />
      ) : report.isError ? (
        <LoadError
          message={messageOf(report.error, 'The rehearsal could not be loaded')}
          onRetry={() => void report.refetch()}
          isRetrying={report.isFetching}
        />
      ) : (
        <div role="status">
          <VisuallyHidden>Loading the rehearsal...</VisuallyHidden>
          <Skeleton height={36} />
          <Skeleton height={160} mt="md" />
        </div>
      )}
    </Card>
  );
}

interface RehearsingProps {
  meetingId: string;
  state: LiveState;
  report: RehearsalReport;
}

function Rehearsing({ meetingId, state, report }: RehearsingProps) {
  const isOn = isRunning(report);
  const obstacle = isOn ? null : obstacleTo(state);

  return (
    <div className={classes.part}>
      <p className={classes.standing} role="status">
        {standingWords(report.rehearsal)}
      </p>
      <Steps meetingId={meetingId} report={report} isOn={isOn} obstacle={obstacle} />
      <ul className={classes.advice} aria-label="What to do">
        {advice(report).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <RehearsalFigures report={report} />
    </div>
  );
}

interface StepsProps {
  meetingId: string;
  report: RehearsalReport;
  isOn: boolean;
  obstacle: string | null;
}

function Steps({ meetingId, report, isOn, obstacle }: StepsProps) {
  const start = useStartRehearsal(meetingId);
  const end = useEndRehearsal(meetingId);
  const discard = useDiscardRehearsal(meetingId);
  const [isAsking, setIsAsking] = useState(false);

  return (
    <>
      <div className={classes.steps}>
        {obstacle === null ? (
          // One button for both actions, so that the focus is not lost. It stays busy until the screen has changed.
          <BusyButton
            variant={isOn ? 'default' : 'filled'}
            isBusy={start.isPending || end.isPending}
            busyLabel={start.isPending ? 'Starting...' : 'Ending...'}
            onClick={() => (isOn ? end.mutate() : start.mutate())}
          >
            {isOn ? 'End Rehearsal' : 'Start Rehearsal'}
          </BusyButton>
        ) : (
          <Button disabled aria-describedby="rehearsal-obstacle">
            Start Rehearsal
          </Button>
        )}
        {report.rehearsal ? (
          <Button variant="subtle" color="gray" onClick={() => setIsAsking(true)}>
            Discard
          </Button>
        ) : null}
      </div>
      {obstacle === null ? null : <WarningNote id="rehearsal-obstacle">{obstacle}</WarningNote>}
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setIsAsking(false)}
        title="Discard this rehearsal?"
        confirmLabel="Discard rehearsal"
        isDangerous
        onConfirm={() => discard.mutateAsync()}
      >
        {isOn ? 'It ends on all phones, and who answered' : 'Who answered'} is forgotten. Nothing else
        changes.
      </ConfirmDialog>
    </>
  );
}

function obstacleTo({ status, currentQuestion }: LiveState): string | null {
  if (currentQuestion?.isActive) {
    return 'Not now: voting on a question is open in this meeting. A rehearsal can be held when it has ended.';
  }
  if (status === 'DRAFT') {
    return 'This meeting is a draft, which voters cannot open. A rehearsal can be held once it is scheduled.';
  }
  if (status === 'COMPLETED' || status === 'CANCELLED') {
    return 'The meeting is over. A rehearsal can be held while a meeting is scheduled or running.';
  }
  return null;
}
