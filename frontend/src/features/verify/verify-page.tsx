import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../../shared/paths';
import { allGroups } from '../../shared/result/record-words';
import { ColorSchemeMenu } from '../../shared/ui/color-scheme-menu';
import { DropZone } from '../../shared/ui/drop-zone';
import { FormError } from '../../shared/ui/form-error';
import { TextLink } from '../../shared/ui/text-link';
import { Wordmark } from '../../shared/ui/wordmark';
import { checkErrorText, FILE_ENDINGS, fileFault } from './file-fault';
import { FileVerdict } from './file-verdict';
import { useFileCheck } from './mutations';
import { PrintedCheck } from './printed-check';
import { readFragment } from './printed-records';
import { verifyQueries } from './queries';
import classes from './verify-page.module.css';

/** The public check of exported files, and of the records in a QR code. It needs no sign-in. */
export function VerifyPage() {
  const { hash } = useLocation();
  const printed = readFragment(hash);
  return (
    <div className={classes.root}>
      <title>Check a result · Plenum</title>
      <header className={classes.header}>
        <Wordmark size={24} />
        <ColorSchemeMenu />
      </header>
      <main className={classes.main}>
        <h1 className={classes.title}>Check a result</h1>
        <p className={classes.description}>
          Anybody can check the results and audit logs that this installation has exported. The server reads
          the file, keeps nothing of it, and says what is proven and what is not.
        </p>
        {printed === null ? null : <PrintedCheck printed={printed} />}
        <CheckedFile />
        <OwnKey />
        <p className={classes.footer}>
          <TextLink to={paths.home}>To the sign-in</TextLink>
        </p>
      </main>
    </div>
  );
}

function CheckedFile() {
  const check = useFileCheck();
  const [fault, setFault] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (check.data) {
      heading.current?.focus();
    }
  }, [check.data]);

  function handleFiles(files: File[]) {
    const [file] = files;
    const found = fileFault(files);
    setFault(found);
    check.reset();
    if (file && !found) {
      check.mutate(file);
    }
  }

  return (
    <>
      <DropZone
        label="Exported file"
        endings={FILE_ENDINGS}
        hint="Results or an audit log as JSON, CSV or Excel workbook (.xlsx), attendance or proxies as CSV or workbook, or an archive, at most 8 MB. Minutes (PDF): scan their QR code."
        isBusy={check.isPending}
        onFiles={handleFiles}
      />
      <FormError message={fault ?? (check.isError ? checkErrorText(check.error) : null)} />
      {check.isSuccess ? (
        <FileVerdict name={check.variables.name} check={check.data} heading={heading} />
      ) : null}
    </>
  );
}

/** The fingerprint to compare with the one on paper. */
function OwnKey() {
  const keys = useQuery(verifyQueries.keys());
  const own = keys.data?.at(-1);
  if (!own) {
    return null;
  }
  return (
    <section className={classes.key} aria-label="Key of this installation">
      <h2 className={classes.heading}>Key of this installation</h2>
      <p className={classes.hash}>{allGroups(own.fingerprint)}</p>
      <p className={classes.more}>
        Compare it with the fingerprint on the minutes. To check a file without this server, use the command
        “plenum verify FILE --key FINGERPRINT”.
      </p>
    </section>
  );
}
