use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use crate::error::ApiError;
use crate::error::try_again_in;
use crate::error::whole_seconds;
use crate::extract::network_of;

/// The kinds of lookups and checks that need no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LookupKind {
    /// An organization by its code.
    ClientCode,
    /// A meeting by the link of an invitation or presentation, or an account by a reset link.
    Link,
    /// The code on the presentation, with which voters check themselves in.
    CheckInCode,
    /// A session by its refresh token.
    RefreshToken,
    /// A record by its hash.
    Record,
    /// The check of a file. Every check counts, as it takes seconds for a large file.
    File,
}

impl LookupKind {
    /// The number of failures in a burst, and the time after which another one is allowed. An assembly of 2,000 can
    /// share one address: if one in ten mistypes the code within two minutes, that makes 200 failures. If all sessions
    /// have ended overnight, all refreshes fail.
    fn limit(self) -> (u32, Duration) {
        match self {
            Self::ClientCode | Self::Link | Self::CheckInCode | Self::Record => (120, Duration::from_millis(250)),
            Self::File => (30, Duration::from_secs(2)),
            Self::RefreshToken => (1_000, Duration::from_millis(50)),
        }
    }

    fn refusal(self, wait: Duration) -> ApiError {
        let seconds = whole_seconds(wait);
        let what = match self {
            Self::ClientCode => "Too many unknown organization codes were tried in your network.",
            Self::Link => "Too many unknown links were tried in your network.",
            Self::CheckInCode => "Too many wrong check-in codes were tried in your network.",
            Self::RefreshToken => "Too many ended sessions were used in your network.",
            Self::Record => "Too many unknown record hashes were tried in your network.",
            Self::File => "Too many files were checked in your network.",
        };
        ApiError::rate_limited(format!("{what} {}", try_again_in(seconds)), seconds)
    }
}

/// The time at which all failures of an address have expired. An address without failures has no entry.
type Failures = HashMap<(LookupKind, IpAddr), Instant>;

/// A rate limit on failed lookups for each address. Successful lookups do not count, so an assembly that arrives at
/// once is not delayed. Each instance counts for itself, in memory.
pub(crate) struct LookupRateLimit {
    capacity: usize,
    failures: Mutex<Failures>,
    /// The number of callers that may wait for the turn.
    waiting: Semaphore,
    turn: Semaphore,
}

impl LookupRateLimit {
    /// The number of addresses with remembered failures. They need some megabytes.
    const CAPACITY: usize = 100_000;
    /// The number of waiting callers. A turn takes a few milliseconds, so the wait is short.
    const MAX_WAITING: usize = 200;

    /// A limit without failures.
    pub(crate) fn new() -> Self {
        Self::with_capacity(Self::CAPACITY)
    }

    fn with_capacity(capacity: usize) -> Self {
        let failures = Mutex::default();
        Self { capacity, failures, waiting: Semaphore::new(Self::MAX_WAITING), turn: Semaphore::new(1) }
    }

    /// Runs a lookup, unless too many lookups from this address have failed. A successful lookup does not count.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached, and the errors of the lookup.
    pub(crate) async fn look_up<T>(
        &self,
        kind: LookupKind,
        from: IpAddr,
        find: impl Future<Output = Result<Option<T>, ApiError>>,
    ) -> Result<Option<T>, ApiError> {
        if let Some(wait) = self.wait(kind, from) {
            return Err(kind.refusal(wait));
        }
        let found = find.await?;
        if found.is_none() {
            self.record_failure(kind, from);
        }
        Ok(found)
    }

    /// Counts a call that is limited whether it succeeds or fails.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached.
    pub(crate) fn count(&self, kind: LookupKind, from: IpAddr) -> Result<(), ApiError> {
        if let Some(wait) = self.wait(kind, from) {
            return Err(kind.refusal(wait));
        }
        self.record_failure(kind, from);
        Ok(())
    }

    /// Waits for a turn if too many lookups from this address have failed. These lookups then run one at a time, so
    /// that valid ones still succeed and invalid ones use few resources. Returns `None` below the limit.
    ///
    /// # Errors
    /// Returns 429 if too many callers wait.
    pub(crate) async fn turn(&self, kind: LookupKind, from: IpAddr) -> Result<Option<SemaphorePermit<'_>>, ApiError> {
        let Some(wait) = self.wait(kind, from) else { return Ok(None) };
        let Ok(_waiting) = self.waiting.try_acquire() else { return Err(kind.refusal(wait)) };
        Ok(self.turn.acquire().await.ok())
    }

    /// Records a failure.
    pub(crate) fn record_failure(&self, kind: LookupKind, from: IpAddr) {
        let (key, now) = ((kind, network_of(from)), Instant::now());
        let (burst, interval) = kind.limit();
        let mut failures = self.failures();
        if let Some(expires_at) = failures.get_mut(&key) {
            // Simultaneous failures add at most twice the burst, because a whole assembly may have used one stale link.
            *expires_at = (now.max(*expires_at) + interval).min(now + interval * burst * 2);
            return;
        }
        if failures.len() >= self.capacity {
            failures.retain(|_, expires_at| *expires_at > now);
        }
        // An attacker with a hundred thousand addresses is not stopped by this limit.
        if failures.len() < self.capacity {
            failures.insert(key, now + interval);
        }
    }

    /// The time until another failure is allowed. `None` if it is allowed now.
    fn wait(&self, kind: LookupKind, from: IpAddr) -> Option<Duration> {
        let expires_at = *self.failures().get(&(kind, network_of(from)))?;
        let (burst, interval) = kind.limit();
        let remaining = expires_at.saturating_duration_since(Instant::now());
        let wait = (remaining + interval).saturating_sub(interval * burst);
        (!wait.is_zero()).then_some(wait)
    }

    fn failures(&self) -> MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError as _;
    use actix_web::http::StatusCode;
    use actix_web::http::header::RETRY_AFTER;
    use futures_util::FutureExt as _;
    use tokio::time::advance;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    async fn look_up(lookups: &LookupRateLimit, from: IpAddr, found: Option<u8>) -> Result<Option<u8>, ApiError> {
        lookups.look_up(LookupKind::ClientCode, from, async { Ok(found) }).await
    }

    #[tokio::test(start_paused = true)]
    async fn too_many_failed_lookups_get_retry_after() {
        let lookups = LookupRateLimit::new();
        for _ in 0..120 {
            assert_eq!(look_up(&lookups, HERE, None).await.unwrap(), None);
        }
        let refusal = look_up(&lookups, HERE, Some(1)).await.unwrap_err();
        assert_eq!(refusal.status_code(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refusal.error_response().headers().get(RETRY_AFTER).unwrap(), "1");
        let text = "Too many unknown organization codes were tried in your network. Please try again in 1 second.";
        assert_eq!(refusal.to_string(), text);
        // Other addresses and other kinds of lookups are not affected.
        assert_eq!(look_up(&lookups, THERE, None).await.unwrap(), None);
        assert_eq!(lookups.wait(LookupKind::Link, HERE), None);
        advance(Duration::from_millis(250)).await;
        assert_eq!(look_up(&lookups, HERE, None).await.unwrap(), None);
        assert!(look_up(&lookups, HERE, None).await.is_err(), "only one more is allowed");
    }

    #[tokio::test(start_paused = true)]
    async fn thousands_of_simultaneous_failures_delay_the_next_lookup_by_half_a_minute_at_most() {
        let lookups = LookupRateLimit::new();
        for _ in 0..10_000 {
            lookups.record_failure(LookupKind::ClientCode, HERE);
        }
        assert!(look_up(&lookups, HERE, Some(1)).await.is_err());
        advance(Duration::from_millis(30_250)).await;
        assert_eq!(look_up(&lookups, HERE, Some(1)).await.unwrap(), Some(1));
    }

    #[tokio::test(start_paused = true)]
    async fn successful_lookups_do_not_count() {
        let lookups = LookupRateLimit::new();
        for _ in 0..10_000 {
            assert_eq!(look_up(&lookups, HERE, Some(1)).await.unwrap(), Some(1));
        }
        assert!(lookups.failures().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn lookups_beyond_the_limit_run_one_at_a_time_and_only_some_may_wait() {
        let lookups = LookupRateLimit::new();
        for _ in 0..1_000 {
            assert!(
                lookups.turn(LookupKind::RefreshToken, HERE).await.unwrap().is_none(),
                "the limit is not reached yet"
            );
            lookups.record_failure(LookupKind::RefreshToken, HERE);
        }
        let first = lookups.turn(LookupKind::RefreshToken, HERE).await.unwrap().expect("a turn");
        let mut next: Vec<_> = (0..200).map(|_| Box::pin(lookups.turn(LookupKind::RefreshToken, HERE))).collect();
        assert!(next.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        let refusal = lookups.turn(LookupKind::RefreshToken, HERE).await.unwrap_err();
        assert_eq!(refusal.status_code(), StatusCode::TOO_MANY_REQUESTS);
        assert!(lookups.turn(LookupKind::RefreshToken, THERE).await.unwrap().is_none(), "other addresses do not wait");
        drop(first);
        assert!(next.remove(0).await.unwrap().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn expired_failures_are_removed_and_the_capacity_is_kept() {
        let lookups = LookupRateLimit::with_capacity(2);
        let address = |number| IpAddr::from([192, 0, 2, number]);
        (1..=3).for_each(|number| lookups.record_failure(LookupKind::Link, address(number)));
        assert_eq!(lookups.failures().len(), 2);
        advance(Duration::from_secs(1)).await;
        lookups.record_failure(LookupKind::Link, address(4));
        assert_eq!(lookups.failures().len(), 1);
    }
}
