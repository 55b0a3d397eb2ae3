import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { fieldErrorsOf, formErrorOf } from '../../../api/api-error';
import { focusFirstInvalid } from '../../../shared/focus-first-invalid';
import { FormError } from '../../../shared/ui/form-error';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { useExclude } from '../mutations';
import { type ReasonFormValues, reasonFormSchema } from '../steps/reason-form';
import classes from './exclude-voter.module.css';

interface ExcludeVoterProps {
  meetingId: string;
  questionId: string;
  endUserId: string;
  name: string;
}

/** Excludes a listed person from the open question. The row asks for the reason. */
export function ExcludeVoter({ meetingId, questionId, endUserId, name }: ExcludeVoterProps) {
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  const exclude = useExclude(meetingId, questionId);
  const field = useRef<HTMLInputElement>(null);
  const form = useForm<ReasonFormValues>({
    initialValues: { reason: '' },
    validate: schemaResolver(reasonFormSchema, { sync: true }),
  });

  useEffect(() => {
    if (isUnfolded) {
      field.current?.focus();
    }
  }, [isUnfolded]);

  const submit = form.onSubmit(({ reason }) =>
    exclude.mutate(
      { endUserId, reason: reason.trim() },
      {
        onSuccess: fold,
        onError: (error) => form.setErrors(fieldErrorsOf(error)),
      },
    ),
  );

  if (!isUnfolded) {
    return (
      <Button
        ref={opener}
        variant="subtle"
        color="gray"
        size="xs"
        aria-label={`Exclude ${name} from this question`}
        onClick={unfold}
      >
        Exclude
      </Button>
    );
  }
  return (
    <form
      className={classes.root}
      noValidate
      aria-label={`Exclude ${name} from this question`}
      onSubmit={(event) => {
        if (exclude.isPending) {
          event.preventDefault();
          return;
        }
        submit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      <TextInput
        ref={field}
        label="Reason"
        description="For the log of the round, the results and the minutes"
        required
        {...form.getInputProps('reason')}
      />
      <FormError
        message={exclude.isError ? formErrorOf(exclude.error, 'Failed to exclude', form.values) : null}
      />
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={fold}>
          Cancel
        </Button>
        <SubmitButton size="xs" isBusy={exclude.isPending} busyLabel="Excluding…">
          Exclude from this question
        </SubmitButton>
      </div>
    </form>
  );
}
