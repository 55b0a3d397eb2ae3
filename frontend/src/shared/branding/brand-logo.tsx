import { useState } from 'react';
import classes from './brand-logo.module.css';

interface BrandLogoProps {
  src: string;
  className?: string;
}

/**
 * The logo of an organization, on white in the dark theme: most logos are made for white paper. It is decoration, because
 * the organization's name is always beside it.
 */
export function BrandLogo({ src, className }: BrandLogoProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === src) {
    return null;
  }
  return (
    <img
      className={`${classes.logo} ${className ?? ''}`}
      src={src}
      alt=""
      decoding="async"
      onError={() => setFailed(src)}
    />
  );
}
