import { Button, Group, Textarea, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import type { Invitations } from '../../../api/types';
import { copyText } from '../../../shared/clipboard';
import { QrCode } from '../../../shared/presentation/qr-code';
import { Card } from '../../../shared/ui/card';
import { toast } from '../../../shared/ui/toast';
import classes from './invitations.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** A prepared text, its link, and the link as a QR code, to pass on in any way. */
export function InvitationLetter({ invitations }: { invitations: Invitations }) {
  const { subject, text, link } = invitations;
  if (text === null || link == null) {
    return null;
  }

  async function copy(copied: string, success: string) {
    if (await copyText(copied)) {
      toast.success(success);
    } else {
      toast.error('Could not copy. Select the text here and copy it by hand.');
    }
  }

  return (
    <Card title="Share it yourself" description="By chat, letter, notice board or your own email program.">
      <div className={classes.letter}>
        <TextInput label="Subject" value={subject} readOnly dir="auto" />
        <Textarea label="Text" value={text} readOnly autosize minRows={6} maxRows={12} dir="auto" />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconCopy {...ICON} />}
            onClick={() => void copy(subject, 'Subject copied to clipboard')}
          >
            Copy Subject
          </Button>
          <Button
            variant="default"
            leftSection={<IconCopy {...ICON} />}
            onClick={() => void copy(text, 'Invitation text copied to clipboard')}
          >
            Copy Text
          </Button>
          <Button
            variant="default"
            leftSection={<IconCopy {...ICON} />}
            onClick={() => void copy(link, 'Meeting invitation link copied to clipboard')}
          >
            Copy Link
          </Button>
        </Group>
        <div className={classes.code}>
          <QrCode text={link} />
          <p className={classes.quiet}>
            This code opens the sign-in page of the meeting. <span className={classes.link}>{link}</span>
          </p>
        </div>
      </div>
    </Card>
  );
}
