use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use plenum_kernel::{ActingPerson, Clock, Person, PortFailure, SessionId};

use crate::{AccessClaims, AccessTokens, SessionStore, TokenRefusal};

/// The reason why an access token is refused.
#[derive(Debug, thiserror::Error)]
pub enum AccessRefusal {
    /// The token has expired. The client should refresh it or sign in again.
    #[error("the access token has expired")]
    Expired,
    /// The session has ended, or the person or their client is not active.
    #[error("the session has ended")]
    SessionEnded,
    /// The server has never issued the token.
    #[error("the access token is not valid")]
    Invalid,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A session that the store reported as active.
struct CachedSession {
    person: Person,
    at: DateTime<Utc>,
}

impl CachedSession {
    /// The time for which a reported session counts as active.
    const TRUSTED_FOR: TimeDelta = TimeDelta::seconds(30);

    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        now - self.at < Self::TRUSTED_FOR
    }
}

#[derive(Default)]
struct SessionCache {
    by_id: HashMap<SessionId, CachedSession>,
    /// The number of calls that removed a session from this cache.
    removals: u64,
}

impl SessionCache {
    /// The cache size from which expired entries are removed.
    const SWEEP_AT: usize = 20_000;

    /// Caches the store's report of an active session. Skips it if a session was removed from the cache since the
    /// request to the store: the report may be older than the end of the session.
    fn remember(&mut self, acting: &ActingPerson, now: DateTime<Utc>, removals: u64) {
        if self.removals != removals {
            return;
        }
        if self.by_id.len() >= Self::SWEEP_AT {
            self.by_id.retain(|_, seen| seen.is_fresh(now));
        }
        self.by_id.insert(acting.session, CachedSession { person: acting.person, at: now });
    }

    fn forget(&mut self, sessions: impl IntoIterator<Item = SessionId>) {
        for session in sessions {
            self.removals += 1;
            self.by_id.remove(&session);
        }
    }
}

/// Checks access tokens, and that their owners may still act.
///
/// The check caches active sessions for half a minute. So a hall of voters does not query the database with each
/// request, and a token stops working within a minute after the end of its session.
pub struct AccessCheck {
    tokens: Arc<dyn AccessTokens>,
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
    cache: Mutex<SessionCache>,
}

impl AccessCheck {
    /// A check of these tokens against these sessions.
    pub fn new(tokens: Arc<dyn AccessTokens>, sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { tokens, sessions, clock, cache: Mutex::default() }
    }

    /// Authenticates an access token, and returns the acting person.
    ///
    /// # Errors
    /// Fails when the server has not issued the token, it has expired, or its session has ended.
    pub async fn authenticate(&self, token: &str) -> Result<ActingPerson, AccessRefusal> {
        let now = self.clock.now();
        let claims = self.tokens.read(token, now).map_err(|refusal| match refusal {
            TokenRefusal::Expired => AccessRefusal::Expired,
            TokenRefusal::Invalid => AccessRefusal::Invalid,
        })?;
        if !self.is_cached(&claims.acting, now) {
            self.recheck(&claims.acting).await?;
        }
        Ok(claims.acting)
    }

    /// Issues an access token that expired an hour ago, with its time of expiry. A test page shows with it that
    /// [`Self::authenticate`] refuses expired tokens. The token permits nothing.
    pub fn expired_token(&self, acting: ActingPerson) -> (String, DateTime<Utc>) {
        let expires_at = (self.clock.now() - TimeDelta::hours(1)).trunc_subsecs(0);
        (self.tokens.issue(&AccessClaims { acting, expires_at }), expires_at)
    }

    /// Asks the store whether the session is active, without the cache.
    ///
    /// # Errors
    /// Fails when the session is not active.
    pub async fn recheck(&self, acting: &ActingPerson) -> Result<(), AccessRefusal> {
        let removals = self.cache().removals;
        let session_state = self.sessions.session_state(acting.session).await?;
        if !session_state.is_some_and(|session_state| session_state.is_active && session_state.person == acting.person)
        {
            self.forget(acting.session);
            return Err(AccessRefusal::SessionEnded);
        }
        self.cache().remember(acting, self.clock.now(), removals);
        Ok(())
    }

    /// Asks the store for many people at once, without the cache, and returns those sessions that are active.
    ///
    /// # Errors
    /// Fails when the store did not answer.
    pub async fn recheck_all(&self, acting: &[ActingPerson]) -> Result<HashSet<SessionId>, PortFailure> {
        let removals = self.cache().removals;
        let active = self.sessions.active_among(acting.iter().map(|acting| acting.session).collect()).await?;
        let (now, mut cache) = (self.clock.now(), self.cache());
        let mut continuing = HashSet::new();
        for acting in acting {
            if active.get(&acting.session) == Some(&acting.person) {
                cache.remember(acting, now, removals);
                continuing.insert(acting.session);
            }
        }
        cache.forget(acting.iter().map(|acting| acting.session).filter(|session| !continuing.contains(session)));
        Ok(continuing)
    }

    /// Removes a session that ended on this instance from the cache.
    pub fn forget(&self, session: SessionId) {
        self.cache().forget([session]);
    }

    /// Removes the sessions of the given people from the cache, because they may no longer act or were signed out.
    pub fn forget_people(&self, is_affected: impl Fn(&Person) -> bool) {
        let mut cache = self.cache();
        cache.removals += 1;
        cache.by_id.retain(|_, seen| !is_affected(&seen.person));
    }

    /// Whether the cache holds the session as active, for the same person in the same role and client.
    fn is_cached(&self, acting: &ActingPerson, now: DateTime<Utc>) -> bool {
        self.cache().by_id.get(&acting.session).is_some_and(|seen| seen.person == acting.person && seen.is_fresh(now))
    }

    fn cache(&self) -> MutexGuard<'_, SessionCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
