import { Button } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { MadeJoinLink } from '../../api/types';
import { useUser } from '../../api/use-session';
import { downloadFile } from '../download';
import { countOf } from '../format';
import { paths, publicUrl } from '../paths';
import { QrCode } from '../presentation/qr-code';
import { SlipsPrinter } from '../slips/slips-printer';
import { CopyButton } from '../ui/copy-button';
import { WarningNote } from '../ui/warning-note';
import classes from './join-links-form.module.css';
import { joinLinksSheet } from './join-links-sheet';
import type { JoinMeeting } from './join-meeting';
import { JoinSlipSheet } from './join-slip-sheet';

interface MadeLinksProps {
  links: MadeJoinLink[];
  meeting: JoinMeeting | undefined;
  /** The links are printed, downloaded or copied. */
  onKept: () => void;
  onBack: () => void;
}

/** New links: one with its QR code, several as slips to print. */
export function MadeLinks({ links, meeting, onKept, onBack }: MadeLinksProps) {
  const [isPrinting, setIsPrinting] = useState(false);
  const organization = useUser()?.clientName ?? '';
  const [one] = links;
  if (!one) {
    return (
      <>
        <p role="status">Nobody needs a link: there is no active person among these.</p>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
        </div>
      </>
    );
  }

  function handleDownload() {
    const sheet = joinLinksSheet(
      { organization, links, hasCheckIn: meeting?.hasCheckIn ?? false },
      new Date(),
    );
    downloadFile(sheet.name, new Blob([sheet.text], { type: 'text/csv;charset=utf-8' }));
    onKept();
  }

  if (isPrinting) {
    return (
      <SlipsPrinter
        slips={links}
        render={(slips) => <JoinSlipSheet organization={organization} meeting={meeting} links={slips} />}
        onBack={() => setIsPrinting(false)}
        onPrinted={onKept}
      />
    );
  }
  return (
    <>
      <h3 className={classes.title} role="status">
        {countOf(links.length, 'personal link')} made
      </h3>
      <WarningNote>
        {links.length === 1
          ? 'The link is shown now and never again. Anybody with the link can vote as this person.'
          : 'The links are shown now and never again. Anybody with a link can vote as its person.'}
      </WarningNote>
      {links.length === 1 ? <OneLink link={one} onKept={onKept} /> : null}
      <div className={classes.buttons}>
        <Button
          variant={links.length === 1 ? 'default' : 'filled'}
          leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => setIsPrinting(true)}
        >
          {links.length === 1 ? 'Print slip' : 'Print slips with personal links'}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
          onClick={handleDownload}
        >
          Download CSV
        </Button>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  );
}

function OneLink({ link, onKept }: { link: MadeJoinLink; onKept: () => void }) {
  const address = publicUrl(paths.join(link.token));
  return (
    <>
      <div className={classes.qr}>
        <QrCode text={address} label={`QR code of the personal link of ${link.name}`} />
      </div>
      <p className={classes.link}>
        <code>{address}</code>
        <CopyButton text={address} label="Copy link" onCopied={onKept} />
      </p>
    </>
  );
}
