import { QrCode } from './qr-code';
import classes from './wall-join.module.css';

interface WallJoinProps {
  clientCode: string;
  joinUrl: string;
  /** While the hall has nothing else to do. */
  isLarge?: boolean;
}

/** How to take part: an address to type, a code to enter, or both in one picture. */
export function WallJoin({ clientCode, joinUrl, isLarge = false }: WallJoinProps) {
  const address = joinUrl.replace(/^https?:\/\//, '').replace(/\/login\/.*$/, '');
  return (
    <div className={classes.root} data-large={isLarge}>
      <div>
        <p className={classes.label}>Join at</p>
        <p className={classes.address}>{address}</p>
        <p className={classes.label}>
          Code <strong className={classes.code}>{clientCode.toUpperCase()}</strong>
        </p>
      </div>
      <QrCode text={joinUrl} />
    </div>
  );
}
