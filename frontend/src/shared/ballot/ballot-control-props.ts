import type { BallotQuestion } from './ballot';

/** Properties of every ballot control. Answers are the texts that the server stores. */
export interface BallotControlProps {
  question: BallotQuestion;
  answers: string[];
  isDisabled: boolean;
  /** The element that names the control: the question's text. */
  labelledBy: string;
  describedBy: string | undefined;
  /** Decides where a rotated list of candidates begins. The signed-in voter by default. */
  orderKey?: string;
  onChange: (answers: string[]) => void;
}
