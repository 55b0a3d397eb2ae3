import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { logoAddress } from '../branding/logo-address';
import { brandingQueries } from '../branding/queries';

interface PresentationBrand {
  /** Undefined without an accent color. */
  style: CSSProperties | undefined;
  /** The address of the logo. */
  logo: string | null;
}

/** The branding of the organization on a presentation. A change is shown after the page is loaded again. */
export function usePresentationBrand(clientCode: string): PresentationBrand {
  const { data } = useQuery(brandingQueries.of(clientCode));
  const { accent, logoVersion } = data?.branding ?? { accent: null, logoVersion: null };
  const style = accent && {
    '--brand-accent': accent.color,
    '--brand-soft': accent.soft,
    '--brand-dark': accent.dark,
    '--brand-dark-soft': accent.darkSoft,
  };
  return {
    style: style ? (style as CSSProperties) : undefined,
    logo: logoVersion ? logoAddress(clientCode, logoVersion) : null,
  };
}
