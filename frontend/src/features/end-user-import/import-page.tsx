import { useState } from 'react';
import type { ImportRow, ImportTable, ImportView } from '../../api/types';
import { paths } from '../../shared/paths';
import { PageHead } from '../../shared/ui/page-head';
import { CheckStep } from './check/check-step';
import { countRandomPasswords } from './check/verdicts';
import { ChooseStep } from './choose/choose-step';
import { DoneStep } from './done/done-step';
import { type ImportState, NOTHING_CHOSEN } from './import-state';
import { ImportSteps } from './import-steps';
import { LeaveGuard, type Loss } from './leave-guard';
import { suggestedMapping } from './match/mapping';
import { MatchStep } from './match/match-step';
import { useConfirmImport } from './mutations';
import { useStepFocus } from './use-step-focus';

/**
 * Imports end users from a file: choose it, match its columns, check each row, and import all valid rows in one
 * transaction.
 */
export function ImportPage() {
  const current = useImport();
  const { state, loss, newPasswords, isAsking, setIsAsking, startAnew } = current;
  const area = useStepFocus(state.step);

  return (
    <>
      <PageHead
        title="Import End Users"
        description="Import the members of your organization from a CSV file or an Excel workbook."
        back={{ to: paths.clientEndUsers, label: 'Back to End Users' }}
      />
      <ImportSteps step={state.step} />
      <div ref={area}>
        <CurrentStep current={current} />
      </div>
      {loss ? (
        <LeaveGuard
          loss={loss}
          newPasswords={newPasswords}
          isAsking={isAsking}
          onAsk={setIsAsking}
          onLeave={startAnew}
        />
      ) : null}
    </>
  );
}

/** The state of an import, and the loss that leaving it would cause. */
function useImport() {
  const [state, setState] = useState<ImportState>(NOTHING_CHOSEN);
  const [isSaved, setIsSaved] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const confirmImport = useConfirmImport();
  const change = (changes: Partial<ImportState>) => setState((before) => ({ ...before, ...changes }));
  const { step, file, check, result } = state;

  // Passwords of the file are not lost.
  const newPasswords = result && check ? countRandomPasswords(check.rows, result) : 0;
  const loss: Loss | null = confirmImport.isPending
    ? 'running'
    : step === 'done'
      ? newPasswords > 0 && !isSaved
        ? 'passwords'
        : null
      : file
        ? 'matching'
        : null;

  function startAnew() {
    setState(NOTHING_CHOSEN);
    setIsSaved(false);
    setIsAsking(false);
  }

  function handleRead(chosen: File, table: ImportTable) {
    setState({
      ...NOTHING_CHOSEN,
      step: 'match',
      file: { file: chosen, table },
      mapping: suggestedMapping(table),
    });
  }

  function handleChecked(rows: ImportRow[], checked: ImportView) {
    // Errors of other rows do not apply to these.
    confirmImport.reset();
    change({ step: 'check', check: { rows, checked } });
  }

  return {
    state,
    change,
    confirmImport,
    newPasswords,
    loss,
    isAsking,
    setIsAsking,
    startAnew,
    handleRead,
    handleChecked,
    handleSaved: () => setIsSaved(true),
  };
}

function CurrentStep({ current }: { current: ReturnType<typeof useImport> }) {
  const { state, change, confirmImport, newPasswords, loss, setIsAsking, startAnew, handleRead } = current;
  const { step, file, mapping, check, result } = state;
  const toChoose = () => change({ step: 'choose' });
  const toMatch = () => change({ step: 'match' });

  if (step === 'choose') {
    return <ChooseStep present={file?.file.name ?? null} onGoOn={toMatch} onRead={handleRead} />;
  }
  if (step === 'match' && file) {
    return (
      <MatchStep
        file={file.file}
        table={file.table}
        mapping={mapping}
        onMapping={(changed) => change({ mapping: changed })}
        onChecked={current.handleChecked}
        onRead={(table) => handleRead(file.file, table)}
        onOtherFile={toChoose}
      />
    );
  }
  if (step === 'check' && check && file) {
    return (
      <CheckStep
        fileName={file.file.name}
        table={file.table}
        mapping={mapping}
        rows={check.rows}
        checked={check.checked}
        confirmImport={confirmImport}
        onRechecked={(checked) => change({ check: { rows: check.rows, checked } })}
        onDone={(done) => change({ step: 'done', result: done })}
        onMatch={toMatch}
        onOtherFile={toChoose}
      />
    );
  }
  return step === 'done' && result && file ? (
    <DoneStep
      fileName={file.file.name}
      table={file.table}
      mapping={mapping}
      result={result}
      hasNewPasswords={newPasswords > 0}
      onSaved={current.handleSaved}
      onStartAnew={() => (loss === null ? startAnew() : setIsAsking(true))}
    />
  ) : null;
}
