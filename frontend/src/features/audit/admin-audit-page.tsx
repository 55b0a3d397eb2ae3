import { paths } from '../../shared/paths';
import { AuditLog } from './audit-log';

export function AdminAuditPage() {
  return (
    <AuditLog
      scope="platform"
      description="What super administrators did, and what became of organizations. Each organization has a log of its own."
      back={{ to: paths.admin, label: 'Back to Dashboard' }}
    />
  );
}
