import type { BallotCandidate, ElectionPaper } from '../../elections/election-types';

/** Properties of the controls for each kind of marks. */
export interface MarksProps {
  election: ElectionPaper;
  /** In the order of this ballot, with the withdrawn ones. */
  candidates: BallotCandidate[];
  /** Empty for an abstention and a blank ballot. */
  answers: string[];
  isDisabled: boolean;
  labelledBy: string;
  describedBy: string | undefined;
  onChange: (answers: string[], said: string) => void;
}
