import classes from './presentation-join.module.css';
import { QrCode } from './qr-code';

interface PresentationJoinProps {
  clientCode: string;
  joinUrl: string;
  /** The large form, while the hall waits. */
  isLarge?: boolean;
}

/** The ways to join: an address to type, a code to enter, or both in one QR code. */
export function PresentationJoin({ clientCode, joinUrl, isLarge = false }: PresentationJoinProps) {
  const { host, path } = shortAddress(joinUrl);
  return (
    <div className={classes.root} data-large={isLarge}>
      <div className={classes.words}>
        <p className={classes.label}>Join at</p>
        <p className={classes.address}>
          {host}
          <wbr />
          {path}
        </p>
        <p className={classes.label}>
          Code <strong className={classes.code}>{clientCode.toUpperCase()}</strong>
        </p>
      </div>
      <QrCode text={joinUrl} />
    </div>
  );
}

/** The address to type, in two parts. A narrow line breaks between them first. */
function shortAddress(joinUrl: string): { host: string; path: string } {
  const address = joinUrl.replace(/^https?:\/\//, '').replace(/\/login\/.*$/, '');
  const slash = address.indexOf('/');
  return slash < 0
    ? { host: address, path: '' }
    : { host: address.slice(0, slash), path: address.slice(slash) };
}
