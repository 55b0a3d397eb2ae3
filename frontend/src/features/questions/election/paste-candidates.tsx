import { Button, Textarea } from '@mantine/core';
import { countOf } from '../../../shared/format';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import classes from './candidates-editor.module.css';
import { parseCandidates } from './parse-candidates';

interface PasteCandidatesProps {
  text: string;
  onText: (text: string) => void;
  /** Makes the names in the box candidates, and empties it. */
  onAdd: () => void;
}

/** Adds many candidates at once, one a line. */
export function PasteCandidates({ text, onText, onAdd }: PasteCandidatesProps) {
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  const pasted = parseCandidates(text);

  function handleAdd() {
    if (pasted.length > 0) {
      onAdd();
      fold();
    }
  }

  /** The text goes too: hidden names would otherwise be saved with the question. */
  function handleCancel() {
    onText('');
    fold();
  }

  if (!isUnfolded && text === '') {
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
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <div className={classes.add}>
        <Button size="xs" disabled={pasted.length === 0} onClick={handleAdd}>
          {pasted.length === 0 ? 'Add Candidates' : `Add ${countOf(pasted.length, 'Candidate')}`}
        </Button>
        <Button variant="default" size="xs" onClick={handleCancel}>
          Cancel Pasting
        </Button>
      </div>
    </div>
  );
}
