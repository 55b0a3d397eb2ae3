import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf, referenceOf } from '../../api/api-error';
import { Card } from '../ui/card';
import { ErrorState } from '../ui/error-state';
import { AccentForm } from './accent-form';
import classes from './branding-cards.module.css';
import { LogoForm } from './logo-form';
import { type BrandingOwner, brandingOfOwner } from './owner-query';

/** Shows and changes the logo and the accent color of an organization. */
export function BrandingCards({ owner }: { owner: BrandingOwner }) {
  const branding = useQuery(brandingOfOwner(owner));
  // A later failure must not take away what is typed.
  if (branding.isError && branding.data === undefined) {
    return (
      <ErrorState
        title={messageOf(branding.error, 'Failed to load the logo and the color')}
        reference={referenceOf(branding.error)}
        isRetrying={branding.isFetching}
        onRetry={() => void branding.refetch()}
      />
    );
  }
  return (
    <div className={classes.cards}>
      <Card
        title="Logo"
        description="Phones and presentations show a new logo after they load the page again."
      >
        {branding.data ? (
          <LogoForm owner={owner} version={branding.data.logoVersion} />
        ) : (
          <Skeleton height={220} aria-label="Loading the logo" />
        )}
      </Card>
      <Card
        title="Accent color"
        description="For buttons, links and bars in place of Plenum’s green. The colors of yes, no and abstain stay."
      >
        {branding.data ? (
          <AccentForm owner={owner} accent={branding.data.accent?.color ?? null} />
        ) : (
          <Skeleton height={220} aria-label="Loading the color" />
        )}
      </Card>
    </div>
  );
}
