//! A product to call, people who call it, and what they read.

mod app;
mod caller;
mod events;
pub(crate) mod operations;
mod organization;

pub(crate) use app::{KEY, PASSWORD, ROOT_EMAIL, TestApp, mail_by};
pub(crate) use caller::{Answer, Caller};
pub(crate) use events::EventStream;
pub(crate) use organization::{Organization, TestMeeting, TestVoter};

use std::time::{Duration, Instant};

/// For how long something may take that happens soon.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// An id that nothing has.
pub(crate) const NO_ID: &str = "019a9d5e-0000-7000-8000-000000000000";

/// Asks again and again until there is an answer.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < deadline, "in vain: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
