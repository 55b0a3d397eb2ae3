import classes from './presentation-join.module.css';
import { QrCode } from './qr-code';

interface PresentationJoinProps {
  clientCode: string;
  joinUrl: string;
  /** While the hall has nothing else to do. */
  isLarge?: boolean;
}

/** The ways to take part: an address to type, a code to enter, or both in one QR code. */
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

/** What has to be typed, in two parts between which a narrow line breaks first. */
function shortAddress(joinUrl: string): { host: string; path: string } {
  const address = joinUrl.replace(/^https?:\/\//, '').replace(/\/login\/.*$/, '');
  const slash = address.indexOf('/');
  return slash < 0
    ? { host: address, path: '' }
    : { host: address.slice(0, slash), path: address.slice(slash) };
}
