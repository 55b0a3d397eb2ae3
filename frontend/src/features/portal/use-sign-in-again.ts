import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { session } from '../../api/session';
import type { User } from '../../api/types';
import { isCodeWanted, isCodeWrong, WRONG_CODE } from '../../shared/sign-in/second-factor-errors';

/** The fields of the dialog that signs the same person in again, and its request. */
export function useSignInAgain(person: User) {
  const password = useField();
  const code = useField();
  // Once the server has asked for a code, the field stays.
  const [isCodeAsked, setIsCodeAsked] = useState(false);
  const isSending = useRef(false);
  const signIn = useMutation({
    mutationFn: () =>
      session.signIn({
        email: person.email ?? '',
        password: password.value,
        ...(isCodeAsked ? { code: code.value } : {}),
        portal: person.role === 'SUPER_ADMIN' ? 'SUPER_ADMIN' : 'CLIENT',
      }),
    onError: (error) => {
      if (isCodeWanted(error)) {
        setIsCodeAsked(true);
      } else if (isCodeWrong(error)) {
        code.reject(WRONG_CODE);
      } else {
        password.ref.current?.focus();
      }
    },
    onSettled: () => {
      isSending.current = false;
    },
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    // In the React tree this form is inside the screen below, whose forms must not receive the event.
    event.stopPropagation();
    if (isSending.current) {
      return;
    }
    if (password.value === '') {
      password.reject('Enter your password');
      return;
    }
    if (isCodeAsked && code.value.trim() === '') {
      code.reject('Enter the code');
      return;
    }
    isSending.current = true;
    signIn.mutate();
  }

  const codeField = code.ref;
  useEffect(() => {
    if (isCodeAsked) {
      codeField.current?.focus();
    }
  }, [isCodeAsked, codeField]);

  return {
    password,
    code,
    isCodeAsked,
    isPending: signIn.isPending,
    /** An error that no field shows. */
    failure: signIn.error && !isCodeWanted(signIn.error) && !isCodeWrong(signIn.error) ? signIn.error : null,
    handleSubmit,
  };
}

/** A text field with its error, which is removed when the text changes. */
function useField() {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const ref = useRef<HTMLInputElement>(null);

  return {
    ref,
    value,
    error,
    change: (changed: string) => {
      setValue(changed);
      setError(null);
    },
    /** Shows the error, and moves the focus to the field. */
    reject: (message: string) => {
      setError(message);
      ref.current?.focus();
    },
  };
}
