// `zod/mini` because this file travels to every voter's phone.
import * as z from 'zod/mini';

const meetingStatus = z.enum(['DRAFT', 'SCHEDULED', 'ACTIVE', 'COMPLETED', 'CANCELLED']);
const questionType = z.enum(['YES_NO', 'MULTIPLE_CHOICE', 'OPEN_TEXT', 'RATING', 'PERCENTAGE']);
const voterQuestionType = z.enum(['SINGLE_CHOICE', 'MULTIPLE_CHOICE', 'RATING', 'TEXT', 'PERCENTAGE']);

const counts = { voteCount: z.number(), registerSize: z.number() };

const liveQuestion = {
  id: z.string(),
  text: z.string(),
  type: voterQuestionType,
  questionType,
  options: z.array(z.string()),
  ratingMax: z.nullable(z.number()),
  maxChoices: z.nullable(z.number()),
  orderIndex: z.number(),
  isActive: z.boolean(),
  hasVoted: z.boolean(),
  roundId: z.nullable(z.string()),
  openedAt: z.nullable(z.string()),
};

/** The whole picture of a meeting, for those who are signed in. */
export const liveStateSchema = z.object({
  version: z.number(),
  meetingId: z.string(),
  title: z.string(),
  status: meetingStatus,
  currentQuestion: z.nullable(z.object(liveQuestion)),
  participantCount: z.number(),
  ...counts,
});

/** The whole picture of a meeting, for the big screen. */
export const presentationSchema = z.object({
  version: z.number(),
  title: z.string(),
  description: z.nullable(z.string()),
  organization: z.string(),
  clientCode: z.string(),
  status: meetingStatus,
  scheduledStartTime: z.string(),
  scheduledEndTime: z.string(),
  currentQuestion: z.nullable(
    z.object({
      questionText: z.string(),
      questionType,
      options: z.array(z.string()),
      ratingMax: z.nullable(z.number()),
      maxChoices: z.nullable(z.number()),
      isOpen: z.boolean(),
      orderIndex: z.number(),
      openedAt: z.nullable(z.string()),
    }),
  ),
  questionCount: z.number(),
  participantCount: z.number(),
  ...counts,
});

const heartbeat = z.object({ type: z.literal('heartbeat'), data: z.object({ version: z.number() }) });
const voteCount = z.object({ type: z.literal('vote_count'), data: z.object(counts) });
const participantCount = z.object({
  type: z.literal('participant_count'),
  data: z.object({ participantCount: z.number() }),
});
const streamError = z.object({
  type: z.literal('error'),
  data: z.object({ message: z.string(), code: z.optional(z.string()) }),
});

/** What the stream of a signed-in person may carry. */
export const liveEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), data: liveStateSchema }),
  z.object({ type: z.literal('meeting_update'), data: liveStateSchema }),
  z.object({
    type: z.literal('question_activated'),
    data: z.object({ ...liveQuestion, ...counts }),
  }),
  z.object({ type: z.literal('question_deactivated'), data: z.object({ id: z.string() }) }),
  z.object({ type: z.literal('meeting_status'), data: z.object({ status: meetingStatus }) }),
  heartbeat,
  voteCount,
  participantCount,
  streamError,
]);

const wholePresentation = z.object({
  type: z.enum([
    'connected',
    'meeting_update',
    'question_activated',
    'question_deactivated',
    'meeting_status',
  ]),
  data: presentationSchema,
});

/** What the public stream may carry. */
export const presentationEventSchema = z.union([
  wholePresentation,
  heartbeat,
  voteCount,
  participantCount,
  streamError,
]);

export type LiveState = z.infer<typeof liveStateSchema>;
export type LiveQuestion = NonNullable<LiveState['currentQuestion']>;
export type LiveEvent = z.infer<typeof liveEventSchema>;
export type PresentationState = z.infer<typeof presentationSchema>;
export type PresentationEvent = z.infer<typeof presentationEventSchema>;
