import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { brandingQueries } from './queries';

/** The client whose branding a super administrator sees. Null for the organizer's own organization. */
export type BrandingOwner = { clientId: string; clientCode: string } | null;

/** The branding of a client for a super administrator, or of the organizer's own organization. */
export function brandingOfOwner(owner: BrandingOwner) {
  if (owner === null) {
    return brandingQueries.own();
  }
  const path = { clientId: owner.clientId };
  return queryOptions({
    queryKey: [...brandingQueries.all(), 'client', owner.clientId],
    queryFn: ({ signal }) => unwrap(api.GET('/clients/{clientId}/branding', { params: { path }, signal })),
  });
}
