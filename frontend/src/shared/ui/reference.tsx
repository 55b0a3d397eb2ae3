import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { copyText } from '../clipboard';
import classes from './reference.module.css';

/**
 * The reference of an unexpected error, which the operator of the server finds in its log. The voter's first screen
 * contains it, so its button has only text: the other copy buttons load more code.
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
