import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../api/api-error';
import { lengthProblem } from '../text-length';
import { WarningNote } from './warning-note';

/** The longest reason that the server accepts, in characters. */
export const PASSWORD_REASON_LENGTH = 200;

/** The server's request for a reason, because the owner of the password may vote in an open question. Null for other errors. */
export function reasonRequestOf(error: unknown): string | null {
  return error instanceof ApiError && error.code === 'password_reason_needed' ? error.message : null;
}

/** Whether the server asked for a reason. It stays asked during the next attempt. */
export function useReasonRequest(error: unknown) {
  const [request, setRequest] = useState<string | null>(null);
  const latest = reasonRequestOf(error);
  if (latest !== null && latest !== request) {
    setRequest(latest);
  }
  return { request, forget: () => setRequest(null) };
}

interface PasswordReasonProps {
  /** The message of the server. */
  request: string;
  value: string;
  error?: React.ReactNode;
  onChange: (reason: string) => void;
}

/** Says what a new password during a vote means, and asks for the reason. */
export function PasswordReason({ request, value, error, onChange }: PasswordReasonProps) {
  return (
    <>
      <div role="alert">
        <WarningNote>{request}.</WarningNote>
      </div>
      <TextInput
        label="Reason for the new password"
        description="Everybody who reads the minutes of the vote sees it, with your name and the time."
        required
        autoComplete="off"
        dir="auto"
        value={value}
        error={error ?? lengthProblem(value, PASSWORD_REASON_LENGTH)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
