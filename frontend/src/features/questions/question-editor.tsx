import { Button, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { QuestionType } from '../../api/types';
import { GroupPicker } from '../../shared/groups/group-picker';
import { hasOptions } from '../../shared/question-types';
import { FieldRow } from '../../shared/ui/field-row';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { meetingQueries } from '../meetings/queries';
import { DecisionSection } from './decision/decision-section';
import { ElectionEditor } from './election/election-editor';
import { OptionsEditor } from './options/options-editor';
import { questionQueries } from './queries';
import classes from './question-editor.module.css';
import { maxChoicesRule, questionTypes } from './question-form';
import { changesOf, type QuestionForm, type QuestionFormOptions, useQuestionForm } from './use-question-form';

/** It needs the voter's screens and the presentation, which the other parts of the portal do not load. */
const QuestionPreview = lazy(() => import('./preview/question-preview'));

/** The form of a new or a stored question, with a preview. */
export function QuestionEditor(props: QuestionFormOptions) {
  const { meetingId, question } = props;
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const { form, handleSubmit, handleCopy, isBusy, isFrozen, error } = useQuestionForm(props);
  const changes = changesOf(form);
  const { questionType } = form.values;
  const others = questions.data?.filter(({ id }) => id !== question?.id).length ?? 0;

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel={question ? 'Update Question' : 'Create Question'}
      busyLabel={question ? 'Updating...' : 'Creating...'}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={error}
      preview={
        <Suspense fallback={null}>
          {meeting.data ? (
            <QuestionPreview
              values={form.values}
              orderIndex={question?.orderIndex ?? others + 1}
              questionCount={others + 1}
              meeting={meeting.data}
            />
          ) : null}
        </Suspense>
      }
    >
      <NativeSelect
        label="Question Type"
        data={questionTypes}
        data-autofocus
        value={questionType}
        error={form.errors.questionType}
        onChange={(event) => changes.setType(event.currentTarget.value as QuestionType)}
      />
      <Textarea
        label="Question Text"
        placeholder="Enter your question..."
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('questionText')}
      />
      <AnswerFields form={form} />
      <DecisionSection
        key={`decision-${questionType}`}
        values={form.values}
        meeting={meeting.data}
        errors={form.errors}
        changes={changes}
      />
      <GroupPicker
        label="Only for groups"
        description="Without one, everybody whom the meeting is for can vote. With some, only their members can."
        {...form.getInputProps('groupIds')}
      />
      {isFrozen ? <CopyOffer isBusy={isBusy} onCopy={handleCopy} /> : null}
    </PanelForm>
  );
}

/** The possible answers: the options and their limit, or the scale. */
function AnswerFields({ form }: { form: QuestionForm }) {
  const { questionType, options, ratingMax, election } = form.values;
  return (
    <>
      {questionType === 'ELECTION' ? (
        <ElectionEditor election={election} errors={form.errors} onChange={changesOf(form).setElection} />
      ) : null}
      {hasOptions(questionType) ? (
        <OptionsEditor
          key={questionType}
          questionType={questionType}
          options={options}
          error={typeof form.errors.options === 'string' ? form.errors.options : undefined}
          onChange={(changed) => form.setFieldValue('options', changed)}
        />
      ) : null}
      {questionType === 'MULTIPLE_CHOICE' ? (
        <NumberField
          label="Maximum choices per voter"
          description="Left empty, a voter may tick as many options as there are."
          placeholder="Unlimited"
          rule={maxChoicesRule(options)}
          {...form.getInputProps('maxChoices')}
        />
      ) : null}
      {questionType === 'RATING' ? (
        <FieldRow legend="Scale" description="Voters give one whole number.">
          <SegmentedControl
            aria-label="Scale"
            value={ratingMax}
            onChange={(value) => form.setFieldValue('ratingMax', value === '10' ? '10' : '5')}
            data={[
              { value: '5', label: '1 to 5' },
              { value: '10', label: '1 to 10' },
            ]}
          />
        </FieldRow>
      ) : null}
    </>
  );
}

/** Offers to store the changes as a new question, if votes prevent a change of this one. */
function CopyOffer({ isBusy, onCopy }: { isBusy: boolean; onCopy: () => void }) {
  return (
    <div className={classes.copy}>
      <p className={classes.hint}>
        The votes belong to the question as it was asked. Your changes can become a new question at the end of
        the agenda.
      </p>
      <Button
        variant="default"
        leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
        aria-disabled={isBusy || undefined}
        onClick={() => {
          if (!isBusy) {
            onCopy();
          }
        }}
      >
        Save as Copy
      </Button>
    </div>
  );
}
