import type { components } from './schema';

type Schemas = components['schemas'];

export type User = Schemas['UserView'];
export type Role = User['role'];

export type LoginBody = Schemas['LoginBody'];
export type EndUserLoginBody = Schemas['EndUserLoginBody'];

export type OwnSession = Schemas['OwnSessionView'];
export type PasswordBody = Schemas['PasswordBody'];
export type SecondFactorSetUp = Schemas['SecondFactorSetUpView'];
export type BothFactorsBody = Schemas['BothFactorsBody'];

export type Client = Schemas['ClientView'];
export type ClientStatus = Client['status'];
export type SubscriptionPlan = Client['subscriptionPlan'];
export type CreateClientBody = Schemas['CreateClientBody'];
export type UpdateClientBody = Schemas['UpdateClientBody'];

export type AnswerWall = Schemas['WallView'];
export type AnswerCuration = Schemas['AnswerCurationView'];
export type CuratedAnswer = Schemas['CuratedAnswerView'];
export type CurateAnswersBody = Schemas['CurateAnswersBody'];

export type Account = Schemas['AccountView'];
export type AuditEntry = Schemas['AuditEntryView'];
export type ClientReport = Schemas['ClientReportView'];
export type Activity = Schemas['ActivityView'];
export type ActivityKind = Activity['kind'];
export type PlatformActivity = Schemas['PlatformActivityView'];

export type EndUser = Schemas['EndUserView'];
export type UserGroup = Schemas['Group'];
export type WeightKind = Schemas['WeightKind'];
export type WeightKindBody = Schemas['CreateWeightKindBody'];
/** A person's value of a kind, as a text: JavaScript would round it. */
export type KindWeight = Schemas['KindWeight'];
/** A kind as a round or a register names it. */
export type NamedWeightKind = Schemas['NamedWeightKind'];
export type CreateEndUserBody = Schemas['CreateEndUserBody'];
export type UpdateEndUserBody = Schemas['UpdateEndUserBody'];
export type Credentials = Schemas['CredentialsView'];
export type Branding = Schemas['BrandingView'];
export type ClientArchive = Schemas['ClientArchiveView'];
export type Accent = Schemas['AccentView'];
export type PublicClient = Schemas['PublicClientView'];
export type JoinAsk = Schemas['JoinAsk'];
export type JoinBody = Schemas['JoinBody'];
export type JoinView = Schemas['JoinView'];
export type JoinLink = Schemas['JoinLinkView'];
export type MadeJoinLink = Schemas['MadeJoinLinkView'];
export type MakeJoinLinksBody = Schemas['MakeJoinLinksBody'];
export type RevokeJoinLinksBody = Schemas['RevokeJoinLinksBody'];
export type ImportTable = Schemas['ReadTableView'];
export type ImportRow = Schemas['ImportRowBody'];
export type ImportField = Schemas['RowField'];
export type ImportBody = Schemas['ImportBody'];
export type ImportView = Schemas['ImportView'];
export type ImportRowView = Schemas['ImportRowView'];
export type ImportVerdict = Schemas['Verdict'];

export type Meeting = Schemas['MeetingView'];
export type Participant = Schemas['ParticipantView'];
export type MeetingStatus = Meeting['status'];
export type CreateMeetingBody = Schemas['CreateMeetingBody'];
export type CopyMeetingBody = Schemas['CopyMeetingBody'];
export type UpdateMeetingBody = Schemas['UpdateMeetingBody'];

export type Question = Schemas['QuestionView'];
export type QuestionType = Question['questionType'];
export type Secrecy = Question['secrecy'];
export type CreateQuestionBody = Schemas['CreateQuestionBody'];
export type NewQuestionBody = Schemas['NewQuestionBody'];
export type UpdateQuestionBody = Schemas['UpdateQuestionBody'];

export type Round = Schemas['RoundView'];
export type Result = Schemas['RoundResult'];
export type MeetingResults = Schemas['MeetingResults'];
export type OptionRole = Schemas['OptionRole'];
export type DecisionRule = Schemas['DecisionRule'];
export type Condition = Schemas['Condition'];
export type Quorum = Schemas['Quorum'];
export type MeetingQuorum = Schemas['MeetingQuorum'];
export type PlannedQuorum = Schemas['PlannedQuorum'];
export type CastingVoteBody = Schemas['CastingVoteBody'];
export type QuorumState = Schemas['QuorumStateView'];
export type LogEntry = Schemas['LogEntry'];
export type Remark = Schemas['Remark'];
export type Exclusion = Schemas['ExclusionView'];
export type AdmitBody = Schemas['AdmitBody'];
export type ExcludeBody = Schemas['ExcludeBody'];
export type RegisterEntry = Schemas['RegisterEntryView'];
/** Where a vote was cast, if not on a device of the voter or of a holder. */
export type CastOn = Schemas['CastOn'];
export type CreateRemarkBody = Schemas['CreateRemarkBody'];
export type VoterResultAnswer = Schemas['VoterResultView'];
/** A declared result that is shown: its record is not damaged. */
export type VoterResult = VoterResultAnswer & { result: Result };

export type Invitations = Schemas['InvitationsAnswer'];
export type Recipient = Schemas['RecipientView'];
export type InvitationStatus = Recipient['status'];

export type Rehearsal = Schemas['RehearsalView'];
export type RehearsalReport = Schemas['RehearsalReportView'];
export type MissingWeights = Schemas['MissingWeights'];
export type SecrecyForecast = Schemas['SecrecyForecast'];
export type RehearsalPerson = Schemas['RehearsalPersonView'];
export type RehearsalStatus = Schemas['RehearsalStatus'];

export type Invitation = Schemas['LinkedMeetingView'];
export type VoterMeetingSummary = Schemas['VoterMeetingSummary'];
export type VoterMeeting = Schemas['VoterMeetingView'];
export type OwnProxies = Schemas['OwnProxiesView'];
export type GivenProxy = Schemas['ProxyView'];
export type ProxyUse = Schemas['ProxyUseView'];
export type ProxySettings = Schemas['ProxySettingsView'];
export type HolderTotal = Schemas['HolderTotalView'];
export type GrantProxyBody = Schemas['GrantProxyBody'];
export type ImportedProxies = Schemas['ImportedProxiesView'];
export type Desk = Schemas['Desk'];
export type DeskPurpose = Schemas['DeskPurpose'];
export type DeskQuestion = Schemas['DeskQuestionView'];
export type RoundWithLeftBatches = Schemas['RoundWithLeftBatchesView'];
export type PaperBatch = Schemas['PaperBatch'];
export type PaperBatchHead = Schemas['PaperBatchHead'];
export type EnterPaperBatchBody = Schemas['EnterBatchBody'];
export type VoterQuestion = Schemas['VoterQuestionView'];

export type LiveState = Schemas['LiveStateView'];
export type LiveQuestion = Schemas['LiveQuestionView'];
export type Presentation = Schemas['PresentationView'];

export type DatabaseTest = Schemas['DatabaseTestView'];
export type SchemaTest = Schemas['SchemaTestView'];
export type MigrationsTest = Schemas['MigrationsTestView'];
export type DataIntegrity = Schemas['DataIntegrityView'];
export type Readiness = Schemas['ReadinessView'];

export type FileCheck = Schemas['FileCheckView'];
export type FoundRecords = Schemas['FoundRecordsView'];
export type RecordState = Schemas['RecordView'];
