use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::failure::LoadFailure;
use crate::fixture::Tokens;
use crate::http::{Connection, Request};
use crate::journal::{Retries, Submission, submit};

/// Pause before the next attempt to get tokens.
const PAUSE: Duration = Duration::from_millis(300);

/// A user who gets new tokens in every case: by a renewal, or by another sign-in if that is refused, as people do.
#[derive(Clone, Debug)]
pub(super) struct UserSession {
    pub(super) tokens: Tokens,
    /// The sign-in request.
    pub(super) sign_in: Vec<u8>,
}

impl UserSession {
    /// Gets valid tokens. False if there are none by the deadline.
    pub(super) async fn ensure_signed_in(&self, connection: &mut Connection, deadline: Instant) -> bool {
        loop {
            let fresh = match self.tokens.renew_if_due(connection).await {
                Ok(()) if !self.tokens.token().is_empty() => return true,
                Ok(()) | Err(LoadFailure::Refused { .. }) => self.tokens.sign_in(connection, &self.sign_in).await,
                Err(failure) => Err(failure),
            };
            if fresh.is_ok() || Instant::now() >= deadline {
                return fresh.is_ok();
            }
            sleep(PAUSE).await;
        }
    }

    /// The same, after this access token was refused.
    pub(super) async fn replace_refused_token(
        &self,
        refused: &str,
        connection: &mut Connection,
        deadline: Instant,
    ) -> bool {
        loop {
            let renewed = match self.tokens.renew(refused, connection).await {
                Err(LoadFailure::Refused { .. }) => self.tokens.sign_in(connection, &self.sign_in).await,
                renewed => renewed,
            };
            if renewed.is_ok() || Instant::now() >= deadline {
                return renewed.is_ok();
            }
            sleep(PAUSE).await;
        }
    }

    /// Submits a ballot until the result is known. A response about invalid tokens is not a result.
    pub(super) async fn vote(
        &self,
        connection: &mut Connection,
        ballot: &Request,
        time_limit: Duration,
    ) -> (Submission, Retries) {
        let deadline = Instant::now() + time_limit;
        let mut retries = Retries::default();
        loop {
            if !self.ensure_signed_in(connection, deadline).await {
                return (Submission::Unknown, retries);
            }
            let token = self.tokens.token();
            let request = ballot.clone().bearer(&token).bytes();
            let left = deadline.saturating_duration_since(Instant::now());
            let (submission, more_retries) = submit(connection, &request, left).await;
            retries.add(more_retries);
            match submission {
                Submission::Refused { status: 401, .. }
                    if self.replace_refused_token(&token, connection, deadline).await => {}
                submission => return (submission, retries),
            }
        }
    }
}
