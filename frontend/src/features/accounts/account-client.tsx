import type { Account } from '../../api/types';
import { paths } from '../../shared/paths';
import { ClientStatusBadge } from '../../shared/ui/client-status-badge';
import { TextLink } from '../../shared/ui/text-link';
import classes from './account-client.module.css';

/** The client of an administrator, with its status if that prevents the sign-in. */
export function AccountClient({ client }: { client: NonNullable<Account['client']> }) {
  return (
    <span className={classes.root}>
      <TextLink to={paths.adminClient(client.clientCode)}>{client.name}</TextLink>
      {client.status === 'ACTIVE' ? null : <ClientStatusBadge status={client.status} />}
    </span>
  );
}
