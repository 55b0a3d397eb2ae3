//! A served product, its callers, and their responses and events.

mod app;
mod caller;
mod declared;
mod events;
mod operation;
pub(crate) mod operations;
mod organization;
pub(crate) mod paper;
mod proxies;
mod spares;
mod timestamps;
mod world;

pub(crate) use app::{
    KEY, PASSWORD, ROOT_EMAIL, TestApp, VOTE_KEY_PATIENCE, evidence_key_file, evidence_keys, mail_by,
};
pub(crate) use caller::{Answer, Caller};
pub(crate) use declared::Declared;
pub(crate) use events::EventStream;
pub(crate) use organization::{Organization, TestMeeting, TestVoter};
pub(crate) use timestamps::Timestamps;

use std::time::{Duration, Instant};

/// The time limit for an effect that follows soon.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// An id that no object has.
pub(crate) const NO_ID: &str = "019a9d5e-0000-7000-8000-000000000000";

/// Polls until there is a value.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < deadline, "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
