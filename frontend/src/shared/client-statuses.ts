import type { ClientStatus } from '../api/types';

export const clientStatuses: { value: ClientStatus; label: string }[] = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'INACTIVE', label: 'Inactive' },
  { value: 'SUSPENDED', label: 'Suspended' },
];

export function clientStatusLabel(status: ClientStatus): string {
  return clientStatuses.find(({ value }) => value === status)?.label ?? status;
}
