use std::pin::Pin;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::Stream;
use plenum_kernel::{Person, PortFailure, SessionId};

use crate::{NewSession, OwnSession, Renewal, Rotation, SessionRevocation, SessionStats, Standing};

/// Where sign-ins are kept. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Stores a session with its first refresh token, and the time as the person's last sign-in. MUST store nothing and
    /// say no when the person is gone or about to go with their client, was deactivated, or has another password than was
    /// checked: whoever did that signed them out everywhere.
    ///
    /// MUST also say no when a second factor is on and none was shown; and use up what was shown, or say no when that is not
    /// good any more: a step that is not after the last one, a recovery code that was used or never was one, or anything
    /// where none is on. So each of them opens one session, however many come with it at once.
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure>;

    /// Locks the session and the token that is presented, asks [`crate::PresentedToken::spend`], and does what it says:
    /// stores the successor at the first use (it ends at [`crate::PresentedToken::next_expiry`]), notes by whom a token
    /// was used first and [`crate::PresentedToken::next_renewals`] of the session at every renewal, ends the session, or
    /// does nothing. However often a token is presented at the same moment, there is one successor.
    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure>;

    /// Ends a session with all its refresh tokens. Ending it twice changes nothing.
    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure>;

    /// The person's sessions that go on at `now`, the one that was used last first, at most `limit`.
    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure>;

    /// Ends a session of this person with all its refresh tokens, and says whether it went on. MUST leave another person's
    /// as it is and say no.
    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Ends all sessions of this person that go on, but not `kept`, and says how many. A refresh token of one of them that
    /// is presented in the same moment MUST NOT bring it back.
    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure>;

    /// Removes sessions that ended or expired before `before`, and refresh tokens that expired before it, at most
    /// `limit` of each, and says how many rows went.
    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure>;

    /// How many sessions go on at `now`: they have neither ended nor expired, and their owners may act. MUST leave out
    /// those of test data, be it the person or their client.
    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure>;

    /// Whether the session's owner may still act. `None` when there is no such session.
    async fn standing(&self, session: SessionId) -> Result<Option<Standing>, PortFailure>;
}

/// Departures that other instances tell of. An item of `None` says that some may have been missed.
pub type RevocationStream = Pin<Box<dyn Stream<Item = Option<SessionRevocation>> + Send>>;

/// Tells other instances whose sessions have ended, and hears the same of them. Only ids travel; whoever hears of one
/// asks the store.
pub trait RevocationBus: Send + Sync {
    /// Tells the others. MUST not wait for anything.
    fn tell(&self, departure: SessionRevocation);

    /// What the others tell from now on.
    fn departures(&self) -> RevocationStream;
}
