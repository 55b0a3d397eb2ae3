import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense } from 'react';
import type { PublicClient } from '../../api/types';
import { voterQueries } from './queries';

/** A phone that cannot load it keeps Plenum's look: the ballot matters more. */
const VoterBrand = lazy<ComponentType<PublicClient>>(() =>
  import('../../shared/branding/voter-brand').catch(() => ({ default: () => null })),
);

/** The logo and the accent color of an organization that has them. */
export function Brand({ code }: { code: string }) {
  const { data } = useQuery(voterQueries.organization(code));
  return data?.branding.accent || data?.branding.logoVersion ? (
    <Suspense>
      <VoterBrand {...data} />
    </Suspense>
  ) : null;
}
