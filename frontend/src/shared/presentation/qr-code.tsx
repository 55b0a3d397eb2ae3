import { useMemo } from 'react';
import classes from './presentation-join.module.css';
import { drawQrCode } from './qr-drawing';

interface QrCodeProps {
  text: string;
  label?: string;
  /** In place of the look on screens. */
  className?: string | undefined;
}

/** A QR code for cameras. Dark on white in both themes: not every camera reads inverted codes. */
export function QrCode({ text, label = `QR code of ${text}`, className = classes.qr }: QrCodeProps) {
  const { size, path } = useMemo(() => drawQrCode(text), [text]);
  return (
    <svg
      className={className}
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
