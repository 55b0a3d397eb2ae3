import type { Question, Result, Round } from '../../../api/types';
import { isSurvey } from '../../../shared/result/figures';
import { Verdict } from '../../../shared/result/verdict';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import classes from './declare-dialog.module.css';

/** A result that is about to be declared, and the number of the state on which the organizer decided. */
export interface Declaring {
  question: Question;
  round: Round;
  result: Result;
  step: number;
  /** The effect on the presentation: it shows the result at once, continues with something else, or never shows this round again. */
  onScreen: 'now' | 'later' | 'never';
}

interface DeclareDialogProps {
  /** Null before the first time. */
  declaring: Declaring | null;
  opened: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

const WHERE = {
  now: 'The presentation and the voters’ screens will show:',
  later:
    'The voters will see this at once. The presentation does not change now. It will show this with the question:',
  never: 'The voters will see this at once. The presentation shows the result of the latest round only:',
};

/** A survey has no verdict: the screens show its figures. */
const WHERE_OF_SURVEY = {
  now: 'The presentation and the voters’ screens will show the figures of this survey.',
  later:
    'The voters will see the figures of this survey at once. The presentation does not change now. It will show them with the question.',
  never:
    'The voters will see the figures of this survey at once. The presentation shows the result of the latest round only.',
};

/** Shows the result as the hall will read it, before the permanent declaration. */
export function DeclareDialog({ declaring, opened, onConfirm, onClose }: DeclareDialogProps) {
  return (
    <ConfirmDialog
      opened={opened && declaring !== null}
      onClose={onClose}
      title={`Declare the result of question ${declaring?.question.orderIndex ?? ''}?`}
      subject={declaring?.result.questionText}
      confirmLabel="Declare result"
      onConfirm={onConfirm}
    >
      {declaring ? (
        <>
          {isSurvey(declaring.result) ? (
            <p>{WHERE_OF_SURVEY[declaring.onScreen]}</p>
          ) : (
            <>
              <p>{WHERE[declaring.onScreen]}</p>
              <blockquote className={classes.words}>
                <Verdict result={declaring.result} />
              </blockquote>
            </>
          )}
          <p>
            <strong>A declared result never changes.</strong> Voting on this question again is a re-vote, with
            a result of its own.
          </p>
        </>
      ) : null}
    </ConfirmDialog>
  );
}
