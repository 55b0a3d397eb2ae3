import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceDesktopAnalytics, IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ApiError, hintOf, referenceOf } from '../../api/api-error';
import type { Meeting, Question } from '../../api/types';
import { formatNumber } from '../../shared/format';
import { useLinkedId, useLinkedRow } from '../../shared/list/use-linked-row';
import { useRowTask } from '../../shared/list/use-row-task';
import { paths } from '../../shared/paths';
import { questionTypeLabel } from '../../shared/question-types';
import { ruleName, tellsOfHeads } from '../../shared/result/rule-names';
import type { NamedKinds } from '../../shared/result/weight-names';
import { SECRECY_NAMES } from '../../shared/terms/secrecy';
import { type Column, DataTable } from '../../shared/ui/data-table';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { FormPanel } from '../../shared/ui/form-panel';
import { ListFrame } from '../../shared/ui/list-frame';
import { PageHead } from '../../shared/ui/page-head';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { TestMeetingNote } from '../../shared/ui/test-meeting-note';
import { TitleLink } from '../../shared/ui/title-link';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { kindsOfQuestion } from '../../shared/weights/question-kinds';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { meetingQueries } from '../meetings/queries';
import { DeleteQuestionDialog } from './delete-question-dialog';
import { EditQuestionForm } from './edit-question-form';
import { useMoveQuestion } from './mutations';
import { OptionsCell } from './options/options-cell';
import { PasteForm } from './paste/paste-form';
import { questionQueries } from './queries';
import { QuestionActions } from './question-actions';
import { QuestionEditor } from './question-editor';
import classes from './questions-page.module.css';

function columnsOf(
  onEdit: (question: Question) => void,
  kindsOf: (question: Question) => NamedKinds,
): Column<Question>[] {
  return [
    { header: 'Order', align: 'right', onPhone: 'hidden', render: (question) => question.orderIndex },
    {
      header: 'Question',
      onPhone: 'title',
      render: (question) => (
        <div className={classes.question}>
          <TwoLineCell
            main={
              <TitleLink
                to={paths.meetingQuestions(question.meetingId, question.id)}
                onOpen={() => onEdit(question)}
              >
                {question.questionText}
              </TitleLink>
            }
            sub={termsLine(question, kindsOf(question))}
          />
        </div>
      ),
    },
    {
      header: 'Type',
      onPhone: 'fact',
      render: (question) => questionTypeLabel(question.questionType, question.ratingMax),
    },
    { header: 'Options', onPhone: 'fact', render: (question) => <OptionsCell question={question} /> },
  ];
}

const LOADING_COLUMNS = columnsOf(
  () => undefined,
  () => ({}),
);

/** "Decision: simple majority by heads, named vote"; undefined without terms. */
function termsLine(question: Question, kinds: NamedKinds): string | undefined {
  const { decisionRule, quorum, secrecy, countsHeads, groupIds } = question;
  const terms = [
    ...(decisionRule ? [`Decision: ${ruleName(decisionRule, kinds)}`] : []),
    ...(quorum ? ['Own quorum'] : []),
    ...(secrecy === 'unshown' ? [] : [SECRECY_NAMES[secrecy]]),
    ...(countsHeads && tellsOfHeads(decisionRule) ? ['Counted by heads'] : []),
    ...(groupIds.length > 0
      ? [groupIds.length === 1 ? 'For one group' : `For ${groupIds.length} groups`]
      : []),
  ];
  return terms.length > 0 ? terms.join(' · ') : undefined;
}

export function QuestionsPage() {
  const { meetingId = '' } = useParams();
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const moveQuestion = useMoveQuestion(meetingId);
  const [isCreating, creating] = useDisclosure(false);
  const [isPasting, pasting] = useDisclosure(false);
  const task = useRowTask<'edit' | 'delete', Question>();
  useLinkedQuestion(questions, (question) => task.start('edit', question));
  const isMissing = meeting.error instanceof ApiError && meeting.error.status === 404;

  if (isMissing) {
    return (
      <>
        <PageHead title="Questions" back={{ to: paths.clientMeetings, label: 'Back to Meetings' }} />
        <ErrorState title="Meeting not found" hint="It may have been deleted." />
      </>
    );
  }

  return (
    <>
      <PageHead
        title="Questions"
        description={meeting.data?.title ?? '...'}
        back={{ to: paths.clientMeetings, label: 'Back to Meetings' }}
        action={<PageActions meetingId={meetingId} onPaste={pasting.open} onAdd={creating.open} />}
      />
      <TestMeetingNote title={meeting.data?.title} />
      <ListFrame
        heading={questions.data ? `All Questions (${formatNumber(questions.data.length)})` : 'All Questions'}
      >
        {questions.data ? (
          questions.data.length > 0 ? (
            <QuestionTable
              questions={questions.data}
              meeting={meeting.data}
              onMove={moveQuestion}
              onEdit={(question) => task.start('edit', question)}
              onDelete={(question) => task.start('delete', question)}
            />
          ) : (
            <EmptyState
              icon={IconListDetails}
              title="No questions added yet"
              hint="Add your first question to get started"
            />
          )
        ) : questions.isError ? (
          <ErrorState
            title="Failed to load data"
            hint={hintOf(questions.error)}
            reference={referenceOf(questions.error)}
            onRetry={() => void questions.refetch()}
            isRetrying={questions.isFetching}
          />
        ) : (
          <TableSkeleton label="Loading questions..." columns={LOADING_COLUMNS} hasActions />
        )}
      </ListFrame>
      <FormPanel opened={isCreating} onClose={creating.close} title="Add Question" hasPreview>
        <QuestionEditor meetingId={meetingId} question={null} onDone={creating.close} />
      </FormPanel>
      <FormPanel opened={isPasting} onClose={pasting.close} title="Paste Questions">
        <PasteForm meetingId={meetingId} onDone={pasting.close} />
      </FormPanel>
      <FormPanel opened={task.isOn('edit')} onClose={task.end} title="Edit Question" hasPreview>
        {task.row ? (
          <EditQuestionForm
            key={task.row.id}
            meetingId={meetingId}
            questionId={task.row.id}
            onDone={task.end}
          />
        ) : null}
      </FormPanel>
      <DeleteQuestionDialog question={task.row} opened={task.isOn('delete')} onClose={task.end} />
    </>
  );
}

/** Opens the form of the question in the address. The page itself shows that the questions could not be loaded. */
function useLinkedQuestion(
  { data, error }: { data: Question[] | undefined; error: Error | null },
  onFound: (question: Question) => void,
) {
  const linkedId = useLinkedId();
  useLinkedRow(
    { data: data?.find(({ id }) => id === linkedId), error },
    { onFound, onFailed: () => undefined },
  );
}

interface PageActionsProps {
  meetingId: string;
  onPaste: () => void;
  onAdd: () => void;
}

function PageActions({ meetingId, onPaste, onAdd }: PageActionsProps) {
  return (
    <>
      <Button
        component={Link}
        to={paths.meetingControl(meetingId)}
        variant="default"
        leftSection={<IconDeviceDesktopAnalytics size={18} stroke={1.75} aria-hidden="true" />}
      >
        Control
      </Button>
      <Button variant="default" onClick={onPaste}>
        Paste Questions
      </Button>
      <Button onClick={onAdd}>Add Question</Button>
    </>
  );
}

interface QuestionTableProps {
  questions: Question[];
  meeting: Meeting | undefined;
  onMove: ReturnType<typeof useMoveQuestion>;
  onEdit: (question: Question) => void;
  onDelete: (question: Question) => void;
}

function QuestionTable({ questions, meeting, onMove, onEdit, onDelete }: QuestionTableProps) {
  const kinds = useWeightKinds();
  return (
    <DataTable
      label="All Questions"
      columns={columnsOf(onEdit, (question) => kindsOfQuestion(question, meeting, kinds))}
      rows={questions}
      rowKey={(question) => question.id}
      onDrop={(question, to) => onMove(question.id, to)}
      actions={(question) => (
        <QuestionActions
          question={question}
          isFirst={question.id === questions[0]?.id}
          isLast={question.id === questions.at(-1)?.id}
          onMove={(direction) => onMove(question.id, direction)}
          onEdit={() => onEdit(question)}
          onDelete={() => onDelete(question)}
        />
      )}
    />
  );
}
