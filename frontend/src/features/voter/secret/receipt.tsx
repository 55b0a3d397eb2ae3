import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { copyText } from '../../../shared/clipboard';
import { toast } from '../../../shared/ui/toast';
import classes from './receipt.module.css';
import { keepReceipt, keptReceipt } from './receipt-notes';
import { ReceiptWarning } from './receipt-warning';

export interface ReceiptProps {
  roundId: string | null;
  /** From the server, until the urn is opened. */
  receipt: string | null;
  /** Of the envelope that this page has just sealed and sent. */
  ownReceipt?: string | null;
  isSealedByServer?: boolean;
}

/** The receipt of a sealed ballot: it tells nothing about the answer. */
export function Receipt({ roundId, receipt, ownReceipt = null, isSealedByServer = false }: ReceiptProps) {
  const kept = keptReceipt(roundId) ?? ownReceipt;
  const code = kept ?? receipt;
  useEffect(() => {
    if (code !== null) {
      keepReceipt(roundId, code);
    }
  }, [roundId, code]);

  return (
    <>
      {isSealedByServer ? (
        <p>Your ballot was sealed by the server, because this browser cannot do it on this connection.</p>
      ) : null}
      {code === null ? null : (
        <>
          <p>Your receipt:</p>
          <div className={classes.line}>
            <code className={classes.code}>{code}</code>
            <CopyReceipt code={code} />
          </div>
          <ReceiptWarning kept={kept} named={receipt} />
          <p>
            When the result is declared, you can look for this code in the list of all ballots in the urn. It
            does not show how you voted.
          </p>
        </>
      )}
    </>
  );
}

function CopyReceipt({ code }: { code: string }) {
  const [isCopied, setIsCopied] = useState(false);

  async function handleCopy() {
    if (await copyText(code)) {
      setIsCopied(true);
    } else {
      toast.error('Could not copy the receipt. Write it down.');
    }
  }

  return (
    <Button variant="default" size="md" onClick={() => void handleCopy()}>
      {isCopied ? 'Copied' : 'Copy receipt'}
    </Button>
  );
}
