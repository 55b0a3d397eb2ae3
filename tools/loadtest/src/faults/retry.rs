use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::failure::LoadFailure;
use crate::fixture::Fixture;

/// Time limit for repeating an organizer's call.
const TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(300);

/// Repeats an organizer's call until it succeeds. Calls are idempotent, so a call without a response can be repeated.
pub(super) async fn retry<T>(
    fixture: &mut Fixture,
    mut call: impl AsyncFnMut(&mut Fixture) -> Result<T, LoadFailure>,
) -> Result<T, LoadFailure> {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let failure = match call(fixture).await {
            Ok(done) => return Ok(done),
            Err(failure) => failure,
        };
        if Instant::now() >= deadline || !is_worth_another_try(&failure) {
            return Err(failure);
        }
        sleep(PAUSE).await;
        if is_about_tokens(&failure) {
            refresh_tokens(fixture).await;
        }
    }
}

/// Signs the organizer in again. If that fails, the next attempt of the caller fails as well.
pub(super) async fn refresh_tokens(fixture: &mut Fixture) {
    let _ = fixture.organizer.sign_in_again().await;
}

/// Repeats a call that only reads.
pub(super) async fn get(fixture: &mut Fixture, path: &str) -> Result<Value, LoadFailure> {
    retry(fixture, async |fixture| fixture.organizer.call("GET", path, None).await).await
}

fn is_worth_another_try(failure: &LoadFailure) -> bool {
    match failure {
        LoadFailure::NoResponse { .. } => true,
        LoadFailure::Refused { status, .. } => *status >= 500 || is_about_tokens(failure) || needs_a_key(failure),
        _ => false,
    }
}

/// The key of a secret round was not made in time. The API asks for another attempt.
fn needs_a_key(failure: &LoadFailure) -> bool {
    matches!(failure, LoadFailure::Refused { status: 409, text, .. } if text.contains("key_needed"))
}

/// A call without a token is also answered with 401.
fn is_about_tokens(failure: &LoadFailure) -> bool {
    matches!(failure, LoadFailure::Refused { status: 401, .. })
}
