import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from '../clipboard';
import { toast } from './toast';

interface CopyButtonProps {
  text: string;
  label: string;
  onCopied?: () => void;
}

/** Copies a short text, and confirms it in the same place. */
export function CopyButton({ text, label, onCopied }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) {
      return;
    }
    const timer = window.setTimeout(() => setIsCopied(false), 2000);
    return () => window.clearTimeout(timer);
  }, [isCopied]);

  async function handleCopy() {
    if (await copyText(text)) {
      setIsCopied(true);
      onCopied?.();
    } else {
      toast.error(`Could not copy. The text is: ${text}`);
    }
  }

  return (
    <Tooltip label={isCopied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color="gray" aria-label={isCopied ? 'Copied' : label} onClick={handleCopy}>
        {isCopied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  );
}
