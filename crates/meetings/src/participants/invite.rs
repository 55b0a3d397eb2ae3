use std::sync::Arc;

use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PageRequest, PortFailure, SearchText};

use crate::live::LiveSignals;
use crate::{Participant, ParticipantStore};

/// Who is to be invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invitees {
    /// Everyone of the client who is active, now or later: the meeting has no list any more. Only a list can keep a
    /// limit, so that in a meeting that has one these are those who are active at this moment.
    AllActive,
    /// These.
    These(Vec<EndUserId>),
}

/// Which of the people who are invited are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParticipantFilter {
    /// In name, username or e-mail address.
    pub search: Option<SearchText>,
    /// By name from the last one on, not from the first.
    pub is_descending: bool,
    /// This part of them; all when missing.
    pub page: Option<PageRequest>,
}

/// How a participant list changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParticipantCount {
    /// How many came on it, or were taken off it.
    pub changed: u64,
    /// For how many the meeting is now: those on the list, or every active end user where there is none.
    pub total: u64,
}

/// Why nobody was invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// One of them is not an end user of this client.
    #[error("one of the end users does not exist")]
    UnknownEndUsers,
    /// The meeting's limit would be passed.
    #[error("{people} people would take part, and the meeting has room for {limit}: invite fewer, or raise the limit")]
    TooMany {
        /// How many people would take part.
        people: u64,
        /// The meeting's limit.
        limit: u32,
    },
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Keeps participant lists.
pub struct Invitations {
    participants: Arc<dyn ParticipantStore>,
    signals: Arc<dyn LiveSignals>,
}

impl Invitations {
    /// Invitations in this store.
    pub fn new(participants: Arc<dyn ParticipantStore>, signals: Arc<dyn LiveSignals>) -> Self {
        Self { participants, signals }
    }

    /// Invites all of them, or none, and tells everyone who is watching: there are others who may vote.
    ///
    /// # Errors
    /// Fails when the meeting or one of the end users is not this client's, or the meeting's limit would be passed.
    pub async fn invite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        invitees: Invitees,
    ) -> Result<ParticipantCount, InviteError> {
        let count = self.participants.invite(owner, meeting, invitees).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(count)
    }

    /// Takes people off the list, and tells everyone who is watching. A meeting that was for everybody gets a list of all
    /// the others.
    ///
    /// # Errors
    /// Fails when the meeting is not this client's.
    pub async fn uninvite(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        end_users: Vec<EndUserId>,
    ) -> Result<ParticipantCount, InviteError> {
        let count = self.participants.uninvite(owner, meeting, end_users).await?;
        self.signals.meeting_changed(meeting).await;
        Ok(count)
    }

    /// Who is invited, by name. `None` when the client has no such meeting.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &ParticipantFilter,
    ) -> Result<Option<Page<Participant>>, PortFailure> {
        self.participants.list(owner, meeting, filter).await
    }
}
