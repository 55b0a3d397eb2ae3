import { Button, Group, Modal, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Question } from '../../../api/types';
import { focusFirstInvalid } from '../../../shared/focus-first-invalid';
import dialogHead from '../../../shared/ui/dialog-head.module.css';
import { FormError } from '../../../shared/ui/form-error';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useFocusKept } from '../../../shared/use-focus-kept';
import { type ReasonFormValues, reasonFormSchema } from '../steps/reason-form';
import type { Refusal } from '../steps/use-steps';
import classes from './revote-dialog.module.css';

interface RevoteDialogProps {
  /** Null while it is closed. */
  question: Question | null;
  isDeclared: boolean;
  /** The key of its last round is lost, so that round cannot be opened again. */
  isVoid: boolean;
  /** Reasons not to open now: voting on another question, or too few people. */
  warnings: ReactNode;
  isBusy: boolean;
  /** The refusal of the last attempt. */
  refusal: Refusal | null;
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

/** Opens a new round of a question, with a reason that the results contain. */
export function RevoteDialog({ question, onClose, ...props }: RevoteDialogProps) {
  const isOpened = question !== null;
  const returnFocus = useFocusKept(isOpened);
  // A closing dialog still shows its last content.
  const last = useRef(question);
  last.current = question ?? last.current;

  return (
    <Modal.Root opened={isOpened} onClose={onClose} onExitTransitionEnd={returnFocus}>
      <Modal.Overlay />
      <Modal.Content>
        <div className={dialogHead.root}>
          <Modal.Title>Start a re-vote?</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body px="lg" pb="lg">
          {last.current ? <RevoteForm {...props} question={last.current} onClose={onClose} /> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function RevoteForm(props: Omit<RevoteDialogProps, 'question'> & { question: Question }) {
  const { question, isDeclared, isVoid, warnings, isBusy, refusal, onSubmit, onClose } = props;
  const form = useForm<ReasonFormValues>({
    initialValues: { reason: '' },
    validate: schemaResolver(reasonFormSchema, { sync: true }),
  });
  const { setErrors } = form;

  useEffect(() => {
    if (refusal) {
      setErrors(refusal.fields);
    }
  }, [refusal, setErrors]);

  const submit = form.onSubmit(({ reason }) => onSubmit(reason.trim()));

  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        if (isBusy) {
          event.preventDefault();
          return;
        }
        submit(event);
        focusFirstInvalid(event.currentTarget);
      }}
    >
      <p className={classes.subject} dir="auto">
        “{question.questionText}”
      </p>
      <p className={classes.text}>
        A re-vote is a new round with an empty ballot box. The earlier rounds remain visible, with their
        results and this reason.{noteOnLastRound(isDeclared, isVoid)}
      </p>
      {warnings}
      <TextInput
        label="Reason"
        description="For the results and the minutes"
        required
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <FormError message={refusal && !('reason' in refusal.fields) ? refusal.message : null} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton isBusy={isBusy} busyLabel="Opening…">
          Start Re-vote
        </SubmitButton>
      </Group>
    </form>
  );
}

function noteOnLastRound(isDeclared: boolean, isVoid: boolean): string {
  if (isDeclared) {
    return ' The declared result never changes.';
  }
  return isVoid ? ' The round that has ended is void, so it has no result.' : '';
}
