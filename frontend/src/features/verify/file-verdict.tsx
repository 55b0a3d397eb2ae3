import { type RefObject, useId } from 'react';
import type { FileCheck } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import { allGroups } from '../../shared/result/record-words';
import { timestampWords } from '../../shared/result/timestamp-words';
import { StatusBadge } from '../../shared/ui/status-badge';
import { Findings } from './findings';
import { RecordList } from './record-list';
import { verdictWords } from './verdict-words';
import classes from './verify-page.module.css';

const KINDS: Record<FileCheck['kind'], string> = {
  results: 'Results of a meeting (JSON)',
  audit_log: 'Audit log (JSON)',
  archive: 'Archive of a meeting (JSON)',
  results_table: 'Results of a meeting (table)',
  audit_table: 'Audit log (table)',
  attendance_table: 'Attendance of a meeting (table)',
  proxies_table: 'Proxies of a meeting (table)',
};

interface FileVerdictProps {
  name: string;
  check: FileCheck;
  /** The heading gets the focus when the check is done. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The verdict on a file: the proven facts, the unproven ones, and the contradictions. */
export function FileVerdict({ name, check, heading }: FileVerdictProps) {
  const { tone, title, proven, unproven } = verdictWords(check);
  const id = useId();
  return (
    <section className={classes.result} data-tone={tone} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1} className={classes.verdict}>
        {title}
      </h2>
      <p className={classes.name} dir="auto">
        {name}
      </p>
      <dl className={classes.facts}>
        <dt>Content</dt>
        <dd>{KINDS[check.kind]}</dd>
        {check.title ? <Fact name="Meeting" text={check.title} /> : null}
        {check.organization ? <Fact name="Organization" text={check.organization} /> : null}
        {check.entries === null ? null : <Fact name="Entries" text={formatNumber(check.entries)} />}
        {check.key ? <Fact name="Signed with the key" text={allGroups(check.key)} /> : null}
      </dl>
      <Sentences title="What is proven" sentences={proven} />
      <Sentences title="What is not proven" sentences={unproven} />
      <Findings check={check} />
      <Rounds rounds={check.rounds} />
      {check.records.length > 0 ? (
        <>
          <h3 className={classes.heading}>Records of declared results</h3>
          <RecordList records={check.records} />
        </>
      ) : null}
      <Timestamps timestamps={check.timestamps} />
    </section>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: string[] }) {
  return (
    <>
      <h3 className={classes.heading}>{title}</h3>
      <ul className={classes.sentences}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

function Timestamps({ timestamps }: { timestamps: FileCheck['timestamps'] }) {
  if (timestamps.length === 0) {
    return null;
  }
  return (
    <>
      <h3 className={classes.heading}>Timestamps</h3>
      <ul className={classes.records} aria-label="Timestamps">
        {timestamps.map(({ hash, authority, at, isAuthorityKnown }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a forged file may repeat a hash, and the list never changes.
          <li key={index} className={classes.record}>
            <span className={classes.hash}>{allGroups(hash)}</span>
            <span className={classes.state} dir="auto">
              {isAuthorityKnown ? <StatusBadge tone="good">Authority known</StatusBadge> : null}{' '}
              {timestampWords({ authority, at })}.
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Rounds({ rounds }: { rounds: FileCheck['rounds'] }) {
  if (rounds.length === 0) {
    return null;
  }
  return (
    <>
      <h3 className={classes.heading}>Recount</h3>
      <ul className={classes.records} aria-label="Recount">
        {rounds.map(({ name, register, ballots, method, differences }) => (
          <li key={name} className={classes.record}>
            <span dir="auto">{name}</span>
            <span className={classes.state}>
              {differences.length === 0 ? (
                <StatusBadge tone="good">Agrees</StatusBadge>
              ) : (
                <StatusBadge tone="danger">Differs</StatusBadge>
              )}{' '}
              {countOf(ballots, 'ballot')}, {countOf(register, 'person', 'people')} in the register. {method}.
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
