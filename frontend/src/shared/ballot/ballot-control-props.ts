import type { BallotQuestion } from './ballot';

/** Properties of every ballot control. Answers are the texts that the server stores. */
export interface BallotControlProps {
  question: BallotQuestion;
  answers: string[];
  isDisabled: boolean;
  /** The element that names the control: the question's text. */
  labelledBy: string;
  describedBy: string | undefined;
  onChange: (answers: string[]) => void;
}
