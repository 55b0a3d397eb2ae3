use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure};

use crate::{
    ClaimedInvitation, InvitationOrder, InvitationOverview, QueueInvitationsError, Queued, RecipientFilter,
    SendingOutcome,
};

/// Stores invitations by mail: one for each meeting and end user. Each call is one transaction. What an organizer does
/// sees one client's rows only; sending sees those of all clients.
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

    /// Takes the meeting's PENDING invitations out of the queue, so that each is again what it was before. Returns
    /// their number. What is being sent goes on. `None` when the client has no such meeting.
    async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure>;

    /// Marks the PENDING invitation that is due the longest as SENDING, claimed now and tried once more, with the end
    /// user's address of this moment, and gives it to the caller alone. Passes over those whom [`Self::withdraw`] means,
    /// and those of a client that is not active.
    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<ClaimedInvitation>, PortFailure>;

    /// Stores how the sending of a claimed invitation ended. MUST change nothing when it was queued or claimed anew
    /// since, or is gone; one that was given up meanwhile becomes what it really is.
    async fn settle(&self, claimed: &ClaimedInvitation, outcome: SendingOutcome) -> Result<(), PortFailure>;

    /// Takes those PENDING invitations out of the queue, as [`Self::stop`] does, that nobody is to get any more: the
    /// meeting is over or cancelled, or the end user is not active, not invited or without an address. Returns their
    /// number.
    async fn withdraw(&self) -> Result<u64, PortFailure>;

    /// Marks what is SENDING since before this time as UNKNOWN, with this text for people. Returns their number.
    async fn give_up(&self, claimed_before: DateTime<Utc>, error: &str) -> Result<u64, PortFailure>;
}

/// A mail to one person.
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

/// The reason why a message was not sent, or perhaps not. The texts are for people.
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

/// Sends mails.
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

/// Wakes the mail worker.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait MailSignals: Send + Sync {
    /// Reports a new entry in the queue.
    fn queued(&self);
}
