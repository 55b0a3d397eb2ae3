import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconCalendarX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { ApiError, referenceOf } from '../../api/api-error';
import { paths } from '../../shared/paths';
import '../../shared/theme/portal-styles';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { toast } from '../../shared/ui/toast';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import classes from './control-page.module.css';
import { ControlView } from './control-view';
import { roundQueries } from './queries';

export function ControlPage() {
  const { meetingId = '' } = useParams();
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const rounds = useQuery(roundQueries.ofMeeting(meetingId));

  const isMissing = [meeting, questions, rounds].some(
    ({ error }) => error instanceof ApiError && error.status === 404,
  );
  const hasFailed = !isMissing && [meeting, questions, rounds].some(({ isLoadingError }) => isLoadingError);

  useEffect(() => {
    if (hasFailed) {
      toast.error('Failed to load meeting data');
    }
  }, [hasFailed]);

  if (isMissing) {
    return (
      <div className={classes.center}>
        <title>Meeting not found · Plenum</title>
        <EmptyState
          icon={IconCalendarX}
          title="Meeting not found"
          action={<Link to={paths.clientMeetings}>Back to meetings</Link>}
        />
      </div>
    );
  }
  if (hasFailed) {
    return (
      <div className={classes.center}>
        <ErrorState
          title="Failed to load meeting data"
          hint="The meeting continues. Only this screen could not be loaded."
          reference={referenceOf([meeting, questions, rounds].find(({ error }) => error)?.error)}
          isRetrying={meeting.isFetching || questions.isFetching || rounds.isFetching}
          onRetry={() => void Promise.all([meeting.refetch(), questions.refetch(), rounds.refetch()])}
        />
      </div>
    );
  }
  if (!meeting.data || !questions.data || !rounds.data) {
    return <LoadingControl />;
  }
  return (
    <ControlView key={meetingId} meeting={meeting.data} questions={questions.data} rounds={rounds.data} />
  );
}

function LoadingControl() {
  return (
    <div className={classes.loading} role="status">
      <VisuallyHidden>Loading meeting control...</VisuallyHidden>
      <Skeleton height={88} />
      <div className={classes.loadingZones}>
        <Skeleton height={420} />
        <Skeleton height={420} />
        <Skeleton height={420} />
      </div>
    </div>
  );
}
