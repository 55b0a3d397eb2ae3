use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId, VotingWeight};

use crate::{
    AddQuestionError, AgendaOrder, ChangeQuestionError, Invitation, InvitationTarget, InviteError, Invitees, Meeting,
    MeetingFilter, MeetingOverview, MeetingRule, MeetingStats, ParticipantCount, Question, QuestionUse, ReorderError,
    UpdateMeetingError,
};

/// A pure decision about a meeting that stays locked until the outcome is stored.
pub type MeetingDecision = Box<dyn FnOnce(&mut Meeting) -> Result<(), MeetingRule> + Send>;

/// Where meetings are kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingStore: Send + Sync {
    /// Stores a new meeting.
    async fn add(&self, meeting: Meeting) -> Result<(), PortFailure>;

    /// `None` also for a meeting of another client.
    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure>;

    /// The client's meetings that fit the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure>;

    /// How many meetings the client has in each status.
    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure>;

    /// Locks the meeting, applies `decide` and stores the outcome; stores nothing if `decide` refuses. When the
    /// meeting leaves ACTIVE, MUST in the same transaction end its running round (status ENDED, `ended_at` the
    /// meeting's) after the ballots that are being written, and clear its current question.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when `decide` refuses.
    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError>;

    /// Locks the meeting, asks [`Meeting::check_removal`], and removes it with its participant list, agenda, rounds and
    /// votes; removes nothing if that refuses.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when the meeting is running.
    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError>;

    /// The meeting that an invitation link leads to, whatever its status; none of a client that is not active.
    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure>;
}

/// Someone who is invited to a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// The end user.
    pub id: EndUserId,
    /// What they sign in with.
    pub username: String,
    /// Their full name.
    pub name: String,
    /// Their e-mail address, if known.
    pub email: Option<String>,
    /// Their postal address, if known.
    pub address: Option<String>,
    /// What their vote weighs.
    pub weight: VotingWeight,
    /// Whether they may sign in and vote.
    pub is_active: bool,
    /// When they last signed in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// Since when they are there.
    pub created_at: DateTime<Utc>,
}

/// Where it is kept who is invited. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ParticipantStore: Send + Sync {
    /// Locks the meeting and invites all of `invitees`, or none. Those who are invited already stay so. From then on
    /// the meeting has a participant list.
    ///
    /// # Errors
    /// `MeetingNotFound`; `UnknownEndUsers` when one of them is not of this client; `TooMany` when the meeting's limit
    /// would be passed.
    async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<ParticipantCount, InviteError>;

    /// Takes people off the list; those who are not on it are passed over.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client.
    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError>;

    /// Who is invited, by name: those listed, or every active end user where there is no list. `None` when the client
    /// has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Participant>>, PortFailure>;
}

/// A pure decision about a question whose meeting stays locked until the outcome is stored.
pub type QuestionDecision = Box<dyn FnOnce(&mut Question, QuestionUse) -> Result<(), ChangeQuestionError> + Send>;

/// Makes a copy of a question: another id, other options' ids, the same meeting. The store settles its place.
pub type QuestionCopy = Box<dyn FnOnce(&Question) -> Question + Send>;

/// How many questions an agenda holds at most.
pub const MAX_QUESTIONS: usize = 500;

/// Where the agenda is kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait QuestionStore: Send + Sync {
    /// Puts a question at the end of its meeting's agenda (whatever its `position` says) and returns it as stored.
    /// Two questions added at the same time get two places.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when there are [`MAX_QUESTIONS`] already.
    async fn add(&self, question: Question) -> Result<Question, AddQuestionError>;

    /// The agenda, in order. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Question>>, PortFailure>;

    /// `None` also for a question of another client.
    async fn find(&self, owner: ClientId, id: QuestionId) -> Result<Option<Question>, PortFailure>;

    /// Locks the meeting (so that no round of it opens or ends meanwhile), waits for the ballots that are being written
    /// for the question, applies `decide` and stores the outcome with its options; stores nothing if `decide` refuses.
    /// Id, client, meeting and position of a question never change here.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; whatever `decide` refuses with.
    async fn update(
        &self,
        owner: ClientId,
        id: QuestionId,
        decide: QuestionDecision,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting, waits for the ballots that are being written for the question, and asks
    /// [`Question::check_removal`]. If that agrees, removes the question with its rounds, an open one included; it is no
    /// longer the meeting's current question, and those behind it move up. Gives back the meeting.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are votes. Then nothing is changed, and an
    /// open round stays open.
    async fn remove(&self, owner: ClientId, id: QuestionId) -> Result<MeetingId, ChangeQuestionError>;

    /// Locks the meeting, makes a copy of the question by `copy` and puts it right behind the original; those behind it
    /// move down.
    ///
    /// # Errors
    /// `NotFound` also for a question of another client; `Rule` when there are [`MAX_QUESTIONS`] already.
    async fn duplicate(
        &self,
        owner: ClientId,
        id: QuestionId,
        copy: QuestionCopy,
    ) -> Result<Question, ChangeQuestionError>;

    /// Locks the meeting and puts its agenda into this order. Gives back the agenda.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `NotTheAgenda` unless the order names every question of
    /// the meeting and no other. Then nothing is changed.
    async fn reorder(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: AgendaOrder,
    ) -> Result<Vec<Question>, ReorderError>;
}

/// How many meetings a voter's list holds at most.
pub const MAX_VOTER_MEETINGS: usize = 200;

/// What a voter may know of meetings. Each call is one transaction and sees one client's rows only.
///
/// The register wins: who is in the register of a meeting's open round is invited to it until that round ends, whatever
/// became of the participant list meanwhile.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait VoterMeetings: Send + Sync {
    /// The meetings that are no drafts and that the voter is invited to: running ones first, then those to come by
    /// planned start, then the rest, the latest first; [`MAX_VOTER_MEETINGS`] of them at most.
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<Meeting>, PortFailure>;

    /// One meeting that is no draft, and whether the voter is invited to it. `None` also for another client's.
    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure>;
}
