import { Button, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ApiError, hintOf, referenceOf } from '../../api/api-error';
import type { LiveState } from '../../api/types';
import { useListState } from '../../shared/list/use-list-state';
import { paths } from '../../shared/paths';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { SplitGrid } from '../../shared/ui/split-grid';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import { GroupsCard } from './groups-card';
import { JoinLinksButton } from './join-links-button';
import { PeopleList } from './people-list';
import { ProxiesCard } from './proxies-card';
import { type PeopleFilter, readinessQueries } from './queries';
import { QuestionsCard } from './questions-card';
import { RehearsalCard } from './rehearsal-card';
import { SecrecyCard } from './secrecy-card';
import { SimulatedRun } from './simulated-run';
import { WeightsCard } from './weights-card';

const BACK = { to: paths.clientMeetings, label: 'Back to Meetings' };
const FILTERS: PeopleFilter[] = ['answered', 'silent', 'absent', 'never_signed_in', 'cannot_seal'];

/** Checks whether an assembly will work: with a rehearsal on the phones, and with a simulated run on the server. */
export function ReadinessPage() {
  const { meetingId = '' } = useParams();
  const state = useQuery(readinessQueries.state(meetingId));

  if (state.error instanceof ApiError && state.error.status === 404) {
    return (
      <>
        <PageHead title="Readiness Check" back={BACK} />
        <ErrorState title="Meeting not found" hint="It may have been deleted." />
      </>
    );
  }
  if (state.data) {
    return <Readiness key={meetingId} meetingId={meetingId} state={state.data} />;
  }
  return (
    <>
      <PageHead title="Readiness Check" description="..." back={BACK} />
      {state.isError ? (
        <ErrorState
          title="Failed to load the meeting"
          hint={hintOf(state.error)}
          reference={referenceOf(state.error)}
          onRetry={() => void state.refetch()}
          isRetrying={state.isFetching}
        />
      ) : (
        <LoadingReadiness />
      )}
    </>
  );
}

function Readiness({ meetingId, state }: { meetingId: string; state: LiveState }) {
  const list = useListState({ filters: FILTERS });
  const report = useQuery(
    readinessQueries.report(meetingId, {
      page: list.page,
      ...(list.search ? { search: list.search } : {}),
      ...(list.filter ? { status: list.filter } : {}),
    }),
  );

  const isOver = state.status === 'COMPLETED' || state.status === 'CANCELLED';

  return (
    <>
      <PageHead
        title="Readiness Check"
        description={state.title}
        back={BACK}
        action={
          <Group gap="xs">
            <JoinLinksButton
              meeting={{ id: meetingId, title: state.title, hasCheckIn: state.checkIn !== null }}
              isOffered={!isOver && report.data !== undefined && report.data.counts.neverSignedIn > 0}
            />
            <Button component={Link} to={paths.meetingControl(meetingId)} variant="default">
              Control
            </Button>
          </Group>
        }
      />
      <TestMeetingNote title={state.title} />
      {isOver ? null : <QuestionsCard meetingId={meetingId} />}
      <SplitGrid>
        <RehearsalCard meetingId={meetingId} state={state} report={report} />
        <SimulatedRun meetingId={meetingId} state={state} invited={report.data?.counts.invited} />
      </SplitGrid>
      <GroupsCard meetingId={meetingId} />
      <WeightsCard meetingId={meetingId} />
      <SecrecyCard meetingId={meetingId} report={report.data} />
      <ProxiesCard meetingId={meetingId} />
      {report.data ? <PeopleList list={list} report={report} /> : null}
    </>
  );
}

function LoadingReadiness() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the readiness check...</VisuallyHidden>
      <SplitGrid>
        <Skeleton height={360} />
        <Skeleton height={360} />
      </SplitGrid>
      <Skeleton height={360} />
    </div>
  );
}
