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

/// The kinds of lookups that need no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LookupKind {
    /// An organization by its code.
    ClientCode,
    /// A meeting by the link of an invitation or presentation, or an account by a reset link.
    Link,
    /// A session by its refresh token.
    RefreshToken,
}

impl LookupKind {
    /// The number of failures in a burst, and the time after which another one is allowed. An assembly of 2,000 can
    /// share one address: if one in ten mistypes the code within two minutes, that makes 200 failures. If all sessions
    /// have ended overnight, all refreshes fail.
    fn limit(self) -> (u32, Duration) {
        match self {
            Self::ClientCode | Self::Link => (120, Duration::from_millis(250)),
            Self::RefreshToken => (1_000, Duration::from_millis(50)),
        }
    }

    fn refusal(self, wait: Duration) -> ApiError {
        let seconds = whole_seconds(wait);
        let what = match self {
            Self::ClientCode => "Too many unknown organization codes were tried in your network.",
            Self::Link => "Too many unknown links were tried in your network.",
            Self::RefreshToken => "Too many sessions that have ended were to be renewed in your network.",
        };
        ApiError::too_many_tries(format!("{what} {}", try_again_in(seconds)), seconds)
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
    const WAITING: usize = 200;

    /// A limit without failures.
    pub(crate) fn new() -> Self {
        Self::with_capacity(Self::CAPACITY)
    }

    fn with_capacity(capacity: usize) -> Self {
        let failures = Mutex::default();
        Self { capacity, failures, waiting: Semaphore::new(Self::WAITING), turn: Semaphore::new(1) }
    }

    /// Runs a lookup, unless too many lookups from this address have failed. A successful lookup does not count.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached, and the errors of the lookup.
    pub(crate) async fn look_up<T>(
        &self,
        guess: LookupKind,
        from: IpAddr,
        find: impl Future<Output = Result<Option<T>, ApiError>>,
    ) -> Result<Option<T>, ApiError> {
        if let Some(wait) = self.wait(guess, from) {
            return Err(guess.refusal(wait));
        }
        let found = find.await?;
        if found.is_none() {
            self.note(guess, from);
        }
        Ok(found)
    }

    /// Waits for a turn if too many lookups from this address have failed. These lookups then run one at a time, so
    /// that valid ones still succeed and invalid ones use few resources. Returns `None` below the limit.
    ///
    /// # Errors
    /// Returns 429 if too many callers wait.
    pub(crate) async fn turn(&self, guess: LookupKind, from: IpAddr) -> Result<Option<SemaphorePermit<'_>>, ApiError> {
        let Some(wait) = self.wait(guess, from) else { return Ok(None) };
        let Ok(_waiting) = self.waiting.try_acquire() else { return Err(guess.refusal(wait)) };
        Ok(self.turn.acquire().await.ok())
    }

    /// Records a failure.
    pub(crate) fn note(&self, guess: LookupKind, from: IpAddr) {
        let (key, now) = ((guess, network_of(from)), Instant::now());
        let (at_once, one_more_each) = guess.limit();
        let mut failures = self.failures();
        if let Some(healed_at) = failures.get_mut(&key) {
            // Simultaneous failures add at most twice the burst, because a whole assembly may have used one stale link.
            *healed_at = (now.max(*healed_at) + one_more_each).min(now + one_more_each * at_once * 2);
            return;
        }
        if failures.len() >= self.capacity {
            failures.retain(|_, healed_at| *healed_at > now);
        }
        // An attacker with a hundred thousand addresses is not stopped by this limit.
        if failures.len() < self.capacity {
            failures.insert(key, now + one_more_each);
        }
    }

    /// The time until another failure is allowed. `None` if it is allowed now.
    fn wait(&self, guess: LookupKind, from: IpAddr) -> Option<Duration> {
        let healed_at = *self.failures().get(&(guess, network_of(from)))?;
        let (at_once, one_more_each) = guess.limit();
        let healing = healed_at.saturating_duration_since(Instant::now());
        let wait = (healing + one_more_each).saturating_sub(one_more_each * at_once);
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

    async fn look_up(tries: &LookupRateLimit, from: IpAddr, found: Option<u8>) -> Result<Option<u8>, ApiError> {
        tries.look_up(LookupKind::ClientCode, from, async { Ok(found) }).await
    }

    #[tokio::test(start_paused = true)]
    async fn too_many_failed_lookups_get_retry_after() {
        let tries = LookupRateLimit::new();
        for _ in 0..120 {
            assert_eq!(look_up(&tries, HERE, None).await.unwrap(), None);
        }
        let refusal = look_up(&tries, HERE, Some(1)).await.unwrap_err();
        assert_eq!(refusal.status_code(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refusal.error_response().headers().get(RETRY_AFTER).unwrap(), "1");
        let text = "Too many unknown organization codes were tried in your network. Please try again in 1 second.";
        assert_eq!(refusal.to_string(), text);
        // Other addresses and other kinds of lookups are not affected.
        assert_eq!(look_up(&tries, THERE, None).await.unwrap(), None);
        assert_eq!(tries.wait(LookupKind::Link, HERE), None);
        advance(Duration::from_millis(250)).await;
        assert_eq!(look_up(&tries, HERE, None).await.unwrap(), None);
        assert!(look_up(&tries, HERE, None).await.is_err(), "one more, and no more");
    }

    #[tokio::test(start_paused = true)]
    async fn thousands_of_simultaneous_failures_delay_the_next_lookup_by_half_a_minute_at_most() {
        let tries = LookupRateLimit::new();
        for _ in 0..10_000 {
            tries.note(LookupKind::ClientCode, HERE);
        }
        assert!(look_up(&tries, HERE, Some(1)).await.is_err());
        advance(Duration::from_millis(30_250)).await;
        assert_eq!(look_up(&tries, HERE, Some(1)).await.unwrap(), Some(1));
    }

    #[tokio::test(start_paused = true)]
    async fn successful_lookups_do_not_count() {
        let tries = LookupRateLimit::new();
        for _ in 0..10_000 {
            assert_eq!(look_up(&tries, HERE, Some(1)).await.unwrap(), Some(1));
        }
        assert!(tries.failures().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn lookups_beyond_the_limit_run_one_at_a_time_and_only_some_may_wait() {
        let tries = LookupRateLimit::new();
        for _ in 0..1_000 {
            assert!(tries.turn(LookupKind::RefreshToken, HERE).await.unwrap().is_none(), "there are no turns yet");
            tries.note(LookupKind::RefreshToken, HERE);
        }
        let first = tries.turn(LookupKind::RefreshToken, HERE).await.unwrap().expect("a turn");
        let mut next: Vec<_> = (0..200).map(|_| Box::pin(tries.turn(LookupKind::RefreshToken, HERE))).collect();
        assert!(next.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        let refusal = tries.turn(LookupKind::RefreshToken, HERE).await.unwrap_err();
        assert_eq!(refusal.status_code(), StatusCode::TOO_MANY_REQUESTS);
        assert!(tries.turn(LookupKind::RefreshToken, THERE).await.unwrap().is_none(), "others wait for nobody");
        drop(first);
        assert!(next.remove(0).await.unwrap().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn expired_failures_are_removed_and_the_capacity_is_kept() {
        let tries = LookupRateLimit::with_capacity(2);
        let address = |number| IpAddr::from([192, 0, 2, number]);
        (1..=3).for_each(|number| tries.note(LookupKind::Link, address(number)));
        assert_eq!(tries.failures().len(), 2);
        advance(Duration::from_secs(1)).await;
        tries.note(LookupKind::Link, address(4));
        assert_eq!(tries.failures().len(), 1);
    }
}
