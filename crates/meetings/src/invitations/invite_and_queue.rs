use std::sync::Arc;

use plenum_kernel::{ClientId, Clock, EndUserId, MeetingId, Page, PasswordSetter, PortFailure, Secrets};

use crate::live::LiveSignals;
use crate::{
    InvitationOrder, InvitationOverview, InvitationStore, InviteError, InviteOutcome, Invitees, MailSignals,
    Participant, ParticipantCount, ParticipantFilter, ParticipantStore, PersonalLinks, QueueInvitationsError, Queued,
    RecipientFilter, Recipients, SiteAddress, TimeZone,
};

/// A request to invite people of a meeting by email.
#[derive(Clone, Debug)]
pub struct InvitationRequest {
    /// The recipients.
    pub recipients: Recipients,
    /// The public address of the product.
    pub site: SiteAddress,
    /// The time zone of the planned start.
    pub time_zone: TimeZone,
    /// The organizer who makes a personal link for each recipient, if the invitations contain one.
    pub personal_links_by: Option<PasswordSetter>,
}

/// The ports of [`InvitationService`].
pub struct InvitationPorts {
    /// Participant lists.
    pub participants: Arc<dyn ParticipantStore>,
    /// The queue of invitations.
    pub invitations: Arc<dyn InvitationStore>,
    /// Informs the live screens.
    pub live_signals: Arc<dyn LiveSignals>,
    /// Wakes the mail worker. Without it, the service sends no invitations.
    pub mail_signals: Option<Arc<dyn MailSignals>>,
    /// Makes the tokens of invitation links.
    pub secrets: Arc<dyn Secrets>,
    /// Gives the time.
    pub clock: Arc<dyn Clock>,
}

/// Changes participant lists, and queues invitations by mail.
pub struct InvitationService {
    ports: InvitationPorts,
}

impl InvitationService {
    /// Creates the service on these ports.
    pub fn new(ports: InvitationPorts) -> Self {
        Self { ports }
    }

    /// Invites all of these people, or none, and informs the live screens, because the eligible voters change.
    ///
    /// # Errors
    /// Fails when the meeting or one of the end users is not this client's, or the meeting's limit would be exceeded.
    pub async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<InviteOutcome, InviteError> {
        let outcome = self.ports.participants.invite(owner, meeting, invitees).await?;
        self.ports.live_signals.meeting_changed(meeting).await;
        Ok(outcome)
    }

    /// Removes people from the list, and informs the live screens. A meeting for everybody gets a list of all others.
    ///
    /// # Errors
    /// Fails when the meeting is not this client's.
    pub async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError> {
        let count = self.ports.participants.uninvite(owner, meeting, end_users).await?;
        self.ports.live_signals.meeting_changed(meeting).await;
        Ok(count)
    }

    /// The participants, by name. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn participants(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure> {
        self.ports.participants.list(owner, meeting, filter).await
    }

    /// Whether a mail server is configured.
    pub fn can_send(&self) -> bool {
        self.ports.mail_signals.is_some()
    }

    /// Lists the invitations of a meeting, with counts. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn overview(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &RecipientFilter,
    ) -> Result<Option<InvitationOverview>, PortFailure> {
        self.ports.invitations.overview(owner, meeting, filter).await
    }

    /// Queues invitations, and creates the meeting's link if it has none yet. The mail worker sends them soon after.
    ///
    /// # Errors
    /// Fails when no mail server is configured, this client has no such meeting, it is over or cancelled, a named person is
    /// not invited, or a person who gets a personal link may vote in an open round and there is no reason. Then nothing is
    /// queued.
    pub async fn queue(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        request: InvitationRequest,
    ) -> Result<Queued, QueueInvitationsError> {
        let signals = self.ports.mail_signals.as_ref().ok_or(QueueInvitationsError::MailNotConfigured)?;
        let InvitationRequest { recipients, site, time_zone, personal_links_by } = request;
        let (link, now) = (self.ports.secrets.token(), self.ports.clock.now());
        let personal_links = personal_links_by.map(|setter| PersonalLinks { setter, seed: self.ports.secrets.token() });
        let order = InvitationOrder { recipients, site, time_zone, link, personal_links, now };
        let queued = self.ports.invitations.queue(owner, meeting, order).await?;
        signals.queued();
        Ok(queued)
    }

    /// Removes the waiting invitations from the queue. Returns their number. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn stop(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<u64>, PortFailure> {
        self.ports.invitations.stop(owner, meeting).await
    }
}
