use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::failure::LoadFailure;
use crate::hall::Pass;
use crate::http::{Connection, Request};
use crate::journal::{Handed, Repeats, hand_in};

/// How long somebody waits before they try to get in again.
const PAUSE: Duration = Duration::from_millis(300);

/// Somebody who gets in again whatever has become of their tokens: by renewing them, and where that is refused by signing
/// in anew, as people do.
#[derive(Clone, Debug)]
pub(super) struct Guest {
    pub(super) pass: Pass,
    /// The request with which they sign in.
    pub(super) sign_in: Vec<u8>,
}

impl Guest {
    /// Sees to it that they have tokens that are good. False where they were not let in by the deadline.
    pub(super) async fn get_in(&self, connection: &mut Connection, deadline: Instant) -> bool {
        loop {
            let fresh = match self.pass.keep_fresh(connection).await {
                Ok(()) if !self.pass.token().is_empty() => return true,
                Ok(()) | Err(LoadFailure::Refused { .. }) => self.pass.sign_in(connection, &self.sign_in).await,
                Err(failure) => Err(failure),
            };
            if fresh.is_ok() || Instant::now() >= deadline {
                return fresh.is_ok();
            }
            sleep(PAUSE).await;
        }
    }

    /// The same, after this access token was refused.
    pub(super) async fn get_in_again(&self, refused: &str, connection: &mut Connection, deadline: Instant) -> bool {
        loop {
            let renewed = match self.pass.renew(refused, connection).await {
                Err(LoadFailure::Refused { .. }) => self.pass.sign_in(connection, &self.sign_in).await,
                renewed => renewed,
            };
            if renewed.is_ok() || Instant::now() >= deadline {
                return renewed.is_ok();
            }
            sleep(PAUSE).await;
        }
    }

    /// Hands a ballot in until somebody says what has become of it. That tokens are over says nothing of it.
    pub(super) async fn vote(
        &self,
        connection: &mut Connection,
        ballot: &Request,
        patience: Duration,
    ) -> (Handed, Repeats) {
        let deadline = Instant::now() + patience;
        let mut repeats = Repeats::default();
        loop {
            if !self.get_in(connection, deadline).await {
                return (Handed::Unknown, repeats);
            }
            let token = self.pass.token();
            let request = ballot.clone().bearer(&token).bytes();
            let left = deadline.saturating_duration_since(Instant::now());
            let (handed, again) = hand_in(connection, &request, left).await;
            repeats.add(again);
            match handed {
                Handed::Refused { status: 401, .. } if self.get_in_again(&token, connection, deadline).await => {}
                handed => return (handed, repeats),
            }
        }
    }
}
