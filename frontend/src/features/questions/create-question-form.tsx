import { NativeSelect, NumberInput, SegmentedControl, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { fieldErrorsOf, formErrorOf } from '../../api/api-error';
import type { QuestionType } from '../../api/types';
import { FieldRow } from '../../shared/ui/field-row';
import { PanelForm } from '../../shared/ui/panel-form';
import { toast } from '../../shared/ui/toast';
import { useCreateQuestion } from './mutations';
import { OptionsEditor } from './options-editor';
import {
  type CreateQuestionFormValues,
  createQuestionFormSchema,
  defaultOptions,
  hasOptions,
  questionTypes,
  toCreateQuestionBody,
} from './question-form';

interface CreateQuestionFormProps {
  meetingId: string;
  onDone: () => void;
}

export function CreateQuestionForm({ meetingId, onDone }: CreateQuestionFormProps) {
  const createQuestion = useCreateQuestion();
  const form = useForm<CreateQuestionFormValues>({
    initialValues: {
      questionType: 'YES_NO',
      questionText: '',
      options: defaultOptions('YES_NO'),
      ratingMax: '5',
      maxChoices: '',
    },
    validate: schemaResolver(createQuestionFormSchema, { sync: true }),
  });
  const { questionType, options, ratingMax } = form.values;

  function handleTypeChange(type: QuestionType) {
    form.setValues({ questionType: type, options: defaultOptions(type) });
    form.clearErrors();
  }

  const handleSubmit = form.onSubmit((values) => {
    createQuestion.mutate(toCreateQuestionBody(meetingId, values), {
      onSuccess: () => {
        toast.success('Question created successfully');
        onDone();
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    });
  });

  return (
    <PanelForm
      onSubmit={handleSubmit}
      onCancel={onDone}
      submitLabel="Create Question"
      busyLabel="Creating..."
      isBusy={createQuestion.isPending}
      error={
        createQuestion.isError
          ? formErrorOf(createQuestion.error, 'Failed to create question', form.values)
          : null
      }
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
          onChange={(changed) => {
            form.setFieldValue('options', changed);
            form.clearFieldError('options');
          }}
        />
      ) : null}
      {questionType === 'MULTIPLE_CHOICE' ? (
        <NumberInput
          label="Most choices per voter"
          description="Left empty, a voter may tick as many options as there are."
          placeholder="Unlimited"
          min={1}
          allowDecimal={false}
          allowNegative={false}
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
    </PanelForm>
  );
}
