import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconChartBar, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApiError, hintOf, referenceOf } from '../../api/api-error';
import type { MeetingResults } from '../../api/types';
import { MinutesPanel } from '../../shared/minutes/minutes-panel';
import { useRemarkDraft } from '../../shared/minutes/use-remark-draft';
import { paths } from '../../shared/paths';
import { ExportResultsMenu } from '../../shared/result/export-results-menu';
import { resultQueries } from '../../shared/result/queries';
import { Card } from '../../shared/ui/card';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import { useMeetingKind } from '../../shared/weights/use-meeting-kind';
import { Attendance } from './attendance';
import { useLightPrint } from './charts/use-light-print';
import { ClosingRecords } from './closing-records';
import { DamagedRecords } from './damaged-records';
import { MeetingFacts } from './meeting-facts';
import { Overview } from './overview';
import { byQuestion, QuestionResults } from './question-results';
import classes from './results-page.module.css';
import { UncountedRounds } from './uncounted-rounds';

const BACK = { to: paths.clientMeetings, label: 'Back to Meetings' };

/** The results of a meeting: all rounds that have ended, with their details. */
export function ResultsPage() {
  const { meetingId = '' } = useParams();
  const results = useQuery(resultQueries.ofMeeting(meetingId));
  useLightPrint();

  if (results.data) {
    return <Results meetingId={meetingId} results={results.data} />;
  }
  if (results.error instanceof ApiError && results.error.status === 404) {
    return (
      <>
        <PageHead title="Results" back={BACK} />
        <ErrorState title="Meeting not found" hint="It may have been deleted." />
      </>
    );
  }
  return (
    <>
      <PageHead title="Results" description="..." back={BACK} />
      {results.isError ? (
        <ErrorState
          title="Failed to load results"
          hint={hintOf(results.error)}
          reference={referenceOf(results.error)}
          onRetry={() => void results.refetch()}
          isRetrying={results.isFetching}
        />
      ) : (
        <LoadingResults />
      )}
    </>
  );
}

function Results({ meetingId, results }: { meetingId: string; results: MeetingResults }) {
  const { meeting, rounds, attendance, damaged, uncounted, elections } = results;
  const { closings, amendments, closingDamage } = results;
  const questions = byQuestion(rounds);
  const remark = useRemarkDraft(meetingId);
  const kind = useMeetingKind(meetingId);

  return (
    <div className={classes.root}>
      <PageHead
        title="Results"
        description={meeting.title}
        back={BACK}
        action={
          <>
            <Button
              variant="default"
              leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden="true" />}
              onClick={() => window.print()}
            >
              Print
            </Button>
            <ExportResultsMenu meetingId={meetingId} />
          </>
        }
      />
      <TestMeetingNote title={meeting.title} organization={meeting.organization} />
      <MeetingFacts meeting={meeting} kind={kind} />
      {meeting.status === 'ACTIVE' ? (
        <p className={classes.note}>
          The meeting is running. Each question appears here after its votes are counted.
        </p>
      ) : null}
      {damaged.length > 0 ? <DamagedRecords damaged={damaged} /> : null}
      {uncounted.length > 0 ? <UncountedRounds uncounted={uncounted} /> : null}
      {questions.length > 0 ? (
        <>
          {questions.length > 1 ? <Overview questions={questions} /> : null}
          {questions.map((question) => (
            <QuestionResults
              key={question.questionId}
              meetingId={meetingId}
              question={question}
              elections={elections}
            />
          ))}
        </>
      ) : (
        <EmptyState
          icon={IconChartBar}
          title="No results yet"
          hint="Each result appears here as soon as the votes on its question are counted."
        />
      )}
      <Attendance attendance={attendance} rounds={rounds} kind={kind} />
      <ClosingRecords closings={closings} amendments={amendments} closingDamage={closingDamage} />
      <div className={classes.minutes}>
        <Card
          title="Minutes"
          description="Remarks and incidents of the meeting. The exported minutes include them."
        >
          <MinutesPanel meetingId={meetingId} remark={remark} />
        </Card>
      </div>
    </div>
  );
}

function LoadingResults() {
  return (
    <div role="status" className={classes.root}>
      <VisuallyHidden>Loading results...</VisuallyHidden>
      <Skeleton height={96} />
      <Skeleton height={360} />
      <Skeleton height={360} />
    </div>
  );
}
