use chrono::TimeDelta;
use plenum_kernel::PortFailure;

use crate::{RoundDeadline, RoundService};

impl RoundService {
    /// Ends every round whose closing time has come, and informs the live screens. Returns the wait until the next one
    /// if it is due within `ahead`. The wait is zero for a round that could not be ended now.
    ///
    /// # Errors
    /// Fails when the store does not respond. Other rounds are still ended.
    pub async fn close_due(&self, ahead: TimeDelta) -> Result<Option<TimeDelta>, PortFailure> {
        let mut waits = Vec::new();
        let mut outcome = Ok(());
        for deadline in self.ports.rounds.deadlines_until(self.ports.clock.now() + ahead).await? {
            let wait = deadline.closes_at - self.ports.clock.now();
            if wait > TimeDelta::zero() {
                waits.push(wait);
                continue;
            }
            match self.close(deadline).await {
                Ok(true) => {}
                Ok(false) => waits.push(TimeDelta::zero()),
                // A failure in one meeting does not keep rounds of others open.
                Err(failure) => outcome = Err(failure),
            }
        }
        outcome.map(|()| waits.into_iter().min())
    }

    async fn close(
        &self,
        RoundDeadline { client_id, meeting_id, closes_at: _ }: RoundDeadline,
    ) -> Result<bool, PortFailure> {
        let has_ended = self.ports.rounds.end_due(client_id, meeting_id, self.ports.clock.now()).await?;
        if has_ended {
            self.ports.signals.meeting_changed(meeting_id).await;
        }
        Ok(has_ended)
    }
}
