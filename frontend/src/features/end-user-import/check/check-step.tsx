import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { ImportRow, ImportTable, ImportView } from '../../../api/types';
import { countOf, formatNumber } from '../../../shared/format';
import { PasswordReason, reasonRequestOf, useReasonRequest } from '../../../shared/ui/password-reason';
import type { Mapping } from '../match/mapping';
import { mayBeDone, type Outcome, type useConfirmImport } from '../mutations';
import { Remark } from '../remark';
import { StepError } from '../step-error';
import { StepPanel } from '../step-panel';
import classes from './check-step.module.css';
import { VerdictTable } from './verdict-table';
import { countTestPeople, countWork, signsPeopleOut } from './verdicts';
import { WrongRowsButton } from './wrong-rows-button';

interface CheckStepProps {
  fileName: string;
  table: ImportTable;
  mapping: Mapping;
  rows: ImportRow[];
  checked: ImportView;
  confirmImport: ReturnType<typeof useConfirmImport>;
  onRechecked: (checked: ImportView) => void;
  onDone: (result: ImportView) => void;
  onMatch: () => void;
  onOtherFile: () => void;
}

const NOTICES: Record<Extract<Outcome, { kind: 'rechecked' }>['because'], string> = {
  outdated:
    'Another person changed the end users in the meantime. Nothing was imported. The rows were checked again: review them, then import them.',
  has_errors:
    'Some rows now have errors, because the end users were changed in the meantime. Nothing was imported. The rows were checked again.',
  maybe_done:
    'The end users have changed since the first attempt: it probably succeeded, and its response was lost. The rows were checked again. The passwords that it generated cannot be shown any more: use Export on the End Users page to set new ones.',
};

/** The effect of the import on each row, and the button that imports them. */
export function CheckStep(props: CheckStepProps) {
  const { rows, checked, confirmImport } = props;
  const { counts } = checked;
  const { notice, request, reason, setReason, handleConfirm } = useConfirmation(props);
  const obstacle = obstacleOf(checked);
  const testPeople = countTestPeople(checked);

  return (
    <div className={classes.step}>
      <StepPanel
        title="Check"
        description={`${countOf(rows.length, 'row')} checked. Nothing has been imported yet.`}
        actions={<CheckActions {...props} isBarred={obstacle !== null} onConfirm={handleConfirm} />}
      >
        {notice ? (
          <div role="alert">
            <Remark tone="warning">{notice}</Remark>
          </div>
        ) : null}
        {counts.error > 0 ? <Remark tone="danger">{errorText(checked)}</Remark> : null}
        {testPeople > 0 ? (
          <Remark tone="warning">
            {countOf(testPeople, 'row is', 'rows are')} test data, because the name or username begins with
            TEST_. Such people count in no statistics and have no vote in real meetings.
          </Remark>
        ) : null}
        {checked.newGroups.length > 0 ? (
          <Remark tone="info">
            {countOf(checked.newGroups.length, 'group is', 'groups are')} created: {newGroupNames(checked)}.
          </Remark>
        ) : null}
        {obstacle ? (
          <Remark tone="info">{obstacle}</Remark>
        ) : (
          <p className={classes.summary}>
            {formatNumber(counts.new)} new, {formatNumber(counts.change)} changed,{' '}
            {formatNumber(counts.unchanged)} unchanged. All of them are imported, or none if anything fails.
            {signsPeopleOut(checked)
              ? ' End users who become inactive or get a new password are signed out everywhere, also in a running meeting.'
              : ''}
          </p>
        )}
        {request === null ? null : <PasswordReason request={request} value={reason} onChange={setReason} />}
        {confirmImport.isError && reasonRequestOf(confirmImport.error) === null ? (
          <StepError message={confirmErrorText(confirmImport.error)} onRetry={handleConfirm} />
        ) : null}
      </StepPanel>
      <VerdictTable rows={rows} checked={checked} />
    </div>
  );
}

/** Sends the import. After an attempt with an unknown outcome, the next one first checks whether it was done. */
function useConfirmation({ rows, checked, confirmImport, onRechecked, onDone }: CheckStepProps) {
  const [notice, setNotice] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const { request } = useReasonRequest(confirmImport.error);
  const isUnsure = useRef(false);
  const isSending = useRef(false);

  function handleConfirm() {
    // The pending state is set a moment later, and a double click may be faster.
    if (isSending.current) {
      return;
    }
    isSending.current = true;
    setNotice(null);
    confirmImport.mutate(
      {
        rows,
        checked,
        skipErrors: checked.counts.error > 0,
        passwordReason: reason.trim(),
        isUnsure: isUnsure.current,
      },
      { onSuccess: handleOutcome, onError: handleError, onSettled: handleSettled },
    );
  }

  function handleOutcome(outcome: Outcome) {
    if (outcome.kind === 'done') {
      onDone(outcome.result);
      return;
    }
    isUnsure.current = false;
    setNotice(NOTICES[outcome.because]);
    onRechecked(outcome.checked);
  }

  function handleError(error: unknown) {
    isUnsure.current = isUnsure.current || mayBeDone(error);
  }

  function handleSettled() {
    isSending.current = false;
  }

  return { notice, request, reason, setReason, handleConfirm };
}

interface CheckActionsProps extends CheckStepProps {
  /** There is nothing to import. */
  isBarred: boolean;
  onConfirm: () => void;
}

function CheckActions(props: CheckActionsProps) {
  const { fileName, table, mapping, checked, confirmImport, isBarred, onConfirm, onMatch, onOtherFile } =
    props;
  const isBusy = confirmImport.isPending;
  return (
    <>
      <Button
        disabled={isBarred}
        aria-disabled={isBusy || undefined}
        data-busy={isBusy || undefined}
        className={classes.confirm}
        onClick={onConfirm}
      >
        {isBusy ? 'Importing...' : confirmLabel(checked)}
      </Button>
      <WrongRowsButton fileName={fileName} table={table} mapping={mapping} checked={checked} />
      <Button variant="default" disabled={isBusy} onClick={onMatch}>
        Change columns
      </Button>
      <Button variant="default" disabled={isBusy} onClick={onOtherFile}>
        Choose another file
      </Button>
    </>
  );
}

function confirmErrorText(error: unknown): string {
  const text = messageOf(error, 'Failed to import the end users');
  return mayBeDone(error)
    ? `${text.replace(/\.$/, '')}. It is not known whether the import was carried out; another try looks that up first, so nobody is added twice.`
    : text;
}

/** The label of the button. If there are errors, it imports only the valid rows. */
function confirmLabel(checked: ImportView): string {
  const work = countWork(checked);
  if (checked.counts.error === 0) {
    return `Import ${countOf(work, 'end user')}`;
  }
  return work === 1 ? 'Import the valid row' : `Import the ${formatNumber(work)} valid rows`;
}

function errorText(checked: ImportView): string {
  const { error } = checked.counts;
  const text = `${countOf(error, 'row has an error', 'rows have errors')}.`;
  return countWork(checked) === 0
    ? `${text} Correct the file and choose it again, or match other columns.`
    : `${text} Correct the file and choose it again, match other columns, or import the others now: the wrong rows can be downloaded, corrected and imported later.`;
}

const NAMED_GROUPS = 10;

/** The first names of the groups that the import creates. */
function newGroupNames({ newGroups }: ImportView): string {
  const names = newGroups.slice(0, NAMED_GROUPS).join(', ');
  const more = newGroups.length - NAMED_GROUPS;
  return more > 0 ? `${names} and ${formatNumber(more)} more` : names;
}

/** The reason why there is nothing to confirm. */
function obstacleOf(checked: ImportView): string | null {
  if (countWork(checked) > 0) {
    return null;
  }
  return checked.counts.error > 0
    ? 'There is nothing else to import.'
    : 'There is nothing to import: all end users of the file exist already, with the same data.';
}
