import { memo } from 'react';
import type { MadeJoinLink } from '../../api/types';
import { paths, publicUrl } from '../paths';
import { QrCode } from '../presentation/qr-code';
import { SlipRows } from '../slips/slip-rows';
import classes from '../slips/slip-sheet.module.css';
import { sizeOf } from '../slips/text-size';
import { checkInCode } from './check-in-code';
import type { JoinMeeting } from './join-meeting';

interface JoinSlipSheetProps {
  organization: string;
  /** The meeting, if the links are for one. */
  meeting?: JoinMeeting | undefined;
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

function JoinSlip({ link, organization, meeting }: JoinSlipProps) {
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
          {meeting ? (
            <>
              <dt>Meeting</dt>
              <dd data-size={sizeOf(meeting.title)}>{meeting.title}</dd>
            </>
          ) : null}
          <dt>Username</dt>
          <dd data-size={sizeOf(link.username)}>{link.username}</dd>
          <dt>Scan the code to join</dt>
          <dt>It is yours alone. Do not pass it on.</dt>
        </dl>
        <QrCode
          text={publicUrl(paths.join(link.token))}
          label={`QR code of the personal link of ${link.name}`}
          className={classes.qr}
        />
      </div>
      {meeting?.hasCheckIn ? (
        <p className={classes.checkIn}>
          <QrCode
            text={checkInCode(link.endUserId)}
            label={`Check-in code of ${link.name}`}
            className={classes.small}
          />
          <span>For the check-in desk. Show it when you come, and when you go.</span>
        </p>
      ) : null}
      <p className={classes.address} data-size={sizeOf(address)}>
        Or sign in at <strong>{address.replace(/^https?:\/\//, '')}</strong>
      </p>
    </article>
  );
}
