use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, MeetingId, PortFailure, RoundId};

use crate::{Decision, ResultService, ShowCountError};

/// An organizer's note of the vote with which the chair decides a tie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastingVoteRequest {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The organizer.
    pub by: AccountId,
    /// Whether the vote is in favor.
    pub in_favor: bool,
    /// The name of the person who cast it.
    pub cast_by: String,
}

/// A casting vote to store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCastingVote {
    /// The request.
    pub request: CastingVoteRequest,
    /// The time.
    pub at: DateTime<Utc>,
}

/// The reason why a casting vote was not noted.
#[derive(Debug, thiserror::Error)]
pub enum CastingVoteError {
    /// The count cannot be shown.
    #[error(transparent)]
    Count(ShowCountError),
    /// The votes are not equal, the rule has no casting vote, it was noted before, or the result is declared.
    #[error("no casting vote is open in this round: load the result again")]
    NotOpen,
    /// The store failed.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

impl From<ShowCountError> for CastingVoteError {
    fn from(error: ShowCountError) -> Self {
        match error {
            // A declared result is intact, and waits for nothing.
            ShowCountError::Declared => Self::NotOpen,
            error => Self::Count(error),
        }
    }
}

impl ResultService {
    /// Notes the casting vote for which a counted round waits, and informs the live screens.
    ///
    /// # Errors
    /// Refuses if the round waits for none. A casting vote is noted once and never changed.
    pub async fn note_casting_vote(&self, request: CastingVoteRequest) -> Result<(), CastingVoteError> {
        let (owner, meeting, round) = (request.owner, request.meeting, request.round);
        let placed = self.result(owner, meeting, round).await?;
        if placed.result.result.decision != Decision::CastingVoteOpen {
            return Err(CastingVoteError::NotOpen);
        }
        let at = self.ports.clock.now();
        self.ports.declarations.note_casting_vote(NewCastingVote { request, at }).await?;
        self.ports.signals.meeting_changed(meeting).await;
        Ok(())
    }
}
