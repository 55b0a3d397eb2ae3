import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../../../shared/format';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import classes from './candidates-editor.module.css';
import type { CandidateField } from './election-form';
import { parseCandidates } from './parse-candidates';

/** Adds many candidates at once, one a line. */
export function PasteCandidates({ onPaste }: { onPaste: (candidates: CandidateField[]) => void }) {
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  const [text, setText] = useState('');
  const pasted = parseCandidates(text);

  function handleAdd() {
    if (pasted.length > 0) {
      onPaste(pasted);
      setText('');
      fold();
    }
  }

  if (!isUnfolded) {
    return (
      <Button ref={opener} variant="default" size="xs" onClick={unfold}>
        Paste Names
      </Button>
    );
  }
  return (
    <div className={classes.paste}>
      <Textarea
        label="Names"
        description="One candidate a line: “Name”, or “Name; line”."
        placeholder={'Nadia Brandt; Flat 12\nTomas Weller'}
        autosize
        minRows={4}
        maxRows={12}
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.add}>
        <Button size="xs" disabled={pasted.length === 0} onClick={handleAdd}>
          {pasted.length === 0 ? 'Add Candidates' : `Add ${countOf(pasted.length, 'Candidate')}`}
        </Button>
        <Button variant="default" size="xs" onClick={fold}>
          Cancel Pasting
        </Button>
      </div>
    </div>
  );
}
