import { useMemo } from 'react';
import classes from './presentation-join.module.css';
import { drawQrCode } from './qr-drawing';

/** A QR code of an address for phones. Dark on white in both themes: not every camera reads inverted codes. */
export function QrCode({ text, label = `QR code of ${text}` }: { text: string; label?: string }) {
  const { size, path } = useMemo(() => drawQrCode(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
