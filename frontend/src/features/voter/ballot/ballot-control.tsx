import type { BallotQuestion } from './ballot';
import { ChoiceControl } from './choice-control';
import { ChoicesControl } from './choices-control';
import { PercentageControl } from './percentage-control';
import { RatingControl } from './rating-control';
import { TextControl } from './text-control';

/** What every control takes: the answers so far, in the texts that the server stores. */
export interface BallotControlProps {
  question: BallotQuestion;
  answers: string[];
  isDisabled: boolean;
  /** The element that names the control: the question's text. */
  labelledBy: string;
  describedBy: string | undefined;
  onChange: (answers: string[]) => void;
}

/** The right control for the question's type. */
export function BallotControl(props: BallotControlProps) {
  switch (props.question.type) {
    case 'SINGLE_CHOICE':
      return <ChoiceControl {...props} />;
    case 'MULTIPLE_CHOICE':
      return <ChoicesControl {...props} />;
    case 'RATING':
      return <RatingControl {...props} />;
    case 'PERCENTAGE':
      return <PercentageControl {...props} />;
    case 'TEXT':
      return <TextControl {...props} />;
  }
}
