use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use plenum_kernel::{ActingPerson, Clock, Person, PortFailure, SessionId};

use crate::{AccessClaims, AccessTokens, SessionStore, TokenRefusal};

/// Why a token does not let anyone in.
#[derive(Debug, thiserror::Error)]
pub enum AccessRefusal {
    /// It was good once; its owner should refresh or sign in again.
    #[error("the access token has expired")]
    Expired,
    /// Its session has ended, or its owner or their client is not active.
    #[error("the session has ended")]
    SessionEnded,
    /// It was never ours.
    #[error("the access token is not valid")]
    Invalid,
    /// The store did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// A session that was found active.
struct Seen {
    person: Person,
    at: DateTime<Utc>,
}

impl Seen {
    /// For how long a session that was found active counts as active.
    const TRUSTED_FOR: TimeDelta = TimeDelta::seconds(30);

    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        now - self.at < Self::TRUSTED_FOR
    }
}

#[derive(Default)]
struct SeenSessions {
    by_id: HashMap<SessionId, Seen>,
    /// How often something was forgotten.
    forgettings: u64,
}

impl SeenSessions {
    /// From how many remembered sessions on the outdated ones are swept out.
    const SWEEP_AT: usize = 20_000;

    /// Remembers what the store said, unless something was forgotten since it was asked: the store may have answered
    /// before what was forgotten came to an end.
    fn remember(&mut self, acting: &ActingPerson, now: DateTime<Utc>, forgettings: u64) {
        if self.forgettings != forgettings {
            return;
        }
        if self.by_id.len() >= Self::SWEEP_AT {
            self.by_id.retain(|_, seen| seen.is_fresh(now));
        }
        self.by_id.insert(acting.session, Seen { person: acting.person, at: now });
    }
}

/// Checks access tokens, and that their owners may still act.
///
/// What the store says of a session is kept for half a minute, so that a hall full of voters does not ask the database
/// at every request, and so that a token stops working within a minute of its session's end.
pub struct AccessCheck {
    tokens: Arc<dyn AccessTokens>,
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
    seen: Mutex<SeenSessions>,
}

impl AccessCheck {
    /// A check of these tokens against these sessions.
    pub fn new(tokens: Arc<dyn AccessTokens>, sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { tokens, sessions, clock, seen: Mutex::default() }
    }

    /// Who acts with this access token.
    ///
    /// # Errors
    /// Fails when the token is not ours, has expired, or its session has ended.
    pub async fn authenticate(&self, token: &str) -> Result<ActingPerson, AccessRefusal> {
        let now = self.clock.now();
        let claims = self.tokens.read(token, now).map_err(|refusal| match refusal {
            TokenRefusal::Expired => AccessRefusal::Expired,
            TokenRefusal::Invalid => AccessRefusal::Invalid,
        })?;
        if !self.was_active_lately(&claims.acting, now) {
            self.recheck(&claims.acting).await?;
        }
        Ok(claims.acting)
    }

    /// A token of theirs that expired an hour ago, and when: with it anybody can see that [`Self::authenticate`] refuses
    /// what has expired, and nobody can do anything else.
    pub fn expired_token(&self, acting: ActingPerson) -> (String, DateTime<Utc>) {
        let expires_at = (self.clock.now() - TimeDelta::hours(1)).trunc_subsecs(0);
        (self.tokens.issue(&AccessClaims { acting, expires_at }), expires_at)
    }

    /// Asks the store whether the session is still active, past whatever is remembered.
    ///
    /// # Errors
    /// Fails when it is not.
    pub async fn recheck(&self, acting: &ActingPerson) -> Result<(), AccessRefusal> {
        let forgettings = self.seen().forgettings;
        let standing = self.sessions.standing(acting.session).await?;
        if !standing.is_some_and(|standing| standing.is_active && standing.person == acting.person) {
            self.forget(acting.session);
            return Err(AccessRefusal::SessionEnded);
        }
        self.seen().remember(acting, self.clock.now(), forgettings);
        Ok(())
    }

    /// Forgets what is remembered of a session that was just ended here.
    pub fn forget(&self, session: SessionId) {
        let mut seen = self.seen();
        seen.forgettings += 1;
        seen.by_id.remove(&session);
    }

    /// Forgets what is remembered of the sessions of people who may no longer act, or whose sessions were ended here.
    pub fn forget_people(&self, concerned: impl Fn(&Person) -> bool) {
        let mut seen = self.seen();
        seen.forgettings += 1;
        seen.by_id.retain(|_, seen| !concerned(&seen.person));
    }

    /// Whether the session was found active lately, as a session of this very person in this role and client.
    fn was_active_lately(&self, acting: &ActingPerson, now: DateTime<Utc>) -> bool {
        self.seen().by_id.get(&acting.session).is_some_and(|seen| seen.person == acting.person && seen.is_fresh(now))
    }

    fn seen(&self) -> MutexGuard<'_, SeenSessions> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
