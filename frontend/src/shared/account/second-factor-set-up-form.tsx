import { Button, Group } from '@mantine/core';
import { formErrorOf } from '../../api/api-error';
import type { SecondFactorSetUp } from '../../api/types';
import { QrCode } from '../presentation/qr-code';
import { CodeInput } from '../sign-in/code-input';
import { isCodeWrong, WRONG_CODE } from '../sign-in/second-factor-errors';
import { CopyButton } from '../ui/copy-button';
import { FormError } from '../ui/form-error';
import { SubmitButton } from '../ui/submit-button';
import { useCheckedField } from '../use-checked-field';
import classes from './account.module.css';
import { useConfirmSecondFactor } from './mutations';

interface SecondFactorSetUpFormProps {
  setUp: SecondFactorSetUp;
  onConfirmed: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Shows the secret for an authenticator app, and asks for a code to confirm it. */
export function SecondFactorSetUpForm({ setUp, onConfirmed, onCancel }: SecondFactorSetUpFormProps) {
  const confirm = useConfirmSecondFactor();
  const { isPending, error } = confirm;
  const field = useCheckedField({
    error,
    isPending,
    problemOf: (refusal) => (isCodeWrong(refusal) ? WRONG_CODE : null),
    isEmpty: (code) => code.trim() === '',
    emptyMessage: 'Enter the code',
    onSubmit: (code) =>
      confirm.mutate({ code }, { onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes) }),
  });

  const failure = error && !isCodeWrong(error) ? error : null;
  return (
    <form className={classes.form} noValidate onSubmit={field.handleSubmit}>
      <p className={classes.text}>
        Scan this with an authenticator app on your phone, or type the key into it. Then enter the code that
        it shows.
      </p>
      <QrCode text={setUp.uri} label="QR code for your authenticator app" />
      <div className={classes.key}>
        <span className={classes.keyLabel}>Key</span>
        <code className={classes.keyText}>{groupsOf(setUp.secret)}</code>
        <CopyButton text={setUp.secret} label="Copy the key" />
      </div>
      <FormError message={failure ? formErrorOf(failure, 'Failed to turn it on', {}) : null} />
      <CodeInput
        ref={field.ref}
        value={field.value}
        error={field.problem}
        takesRecoveryCode={false}
        onChange={field.handleChange}
      />
      <Group gap="xs">
        <SubmitButton isBusy={isPending} busyLabel="Checking...">
          Turn on
        </SubmitButton>
        {/* The response may have the recovery codes, which are shown once. */}
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}

/** In groups of four, as people read it out. */
function groupsOf(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? secret;
}
