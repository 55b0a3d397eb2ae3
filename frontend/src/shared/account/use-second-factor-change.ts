import { useState } from 'react';
import type { BothFactorsBody, SecondFactorSetUp } from '../../api/types';
import { toast } from '../ui/toast';
import { useBeginSecondFactor, useRemoveSecondFactor, useRenewRecoveryCodes } from './mutations';

/** The form that is open; `none` while the section shows whether the second factor is on. */
export type Task = 'none' | 'password' | 'renew' | 'remove';

export type SecondFactorChange = ReturnType<typeof useSecondFactorChange>;

/** Sets up the second factor, renews its recovery codes and removes it, one task at a time. */
export function useSecondFactorChange() {
  const begin = useBeginSecondFactor();
  const renew = useRenewRecoveryCodes();
  const remove = useRemoveSecondFactor();
  const [task, setTask] = useState<Task>('none');
  const [setUp, setSetUp] = useState<SecondFactorSetUp | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  function handleEnd() {
    setTask('none');
    setSetUp(null);
    for (const mutation of [begin, renew, remove]) {
      mutation.reset();
    }
  }

  return {
    task,
    setTask,
    /** The secret to enter in an authenticator app. Null unless the second factor is being set up. */
    setUp,
    /** New recovery codes, until the person has kept them. */
    codes,
    handleKept: () => setCodes(null),
    handleEnd,
    begin,
    handleBegin: (currentPassword: string) => begin.mutate({ currentPassword }, { onSuccess: setSetUp }),
    handleConfirmed: (recoveryCodes: string[]) => {
      handleEnd();
      setCodes(recoveryCodes);
      toast.success('The second factor is on. You are signed out on all other devices.');
    },
    renew,
    handleRenew: (body: BothFactorsBody) =>
      renew.mutate(body, {
        onSuccess: ({ recoveryCodes }) => {
          handleEnd();
          setCodes(recoveryCodes);
        },
      }),
    remove,
    handleRemove: (body: BothFactorsBody) =>
      remove.mutate(body, {
        onSuccess: () => {
          handleEnd();
          toast.success('The second factor is off.');
        },
      }),
  };
}
