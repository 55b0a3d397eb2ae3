import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { publicApi, unwrap } from '../../api/client';
import type { User } from '../../api/types';
import { type SignInWait, signInPatiently } from './patient-sign-in';

/** Signs in by `send`, and returns the reason to wait meanwhile. `cancel` and leaving the page abort the attempt. */
export function usePatientSignIn<Body extends object>(
  send: (body: Body & { ticket: string }, signal: AbortSignal) => Promise<User>,
) {
  const [wait, setWait] = useState<SignInWait | null>(null);
  const waiting = useRef<AbortController | null>(null);
  useEffect(() => () => waiting.current?.abort(), []);
  const signIn = useMutation({
    // The sign-in itself handles and reports a missing network.
    networkMode: 'always',
    mutationFn: (body: Body) => {
      const controller = new AbortController();
      waiting.current = controller;
      const place = (ticket: string, signal: AbortSignal) =>
        unwrap(publicApi.GET('/auth/sign-in-queue', { params: { query: { ticket } }, signal }));
      const ports = {
        send: (ticket: string, signal: AbortSignal) => send({ ...body, ticket }, signal),
        place,
        onWait: setWait,
      };
      return signInPatiently(ports, controller.signal);
    },
  });
  const { reset } = signIn;
  const cancel = useCallback(() => {
    waiting.current?.abort();
    reset();
  }, [reset]);
  return { signIn, wait, cancel };
}
