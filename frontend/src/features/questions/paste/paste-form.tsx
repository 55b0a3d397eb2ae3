import { Checkbox, Textarea } from '@mantine/core';
import { useState } from 'react';
import { formErrorOf } from '../../../api/api-error';
import { countOf } from '../../../shared/format';
import { questionTypeLabel } from '../../../shared/question-types';
import { PanelForm } from '../../../shared/ui/panel-form';
import { toast } from '../../../shared/ui/toast';
import { useAddQuestions } from '../mutations';
import { type PastedQuestion, parseQuestions, toNewQuestion } from './parse-questions';
import classes from './paste-form.module.css';

const EXAMPLE = `Do you approve the minutes?
Who should chair the board?
- Anna Berg
- Hugo Martin
What should we do better? [open text]`;

/** The number of problems that are shown at once. */
const PROBLEMS_AT_ONCE = 5;

/** Many questions at once: pasted as text, checked line by line, shown before they are added, and added all or none. */
export function PasteForm({ meetingId, onDone }: { meetingId: string; onDone: () => void }) {
  const addQuestions = useAddQuestions(meetingId);
  const [text, setText] = useState('');
  const [isDecided, setIsDecided] = useState(true);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { questions, problems } = parseQuestions(text);
  const isEmpty = questions.length === 0 && problems.length === 0;
  const shown = isEmpty ? ['Paste at least one question.'] : problems;
  const error = isSubmitted && shown.length > 0 ? shown : [];

  function handleSubmit(event?: { preventDefault: () => void }) {
    event?.preventDefault();
    setIsSubmitted(true);
    if (shown.length === 0) {
      addQuestions.mutate(
        questions.map((question) => toNewQuestion(question, isDecided)),
        {
          onSuccess: (added) => {
            toast.success(`${countOf(added.length, 'question')} added`);
            onDone();
          },
        },
      );
    }
  }

  return (
    <PanelForm
      onSubmit={handleSubmit}
      submitLabel={isEmpty ? 'Add Questions' : `Add ${countOf(questions.length, 'Question')}`}
      busyLabel="Adding..."
      isBusy={addQuestions.isPending}
      isDirty={text !== ''}
      error={addQuestions.isError ? formErrorOf(addQuestions.error, 'Failed to add questions', {}) : null}
    >
      <Textarea
        label="Questions"
        description="One question a line. Lines that begin with a dash are options. [open text], [rating] or [percentage] at the end sets the type."
        placeholder={EXAMPLE}
        autosize
        minRows={8}
        maxRows={20}
        data-autofocus
        value={text}
        error={error.length > 0 ? <Problems problems={error} /> : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Checkbox
        label="Decide yes/no questions by simple majority"
        description="Without it, their votes are only counted."
        checked={isDecided}
        onChange={(event) => setIsDecided(event.currentTarget.checked)}
      />
      {questions.length > 0 ? <Preview questions={questions} /> : null}
    </PanelForm>
  );
}

function Problems({ problems }: { problems: string[] }) {
  const rest = problems.length - PROBLEMS_AT_ONCE;
  return (
    <>
      {problems.slice(0, PROBLEMS_AT_ONCE).map((problem) => (
        <span key={problem} className={classes.problem}>
          {problem}
        </span>
      ))}
      {rest > 0 ? <span className={classes.problem}>And {countOf(rest, 'more problem')}.</span> : null}
    </>
  );
}

/** The questions as they would be added. */
function Preview({ questions }: { questions: PastedQuestion[] }) {
  return (
    <section aria-label="Preview">
      <ol className={classes.preview}>
        {questions.map(({ line, text, type, options }) => (
          <li key={line}>
            <span className={classes.question} dir="auto">
              {text}
            </span>
            <span className={classes.facts}>
              {[questionTypeLabel(type, type === 'RATING' ? 5 : null), options.join(', ')]
                .filter((part) => part !== '')
                .join(': ')}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
