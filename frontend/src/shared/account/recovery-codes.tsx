import { Button, Group } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../clipboard';
import { downloadText } from '../download';
import { DiscardGuard } from '../ui/discard-guard';
import type { LossQuestion } from '../ui/loss-question';
import { toast } from '../ui/toast';
import classes from './account.module.css';

const LEAVE_QUESTION: LossQuestion = {
  title: 'Leave without the recovery codes?',
  text: 'They cannot be shown again. Without them, you cannot sign in if your phone is lost.',
  confirmLabel: 'Leave without them',
  cancelLabel: 'Stay here',
};

/** Shows new recovery codes. The server returns them only once. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is removed, so the focus moves to the new heading.
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');

  async function handleCopy() {
    if (await copyText(text)) {
      toast.success('Recovery codes copied');
    } else {
      toast.error('Could not copy. Please download them, or write them down.');
    }
  }

  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={classes.subtitle}>
        Your recovery codes
      </h3>
      <p className={classes.text}>
        With one of these you sign in when your phone is lost. Each works once. Keep them where your phone is
        not: they are not shown again.
      </p>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group gap="xs" mt="sm">
        <Button variant="default" onClick={() => void handleCopy()}>
          Copy
        </Button>
        <Button
          variant="default"
          onClick={() => downloadText('plenum-recovery-codes.txt', `Recovery codes for Plenum\n\n${text}\n`)}
        >
          Download
        </Button>
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
      <DiscardGuard isAsking={isAsking} onAsk={setIsAsking} onDiscard={onKept} question={LEAVE_QUESTION} />
    </>
  );
}
