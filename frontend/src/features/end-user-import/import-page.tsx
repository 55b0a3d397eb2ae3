import { useState } from 'react';
import type { ImportRow, ImportTable, ImportView } from '../../api/types';
import { paths } from '../../shared/paths';
import { PageHead } from '../../shared/ui/page-head';
import { CheckStep } from './check/check-step';
import { ChooseStep } from './choose/choose-step';
import { DoneStep } from './done/done-step';
import { type ImportState, NOTHING_CHOSEN } from './import-state';
import { ImportSteps } from './import-steps';
import { LeaveGuard } from './leave-guard';
import { suggestedMapping } from './match/mapping';
import { MatchStep } from './match/match-step';
import { useConfirmImport } from './mutations';
import { useStepFocus } from './use-step-focus';

/** A file with people becomes end users: chosen, its columns matched, each row checked, and then all of it or nothing. */
export function ImportPage() {
  const [state, setState] = useState<ImportState>(NOTHING_CHOSEN);
  const [isSaved, setIsSaved] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const confirmImport = useConfirmImport();
  const change = (changes: Partial<ImportState>) => setState((before) => ({ ...before, ...changes }));
  const { step, file, mapping, check, result } = state;

  const area = useStepFocus(step);

  const newPasswords = result?.credentials.length ?? 0;
  const loss = confirmImport.isPending
    ? 'running'
    : step === 'done'
      ? newPasswords > 0 && !isSaved
        ? 'passwords'
        : null
      : file
        ? 'matching'
        : null;

  function handleStartAnew() {
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
    // What went wrong with other rows says nothing about these.
    confirmImport.reset();
    change({ step: 'check', check: { rows, checked } });
  }

  return (
    <>
      <PageHead
        title="Import End Users"
        description="Import the members of your organization from a CSV file or an Excel workbook."
        back={{ to: paths.clientEndUsers, label: 'Back to End Users' }}
      />
      <ImportSteps step={step} />
      <div ref={area}>
        {step === 'choose' ? (
          <ChooseStep
            present={file?.file.name ?? null}
            onGoOn={() => change({ step: 'match' })}
            onRead={handleRead}
          />
        ) : null}
        {step === 'match' && file ? (
          <MatchStep
            file={file.file}
            table={file.table}
            mapping={mapping}
            onMapping={(changed) => change({ mapping: changed })}
            onChecked={handleChecked}
            onRead={(table) => handleRead(file.file, table)}
            onOtherFile={() => change({ step: 'choose' })}
          />
        ) : null}
        {step === 'check' && check && file ? (
          <CheckStep
            fileName={file.file.name}
            table={file.table}
            rows={check.rows}
            checked={check.checked}
            confirmImport={confirmImport}
            onRechecked={(checked) => change({ check: { rows: check.rows, checked } })}
            onDone={(done) => change({ step: 'done', result: done })}
            onMatch={() => change({ step: 'match' })}
            onOtherFile={() => change({ step: 'choose' })}
          />
        ) : null}
        {step === 'done' && result ? (
          <DoneStep
            result={result}
            onSaved={() => setIsSaved(true)}
            onStartAnew={() => (loss === null ? handleStartAnew() : setIsAsking(true))}
          />
        ) : null}
      </div>
      {loss ? (
        <LeaveGuard
          loss={loss}
          newPasswords={newPasswords}
          isAsking={isAsking}
          onAsk={setIsAsking}
          onLeave={handleStartAnew}
        />
      ) : null}
    </>
  );
}
