import { BrandingCards } from '../../shared/branding/branding-cards';
import { PageHead } from '../../shared/ui/page-head';

/** The logo and the accent color of the organizer's organization. */
export function BrandingPage() {
  return (
    <>
      <PageHead
        title="Logo and color"
        description="Voters see them on their phones and on the presentation, and minutes are printed with them."
      />
      <BrandingCards owner={null} />
    </>
  );
}
