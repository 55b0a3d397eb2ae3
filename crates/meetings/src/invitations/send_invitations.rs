use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock, MeetingId, PortFailure, Secrets};

use crate::{
    Addressee, ClaimedInvitation, InvitationOrder, InvitationOverview, InvitationStore, Mail, MailFailure, MailSignals,
    Mailer, Queued, RecipientFilter, Recipients, SendingOutcome, SiteAddress, TimeZone, link_of, wait_after,
    write_invitation,
};

/// Why no invitation was put into the queue.
#[derive(Debug, thiserror::Error)]
pub enum QueueInvitationsError {
    /// No mail server is configured.
    #[error("no mail server is configured; copy the text and pass it on yourself")]
    MailNotConfigured,
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// Nobody is invited to what is over.
    #[error("nobody can be invited to a completed or cancelled meeting")]
    MeetingOver,
    /// One of those who were named is not invited.
    #[error("one of the end users is not invited to the meeting")]
    NotInvited,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// What an organizer does with the invitations of a meeting.
pub struct InvitationMailing {
    invitations: Arc<dyn InvitationStore>,
    /// None where no mail server is configured.
    signals: Option<Arc<dyn MailSignals>>,
    secrets: Arc<dyn Secrets>,
    clock: Arc<dyn Clock>,
}

impl InvitationMailing {
    /// Mailing by this queue; without `signals` nothing can be sent.
    pub fn new(
        invitations: Arc<dyn InvitationStore>,
        signals: Option<Arc<dyn MailSignals>>,
        secrets: Arc<dyn Secrets>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { invitations, signals, secrets, clock }
    }

    /// Whether a mail server is configured.
    pub fn can_send(&self) -> bool {
        self.signals.is_some()
    }

    /// How it stands with the invitations of a meeting. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure> {
        self.invitations.overview(owner, meeting, filter).await
    }

    /// Puts invitations into the queue, and makes the meeting's link if it has none yet. They are sent soon after.
    ///
    /// # Errors
    /// Fails when no mail server is configured, this client has no such meeting, it is over or cancelled, or somebody
    /// who was named is not invited. Then nothing is put into the queue.
    pub async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        recipients: Recipients,
        site: SiteAddress,
        time_zone: TimeZone,
    ) -> Result<Queued, QueueInvitationsError> {
        let signals = self.signals.as_ref().ok_or(QueueInvitationsError::MailNotConfigured)?;
        let (link, now) = (self.secrets.token(), self.clock.now());
        let order = InvitationOrder { recipients, site, time_zone, link, now };
        let queued = self.invitations.queue(owner, meeting, order).await?;
        signals.queued();
        Ok(queued)
    }

    /// Takes out of the queue what still waits there, and says how many that were. `None` when the client has no such
    /// meeting.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure> {
        self.invitations.stop(owner, meeting).await
    }
}

/// What came of looking into the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendingStep {
    /// Nothing was due.
    Idle,
    /// An invitation was sent, or will not be.
    Done,
    /// The mail server cannot be reached, or wants to be left alone for a while.
    Pause,
}

/// Sends what is in the queue. Several may do so at the same time, in several processes too.
pub struct InvitationSending {
    invitations: Arc<dyn InvitationStore>,
    mailer: Arc<dyn Mailer>,
    clock: Arc<dyn Clock>,
    lease: TimeDelta,
}

impl InvitationSending {
    /// Sending by this mailer. An invitation that is being sent for longer than `lease` was left behind; it MUST be
    /// longer than the mailer takes at most.
    pub fn new(
        invitations: Arc<dyn InvitationStore>,
        mailer: Arc<dyn Mailer>,
        clock: Arc<dyn Clock>,
        lease: TimeDelta,
    ) -> Self {
        Self { invitations, mailer, clock, lease }
    }

    /// Takes the invitation out of the queue that waits the longest, and sends it.
    ///
    /// # Errors
    /// Fails when the store does not answer. What was taken out before is then perhaps sent, and counts as such.
    pub async fn send_next(&self) -> Result<SendingStep, PortFailure> {
        let Some(claimed) = self.invitations.claim(self.clock.now()).await? else { return Ok(SendingStep::Idle) };
        let (outcome, step) = match self.send(&claimed).await {
            Ok(()) => (SendingOutcome::Sent { at: self.clock.now() }, SendingStep::Done),
            Err(MailFailure::Refused(error)) => (SendingOutcome::Failed { error }, SendingStep::Done),
            Err(MailFailure::NotKnown) => (SendingOutcome::Unknown { error: NO_ANSWER.to_owned() }, SendingStep::Done),
            Err(MailFailure::Unreachable(error)) => (self.later(claimed.tries, error), SendingStep::Pause),
        };
        self.invitations.settle(&claimed, outcome).await?;
        Ok(step)
    }

    /// Takes out of the queue what nobody is to get any more, marks what somebody began to send and never finished as
    /// perhaps sent, and says how many the latter were.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn tidy_up(&self) -> Result<u64, PortFailure> {
        self.invitations.withdraw().await?;
        self.invitations.give_up(self.clock.now() - self.lease, LEFT_BEHIND).await
    }

    async fn send(&self, claimed: &ClaimedInvitation) -> Result<(), MailFailure> {
        let Some(link) = link_of(&claimed.facts, &claimed.site) else {
            return Err(MailFailure::Refused(OVER.to_owned()));
        };
        let addressee = Addressee { name: &claimed.name, username: &claimed.username };
        let written = write_invitation(&claimed.facts, &link, claimed.time_zone, Some(addressee));
        let mail = Mail {
            reference: reference_of(claimed),
            to_name: claimed.name.clone(),
            to: claimed.email.clone(),
            reply_to_name: claimed.facts.organization.clone(),
            reply_to: claimed.facts.contact_email.clone(),
            subject: written.subject,
            text: written.text,
        };
        self.mailer.send(mail).await
    }

    fn later(&self, tries: u32, error: String) -> SendingOutcome {
        match wait_after(tries) {
            Some(wait) => SendingOutcome::Later { due_at: self.clock.now() + wait, error },
            None => SendingOutcome::Failed { error },
        }
    }
}

const NO_ANSWER: &str = "The mail server did not confirm the message. It may have been delivered.";
const LEFT_BEHIND: &str = "Sending was interrupted. The message may have been delivered.";
const OVER: &str = "The meeting was over before the message could be sent.";

/// The same for every try of one sending, so that a mail server can tell a repeat; another one when it is sent again.
fn reference_of(claimed: &ClaimedInvitation) -> String {
    format!("{}.{}.{}", claimed.meeting_id, claimed.end_user_id, claimed.queued_at.timestamp_micros())
}
