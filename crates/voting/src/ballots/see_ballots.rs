use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{BallotService, VoterRound};

impl BallotService {
    /// The last round of each question that was ever opened, with the voter's own vote.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn rounds_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<VoterRound>, PortFailure> {
        self.ports.rounds.rounds_of_voter(client, meeting, voter).await
    }
}
