use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, PortFailure};

use crate::{
    ClaimedInvitation, InvitationOrder, InvitationOverview, QueueInvitationsError, Queued, RecipientFilter,
    SendingOutcome,
};

/// Stores invitations by mail: one for each meeting and end user. Each call is one transaction. Calls for an
/// organizer see one client's rows only. Sending sees those of all clients.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait InvitationStore: Send + Sync {
    /// Locks the meeting, gives it the order's link if it has none, applies
    /// [`QueueVerdict::on`](crate::QueueVerdict::on) to each recipient, and queues the permitted invitations: PENDING, due
    /// at once, with no attempts. Keeps their earlier state for [`Self::stop`]. If several calls run at the same time, one
    /// queues a person, and the others find the person in the queue.
    ///
    /// With personal links, makes one for each queued person in the same transaction, in place of their earlier link for the
    /// meeting. A store with rounds MUST log them like new passwords. Only the hash of a token and its seed are stored.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `MeetingOver` when its link is void; `NotInvited` when a
    /// named person is not invited, or belongs to another client; `ReasonNeeded` when
    /// [`decide_setting`](plenum_kernel::decide_setting) refuses personal links. Then nothing is changed.
    async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        order: InvitationOrder,
    ) -> Result<Queued, QueueInvitationsError>;

    /// The participants that match the filter, in its order, and the number of all in each state. `None` when the client
    /// has no such meeting.
    async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure>;

    /// Removes the meeting's PENDING invitations from the queue, and restores their earlier state. Returns their number.
    /// Sending in progress continues. `None` when the client has no such meeting.
    async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure>;

    /// Claims the PENDING invitation that has been due longest: marks it as SENDING, with one more attempt and the end
    /// user's current address. No other caller gets it. Skips the invitations that [`Self::withdraw`] would remove, and
    /// those of inactive clients.
    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<ClaimedInvitation>, PortFailure>;

    /// Stores the outcome of a claimed invitation. MUST change nothing if it was queued or claimed again since, or
    /// deleted. An invitation that was marked UNKNOWN meanwhile gets its real outcome.
    async fn settle(&self, claimed: &ClaimedInvitation, outcome: SendingOutcome) -> Result<(), PortFailure>;

    /// Removes outdated PENDING invitations from the queue, as [`Self::stop`] does: the meeting is over or cancelled, or the
    /// end user is not active, not invited or without an address. Returns their number.
    async fn withdraw(&self) -> Result<u64, PortFailure>;

    /// Marks invitations that are SENDING since before this time as UNKNOWN, with this text for people. Returns their number.
    async fn give_up(&self, claimed_before: DateTime<Utc>, error: &str) -> Result<u64, PortFailure>;
}

/// A mail to one person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// A unique reference of the message, the same for every attempt. Letters, digits, dots and hyphens.
    pub reference: String,
    /// The person's name.
    pub to_name: String,
    /// The person's address.
    pub to: String,
    /// The name of the recipient of replies.
    pub reply_to_name: String,
    /// The address for replies.
    pub reply_to: String,
    /// One line.
    pub subject: String,
    /// Plain text, with `\n` at the end of each line.
    pub text: String,
    /// A QR code as an attached picture, if the mail has one.
    pub code: Option<AttachedCode>,
}

/// A QR code that the mailer draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedCode {
    /// The content of the code.
    pub content: String,
    /// The name of the picture, without its extension. Letters and hyphens.
    pub name: String,
}

/// The reason why a message was not sent, or may not have been sent. The texts are for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailFailure {
    /// The mail server refused the address or the message permanently. It was not sent.
    #[error("{0}")]
    Refused(String),
    /// A temporary failure. It was not sent.
    #[error("{0}")]
    Unreachable(String),
    /// The connection broke after the transfer, before the mail server confirmed the message.
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
    /// As [`MailFailure`] describes.
    async fn send(&self, mail: Mail) -> Result<(), MailFailure>;
}

/// Wakes the mail worker.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
pub trait MailSignals: Send + Sync {
    /// Reports a new entry in the queue.
    fn queued(&self);
}
