import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { publicApi, unwrap } from '../../../api/client';
import { FormError } from '../../../shared/ui/form-error';
import { SubmitButton } from '../../../shared/ui/submit-button';
import classes from './join-shell.module.css';

/** The time before another code can be requested: mails need a moment. */
const AGAIN_AFTER_S = 30;

interface JoinCodeStepProps {
  token: string;
  /** The masked address: "a…@example.org". */
  address: string;
  isBusy: boolean;
  /** The reason why the last code did not sign in. */
  refusal: string | null;
  onSubmit: (code: string) => void;
}

/** Asks for the code that was mailed to the owner of the link. The first one was requested before. */
export function JoinCodeStep({ token, address, isBusy, refusal, onSubmit }: JoinCodeStepProps) {
  const [code, setCode] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const again = useSendJoinCode();
  const wait = useSecondsFrom(AGAIN_AFTER_S, again.submittedAt);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    const typed = code.replaceAll(/\s/g, '');
    setIsMissing(typed === '');
    if (typed !== '' && !isBusy) {
      onSubmit(typed);
    }
  }

  const resendError = again.isError ? messageOf(again.error, 'The code could not be sent') : null;
  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <FormError message={resendError ?? refusal} />
      <TextInput
        label="Code"
        description={`We sent a code of six digits to ${address}. It works for ten minutes.`}
        size="lg"
        labelProps={{ size: 'md' }}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
        value={code}
        error={isMissing ? 'Please enter the code' : undefined}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <SubmitButton size="lg" h={56} fullWidth isBusy={isBusy} busyLabel="Signing in...">
        Sign in
      </SubmitButton>
      <Button
        variant="default"
        size="lg"
        fullWidth
        disabled={wait > 0}
        loading={again.isPending}
        onClick={() => again.mutate(token)}
      >
        {wait > 0 ? `Send another code in ${wait} s` : 'Send another code'}
      </Button>
    </form>
  );
}

/** Mails a new code to the owner of the link. The earlier one is void. */
export function useSendJoinCode() {
  return useMutation({
    mutationFn: (token: string) => unwrap(publicApi.POST('/auth/join/code', { body: { token } })),
  });
}

/** The seconds that are left. They begin anew when `key` changes. */
function useSecondsFrom(seconds: number, key: unknown): number {
  const [left, setLeft] = useState(seconds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key restarts the time.
  useEffect(() => {
    setLeft(seconds);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1_000);
    return () => clearInterval(timer);
  }, [seconds, key]);
  return left;
}
