import { memo } from 'react';
import type { MadeJoinLink } from '../../api/types';
import { paths, publicUrl } from '../paths';
import { drawQrCode } from '../presentation/qr-drawing';
import { SlipRows } from '../slips/slip-rows';
import classes from '../slips/slip-sheet.module.css';
import { sizeOf } from '../slips/text-size';

interface JoinSlipSheetProps {
  organization: string;
  /** The meeting, if the links are for one. */
  meetingTitle?: string | undefined;
  links: MadeJoinLink[];
}

/** Slips with personal links in rows of two, each with its own QR code. */
export const JoinSlipSheet = memo(function JoinSlipSheet({ links, ...shared }: JoinSlipSheetProps) {
  return (
    <div className={classes.sheet}>
      <SlipRows
        slips={links}
        keyOf={({ endUserId }) => endUserId}
        render={(link) => <JoinSlip link={link} {...shared} />}
      />
    </div>
  );
});

interface JoinSlipProps extends Omit<JoinSlipSheetProps, 'links'> {
  link: MadeJoinLink;
}

function JoinSlip({ link, organization, meetingTitle }: JoinSlipProps) {
  const { size, path } = drawQrCode(publicUrl(paths.join(link.token)));
  const address = publicUrl(paths.participant);
  return (
    <article className={classes.slip} aria-label={`Slip of ${link.name}`}>
      <p className={classes.organization} data-size={sizeOf(organization)}>
        {organization}
      </p>
      <p className={classes.name} data-size={sizeOf(link.name)}>
        {link.name}
      </p>
      <div className={classes.middle}>
        <dl className={classes.facts}>
          {meetingTitle ? (
            <>
              <dt>Meeting</dt>
              <dd data-size={sizeOf(meetingTitle)}>{meetingTitle}</dd>
            </>
          ) : null}
          <dt>Username</dt>
          <dd data-size={sizeOf(link.username)}>{link.username}</dd>
          <dt>Scan the code to join</dt>
          <dt>It is yours alone. Do not pass it on.</dt>
        </dl>
        <svg
          className={classes.qr}
          viewBox={`0 0 ${size} ${size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label={`QR code of the personal link of ${link.name}`}
        >
          <rect width={size} height={size} fill="#ffffff" />
          <path d={path} fill="#000000" />
        </svg>
      </div>
      <p className={classes.address} data-size={sizeOf(address)}>
        Or sign in at <strong>{address.replace(/^https?:\/\//, '')}</strong>
      </p>
    </article>
  );
}
