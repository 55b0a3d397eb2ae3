use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plenum_kernel::EndUserId;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::counted::{Counted, LookupKind};
use super::failures::Failures;
use super::valid_values::ValidValues;
use crate::error::ApiError;
use crate::extract::network_of;

/// A lookup by a value that the caller sent.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a> {
    /// What it finds.
    pub(crate) kind: LookupKind,
    /// The address of the caller.
    pub(crate) from: IpAddr,
    /// The token, code, id or hash.
    pub(crate) value: &'a str,
}

impl Lookup<'_> {
    fn counted(&self) -> Counted {
        Counted::Network(self.kind, network_of(self.from))
    }
}

/// A rate limit on failed lookups of each kind for each network. Successful lookups do not count, so an assembly that
/// arrives at once is not delayed. Each instance counts for itself, in memory.
pub(crate) struct LookupRateLimit {
    failures: Mutex<Failures>,
    valid: Mutex<ValidValues>,
}

impl LookupRateLimit {
    /// The number of networks with remembered failures. They need some megabytes.
    const MAX_COUNTED: usize = 100_000;
    /// The number of remembered values. They need some megabytes.
    const MAX_VALID: usize = 50_000;
    /// The longest wait for a turn. A turn takes a few milliseconds, unless the database does not respond.
    const MAX_WAIT: Duration = Duration::from_secs(5);

    /// A limit without failures.
    pub(crate) fn new() -> Self {
        let (failures, valid) = (Failures::new(Self::MAX_COUNTED), ValidValues::new(Self::MAX_VALID));
        Self { failures: Mutex::new(failures), valid: Mutex::new(valid) }
    }

    /// Runs a lookup within the limit of its kind and network. A value that was valid there lately is looked up at once.
    /// Beyond the limit, the others run one at a time if nobody can guess them, so that valid ones still succeed and
    /// invalid ones use few resources. Values that can be guessed are refused. A value that cannot exist is not looked up
    /// and does not count.
    ///
    /// # Errors
    /// Returns 429 if the limit of guesses is reached, or if too many callers wait, and the errors of the lookup.
    pub(crate) async fn look_up<T>(
        &self,
        lookup: Lookup<'_>,
        find: impl Future<Output = Result<Option<T>, ApiError>>,
    ) -> Result<Option<T>, ApiError> {
        if !lookup.kind.can_have(lookup.value) {
            return Ok(None);
        }
        let counted = lookup.counted();
        let hash = self.valid().hash(lookup.kind, network_of(lookup.from), lookup.value);
        let was_valid = self.valid().has(hash);
        let is_guess = lookup.kind.is_guessable() && !was_valid;
        let turn = if was_valid { None } else { self.admit(lookup.kind, counted).await? };
        let found = find.await?;
        drop(turn);
        if is_guess {
            // Guesses that were sent at once learn no more than guesses one after the other.
            let outcome = if found.is_none() { self.failures().take(counted) } else { self.reached(counted) };
            outcome.map_err(|wait| counted.refusal(wait))?;
        } else if found.is_none() {
            self.failures().record(counted);
        }
        if lookup.kind.is_lasting() {
            self.valid().set(hash, found.is_some());
        }
        Ok(found)
    }

    /// Runs a voter's attempt at a check-in code, for which `None` is a wrong code. The voter's attempts count before they
    /// run, and a right one is given back. So wrong codes of a voter do not keep others out, and only the codes of
    /// hundreds of voters reach the limit of a network.
    ///
    /// # Errors
    /// Returns 429 if a limit is reached, and the errors of the attempt.
    pub(crate) async fn try_check_in<T>(
        &self,
        voter: EndUserId,
        from: IpAddr,
        attempt: impl Future<Output = Result<Option<T>, ApiError>>,
    ) -> Result<Option<T>, ApiError> {
        let own = Counted::CheckInCodes(voter);
        let network = Counted::Network(LookupKind::CheckInCode, network_of(from));
        self.reached(network).map_err(|wait| network.refusal(wait))?;
        self.failures().take(own).map_err(|wait| own.refusal(wait))?;
        let outcome = attempt.await;
        if let Ok(None) = outcome {
            // The voter's own limit has counted it, so it does not matter whether that of the network is reached by now.
            let _ = self.failures().take(network);
        } else {
            self.failures().give_back(own);
        }
        outcome
    }

    /// Counts a call that is limited whether it succeeds or fails.
    ///
    /// # Errors
    /// Returns 429 if the limit is reached.
    pub(crate) fn count(&self, kind: LookupKind, from: IpAddr) -> Result<(), ApiError> {
        let counted = Counted::Network(kind, network_of(from));
        self.failures().take(counted).map_err(|wait| counted.refusal(wait))
    }

    /// Admits a lookup at once below the limit, and beyond it refuses it or waits for the turn.
    async fn admit(&self, kind: LookupKind, counted: Counted) -> Result<Option<OwnedSemaphorePermit>, ApiError> {
        if kind.is_guessable() {
            return self.reached(counted).map(|()| None).map_err(|wait| counted.refusal(wait));
        }
        let Some((queue, wait)) = self.failures().queue(counted) else { return Ok(None) };
        let Ok(_waiting) = queue.waiting.try_acquire() else { return Err(counted.refusal(wait)) };
        match timeout(Self::MAX_WAIT, queue.turn.acquire_owned()).await {
            Ok(turn) => Ok(turn.ok()),
            Err(_) => Err(counted.refusal(wait)),
        }
    }

    /// # Errors
    /// Returns the time to wait if the limit is reached.
    fn reached(&self, counted: Counted) -> Result<(), Duration> {
        self.failures().wait(counted).map_or(Ok(()), Err)
    }

    fn failures(&self) -> MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn valid(&self) -> MutexGuard<'_, ValidValues> {
        self.valid.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use actix_web::ResponseError as _;
    use actix_web::http::StatusCode;
    use actix_web::http::header::RETRY_AFTER;
    use futures_util::FutureExt as _;
    use futures_util::future::join_all;
    use plenum_kernel::testkit::CountingIds;
    use tokio::sync::Notify;
    use tokio::time::advance;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));
    const TOKEN: &str = "Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY";
    const OTHER: &str = "Qd8sWm1cT6vB3xN9kZ4pL7rYhG2fJ5aE0uIoXtVqKwM";

    fn code(value: &str) -> Lookup<'_> {
        Lookup { kind: LookupKind::ClientCode, from: HERE, value }
    }

    fn link(value: &str) -> Lookup<'_> {
        Lookup { kind: LookupKind::PersonalLink, from: HERE, value }
    }

    async fn look_up(limit: &LookupRateLimit, lookup: Lookup<'_>, found: Option<u8>) -> Result<Option<u8>, ApiError> {
        limit.look_up(lookup, ready(Ok(found))).await
    }

    /// A limit that failures with this lookup have reached.
    async fn reached_by(lookup: Lookup<'_>) -> LookupRateLimit {
        let limit = LookupRateLimit::new();
        for _ in 0..lookup.counted().limit().0 {
            assert_eq!(look_up(&limit, lookup, None).await.unwrap(), None);
        }
        limit
    }

    fn is_refused<T>(outcome: Result<T, ApiError>) -> bool {
        outcome.is_err_and(|refusal| refusal.status_code() == StatusCode::TOO_MANY_REQUESTS)
    }

    #[tokio::test(start_paused = true)]
    async fn too_many_wrong_guesses_get_retry_after() {
        let limit = reached_by(code("nobody")).await;
        let refusal = look_up(&limit, code("rowing-club"), Some(1)).await.unwrap_err();
        assert_eq!(refusal.status_code(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refusal.error_response().headers().get(RETRY_AFTER).unwrap(), "1");
        let text = "Too many unknown organization codes were tried in your network. Please try again in 1 second.";
        assert_eq!(refusal.to_string(), text);
        assert_eq!(look_up(&limit, Lookup { from: THERE, ..code("nobody") }, None).await.unwrap(), None);
        advance(Duration::from_millis(250)).await;
        assert_eq!(look_up(&limit, code("nobody"), None).await.unwrap(), None);
        assert!(is_refused(look_up(&limit, code("nobody"), None).await), "only one more is allowed");
    }

    #[tokio::test(start_paused = true)]
    async fn guesses_at_once_learn_no_more_than_guesses_in_sequence() {
        let (limit, responds) = (LookupRateLimit::new(), &Notify::new());
        let guess = |found: Option<u8>| {
            let value = if found.is_some() { "rowing-club" } else { "nobody" };
            let find = async move {
                responds.notified().await;
                Ok(found)
            };
            Box::pin(limit.look_up(code(value), find))
        };
        let mut guesses: Vec<_> = (0..300).map(|number| guess((number >= 290).then_some(1))).collect();
        assert!(guesses.iter_mut().all(|guess| guess.now_or_never().is_none()));
        responds.notify_waiters();
        let answers = join_all(guesses).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 120);
        assert!(answers.into_iter().skip(120).all(is_refused));
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_in_use_in_a_network_is_no_guess_there() {
        let limit = LookupRateLimit::new();
        look_up(&limit, code("rowing-club"), Some(1)).await.unwrap();
        for _ in 0..120 {
            look_up(&limit, code("nobody"), None).await.unwrap();
        }
        assert_eq!(look_up(&limit, code("rowing-club"), Some(1)).await.unwrap(), Some(1));
        assert!(is_refused(look_up(&limit, code("sailing-club"), Some(1)).await));
        assert_eq!(look_up(&limit, code("rowing-club"), None).await.unwrap(), None, "it was deleted");
        assert!(is_refused(look_up(&limit, code("rowing-club"), None).await));
    }

    #[tokio::test(start_paused = true)]
    async fn successful_lookups_do_not_count() {
        let limit = LookupRateLimit::new();
        for number in 0..10_000 {
            let value = format!("club-{number}");
            assert_eq!(look_up(&limit, code(&value), Some(1)).await.unwrap(), Some(1));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_valid_token_is_found_beyond_the_limit() {
        let limit = reached_by(link(OTHER)).await;
        for _ in 0..1_000 {
            assert_eq!(look_up(&limit, link(OTHER), None).await.unwrap(), None);
        }
        assert_eq!(look_up(&limit, link(TOKEN), Some(1)).await.unwrap(), Some(1));
    }

    #[tokio::test(start_paused = true)]
    async fn lookups_beyond_the_limit_run_one_at_a_time_in_turn_and_only_some_may_wait() {
        let limit = reached_by(link(OTHER)).await;
        let mut first = Box::pin(limit.look_up(link(OTHER), pending::<Result<Option<u8>, ApiError>>()));
        assert!((&mut first).now_or_never().is_none());
        let mut next: Vec<_> = (0..200).map(|_| Box::pin(look_up(&limit, link(TOKEN), Some(1)))).collect();
        assert!(next.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        assert!(is_refused(look_up(&limit, link(TOKEN), Some(1)).await));
        let desk = format!("desk_{TOKEN}");
        let elsewhere = Lookup { from: THERE, ..link(TOKEN) };
        for free in [elsewhere, Lookup { kind: LookupKind::Desk, value: &desk, ..link(TOKEN) }] {
            assert_eq!(look_up(&limit, free, Some(1)).now_or_never().expect("no wait").unwrap(), Some(1));
        }
        drop(first);
        assert_eq!(next.remove(0).now_or_never().expect("its turn").unwrap(), Some(1));
        drop(next);
        assert_eq!(look_up(&limit, link(OTHER), None).now_or_never().expect("nobody waits").unwrap(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_that_was_valid_lately_does_not_wait() {
        let limit = LookupRateLimit::new();
        look_up(&limit, link(TOKEN), Some(1)).await.unwrap();
        for _ in 0..120 {
            look_up(&limit, link(OTHER), None).await.unwrap();
        }
        let mut first = Box::pin(limit.look_up(link(OTHER), pending::<Result<Option<u8>, ApiError>>()));
        assert!((&mut first).now_or_never().is_none());
        assert_eq!(look_up(&limit, link(TOKEN), Some(1)).now_or_never().expect("no wait").unwrap(), Some(1));
        assert_eq!(look_up(&limit, link(TOKEN), None).now_or_never().expect("no wait").unwrap(), None);
        assert!(look_up(&limit, link(TOKEN), None).now_or_never().is_none(), "it is no longer valid");
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_for_a_turn_ends_after_seconds() {
        let limit = reached_by(link(OTHER)).await;
        let mut first = Box::pin(limit.look_up(link(OTHER), pending::<Result<Option<u8>, ApiError>>()));
        assert!((&mut first).now_or_never().is_none());
        assert!(is_refused(look_up(&limit, link(TOKEN), Some(1)).await));
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_of_the_wrong_shape_is_not_looked_up_and_does_not_count() {
        let limit = LookupRateLimit::new();
        for kind in [LookupKind::Desk, LookupKind::PersonalLink, LookupKind::RefreshToken] {
            let lookup = Lookup { kind, from: HERE, value: "desk_x" };
            for _ in 0..2_000 {
                assert_eq!(look_up(&limit, lookup, Some(1)).await.unwrap(), None);
            }
            assert!(limit.reached(lookup.counted()).is_ok());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_check_in_codes_limit_their_voter_and_nobody_else() {
        let (limit, ids) = (LookupRateLimit::new(), CountingIds::new());
        let [ada, ben] = [EndUserId::new(&ids), EndUserId::new(&ids)];
        let responds = &Notify::new();
        let wrong = || async move {
            responds.notified().await;
            Ok(None::<u8>)
        };
        let mut attempts: Vec<_> = (0..50).map(|_| Box::pin(limit.try_check_in(ada, HERE, wrong()))).collect();
        let refused = attempts.iter_mut().filter_map(|attempt| attempt.now_or_never()).filter(Result::is_err).count();
        assert_eq!(refused, 40, "attempts count before they run");
        responds.notify_waiters();
        join_all(attempts.drain(..10)).await;
        let right = async |voter| limit.try_check_in(voter, HERE, ready(Ok(Some(1)))).await;
        let refusal = right(ada).await.unwrap_err();
        assert_eq!(refusal.to_string(), "You tried too many wrong check-in codes. Please try again in 10 seconds.");
        for _ in 0..100 {
            assert_eq!(right(ben).await.unwrap(), Some(1));
        }
        advance(Duration::from_secs(10)).await;
        assert_eq!(right(ada).await.unwrap(), Some(1));
    }

    #[tokio::test(start_paused = true)]
    async fn wrong_codes_of_hundreds_of_voters_limit_their_network() {
        let (limit, ids) = (LookupRateLimit::new(), CountingIds::new());
        let attempt = async |from| limit.try_check_in(EndUserId::new(&ids), from, ready(Ok(None::<u8>))).await;
        for _ in 0..1_000 {
            assert_eq!(attempt(HERE).await.unwrap(), None);
        }
        assert!(is_refused(attempt(HERE).await));
        assert_eq!(attempt(THERE).await.unwrap(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_always_counts_is_limited() {
        let limit = LookupRateLimit::new();
        for _ in 0..30 {
            limit.count(LookupKind::File, HERE).unwrap();
        }
        assert!(is_refused(limit.count(LookupKind::File, HERE)));
        limit.count(LookupKind::File, THERE).unwrap();
    }
}
