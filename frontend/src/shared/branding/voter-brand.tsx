import type { PublicClient } from '../../api/types';
import { accentStyle } from './accent-style';
import { BrandLogo } from './brand-logo';
import { logoAddress } from './logo-address';
import classes from './voter-brand.module.css';

/** The logo and the accent color on a voter's screen. Only voters of an organization that has them load this file. */
export default function VoterBrand({ clientCode, branding: { accent, logoVersion } }: PublicClient) {
  return (
    <>
      {accent ? <style>{accentStyle(accent)}</style> : null}
      {logoVersion ? (
        <BrandLogo src={logoAddress(clientCode, logoVersion)} className={classes.logo ?? ''} />
      ) : null}
    </>
  );
}
