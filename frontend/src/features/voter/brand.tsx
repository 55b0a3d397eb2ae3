import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { voterQueries } from './queries';

const VoterBrand = lazy(() => import('../../shared/branding/voter-brand'));

/** The logo and the accent color of an organization that has them. */
export function Brand({ code }: { code: string }) {
  const { data } = useQuery(voterQueries.organization(code));
  return data?.branding.accent || data?.branding.logoVersion ? (
    <Suspense>
      <VoterBrand {...data} />
    </Suspense>
  ) : null;
}
