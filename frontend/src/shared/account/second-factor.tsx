import { Button, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { countOf } from '../format';
import { LoadError } from '../ui/load-error';
import classes from './account.module.css';
import { BothFactorsForm } from './both-factors-form';
import { OwnPasswordForm } from './own-password-form';
import { ownAccountQueries } from './queries';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorSetUpForm } from './second-factor-set-up-form';
import { type SecondFactorChange, type Task, useSecondFactorChange } from './use-second-factor-change';

/** The second factor of the person's account: its state, and the forms that change it. */
export function SecondFactor() {
  const factor = useQuery(ownAccountQueries.secondFactor());
  const change = useSecondFactorChange();
  const { task, setUp, codes } = change;

  if (codes) {
    return <RecoveryCodes codes={codes} onKept={change.handleKept} />;
  }
  if (setUp) {
    return (
      <SecondFactorSetUpForm setUp={setUp} onCancel={change.handleEnd} onConfirmed={change.handleConfirmed} />
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
  return task === 'none' ? (
    <FactorState {...factor.data} onTask={change.setTask} />
  ) : (
    <TaskForm task={task} change={change} />
  );
}

/** Asks for the password, or for both factors, before the change is made. */
function TaskForm({ task, change }: { task: Exclude<Task, 'none'>; change: SecondFactorChange }) {
  switch (task) {
    case 'password':
      return (
        <OwnPasswordForm
          mutation={change.begin}
          submitLabel="Go on"
          onCancel={change.handleEnd}
          onSubmit={change.handleBegin}
        />
      );
    case 'renew':
      return (
        <BothFactorsForm
          mutation={change.renew}
          text="The codes that you have will not work any more."
          submitLabel="Make new codes"
          onCancel={change.handleEnd}
          onSubmit={change.handleRenew}
        />
      );
    case 'remove':
      return (
        <BothFactorsForm
          mutation={change.remove}
          text="After this your password alone is enough to sign in."
          submitLabel="Turn off"
          onCancel={change.handleEnd}
          onSubmit={change.handleRemove}
        />
      );
  }
}

interface FactorStateProps {
  isOn: boolean;
  recoveryCodesLeft: number;
  onTask: (task: Task) => void;
}

function FactorState({ isOn, recoveryCodesLeft, onTask }: FactorStateProps) {
  return isOn ? (
    <>
      <p className={classes.text}>
        <strong>It is on.</strong> {countOf(recoveryCodesLeft, 'recovery code')} left.
      </p>
      <Group gap="xs" mt="sm">
        <Button variant="default" onClick={() => onTask('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" onClick={() => onTask('remove')}>
          Turn off
        </Button>
      </Group>
    </>
  ) : (
    <>
      <p className={classes.text}>It is off: your password alone is enough to sign in.</p>
      <Button mt="sm" variant="default" onClick={() => onTask('password')}>
        Set up
      </Button>
    </>
  );
}
