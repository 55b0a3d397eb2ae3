use std::sync::Arc;

use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{RoundStore, VoterRound};

/// What a voter sees of the rounds of a meeting.
pub struct VoterRounds {
    rounds: Arc<dyn RoundStore>,
}

impl VoterRounds {
    /// A view of this store.
    pub fn new(rounds: Arc<dyn RoundStore>) -> Self {
        Self { rounds }
    }

    /// For every question that was ever opened its last round, with the voter's own vote.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<VoterRound>, PortFailure> {
        self.rounds.rounds_of_voter(client, meeting, voter).await
    }
}
