import type { components } from '../../api/schema';

type Schemas = components['schemas'];

export type ElectionMethod = Schemas['ElectionMethod'];

/** The kind of marks that a ballot takes. */
export type MarksKind = Schemas['MarkKind'];

export type CandidateReply = 'yes' | 'no' | 'abstain';

export type BallotCandidate = Schemas['BallotCandidate'];
export type BallotList = Schemas['BallotList'];

/** The election on a ballot, on the presentation and in the control. */
export type ElectionPaper = Schemas['ElectionBallot'];

export type ElectionShare = Schemas['ElectionShare'];

export type ElectionRule = Schemas['ElectionRule'];
/** What follows a tie. */
export type TieRule = Schemas['ElectionTieRule'];
export type RuleList = Schemas['ElectionList'];

export type ElectionSum = Schemas['ElectionSum'];
export type ElectionTie = Schemas['ElectionTie'];
export type ElectionStage = Schemas['ElectionStage'];

/** An election with all of its ballots: who has the seats, and whether they accept. */
export type ElectionOutcome = Schemas['ElectionOutcome'];
export type SeatHolder = Schemas['SeatHolder'];
export type SeatAnswer = Schemas['SeatAnswer'];
export type TieDecision = Schemas['TieDecision'];
export type ElectionResult = Schemas['ElectionCount'];

/** An amount as an exact number in a text. */
export type Amount = string;

export type TieDecisionBody = Schemas['TieDecisionBody'];
