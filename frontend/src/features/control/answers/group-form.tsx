import { Autocomplete, Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerCuration } from '../../../api/types';
import { countOf } from '../../../shared/format';
import classes from './answers-panel.module.css';
import { type Change, withGroup, withHidden } from './curation';

interface GroupFormProps {
  selected: readonly string[];
  groups: AnswerCuration['groups'];
  isBusy: boolean;
  onChange: Change;
}

const LONGEST = 100;

/** Puts the selected answers under a heading, or hides them. */
export function GroupForm({ selected, groups, isBusy, onChange }: GroupFormProps) {
  const [heading, setHeading] = useState('');
  const [error, setError] = useState<string | null>(null);
  if (selected.length === 0) {
    return <p className={classes.note}>Select answers to group them under a heading.</p>;
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isBusy) {
      return;
    }
    if (heading.trim() === '') {
      setError('Enter a heading.');
      return;
    }
    setError(null);
    onChange(
      (parts) => withGroup(parts, heading, selected),
      selected,
      // A heading that was typed meanwhile is for the next group.
      () => setHeading((current) => (current === heading ? '' : current)),
    );
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit} noValidate>
      <Autocomplete
        className={classes.heading}
        label="Heading of the group"
        value={heading}
        maxLength={LONGEST}
        error={error}
        data={groups.map(({ name }) => name)}
        onChange={setHeading}
      />
      <Button type="submit" aria-disabled={isBusy || undefined}>
        Group {countOf(selected.length, 'answer')}
      </Button>
      <Button variant="default" onClick={() => onChange((parts) => withHidden(parts, selected), selected)}>
        Hide {countOf(selected.length, 'answer')}
      </Button>
    </form>
  );
}
