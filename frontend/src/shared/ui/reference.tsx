import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '../clipboard';
import classes from './reference.module.css';

/**
 * By what whoever runs the server finds an unexpected error in its log. The voter's first screen has it, so its button is
 * one of words: what else shows a copy loads more.
 */
export function Reference({ id }: { id: string }) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <span className={classes.root}>
      <span>
        Reference <span className={classes.id}>{id}</span>
      </span>
      <UnstyledButton className={classes.copy} onClick={async () => setIsCopied(await copyText(id))}>
        {isCopied ? 'Copied' : 'Copy reference'}
      </UnstyledButton>
    </span>
  );
}
