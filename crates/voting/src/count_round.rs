use std::sync::Arc;

use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};

use crate::{Round, RoundStatus, RoundStore, Tally};

/// Why a round was not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountRoundError {
    /// The client's meeting has no such round.
    #[error("the round does not exist")]
    NotFound,
    /// Nobody may see a tally while votes are taken.
    #[error("the round is still open")]
    StillOpen,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Counts rounds.
pub struct CountingService {
    rounds: Arc<dyn RoundStore>,
}

impl CountingService {
    /// Counts the rounds of this store.
    pub fn new(rounds: Arc<dyn RoundStore>) -> Self {
        Self { rounds }
    }

    /// Counts the votes of a round that has ended.
    ///
    /// # Errors
    /// Fails when this client's meeting has no such round, or the round is still open.
    pub async fn count(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<(Round, Tally), CountRoundError> {
        let found = self.rounds.find_with_votes(owner, meeting, round).await?;
        let (round, votes) = found.ok_or(CountRoundError::NotFound)?;
        if round.status == RoundStatus::Open {
            return Err(CountRoundError::StillOpen);
        }
        let tally = Tally::count(&round.wording, &votes);
        Ok((round, tally))
    }
}
