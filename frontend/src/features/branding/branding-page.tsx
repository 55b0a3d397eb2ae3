import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf, referenceOf } from '../../api/api-error';
import { brandingQueries } from '../../shared/branding/queries';
import { Card } from '../../shared/ui/card';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHead } from '../../shared/ui/page-head';
import { AccentForm } from './accent-form';
import classes from './branding-page.module.css';
import { LogoForm } from './logo-form';

/** The logo and the accent color of the organizer's organization. */
export function BrandingPage() {
  const branding = useQuery(brandingQueries.own());
  return (
    <>
      <PageHead
        title="Logo and color"
        description="Voters see them on their phones and on the presentation, and minutes are printed with them."
      />
      {branding.isError ? (
        <ErrorState
          title={messageOf(branding.error, 'Failed to load the logo and the color')}
          reference={referenceOf(branding.error)}
          isRetrying={branding.isFetching}
          onRetry={() => void branding.refetch()}
        />
      ) : (
        <div className={classes.cards}>
          <Card
            title="Logo"
            description="Phones and presentations show a new logo after they load the page again."
          >
            {branding.data ? (
              <LogoForm version={branding.data.logoVersion} />
            ) : (
              <Skeleton height={220} aria-label="Loading the logo" />
            )}
          </Card>
          <Card
            title="Accent color"
            description="For buttons, links and bars in place of Plenum’s green. The colors of yes, no and abstain stay."
          >
            {branding.data ? (
              <AccentForm accent={branding.data.accent?.color ?? null} />
            ) : (
              <Skeleton height={220} aria-label="Loading the color" />
            )}
          </Card>
        </div>
      )}
    </>
  );
}
