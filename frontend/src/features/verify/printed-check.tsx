import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import type { FoundRecords } from '../../api/types';
import { allGroups } from '../../shared/result/record-words';
import { LoadError } from '../../shared/ui/load-error';
import type { StatusTone } from '../../shared/ui/status-badge';
import { WarningNote } from '../../shared/ui/warning-note';
import type { PrintedRecords } from './printed-records';
import { verifyQueries } from './queries';
import { RecordList } from './record-list';
import classes from './verify-page.module.css';

/** The records from the QR code or the link that opened the page. */
export function PrintedCheck({ printed }: { printed: PrintedRecords | 'damaged' }) {
  if (printed === 'damaged') {
    return (
      <WarningNote>
        The address of this page is damaged: a part of the code is missing. Scan it again, or choose the
        exported file below.
      </WarningNote>
    );
  }
  return <CheckedRecords printed={printed} />;
}

function CheckedRecords({ printed }: { printed: PrintedRecords }) {
  const found = useQuery(verifyQueries.records(printed));
  if (found.isPending) {
    return <p role="status">Looking for the records...</p>;
  }
  if (found.isError) {
    return (
      <LoadError
        message={messageOf(found.error, 'Failed to look for the records')}
        onRetry={() => found.refetch()}
        isRetrying={found.isFetching}
      />
    );
  }
  const { tone, title, sentences } = wordsOf(found.data, printed);
  return (
    <section className={classes.result} data-tone={tone} aria-label="Records in the address">
      <h2 className={classes.verdict}>{title}</h2>
      <ul className={classes.sentences}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {found.data.minutesKey ? (
        <dl className={classes.facts}>
          <dt>Signed with the key</dt>
          <dd>{allGroups(found.data.minutesKey)}</dd>
        </dl>
      ) : null}
      <RecordList records={found.data.records} />
    </section>
  );
}

interface Words {
  tone: StatusTone;
  title: string;
  sentences: string[];
}

function wordsOf({ records, minutesKey }: FoundRecords, { signature }: PrintedRecords): Words {
  const known = records.filter(({ isKnown }) => isKnown).length;
  const isForged = signature !== null && minutesKey === null;
  const sentences = [
    'A known record proves that a result with this hash was declared here, and when.',
    'It does not prove what the paper or the screen in front of you says. To check the figures, choose the exported results below: they contain the same hashes.',
  ];
  if (signature !== null) {
    sentences.unshift(
      isForged
        ? 'This installation did not make the signature in the code. Do not rely on these minutes.'
        : 'This installation signed minutes with exactly these record hashes.',
    );
  }
  const all = records.length;
  if (isForged || known === 0) {
    return {
      tone: 'danger',
      title: known === 0 ? notKnown(all) : 'Not signed by this installation',
      sentences,
    };
  }
  return known === all
    ? {
        tone: 'good',
        title: all === 1 ? 'The record is known here' : `All ${all} records are known here`,
        sentences,
      }
    : { tone: 'warning', title: `${known} of ${all} records are known here`, sentences };
}

function notKnown(all: number): string {
  return all === 1 ? 'The record is not known here' : 'None of the records is known here';
}
