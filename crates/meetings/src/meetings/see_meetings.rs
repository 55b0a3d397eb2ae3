use std::collections::HashSet;

use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{Meeting, MeetingClient, MeetingService, MeetingStatus};

/// A meeting, and whether the voter is invited to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The meeting.
    pub meeting: Meeting,
    /// The name of the organization.
    pub organization: String,
    /// Whether the voter is invited.
    pub is_invited: bool,
}

impl Invitation {
    /// Whether the voter may see the meeting.
    ///
    /// # Errors
    /// Fails for those who are not invited, and for everybody while the meeting is a draft.
    pub(crate) fn check(&self) -> Result<(), SeeMeetingError> {
        match (self.is_invited, self.meeting.status) {
            (true, MeetingStatus::Draft) => Err(SeeMeetingError::NotOpenYet),
            (true, _) => Ok(()),
            // Whoever is not invited does not learn of drafts.
            (false, MeetingStatus::Draft) => Err(SeeMeetingError::NotFound),
            (false, _) => Err(SeeMeetingError::NotInvited),
        }
    }
}

/// The target of an invitation link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationTarget {
    /// The meeting.
    pub meeting: Meeting,
    /// The client that owns it.
    pub client: MeetingClient,
}

/// A meeting in a voter's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterMeeting {
    /// The meeting.
    pub meeting: Meeting,
    /// Whether a rehearsal runs.
    pub is_rehearsing: bool,
}

/// The reason why a voter cannot see a meeting.
#[derive(Debug, thiserror::Error)]
pub enum SeeMeetingError {
    /// The client has no such meeting, or the voter is not invited to it and it is still a draft.
    #[error("the meeting does not exist")]
    NotFound,
    /// The voter is invited, and the meeting is still a draft.
    #[error("this meeting is not open yet")]
    NotOpenYet,
    /// The voter is neither on its participant list nor in the register of its open round.
    #[error("you are not invited to this meeting")]
    NotInvited,
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl MeetingService {
    /// The meetings to which the voter is invited.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn list_for_voter(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure> {
        self.ports.voter_meetings.list(client, voter).await
    }

    /// One meeting to which the voter is invited.
    ///
    /// # Errors
    /// Fails when the voter's client has no such meeting, the voter is not invited, or it is still a draft.
    pub async fn find_for_voter(
        &self,
        client: ClientId,
        voter: EndUserId,
        id: MeetingId,
    ) -> Result<Invitation, SeeMeetingError> {
        let found = self.ports.voter_meetings.find(client, voter, id).await?;
        let invitation = found.ok_or(SeeMeetingError::NotFound)?;
        invitation.check()?;
        Ok(invitation)
    }

    /// Those of these voters who may see the meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn invited_among(
        &self,
        client: ClientId,
        voters: Vec<EndUserId>,
        id: MeetingId,
    ) -> Result<HashSet<EndUserId>, PortFailure> {
        self.ports.voter_meetings.invited_among(client, voters, id).await
    }
}
