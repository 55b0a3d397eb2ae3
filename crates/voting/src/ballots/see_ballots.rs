use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{BallotService, VoterAgenda};

impl BallotService {
    /// What was opened in the meeting, with the voter's own votes. Empty also for another client's meeting.
    ///
    /// # Errors
    /// Fails when the store does not respond.
    pub async fn agenda_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<VoterAgenda, PortFailure> {
        self.ports.rounds.agenda_of_voter(client, meeting, voter).await
    }
}
