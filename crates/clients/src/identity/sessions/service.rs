use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::{ActingPerson, Clock, Person, PortFailure, SessionId};

use crate::{OwnSession, SessionStats, SessionStore};

/// Lists, ends, counts and cleans up sessions.
pub struct SessionService {
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
}

impl SessionService {
    /// The most sessions of one person that are listed. "Sign out everywhere" ends all of them.
    pub const SHOWN: u32 = 200;
    /// The time for which an ended or expired session is kept, so that an operator can still examine it.
    pub const KEPT_FOR: TimeDelta = TimeDelta::days(1);
    /// The number of rows that one transaction removes, so that each transaction is short.
    const BATCH: u32 = 1_000;

    /// A service over this store.
    pub fn new(sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { sessions, clock }
    }

    /// Lists the person's active sessions, the most recently used first.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, person: Person) -> Result<Vec<OwnSession>, PortFailure> {
        self.sessions.of_person(person, self.clock.now(), Self::SHOWN).await
    }

    /// Ends one of the person's sessions. Returns whether the person had such an active session.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn end(&self, person: Person, session: SessionId) -> Result<bool, PortFailure> {
        self.sessions.end_of_person(person, session, self.clock.now()).await
    }

    /// Ends all sessions of the acting person, or all but the session in which they act. Returns their number.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn end_everywhere(&self, acting: ActingPerson, keeps_this: bool) -> Result<u64, PortFailure> {
        let kept = keeps_this.then_some(acting.session);
        self.sessions.end_all(acting.person, kept, self.clock.now()).await
    }

    /// Counts the sessions that are active now.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn stats(&self) -> Result<SessionStats, PortFailure> {
        self.sessions.stats(self.clock.now()).await
    }

    /// Removes all sessions that ended or expired more than [`Self::KEPT_FOR`] ago, so that the store does not grow with
    /// every sign-in. Returns the number of removed rows.
    ///
    /// # Errors
    /// Fails when the store does not answer. Batches that were removed before stay removed.
    pub async fn sweep(&self) -> Result<u64, PortFailure> {
        let before = self.clock.now() - Self::KEPT_FOR;
        let mut total = 0;
        loop {
            let removed = self.sessions.sweep(before, Self::BATCH).await?;
            total += removed;
            if removed < u64::from(Self::BATCH) {
                return Ok(total);
            }
        }
    }
}
