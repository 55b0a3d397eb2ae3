use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{Clock, PersonalLinkTokens, PortFailure, ReasonNeeded};

use crate::{
    Addressee, AttachedCode, ClaimedInvitation, InvitationStore, Mail, MailFailure, Mailer, SendingOutcome,
    check_in_code, link_of, wait_after, write_invitation,
};

/// The reason why no invitation was queued.
#[derive(Debug, thiserror::Error)]
pub enum QueueInvitationsError {
    /// No mail server is configured.
    #[error("no mail server is configured; copy the text and send it yourself")]
    MailNotConfigured,
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting is over or cancelled.
    #[error("nobody can be invited to a completed or cancelled meeting")]
    MeetingOver,
    /// A named person is not invited.
    #[error("one of the end users is not invited to the meeting")]
    NotInvited,
    /// A recipient of a personal link is in the register of an open round, and there is no reason.
    #[error(transparent)]
    ReasonNeeded(#[from] ReasonNeeded),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The outcome of one step of the mail worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendingStep {
    /// No invitation was due.
    Idle,
    /// An invitation was sent, or will not be.
    Done,
    /// The mail server is unreachable, or requested a pause.
    Pause,
}

/// The ports of [`InvitationSending`].
pub struct SendingPorts {
    /// The queue.
    pub invitations: Arc<dyn InvitationStore>,
    /// Sends the mails.
    pub mailer: Arc<dyn Mailer>,
    /// Derives the tokens of personal links.
    pub link_tokens: Arc<dyn PersonalLinkTokens>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

/// Sends queued invitations. Several workers may run at the same time, also in several processes.
pub struct InvitationSending {
    ports: SendingPorts,
    lease: TimeDelta,
}

impl InvitationSending {
    /// Creates the service on these ports. An invitation that is being sent for longer than `lease` is abandoned. `lease` MUST
    /// exceed the maximum duration of the mailer.
    pub fn new(ports: SendingPorts, lease: TimeDelta) -> Self {
        Self { ports, lease }
    }

    /// Takes the invitation that has waited longest from the queue, and sends it.
    ///
    /// # Errors
    /// Fails when the store does not respond. An invitation that was claimed before then counts as perhaps sent.
    pub async fn send_next(&self) -> Result<SendingStep, PortFailure> {
        let Some(claimed) = self.ports.invitations.claim(self.ports.clock.now()).await? else {
            return Ok(SendingStep::Idle);
        };
        let (outcome, step) = match self.send(&claimed).await {
            Ok(()) => (SendingOutcome::Sent { at: self.ports.clock.now() }, SendingStep::Done),
            Err(MailFailure::Refused(error)) => (SendingOutcome::Failed { error }, SendingStep::Done),
            Err(MailFailure::NotKnown) => (SendingOutcome::Unknown { error: NO_ANSWER.to_owned() }, SendingStep::Done),
            Err(MailFailure::Unreachable(error)) => (self.later(claimed.attempts, error), SendingStep::Pause),
        };
        self.ports.invitations.settle(&claimed, outcome).await?;
        Ok(step)
    }

    /// Removes outdated invitations from the queue, marks abandoned ones as perhaps sent, and returns the number of the
    /// latter.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn tidy_up(&self) -> Result<u64, PortFailure> {
        self.ports.invitations.withdraw().await?;
        self.ports.invitations.give_up(self.ports.clock.now() - self.lease, LEFT_BEHIND).await
    }

    async fn send(&self, claimed: &ClaimedInvitation) -> Result<(), MailFailure> {
        let Some(link) = link_of(&claimed.facts, &claimed.site) else {
            return Err(MailFailure::Refused(OVER.to_owned()));
        };
        let personal_link = claimed.personal_link.as_ref().map(|seed| {
            // The same for every attempt.
            claimed.site.personal_link(&self.ports.link_tokens.token(seed, claimed.end_user_id))
        });
        let check_in_code = claimed.facts.has_check_in.then(|| check_in_code(claimed.end_user_id));
        let addressee = Addressee {
            name: &claimed.name,
            username: &claimed.username,
            personal_link: personal_link.as_deref(),
            check_in_code: check_in_code.as_deref(),
        };
        let written = write_invitation(&claimed.facts, &link, claimed.time_zone, Some(addressee));
        let mail = Mail {
            reference: reference_of(claimed),
            to_name: claimed.name.clone(),
            to: claimed.email.clone(),
            reply_to_name: claimed.facts.organization.clone(),
            reply_to: claimed.facts.contact_email.clone(),
            subject: written.subject,
            text: written.text,
            code: check_in_code.map(|content| AttachedCode { content, name: "check-in-code".to_owned() }),
        };
        self.ports.mailer.send(mail).await
    }

    fn later(&self, attempts: u32, error: String) -> SendingOutcome {
        match wait_after(attempts) {
            Some(wait) => SendingOutcome::Later { due_at: self.ports.clock.now() + wait, error },
            None => SendingOutcome::Failed { error },
        }
    }
}

const NO_ANSWER: &str = "The mail server did not confirm the message. It may have been delivered.";
const LEFT_BEHIND: &str = "Sending was interrupted. The message may have been delivered.";
const OVER: &str = "The meeting was over before the message could be sent.";

/// The same for every attempt, so that a mail server recognizes a repeat. A new request gets a new one.
fn reference_of(claimed: &ClaimedInvitation) -> String {
    format!("{}.{}.{}", claimed.meeting_id, claimed.end_user_id, claimed.queued_at.timestamp_micros())
}
