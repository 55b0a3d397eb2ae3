import { schemaResolver, useForm } from '@mantine/form';
import type { FormEvent } from 'react';
import { ApiError, fieldErrorsOf, formErrorOf } from '../../api/api-error';
import type { Question, QuestionType, Secrecy } from '../../api/types';
import type { QuorumFields } from '../../shared/terms/quorum-form';
import { withoutErrorsAt } from '../../shared/terms/terms-errors';
import { toast } from '../../shared/ui/toast';
import { useRefusedFields } from '../../shared/use-refused-fields';
import type { DecisionFields } from './decision/decision-form';
import { placedErrors, shownTerms } from './decision/terms-fields';
import type { ElectionFields } from './election/election-form';
import { withPasted } from './election/parse-candidates';
import { useCreateQuestion, useUpdateQuestion } from './mutations';
import {
  defaultOptions,
  fromQuestion,
  groupsPart,
  newQuestion,
  noTerms,
  type QuestionFormValues,
  questionFormSchema,
  toCreateQuestionBody,
  toUpdateQuestionBody,
  weightsPart,
} from './question-form';

export interface QuestionFormOptions {
  meetingId: string;
  /** Null for a new question. */
  question: Question | null;
  onDone: () => void;
}

export type QuestionChanges = ReturnType<typeof changesOf>;
export type QuestionForm = ReturnType<typeof useQuestionForm>['form'];

/** The values of the question form, its checks, and the calls that store the question or a copy of it. */
export function useQuestionForm({ meetingId, question, onDone }: QuestionFormOptions) {
  const createQuestion = useCreateQuestion();
  const updateQuestion = useUpdateQuestion();
  const form = useForm<QuestionFormValues>({
    initialValues: question ? fromQuestion(question) : newQuestion(),
    validate: schemaResolver(questionFormSchema, { sync: true }),
  });
  const refused = useRefusedFields(form);

  function handlersOf(message: string) {
    return {
      onSuccess: () => {
        toast.success(message);
        onDone();
      },
      onError: (error: Error) => refused.refuse(placedErrors(fieldErrorsOf(error), form.getValues())),
    };
  }

  const submit = form.onSubmit((values) => {
    createQuestion.reset();
    if (question) {
      updateQuestion.mutate(
        {
          questionId: question.id,
          body: {
            ...toUpdateQuestionBody(values),
            ...groupsPart(values, question),
            ...weightsPart(values, question),
          },
        },
        handlersOf('Question updated successfully'),
      );
    } else {
      createQuestion.mutate(
        toCreateQuestionBody(meetingId, values),
        handlersOf('Question created successfully'),
      );
    }
  }, refused.merge);

  /** Stores the values as a new question. The question with votes stays unchanged. */
  const copy = form.onSubmit(
    (values) =>
      createQuestion.mutate(
        toCreateQuestionBody(meetingId, values),
        handlersOf('Question duplicated successfully'),
      ),
    refused.merge,
  );

  /** Names that were pasted and not yet added are saved with the others. */
  function addPasted() {
    const { election } = form.getValues();
    if (election.pasted !== '') {
      form.setFieldValue('election', withPasted(election));
    }
  }

  const createFailure = question ? 'Failed to duplicate question' : 'Failed to create question';
  return {
    form,
    handleSubmit: (event?: FormEvent<HTMLFormElement>) => {
      addPasted();
      submit(event);
    },
    handleCopy: () => {
      addPasted();
      copy();
    },
    isBusy: createQuestion.isPending || updateQuestion.isPending,
    /** The question has votes, so the server refuses to change it. */
    isFrozen: updateQuestion.error instanceof ApiError && updateQuestion.error.code === 'question_has_votes',
    error:
      errorOf(createQuestion.error, createFailure, form.values) ??
      errorOf(updateQuestion.error, 'Failed to update question', form.values),
  };
}

/** The error of the form as a whole. Errors of fields are shown at the fields. */
function errorOf(error: Error | null, failure: string, values: QuestionFormValues): string | null {
  return error && formErrorOf(error, failure, { ...values, ...shownTerms(fieldErrorsOf(error)) });
}

/** Sets the fields that depend on each other, and clears the errors that no longer apply. */
export function changesOf(form: QuestionForm) {
  return {
    setType: (type: QuestionType) => {
      form.setValues({
        questionType: type,
        options: defaultOptions(type),
        decision: noTerms.decision,
      });
      form.clearErrors();
    },
    setElection: (election: ElectionFields) => {
      form.setFieldValue('election', election);
      form.setErrors((errors) => withoutErrorsAt(withoutErrorsAt(errors, 'decisionRule'), 'options'));
    },
    setDecision: (decision: DecisionFields) => {
      form.setFieldValue('decision', decision);
      form.setErrors((errors) => withoutErrorsAt(errors, 'decisionRule'));
    },
    setQuorum: (quorum: QuorumFields) => {
      form.setFieldValue('quorum', quorum);
      form.setErrors((errors) => withoutErrorsAt(errors, 'quorum'));
    },
    setSecrecy: (secrecy: Secrecy) => form.setFieldValue('secrecy', secrecy),
    setCountsHeads: (countsHeads: boolean) => form.setFieldValue('countsHeads', countsHeads),
    setWeights: (weights: Partial<Pick<QuestionFormValues, 'weightKindId' | 'secondWeightKindId'>>) => {
      form.setValues(weights);
      form.setErrors((errors) =>
        Object.keys(weights).reduce<typeof errors>(withoutErrorsAt, withoutErrorsAt(errors, 'decisionRule')),
      );
    },
  };
}
