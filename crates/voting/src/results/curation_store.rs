use async_trait::async_trait;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};

use crate::{AnswerCuration, CurationRule, StoredCuration};

/// A change of the curation of a round's answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurationChange {
    /// The client that owns the meeting.
    pub owner: ClientId,
    /// The meeting.
    pub meeting: MeetingId,
    /// The round.
    pub round: RoundId,
    /// The version that the organizer saw.
    pub seen: u32,
    /// The whole new curation.
    pub curation: AnswerCuration,
}

/// The reason why a curation was not stored.
#[derive(Debug, thiserror::Error)]
pub enum CurateError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    RoundNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] CurationRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores how the presentation shows the answers of rounds. Each call is one transaction and sees one client's rows only.
/// It changes no round, vote or record.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait CurationStore: Send + Sync {
    /// The curation of a round, or the empty one of version 0. Also for a round of another client or meeting.
    async fn find(&self, owner: ClientId, meeting: MeetingId, round: RoundId) -> Result<StoredCuration, PortFailure>;

    /// Locks the meeting, asks [`crate::decide_curation`], and stores the curation if that permits it. Returns the stored
    /// one, and whether it changed.
    ///
    /// # Errors
    /// `RoundNotFound` also for a round of another client or meeting; `Rule` when [`crate::decide_curation`] refuses. Then
    /// nothing is changed.
    async fn replace(&self, change: CurationChange) -> Result<(StoredCuration, bool), CurateError>;
}
