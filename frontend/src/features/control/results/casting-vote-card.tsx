import { Radio, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { Round } from '../../../api/types';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import { useNoteCastingVote } from '../mutations';
import classes from './tie-card.module.css';

interface CastingVoteCardProps {
  meetingId: string;
  round: Round;
}

/** An open casting vote: who has it, and how it is cast. It is noted once, and never changed. */
export function CastingVoteCard({ meetingId, round }: CastingVoteCardProps) {
  const id = useId();
  const note = useNoteCastingVote(meetingId, round);
  const [castBy, setCastBy] = useState('');
  const [answer, setAnswer] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const failure = note.error
    ? messageOf(note.error, 'The casting vote could not be noted. Nothing was stored. Try again.')
    : null;

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsChecked(true);
    if (castBy.trim() !== '' && answer !== '' && !note.isPending) {
      note.mutate({ castBy: castBy.trim(), inFavor: answer === 'yes' });
    }
  }

  return (
    <section className={classes.root} aria-labelledby={id}>
      <h3 className={classes.title} id={id}>
        The votes are equal
      </h3>
      <p className={classes.words}>
        Under this question’s rule the chair has the casting vote. It is recorded once and cannot be changed.
      </p>
      <form className={classes.form} noValidate onSubmit={handleSubmit}>
        <TextInput
          label="Cast by"
          maxLength={200}
          value={castBy}
          error={isChecked && castBy.trim() === '' ? 'Enter who has the casting vote.' : null}
          onChange={(event) => setCastBy(event.currentTarget.value)}
        />
        <Radio.Group
          label="Casting vote"
          value={answer}
          error={isChecked && answer === '' ? 'Choose yes or no.' : null}
          onChange={setAnswer}
        >
          <div className={classes.buttons}>
            <Radio value="yes" label="Yes" />
            <Radio value="no" label="No" />
          </div>
        </Radio.Group>
        <div className={classes.buttons}>
          <BusyButton type="submit" isBusy={note.isPending} busyLabel="Noting…">
            Note the casting vote
          </BusyButton>
        </div>
      </form>
      <FormError message={failure} />
    </section>
  );
}
