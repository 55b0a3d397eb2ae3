import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import {
  answerTexts,
  areSound,
  type BallotQuestion,
  emptyHint,
  toAnswers,
} from '../../../shared/ballot/ballot';
import { BallotControl } from '../../../shared/ballot/ballot-control';
import classes from '../../../shared/ballot/ballot-form.module.css';
import type { MarksLeftProps } from '../../../shared/ballot/election/marks-left';
import { QuestionHead } from '../../../shared/ballot/question-header';
import { SecrecyNote } from '../../../shared/ballot/secrecy-note';
import { toastsAbove } from '../../../shared/ui/toast';
import { later } from '../later';
import { ignore, loadSealing } from '../secret/load-sealing';
import { Countdown } from './countdown';

interface BallotFormProps {
  question: BallotQuestion;
  initialAnswers: string[];
  isSubmitting: boolean;
  onChange: (answers: string[]) => void;
  onSubmit: (answers: string[]) => void;
}

/** In the file of the ballots of elections. */
const MarksLeft = later<MarksLeftProps>(() =>
  import('../../../shared/ballot/election/marks-left').then((loaded) => loaded.MarksLeft),
);

/** A ballot with one question and one submit button. */
export function BallotForm(props: BallotFormProps) {
  const { question, initialAnswers, isSubmitting, onChange, onSubmit } = props;
  const [answers, setAnswers] = useState(initialAnswers);
  const [error, setError] = useState<string | null>(null);
  const headingId = useId();
  const errorId = useId();
  const secrecyId = useId();
  const leftId = useId();
  useSealing(question.secrecy === 'secret');
  const isSound = areSound(question, answers);
  const read = answerTexts(question, answers).join(', ');

  function handleChange(next: string[]) {
    setAnswers(next);
    setError(null);
    onChange(next);
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (isSubmitting || !isSound) {
      return;
    }
    if (answers.every((answer) => answer.trim() === '')) {
      setError('Please select an answer');
      return;
    }
    onSubmit(toAnswers(question.type, answers));
  }

  return (
    <form className={classes.form} noValidate onSubmit={handleSubmit}>
      <QuestionHead headingId={headingId} question={question} />
      <BallotControl
        question={question}
        answers={answers}
        isDisabled={isSubmitting}
        labelledBy={headingId}
        describedBy={error ? errorId : undefined}
        onChange={handleChange}
      />
      {error ? (
        <p id={errorId} className={classes.error} role="alert">
          <IconAlertCircle size={20} stroke={1.75} aria-hidden="true" />
          {error}
        </p>
      ) : null}
      <div ref={toastsAbove} className={classes.bar}>
        {/* Next to the button, so that it is noticed. */}
        <SecrecyNote id={secrecyId} secrecy={question.secrecy} />
        {question.election && isSound && answers.length > 0 ? (
          <MarksLeft id={leftId} election={question.election} answers={answers} />
        ) : null}
        <div className={classes.act}>
          {question.closesAt === null || isSubmitting ? null : <Countdown closesAt={question.closesAt} />}
          {answers.length > 0 ? (
            <Button
              className={classes.submit}
              type="submit"
              size="lg"
              fullWidth
              // Stays in the tab order while it is busy, so that the focus does not move to the top of the page.
              aria-disabled={isSubmitting}
              disabled={!isSound}
              data-busy={isSubmitting}
              aria-describedby={`${secrecyId} ${leftId}`}
              aria-label={isSubmitting || !isSound ? undefined : `Submit Vote: ${shortened(read)}`}
            >
              {isSubmitting ? 'Submitting...' : 'Submit Vote'}
            </Button>
          ) : (
            <p className={classes.barHint}>{emptyHint(question.type)}</p>
          )}
        </div>
      </div>
    </form>
  );
}

/** Loads the sealing before the voter needs it: the network may be gone by then. */
function useSealing(isSecret: boolean) {
  useEffect(() => {
    if (isSecret) {
      loadSealing().catch(ignore);
    }
  }, [isSecret]);
}

const NAME_LENGTH = 120;

/** Screen readers read the whole name of a button: two thousand characters would be too long. */
function shortened(text: string): string {
  return text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH)}…` : text;
}
