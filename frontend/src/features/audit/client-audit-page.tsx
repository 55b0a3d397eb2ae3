import { paths } from '../../shared/paths';
import { AuditLog } from './audit-log';

export function ClientAuditPage() {
  return (
    <AuditLog
      scope="client"
      description="Who changed what in your organization, when and from where. It never contains votes."
      back={{ to: paths.client, label: 'Back to Dashboard' }}
    />
  );
}
