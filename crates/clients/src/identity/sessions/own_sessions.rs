use std::sync::Arc;

use plenum_kernel::{ActingPerson, Clock, Person, PortFailure, SessionId};

use crate::{OwnSession, SessionStore};

/// Shows people where they are signed in, and signs them out there.
pub struct OwnSessions {
    sessions: Arc<dyn SessionStore>,
    clock: Arc<dyn Clock>,
}

impl OwnSessions {
    /// The most that are shown. Nobody looks through more, and "sign out everywhere" ends them all.
    pub const SHOWN: u32 = 200;

    /// Of this store.
    pub fn new(sessions: Arc<dyn SessionStore>, clock: Arc<dyn Clock>) -> Self {
        Self { sessions, clock }
    }

    /// Where the person is signed in now, the session that was used last first.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, person: Person) -> Result<Vec<OwnSession>, PortFailure> {
        self.sessions.of_person(person, self.clock.now(), Self::SHOWN).await
    }

    /// Ends one of the person's sessions. Says whether they had such a session that went on.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn end(&self, person: Person, session: SessionId) -> Result<bool, PortFailure> {
        self.sessions.end_of_person(person, session, self.clock.now()).await
    }

    /// Ends all sessions of the one who acts, or all but the one in which they do, and says how many.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn end_everywhere(&self, acting: ActingPerson, keeps_this: bool) -> Result<u64, PortFailure> {
        let kept = keeps_this.then_some(acting.session);
        self.sessions.end_all(acting.person, kept, self.clock.now()).await
    }
}
