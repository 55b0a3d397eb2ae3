import type { AuditEntry } from '../../api/types';
import { formatDateTime, formatExact } from '../../shared/format';
import type { Column } from '../../shared/ui/data-table';
import { TwoLineCell } from '../../shared/ui/two-line-cell';
import { AuditChanges } from './audit-changes';
import { kindLabel } from './kinds';

const ROLES: Record<string, string> = {
  SUPER_ADMIN: 'Super Admin',
  CLIENT: 'Client Admin',
  END_USER: 'Voter',
  NOBODY: 'Not signed in',
  SYSTEM: 'Plenum itself',
};

export const AUDIT_COLUMNS: Column<AuditEntry>[] = [
  {
    header: 'Time',
    isUnbroken: true,
    onPhone: 'fact',
    render: ({ at }) => (
      <time dateTime={at} title={formatExact(at)}>
        {formatDateTime(at)}
      </time>
    ),
  },
  {
    header: 'What',
    isTwoLine: true,
    onPhone: 'title',
    render: ({ kind, subject }) => (
      <TwoLineCell
        main={kindLabel(kind)}
        sub={[subject.name, subject.meeting].filter((text) => text).join(' · ')}
      />
    ),
  },
  {
    header: 'Who',
    isTwoLine: true,
    onPhone: 'fact',
    render: ({ by }) => <TwoLineCell main={by.name ?? roleOf(by.role)} sub={authorLine(by)} />,
  },
  { header: 'Changes', onPhone: 'fact', render: ({ changes }) => <AuditChanges changes={changes} /> },
  {
    header: 'No.',
    align: 'right',
    onPhone: 'hidden',
    render: ({ link }) => (link ? <span title={link.hash}>{link.number}</span> : '–'),
  },
];

function roleOf(role: string): string {
  return ROLES[role] ?? role;
}

/** Without a name, the role is shown in its place. */
function authorLine({ role, name, address }: AuditEntry['by']): string {
  return [name ? roleOf(role) : null, address ? `from ${address}` : null].filter((text) => text).join(', ');
}
