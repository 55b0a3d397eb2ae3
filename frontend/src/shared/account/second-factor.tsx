import { Button, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { SecondFactorSetUp } from '../../api/types';
import { countOf } from '../format';
import { LoadError } from '../ui/load-error';
import { toast } from '../ui/toast';
import classes from './account.module.css';
import { BothFactorsForm } from './both-factors-form';
import { useBeginSecondFactor, useRemoveSecondFactor, useRenewRecoveryCodes } from './mutations';
import { OwnPasswordForm } from './own-password-form';
import { ownAccountQueries } from './queries';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorSetUpForm } from './second-factor-set-up-form';

type Task = 'none' | 'password' | 'renew' | 'remove';

/** A second factor for one's own sign-in: how it stands, and every way to change that. */
export function SecondFactor() {
  const factor = useQuery(ownAccountQueries.secondFactor());
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

  if (codes) {
    return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  }
  if (setUp) {
    return (
      <SecondFactorSetUpForm
        setUp={setUp}
        onCancel={handleEnd}
        onConfirmed={(recoveryCodes) => {
          handleEnd();
          setCodes(recoveryCodes);
          toast.success('The second factor is on. You are signed out on all other devices.');
        }}
      />
    );
  }
  if (factor.isPending) {
    return (
      <div role="status">
        <VisuallyHidden>Loading your second factor...</VisuallyHidden>
        <Skeleton height={64} />
      </div>
    );
  }
  if (factor.data === undefined) {
    return (
      <LoadError
        message={messageOf(factor.error, 'Failed to load your second factor')}
        isRetrying={factor.isFetching}
        onRetry={() => void factor.refetch()}
      />
    );
  }
  if (task === 'password') {
    return (
      <OwnPasswordForm
        mutation={begin}
        submitLabel="Go on"
        onCancel={handleEnd}
        onSubmit={(currentPassword) => begin.mutate({ currentPassword }, { onSuccess: setSetUp })}
      />
    );
  }
  if (task === 'renew') {
    return (
      <BothFactorsForm
        mutation={renew}
        text="The codes that you have will not work any more."
        submitLabel="Make new codes"
        onCancel={handleEnd}
        onSubmit={(body) =>
          renew.mutate(body, {
            onSuccess: ({ recoveryCodes }) => {
              handleEnd();
              setCodes(recoveryCodes);
            },
          })
        }
      />
    );
  }
  if (task === 'remove') {
    return (
      <BothFactorsForm
        mutation={remove}
        text="After this your password alone is enough to sign in."
        submitLabel="Turn off"
        onCancel={handleEnd}
        onSubmit={(body) =>
          remove.mutate(body, {
            onSuccess: () => {
              handleEnd();
              toast.success('The second factor is off.');
            },
          })
        }
      />
    );
  }
  const { isOn, recoveryCodesLeft } = factor.data;
  return isOn ? (
    <>
      <p className={classes.text}>
        <strong>It is on.</strong> {countOf(recoveryCodesLeft, 'recovery code')} left.
      </p>
      <Group gap="xs" mt="sm">
        <Button variant="default" onClick={() => setTask('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" onClick={() => setTask('remove')}>
          Turn off
        </Button>
      </Group>
    </>
  ) : (
    <>
      <p className={classes.text}>It is off: your password alone is enough to sign in.</p>
      <Button mt="sm" variant="default" onClick={() => setTask('password')}>
        Set up
      </Button>
    </>
  );
}
