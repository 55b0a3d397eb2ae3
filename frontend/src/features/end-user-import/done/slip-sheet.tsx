import { memo, useId } from 'react';
import type { Credentials } from '../../../api/types';
import { drawQrCode } from '../../../shared/presentation/qr-drawing';
import { SlipRows } from '../../../shared/slips/slip-rows';
import classes from '../../../shared/slips/slip-sheet.module.css';
import { sizeOf } from '../../../shared/slips/text-size';
import { signInAddress } from './credentials-sheet';

/** Slips in rows of two. All of them have the same address, so its QR code is drawn once and shared. */
export const SlipSheet = memo(function SlipSheet({ credentials }: { credentials: Credentials[] }) {
  const id = useId();
  const [one] = credentials;
  if (!one) {
    return null;
  }
  const address = signInAddress(one.clientCode);
  const { size, path } = drawQrCode(address);
  return (
    <div className={classes.sheet}>
      <svg className={classes.definition} aria-hidden="true">
        <symbol id={id} viewBox={`0 0 ${size} ${size}`}>
          <rect width={size} height={size} fill="#ffffff" />
          <path d={path} fill="#000000" shapeRendering="crispEdges" />
        </symbol>
      </svg>
      <SlipRows
        slips={credentials}
        keyOf={({ username }) => username}
        render={(slip) => <Slip slip={slip} address={address} qrId={id} />}
      />
    </div>
  );
});

/** A generated password: letters, digits and signs, without spaces. */
const GENERATED = /^[!-~]{12}$/;

/** A password as it is typed. A generated one is set in groups of four, which a gap separates that is no character. */
function Password({ text }: { text: string }) {
  const groups = GENERATED.test(text) ? [text.slice(0, 4), text.slice(4, 8), text.slice(8)] : [text];
  return groups.map((group, index) => (
    // Groups never move, and two may be the same.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <span key={index} className={classes.group}>
      {group}
    </span>
  ));
}

interface SlipProps {
  slip: Credentials;
  address: string;
  /** The id of the symbol that contains the QR code. */
  qrId: string;
}

function Slip({ slip, address, qrId }: SlipProps) {
  return (
    <article className={classes.slip} aria-label={`Slip of ${slip.name}`}>
      <p className={classes.organization} data-size={sizeOf(slip.organization)}>
        {slip.organization}
      </p>
      <p className={classes.name} data-size={sizeOf(slip.name)}>
        {slip.name}
      </p>
      <div className={classes.middle}>
        <dl className={classes.facts}>
          <dt>Organization code</dt>
          <dd data-size={sizeOf(slip.clientCode)}>{slip.clientCode.toUpperCase()}</dd>
          <dt>Username</dt>
          <dd data-size={sizeOf(slip.username)}>{slip.username}</dd>
          <dt>Password</dt>
          <dd data-size={sizeOf(slip.password)}>
            <Password text={slip.password} />
          </dd>
        </dl>
        <svg className={classes.qr} role="img" aria-label="QR code of the address to sign in at">
          <use href={`#${qrId}`} />
        </svg>
      </div>
      <p className={classes.address} data-size={sizeOf(address)}>
        Sign in at <strong>{address.replace(/^https?:\/\//, '')}</strong>
      </p>
    </article>
  );
}
