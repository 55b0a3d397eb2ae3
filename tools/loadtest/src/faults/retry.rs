use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::failure::LoadFailure;
use crate::fixture::Fixture;

/// For how long the organizer tries the same.
const TIMEOUT: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(300);

/// Does something as an organizer until it is done: whatever is so already is answered as if it had just been done, so it
/// can be asked for again where no answer came.
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
            // Where that does not work either, it is tried again like everything else.
            let _ = fixture.organizer.sign_in_again().await;
        }
    }
}

/// A call that only reads.
pub(super) async fn get(fixture: &mut Fixture, path: &str) -> Result<Value, LoadFailure> {
    retry(fixture, async |fixture| fixture.organizer.call("GET", path, None).await).await
}

fn is_worth_another_try(failure: &LoadFailure) -> bool {
    match failure {
        LoadFailure::NoResponse { .. } => true,
        LoadFailure::Refused { status, .. } => *status >= 500 || is_about_tokens(failure),
        _ => false,
    }
}

/// Without any token it is 401 as well.
fn is_about_tokens(failure: &LoadFailure) -> bool {
    matches!(failure, LoadFailure::Refused { status: 401, .. })
}
