import { either, flag, listOf, nullable, number, object, oneOf, optional, type Shaped, text } from '../shape';
import { electionPaperShape } from './election-shape';

const meetingStatus = oneOf('DRAFT', 'SCHEDULED', 'ACTIVE', 'COMPLETED', 'CANCELLED');
const questionType = oneOf('YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE', 'ELECTION');
const voterQuestionType = oneOf(
  'SINGLE_CHOICE',
  'MULTIPLE_CHOICE',
  'RATING',
  'TEXT',
  'PERCENTAGE',
  'ELECTION',
);

/** Null for other types. */
const election = nullable(electionPaperShape);

/**
 * The server that counts the versions, the current version, and whether that server is disconnected from the others.
 */
const origin = { instance: text, version: number, isDelayed: flag };

const counts = { voteCount: number, registerSize: number };

/** The server's time, if an answer or a heartbeat was made for this screen alone. */
const clock = { serverTime: optional(text) };

/** Increases with every step of an organizer. A step names the one that it is based on. */
const step = { step: number };

const count = object({ heads: number, weight: number });

/** The people present or voting of those who may vote, compared with the quorum. */
const quorumState = object({
  quorum: object({
    comparison: optional(oneOf('more_than', 'at_least')),
    numerator: optional(number),
    denominator: optional(number),
    minimum: optional(number),
    unit: oneOf('heads', 'weight'),
    attendance: oneOf('present', 'voted'),
  }),
  atOpening: nullable(oneOf('warn', 'bar')),
  present: count,
  represented: count,
  eligible: count,
  /** In the unit of the quorum, as is `needed`. */
  attending: number,
  needed: nullable(number),
  percent: nullable(number),
  isMet: flag,
});

const liveQuestion = {
  id: text,
  text: text,
  type: voterQuestionType,
  questionType,
  options: listOf(text),
  /** The option that cannot be combined with others. */
  abstention: optional(nullable(text)),
  election,
  ratingMax: nullable(number),
  maxChoices: nullable(number),
  secrecy: oneOf('named', 'unshown', 'secret'),
  /** The same as the secrecy `named`. */
  isNamed: flag,
  /** Every vote counts one, whatever the weight. */
  countsHeads: flag,
  /** The names of the groups that it is for. */
  groups: optional(listOf(text)),
  /** The key and the size of sealed ballots, while a secret question is open. */
  sealing: nullable(object({ publicKey: text, size: number })),
  /** The key of its last round is lost. */
  isVoid: flag,
  orderIndex: number,
  isActive: flag,
  hasVoted: flag,
  roundId: nullable(text),
  openedAt: nullable(text),
  /** The time at which the voting closes by itself; null without a countdown. */
  closesAt: nullable(text),
  /** Its last round, if that round is declared. */
  declaredRoundId: nullable(text),
};

/** A rehearsal of voting, in which nothing is counted. */
const rehearsal = object({ id: text, startedAt: text });

/** Null in a meeting without check-in. */
const checkIn = nullable(object({ eligible: number, selfCheckIn: flag }));

/** The snapshot of a meeting, for signed-in people. */
export const liveStateShape = object({
  ...origin,
  meetingId: text,
  title: text,
  status: meetingStatus,
  currentQuestion: nullable(object(liveQuestion)),
  participantCount: number,
  quorum: nullable(quorumState),
  /** Null while no rehearsal runs. */
  rehearsal: nullable(rehearsal),
  checkIn,
  ...counts,
  ...step,
  ...clock,
});

/** The snapshot of a meeting, for the presentation. */
export const presentationShape = object({
  ...origin,
  title: text,
  description: nullable(text),
  organization: text,
  clientCode: text,
  status: meetingStatus,
  scheduledStartTime: text,
  scheduledEndTime: text,
  currentQuestion: nullable(
    object({
      questionText: text,
      questionType,
      options: listOf(text),
      election,
      ratingMax: nullable(number),
      maxChoices: nullable(number),
      secrecy: oneOf('named', 'unshown', 'secret'),
      isOpen: flag,
      /** The key of its last round is lost. */
      isVoid: flag,
      orderIndex: number,
      openedAt: nullable(text),
      closesAt: nullable(text),
      declaredRoundId: nullable(text),
      /** The version of the answer wall, if that round shows one. */
      groups: optional(listOf(text)),
      answerWall: nullable(number),
    }),
  ),
  questionCount: number,
  participantCount: number,
  quorum: nullable(quorumState),
  checkIn,
  ...counts,
  ...clock,
});

const heartbeat = object({ type: oneOf('heartbeat'), data: object({ version: number, serverTime: text }) });
/** A counter without a quorum leaves the quorum unchanged. */
const changedQuorum = { quorum: optional(nullable(quorumState)) };
const voteCount = object({
  type: oneOf('vote_count'),
  data: object({ ...counts, ...changedQuorum }),
});
const participantCount = object({
  type: oneOf('participant_count'),
  /** `checkIn` is missing in a meeting without it. */
  data: object({ participantCount: number, checkIn: optional(checkIn), ...changedQuorum }),
});
const resultDeclared = object({
  type: oneOf('result_declared'),
  data: object({ roundId: text, questionId: text }),
});
const streamError = object({
  type: oneOf('error'),
  data: object({ message: text, code: optional(text) }),
});
/** The last event of a server that shuts down. A server answers again after this time. */
const serverStopping = object({
  type: oneOf('server_stopping'),
  data: object({ retryAfterMs: number }),
});

/** The events of the stream of a signed-in person. */
export const liveEventShape = either(
  object({ type: oneOf('connected'), data: liveStateShape }),
  object({ type: oneOf('meeting_update'), data: liveStateShape }),
  object({
    type: oneOf('question_activated'),
    data: object({ ...liveQuestion, ...counts, ...step }),
  }),
  object({ type: oneOf('question_deactivated'), data: object({ id: text, ...step }) }),
  object({ type: oneOf('meeting_status'), data: object({ status: meetingStatus, ...step }) }),
  heartbeat,
  object({ type: oneOf('own_check_in'), data: object({ checkedIn: flag }) }),
  voteCount,
  participantCount,
  resultDeclared,
  streamError,
  serverStopping,
);

const wholePresentation = object({
  type: oneOf('connected', 'meeting_update', 'question_activated', 'question_deactivated', 'meeting_status'),
  data: presentationShape,
});

/** The events of the public stream. */
export const presentationEventShape = either(
  wholePresentation,
  heartbeat,
  voteCount,
  participantCount,
  resultDeclared,
  streamError,
  serverStopping,
);

/** With whether this voter was checked in or out since the last snapshot, if the stream has told that. */
export type LiveState = Shaped<typeof liveStateShape> & {
  ownCheckIn?: boolean;
  /**
   * The version at which the server last sent the whole state, and not only a counter or a question: anything of the meeting may
   * have changed then, also what a state does not contain, such as the planned start.
   */
  wholeAt?: number;
};
export type LiveQuestion = NonNullable<LiveState['currentQuestion']>;
export type LiveEvent = Shaped<typeof liveEventShape>;
export type PresentationState = Shaped<typeof presentationShape>;
export type PresentationEvent = Shaped<typeof presentationEventShape>;
