import { Button } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Credentials, ImportTable, ImportView } from '../../../api/types';
import { downloadFile } from '../../../shared/download';
import { countOf } from '../../../shared/format';
import { paths } from '../../../shared/paths';
import { StatCard } from '../../../shared/ui/stat-card';
import { StatGrid } from '../../../shared/ui/stat-grid';
import { WrongRowsButton } from '../check/wrong-rows-button';
import type { Mapping } from '../match/mapping';
import { Remark } from '../remark';
import { StepPanel } from '../step-panel';
import { useStepFocus } from '../use-step-focus';
import { countGuardedPasswords, credentialsSheet } from './credentials-sheet';
import classes from './done-step.module.css';
import { SlipsView } from './slips-view';

interface DoneStepProps {
  /** The name of the imported file, and its table. */
  fileName: string;
  table: ImportTable;
  mapping: Mapping;
  result: ImportView;
  /** Whether any password is random. Those of the file can be read there again. */
  hasNewPasswords: boolean;
  /** Called when the passwords have been saved. */
  onSaved: () => void;
  onStartAnew: () => void;
}

export function DoneStep(props: DoneStepProps) {
  const { fileName, table, mapping, result, hasNewPasswords, onSaved, onStartAnew } = props;
  const [isPrinting, setIsPrinting] = useState(false);
  const area = useStepFocus(isPrinting ? 'slips' : 'done');
  const { counts, credentials } = result;
  return (
    <div ref={area}>
      {isPrinting ? (
        <SlipsView credentials={credentials} onBack={() => setIsPrinting(false)} />
      ) : (
        <StepPanel
          title="Done"
          description={
            counts.error > 0
              ? `The import is complete, except for ${countOf(counts.error, 'row')} with errors.`
              : 'The import is complete.'
          }
          actions={
            <>
              <WrongRowsButton fileName={fileName} table={table} mapping={mapping} checked={result} />
              <Button variant="default" component={Link} to={paths.clientEndUsers}>
                Go to End Users
              </Button>
              <Button variant="default" onClick={onStartAnew}>
                Import another file
              </Button>
            </>
          }
        >
          <StatGrid>
            <StatCard label="New" value={counts.new} context="End users added" />
            <StatCard label="Changed" value={counts.change} context="End users updated" />
            <StatCard label="Unchanged" value={counts.unchanged} context="Already as in the file" />
          </StatGrid>
          {credentials.length > 0 ? (
            <CredentialsPart
              credentials={credentials}
              hasNewPasswords={hasNewPasswords}
              onSaved={onSaved}
              onPrint={() => setIsPrinting(true)}
            />
          ) : (
            <p className={classes.text}>
              Nobody got a new password, so there are no credentials to hand out.
            </p>
          )}
        </StepPanel>
      )}
    </div>
  );
}

interface CredentialsPartProps {
  credentials: Credentials[];
  hasNewPasswords: boolean;
  onSaved: () => void;
  onPrint: () => void;
}

function CredentialsPart({ credentials, hasNewPasswords, onSaved, onPrint }: CredentialsPartProps) {
  const guarded = countGuardedPasswords(credentials);

  function handleDownload() {
    const sheet = credentialsSheet(credentials, new Date());
    downloadFile(sheet.name, new Blob([sheet.text], { type: 'text/csv;charset=utf-8' }));
    onSaved();
  }

  return (
    <div className={classes.credentials}>
      <h3 className={classes.title}>Credentials of {countOf(credentials.length, 'person', 'people')}</h3>
      <Remark tone="warning">
        {hasNewPasswords
          ? 'The passwords can be saved only now: nobody can look them up later. Download or print them before you leave this page, and keep the file where nobody else can read it.'
          : 'All passwords are those of your file. Keep it, and what you download or print here, where nobody else can read them.'}
      </Remark>
      <div className={classes.buttons}>
        <Button
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
          onClick={handleDownload}
        >
          Download CSV
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden="true" />}
          onClick={onPrint}
        >
          Print slips
        </Button>
      </div>
      {guarded > 0 ? (
        <p className={classes.text}>
          {countOf(guarded, 'password holds', 'passwords hold')} a sign that a spreadsheet takes for the
          beginning of a formula. In the file an apostrophe (') stands before it, which is not part of the
          password. The slips show it without.
        </p>
      ) : null}
    </div>
  );
}
