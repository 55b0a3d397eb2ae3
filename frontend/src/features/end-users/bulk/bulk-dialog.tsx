import { useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { EndUser } from '../../../api/types';
import { countOf, formatNumber } from '../../../shared/format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { PasswordReason, reasonRequestOf, useReasonRequest } from '../../../shared/ui/password-reason';
import { toast } from '../../../shared/ui/toast';
import classes from './bulk.module.css';
import { BULK_TASKS, type BulkTask } from './bulk-tasks';
import { type Failure, useBulkRun } from './use-bulk-run';

interface BulkDialogProps {
  task: BulkTask;
  /** The selected people. */
  endUsers: readonly EndUser[];
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms a task for several people by their number, and shows its progress and what failed. */
export function BulkDialog({ task, endUsers, opened, onClose, onDone }: BulkDialogProps) {
  const words = BULK_TASKS[task];
  const bulk = useBulkRun();
  const { progress } = bulk;
  const [chosen, setChosen] = useState<readonly EndUser[]>([]);
  const [reason, setReason] = useState('');
  const failures = progress?.failures ?? [];
  const { request } = useReasonRequest(failures.find(({ error }) => reasonRequestOf(error) !== null)?.error);
  // The list is loaded again during the run, and its rows change.
  const concerned = progress === null ? endUsers.filter(words.concerns) : chosen;
  const others = endUsers.length - concerned.length;

  function handleClose() {
    bulk.stop();
    onClose();
  }

  async function handleConfirm() {
    setChosen(concerned);
    const { done, failures: failed, left } = await bulk.run(task, concerned, reason.trim());
    if (failed.length === 0 && left === 0) {
      toast.success(words.done(done));
      onDone();
      return;
    }
    if (failed.length === 0) {
      toast.error(`Stopped: ${words.done(done)}, ${formatNumber(left)} left`);
    }
    const isTried = new Set(concerned.slice(0, concerned.length - left).map(({ id }) => id));
    const isFailed = new Set(failed.map(({ endUser }) => endUser.id));
    setChosen(concerned.filter(({ id }) => isFailed.has(id) || !isTried.has(id)));
    // The dialog stays open and shows the report.
    throw new Error('Not everything was done.');
  }

  return (
    <ConfirmDialog
      opened={opened}
      onClose={handleClose}
      title={`${words.title(concerned.length)}?`}
      confirmLabel={words.title(concerned.length)}
      nameToType={task === 'delete' && concerned.length > 1 ? String(concerned.length) : undefined}
      isDangerous={words.isDangerous}
      onConfirm={handleConfirm}
    >
      {words.effects.map((effect) => (
        <p key={effect}>{effect}</p>
      ))}
      {others > 0 && progress === null ? (
        <p>{countOf(others, 'selected person is', 'selected people are')} not concerned.</p>
      ) : null}
      <div role="status">
        {progress ? (
          <p>
            {formatNumber(progress.done)} done, {formatNumber(progress.failures.length)} failed,{' '}
            {formatNumber(progress.left)} left.
          </p>
        ) : null}
      </div>
      <Failures failures={failures} />
      {request === null ? null : <PasswordReason request={request} value={reason} onChange={setReason} />}
    </ConfirmDialog>
  );
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  return failures.length > 0 ? (
    <ul className={classes.failures} aria-label="Failed">
      {failures.map(({ endUser, error }) => (
        <li key={endUser.id}>
          {endUser.name}: {messageOf(error, 'the server could not be reached')}
        </li>
      ))}
    </ul>
  ) : null;
}
