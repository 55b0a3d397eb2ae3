import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paperPath } from '../../../shared/paper-votes/paper-path';
import { paths } from '../../../shared/paths';
import { proxiesPath } from '../../../shared/proxies-path';
import { ExportResultsMenu } from '../../../shared/result/export-results-menu';
import classes from './quick-actions.module.css';

interface QuickActionsProps {
  meetingId: string;
  /** Null in a meeting without check-in. */
  onCheckIn: (() => void) | null;
  onInvite: () => void;
  onMinutes: () => void;
}

/** Links and actions. Two are next to each other, so that they are visible together with the figures above. */
export function QuickActions({ meetingId, onCheckIn, onInvite, onMinutes }: QuickActionsProps) {
  return (
    <section className={classes.card} aria-labelledby="quick-actions">
      <h2 id="quick-actions" className={classes.title}>
        Quick Actions
      </h2>
      <div className={classes.actions}>
        <Button component={Link} to={paths.meetingQuestions(meetingId)} variant="default">
          Manage Questions
        </Button>
        {onCheckIn ? (
          <Button variant="default" onClick={onCheckIn}>
            Check-in
          </Button>
        ) : null}
        <Button component={Link} to={paperPath(meetingId)} variant="default">
          Votes on Paper
        </Button>
        <Button component={Link} to={proxiesPath(meetingId)} variant="default">
          Proxies
        </Button>
        <Button variant="default" onClick={onInvite}>
          Send Invitations
        </Button>
        <Button variant="default" onClick={onMinutes}>
          Minutes
        </Button>
        <Button component={Link} to={paths.clientMeetingResults(meetingId)} variant="default">
          Results
        </Button>
        <Button component={Link} to={paths.meetingReadiness(meetingId)} variant="default">
          Readiness Check
        </Button>
        <ExportResultsMenu meetingId={meetingId} isStacked />
      </div>
    </section>
  );
}
