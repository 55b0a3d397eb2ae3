use chrono::TimeDelta;
use plenum_kernel::PortFailure;

use crate::{Closing, RoundService};

impl RoundService {
    /// Ends every round whose time has come, and informs the live screens. Says how long to wait for the next one if
    /// that is due within `ahead`; not at all for one that could not be ended right now.
    ///
    /// # Errors
    /// Fails when the store does not respond. What can be ended is ended all the same.
    pub async fn close_due(&self, ahead: TimeDelta) -> Result<Option<TimeDelta>, PortFailure> {
        let mut waits = Vec::new();
        let mut outcome = Ok(());
        for closing in self.rounds.closings_until(self.clock.now() + ahead).await? {
            let wait = closing.closes_at - self.clock.now();
            if wait > TimeDelta::zero() {
                waits.push(wait);
                continue;
            }
            match self.close(closing).await {
                Ok(true) => {}
                Ok(false) => waits.push(TimeDelta::zero()),
                // One meeting that is stuck keeps no other one open.
                Err(failure) => outcome = Err(failure),
            }
        }
        outcome.map(|()| waits.into_iter().min())
    }

    async fn close(&self, Closing { client_id, meeting_id, closes_at: _ }: Closing) -> Result<bool, PortFailure> {
        let has_ended = self.rounds.end_due(client_id, meeting_id, self.clock.now()).await?;
        if has_ended {
            self.signals.meeting_changed(meeting_id).await;
        }
        Ok(has_ended)
    }
}
