import { Button, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { ApiError, fieldErrorsOf, formErrorOf } from '../../api/api-error';
import type { Question, QuestionType } from '../../api/types';
import type { QuorumFields } from '../../shared/terms/quorum-form';
import { withoutErrorsAt } from '../../shared/terms/terms-errors';
import { FieldRow } from '../../shared/ui/field-row';
import { NumberField } from '../../shared/ui/number-field';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import { meetingQueries } from '../meetings/queries';
import type { DecisionFields } from './decision/decision-form';
import { DecisionSection } from './decision/decision-section';
import { placedErrors, shownTerms } from './decision/terms-fields';
import { useCreateQuestion, useUpdateQuestion } from './mutations';
import { OptionsEditor } from './options/options-editor';
import classes from './question-editor.module.css';
import {
  defaultOptions,
  fromQuestion,
  hasOptions,
  maxChoicesRule,
  newQuestion,
  noTerms,
  type QuestionFormValues,
  questionFormSchema,
  questionTypes,
  toCreateQuestionBody,
  toUpdateQuestionBody,
} from './question-form';

interface QuestionEditorProps {
  meetingId: string;
  /** Null for a question that is being made. */
  question: Question | null;
  onDone: () => void;
}

/** The form of a question, new or not. */
export function QuestionEditor({ meetingId, question, onDone }: QuestionEditorProps) {
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const createQuestion = useCreateQuestion();
  const updateQuestion = useUpdateQuestion();
  const form = useForm<QuestionFormValues>({
    initialValues: question ? fromQuestion(question) : newQuestion(),
    validate: schemaResolver(questionFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);
  const { questionType, options, ratingMax } = form.values;
  const isBusy = createQuestion.isPending || updateQuestion.isPending;
  const isFrozen =
    updateQuestion.error instanceof ApiError && updateQuestion.error.code === 'question_has_votes';

  function handleTypeChange(type: QuestionType) {
    form.setValues({ questionType: type, options: defaultOptions(type), decision: noTerms.decision });
    form.clearErrors();
  }

  function handleDecisionChange(decision: DecisionFields) {
    form.setFieldValue('decision', decision);
    form.setErrors((errors) => withoutErrorsAt(errors, 'decisionRule'));
  }

  function handleQuorumChange(quorum: QuorumFields) {
    form.setFieldValue('quorum', quorum);
    form.setErrors((errors) => withoutErrorsAt(errors, 'quorum'));
  }

  function handlersOf(message: string) {
    return {
      onSuccess: () => {
        toast.success(message);
        onDone();
      },
      onError: (error: Error) => refused.refuse(placedErrors(fieldErrorsOf(error), form.getValues())),
    };
  }

  const handleSubmit = form.onSubmit((values) => {
    createQuestion.reset();
    if (question) {
      updateQuestion.mutate(
        { questionId: question.id, body: toUpdateQuestionBody(values) },
        handlersOf('Question updated successfully'),
      );
    } else {
      createQuestion.mutate(
        toCreateQuestionBody(meetingId, values),
        handlersOf('Question created successfully'),
      );
    }
  }, refused.merge);

  /** What was typed becomes a question of its own; the one with the votes stays as it is. */
  const handleCopy = form.onSubmit(
    (values) =>
      createQuestion.mutate(
        toCreateQuestionBody(meetingId, values),
        handlersOf('Question duplicated successfully'),
      ),
    refused.merge,
  );

  const error = createQuestion.isError
    ? formErrorOf(
        createQuestion.error,
        question ? 'Failed to duplicate question' : 'Failed to create question',
        { ...form.values, ...shownTerms(fieldErrorsOf(createQuestion.error)) },
      )
    : updateQuestion.isError
      ? formErrorOf(updateQuestion.error, 'Failed to update question', {
          ...form.values,
          ...shownTerms(fieldErrorsOf(updateQuestion.error)),
        })
      : null;

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel={question ? 'Update Question' : 'Create Question'}
      busyLabel={question ? 'Updating...' : 'Creating...'}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={error}
    >
      <NativeSelect
        label="Question Type"
        data={questionTypes}
        data-autofocus
        value={questionType}
        error={form.errors.questionType}
        onChange={(event) => handleTypeChange(event.currentTarget.value as QuestionType)}
      />
      <Textarea
        label="Question Text"
        placeholder="Enter your question..."
        autosize
        minRows={3}
        maxRows={10}
        {...form.getInputProps('questionText')}
      />
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
          label="Most choices per voter"
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
      <DecisionSection
        key={`decision-${questionType}`}
        values={form.values}
        meetingQuorum={meeting.data?.quorum}
        errors={form.errors}
        onDecisionChange={handleDecisionChange}
        onQuorumChange={handleQuorumChange}
        onNamedChange={(isNamed) => form.setFieldValue('isNamed', isNamed)}
      />
      {isFrozen ? (
        <div className={classes.copy}>
          <p className={classes.hint}>
            The votes belong to the question as it was asked. Your changes can become a new question at the
            end of the agenda.
          </p>
          <Button
            variant="default"
            leftSection={<IconCopy size={16} stroke={1.75} aria-hidden="true" />}
            aria-disabled={isBusy || undefined}
            onClick={() => {
              if (!isBusy) {
                handleCopy();
              }
            }}
          >
            Save as Copy
          </Button>
        </div>
      ) : null}
    </PanelForm>
  );
}
