import type { FileCheck } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import type { StatusTone } from '../../shared/ui/status-badge';

interface Words {
  tone: StatusTone;
  title: string;
  proven: string[];
  unproven: string[];
}

/** The proven and the unproven facts of a check, in plain words. */
export function verdictWords(check: FileCheck): Words {
  switch (check.verdict) {
    case 'signed':
      return {
        tone: 'good',
        title: 'Signed by this installation, and consistent',
        proven: [
          'This installation signed the file, and nothing in it has been changed since.',
          ...provenByContent(check),
          ...provenByTimestamps(check),
        ],
        unproven: [...unprovenOf(check), ...unknownAuthorities(check)],
      };
    case 'origin_unknown':
      return {
        tone: 'warning',
        title: 'Consistent, origin unknown',
        proven: [...provenByContent(check), ...provenByTimestamps(check)],
        unproven: [
          check.key
            ? 'That this installation made the file: it is signed with another key, whose fingerprint is below. Compare it with the fingerprint that the organization has published.'
            : 'That this installation made the file: it is not signed. Anybody can write a consistent file.',
          ...unprovenOf(check),
          ...unknownAuthorities(check),
        ],
      };
    case 'not_consistent':
      return {
        tone: 'danger',
        title: 'Not consistent: do not rely on this file',
        proven: [
          'Something in the file was changed after the export, or does not match. The differences are listed below.',
        ],
        unproven: ['What the file said before. Ask the organization for a new export.'],
      };
  }
}

function provenByContent({ kind, rounds, purged }: FileCheck): string[] {
  switch (kind) {
    case 'results':
      return provenByRecount('file', rounds);
    case 'audit_log':
      return purged === null
        ? ['The chain of the audit log is whole: no entry is missing, changed or added, also at the end.']
        : [
            'The chain of the audit log is whole from its first entry on: no entry is missing, changed or added, also at the end.',
            `Entries 1 to ${formatNumber(purged)} are not in the file. They were purged, because they were older than the retention time or because an operator ordered it, and a purge document in the file says so.`,
          ];
    case 'archive':
      return [
        ...provenByRecount('archive', rounds),
        'Results, minutes and entries of the audit log are as they were signed.',
      ];
    case 'results_table':
    case 'audit_table':
    case 'attendance_table':
    case 'proxies_table':
      return ['No cell has been changed since the table was signed.'];
  }
}

function unprovenOf(check: FileCheck): string[] {
  const unsignedLooks =
    'How a program shows the table: hidden rows and columns, colors and widths are not signed.';
  const newest = 'That it is the newest export. There may be a later one.';
  switch (check.kind) {
    case 'results':
    case 'archive':
      return [
        ...uncountedSums(check),
        'That everybody in the register was entitled to vote, and voted in person.',
        'Who chose what in a secret vote: the file does not contain it.',
        newest,
      ];
    case 'results_table':
      return ['The count: a table cannot be counted again. The JSON export can.', unsignedLooks, newest];
    case 'attendance_table':
      return ['That the entries are true: people made them.', unsignedLooks, newest];
    case 'proxies_table':
      return ['That the proxies were given: people entered them.', unsignedLooks, newest];
    case 'audit_log':
      return [newest];
    case 'audit_table':
      return ['That the table has all entries: it may be filtered. The JSON export has all.', newest];
  }
}

function provenByTimestamps({ timestamps }: FileCheck): string[] {
  const known = timestamps.filter(({ isAuthorityKnown }) => isAuthorityKnown);
  return known.length === 0
    ? []
    : [
        `An independent authority has seen ${countOf(known.length, 'record')} at the time of the timestamp: nobody can have written it later, not even the operator of this installation.`,
      ];
}

function unknownAuthorities({ timestamps }: FileCheck): string[] {
  return timestamps.every(({ isAuthorityKnown }) => isAuthorityKnown)
    ? []
    : [
        'The time of the timestamps: this installation has no certificate of the authority. Check it with plenum verify --timestamp-certificates.',
      ];
}

function provenByRecount(file: 'file' | 'archive', rounds: FileCheck['rounds']): string[] {
  const recounted = rounds.filter(({ isRecounted }) => isRecounted).length;
  const sums = rounds.length - recounted;
  const sentences = [
    recounted === 0
      ? null
      : `The server counted the ballots in the ${file} again: the results of ${countOf(recounted, 'round')} agree.`,
    sums === 0
      ? null
      : `The sums of ${countOf(sums, 'round')} are possible, and the results follow from them.`,
  ].filter((sentence) => sentence !== null);
  return [
    ...(rounds.length === 0 ? [`The ${file} contains no counted round.`] : sentences),
    'Each declared result is the one in its record.',
  ];
}

/** Rounds whose answers are not in the file. */
function uncountedSums({ rounds }: FileCheck): string[] {
  const sums = rounds.filter(({ isRecounted }) => !isRecounted).length;
  return sums === 0
    ? []
    : [
        `The sums of ${countOf(sums, 'round')}: the file has no answers that could be counted again, because they would show who voted what.`,
      ];
}
