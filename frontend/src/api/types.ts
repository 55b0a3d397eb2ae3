import type { components } from './schema';

type Schemas = components['schemas'];

export type User = Schemas['UserView'];
export type Role = User['role'];

export type LoginBody = Schemas['LoginBody'];
export type EndUserLoginBody = Schemas['EndUserLoginBody'];

export type Client = Schemas['ClientView'];
export type ClientStatus = Client['status'];
export type SubscriptionPlan = Client['subscriptionPlan'];
export type CreateClientBody = Schemas['CreateClientBody'];
export type UpdateClientBody = Schemas['UpdateClientBody'];

export type EndUser = Schemas['EndUserView'];
export type CreateEndUserBody = Schemas['CreateEndUserBody'];
export type UpdateEndUserBody = Schemas['UpdateEndUserBody'];
export type Credentials = Schemas['CredentialsView'];

export type Meeting = Schemas['MeetingView'];
export type MeetingStatus = Meeting['status'];
export type CreateMeetingBody = Schemas['CreateMeetingBody'];
export type UpdateMeetingBody = Schemas['UpdateMeetingBody'];

export type Question = Schemas['QuestionView'];
export type QuestionType = Question['questionType'];
export type CreateQuestionBody = Schemas['CreateQuestionBody'];
export type UpdateQuestionBody = Schemas['UpdateQuestionBody'];
export type CurrentQuestion = Schemas['CurrentQuestionView'];

export type Round = Schemas['RoundView'];
export type Result = Schemas['ResultView'];

export type Invitation = Schemas['LinkedMeetingView'];
export type VoterMeetingSummary = Schemas['VoterMeetingSummary'];
export type VoterMeeting = Schemas['VoterMeetingView'];
export type VoterQuestion = Schemas['VoterQuestionView'];
export type VoterQuestionType = VoterQuestion['type'];

export type LiveState = Schemas['LiveStateView'];
export type LiveQuestion = Schemas['LiveQuestionView'];
export type Presentation = Schemas['PresentationView'];
