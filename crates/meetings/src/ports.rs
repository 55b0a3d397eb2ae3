use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{
    AccountId, ClientId, EndUserId, MeetingId, Page, PortFailure, QuestionId, RemarkId, VotingWeight, is_test_name,
};

use crate::{
    AddQuestionError, AgendaOrder, ChangeQuestionError, ClaimedInvitation, EndRehearsalError, Invitation,
    InvitationOrder, InvitationOverview, InvitationTarget, InviteError, Invitees, Meeting, MeetingFilter,
    MeetingOverview, MeetingRule, MeetingStats, NewRehearsal, NewRemark, ParticipantCount, ParticipantFilter, Question,
    QuestionUse, QueueInvitationsError, Queued, RecipientFilter, Rehearsal, RehearsalAnswer, RehearsalFilter,
    RehearsalReport, Remark, ReorderError, SendingOutcome, StartRehearsalError, UpdateMeetingError, VoterMeeting,
    WriteRemarkError,
};

/// A pure decision about a meeting that stays locked until the outcome is stored.
pub type MeetingDecision = Box<dyn FnOnce(&mut Meeting) -> Result<(), MeetingRule> + Send>;

/// Where meetings are kept. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingStore: Send + Sync {
    /// Stores a new meeting; one that is ACTIVE only if those for whom it would be have room ([`Meeting::check_room`]).
    ///
    /// # Errors
    /// `Rule` when they have none.
    async fn add(&self, meeting: Meeting) -> Result<(), UpdateMeetingError>;

    /// `None` also for a meeting of another client.
    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure>;

    /// The client's meetings that fit the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure>;

    /// How many meetings the client has in each status; without test data ([`Meeting::is_test`]), unless the client is.
    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure>;

    /// Locks the meeting, applies `decide` and stores the outcome, its step included; stores nothing if `decide` refuses.
    /// When the meeting leaves ACTIVE, MUST in the same transaction end its running round (status ENDED, `ended_at` the
    /// meeting's) after the ballots that are being written, log that `by` ended it, and clear its current question. When it
    /// gets a status in which nothing is rehearsed, MUST in the same transaction end a rehearsal that runs. When it becomes
    /// ACTIVE, asks [`Meeting::check_room`] whether there is room for those on its list, or for everybody.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when `decide` refuses, or there is no room.
    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: Option<AccountId>,
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

impl Participant {
    /// Whether they are test data, as long as they are called so.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.name) || is_test_name(&self.username)
    }
}

/// Where it is kept who is invited. Each call is one transaction and sees one client's rows only. Where everybody is
/// meant, test people ([`Participant::is_test`]) are so only where [`Meeting::is_for_tests`] says so.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait ParticipantStore: Send + Sync {
    /// Locks the meeting and invites all of `invitees`, or none. Those who are invited already stay so. From then on
    /// the meeting has a participant list; where it has no limit, [`Invitees::AllActive`] takes the list away instead.
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

    /// Locks the meeting and takes people off the list; those who are not on it are passed over. A meeting without a list
    /// gets one of all others who take part, unless none of these people does.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client.
    async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError>;

    /// Those who are invited and fit the filter, by name: of those listed, or of every active end user where there is no list.
    /// `None` when the client has no such meeting.
    async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure>;
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
    /// longer the meeting's current question (if it was, that is a step), and those behind it move up. Gives back the
    /// meeting.
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

/// Where it is kept what organizers note for the minutes. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RemarkStore: Send + Sync {
    /// The remarks of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Remark>>, PortFailure>;

    /// Locks the meeting and stores a remark with the name of who wrote it: first and last name, or the e-mail address of
    /// an account without a name.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `TooMany` when there are
    /// [`MAX_REMARKS`](crate::MAX_REMARKS) already.
    async fn add(&self, remark: NewRemark) -> Result<Remark, WriteRemarkError>;

    /// Removes a remark, and says whether the client's meeting had it.
    async fn remove(&self, owner: ClientId, meeting: MeetingId, id: RemarkId) -> Result<bool, PortFailure>;
}

/// Where the last rehearsal of each meeting is kept. Each call is one transaction and sees one client's rows only.
///
/// Opening a round MUST end a rehearsal that runs, in the same transaction, whoever does it: there is never one beside an
/// open round. So MUST a change of the meeting that [`MeetingStore::update`] names.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RehearsalStore: Send + Sync {
    /// Locks the meeting, asks [`crate::decide_rehearsal`], and if that agrees puts this rehearsal in the place of the one
    /// before and its answers, with the name of who starts it: first and last name, or the e-mail address of an account
    /// without a name.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when [`crate::decide_rehearsal`] refuses. Then the
    /// one before stays as it is.
    async fn start(&self, new: NewRehearsal) -> Result<Rehearsal, StartRehearsalError>;

    /// Locks the meeting, ends its rehearsal, if that runs, and gives it back. It never ends before it started.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `NoRehearsal` when there is none.
    async fn end(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        now: DateTime<Utc>,
    ) -> Result<Rehearsal, EndRehearsalError>;

    /// Locks the meeting and removes its rehearsal with all answers.
    ///
    /// # Errors
    /// As [`Self::end`].
    async fn discard(&self, owner: ClientId, meeting: MeetingId) -> Result<(), EndRehearsalError>;

    /// Notes an answer to a rehearsal that runs, of somebody who would be registered if a round was opened now, and says
    /// whether it was noted. Whoever answers has received it; the first time of each stays. A whole hall answers at once:
    /// MUST neither wait for whoever makes a step in the meeting nor let them wait.
    async fn answer(&self, answer: RehearsalAnswer) -> Result<bool, PortFailure>;

    /// Everyone who would be registered if a round was opened now, by name, as far as they fit the filter; how they stand
    /// to the meeting's rehearsal, where these are `connected`; and the figures of all of them. `None` when the client has
    /// no such meeting. MUST not take much longer when many are connected or have answered.
    async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure>;
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
    /// planned start, then the rest, the latest first; [`MAX_VOTER_MEETINGS`] of them at most. Each says whether a rehearsal
    /// runs.
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure>;

    /// One meeting that is no draft, and whether the voter is invited to it. `None` also for another client's.
    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure>;
}

/// Where invitations by mail are kept: one for each meeting and end user. Each call is one transaction. What an organizer
/// does sees one client's rows only; sending sees those of all clients.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait InvitationStore: Send + Sync {
    /// Locks the meeting, gives it the order's link if it has none, judges everyone whom the order means by
    /// [`QueueVerdict::on`](crate::QueueVerdict::on), and puts the invitations of some into the queue: PENDING, due at
    /// once, with no tries. What they were before is kept for [`Self::stop`]. Of several calls at the same time one
    /// queues a person, the others find them in the queue.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `MeetingOver` when its link is void; `NotInvited` when one
    /// of those who are named is not invited, or of another client. Then nothing is changed.
    async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: InvitationOrder,
    ) -> Result<Queued, QueueInvitationsError>;

    /// Everyone who is invited and fits the filter, in its order, and how many have which standing. `None` when the client
    /// has no such meeting.
    async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure>;

    /// Takes the meeting's PENDING invitations out of the queue, so that each is again what it was before, and says how
    /// many these were. What is being sent goes on. `None` when the client has no such meeting.
    async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure>;

    /// Marks the PENDING invitation that is due the longest as SENDING, claimed now and tried once more, with the end
    /// user's address of this moment, and gives it to the caller alone. Passes over those whom [`Self::withdraw`] means,
    /// and those of a client that is not active.
    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<ClaimedInvitation>, PortFailure>;

    /// Stores how the sending of a claimed invitation ended. MUST change nothing when it was queued or claimed anew
    /// since, or is gone; one that was given up meanwhile becomes what it really is.
    async fn settle(&self, claimed: &ClaimedInvitation, outcome: SendingOutcome) -> Result<(), PortFailure>;

    /// Takes those PENDING invitations out of the queue, as [`Self::stop`] does, that nobody is to get any more: the
    /// meeting is over or cancelled, or the end user is not active, not invited or without an address. Says how many
    /// these were.
    async fn withdraw(&self) -> Result<u64, PortFailure>;

    /// Marks what is SENDING since before this time as UNKNOWN, with this text for people, and says how many that were.
    async fn give_up(&self, claimed_before: DateTime<Utc>, error: &str) -> Result<u64, PortFailure>;
}

/// A message to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The same for every try to send this message, and of no other message. Letters, digits, dots and hyphens.
    pub reference: String,
    /// The person's name.
    pub to_name: String,
    /// The person's address.
    pub to: String,
    /// The name of who reads answers.
    pub reply_to_name: String,
    /// Where answers go.
    pub reply_to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with `\n` at the end of each line.
    pub text: String,
}

/// Why a message was not sent, or perhaps not. The texts are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailFailure {
    /// This address, or this message, will not work. It was not sent.
    #[error("{0}")]
    Refused(String),
    /// It may work later. It was not sent.
    #[error("{0}")]
    Unreachable(String),
    /// The connection broke after the message was handed over, before the mail server confirmed it.
    #[error("the mail server did not confirm the message")]
    NotKnown,
}

/// Sends messages.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a message, within a time that the adapter limits. MUST fail with `NotKnown`, and nothing else, when the
    /// message may have been delivered.
    ///
    /// # Errors
    /// As [`MailFailure`] says.
    async fn send(&self, mail: Mail) -> Result<(), MailFailure>;
}

/// Tells those who send that there is something to send.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait MailSignals: Send + Sync {
    /// Something was put into the queue.
    fn queued(&self);
}
