use std::collections::HashMap;
use std::pin::Pin;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use futures_util::Stream;
use plenum_kernel::{Person, PortFailure, SessionId};

use crate::{
    NewSession, OpenedSession, OwnSession, RefreshTokenHash, Renewal, Rotation, SessionRevocation, SessionState,
    SessionStats,
};

/// Stores sessions. Each call is one transaction.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait SessionStore: Send + Sync {
    /// Stores a session with its first refresh token, and its time as the person's last sign-in. MUST store nothing and
    /// return `false` when the person was removed, was deactivated, or has another password than the checked one. Each of
    /// these changes signs the person out everywhere. MUST NOT wait for a removal of the client, and MUST NOT take one that
    /// is undecided for done: the failure is busy then.
    ///
    /// MUST also return `false` when the second factor is on and the session has no proof of it. Otherwise MUST use the
    /// proof up, or return `false` when the proof is no longer valid: a step that is not after the last one, a recovery
    /// code that is used or unknown, or any proof when no second factor is on. So each proof opens one session, also
    /// when several calls present it at once.
    ///
    /// With a personal link, MUST note its use, and use up its code if there is one. MUST return `false` when the link does not
    /// work or has another code, so that a link or code that works once opens one session; and when the first refresh token is
    /// known, so that each first token opens one session.
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure>;

    /// Finds the session that was opened with this first refresh token.
    async fn opened_with(&self, first_token: RefreshTokenHash) -> Result<Option<OpenedSession>, PortFailure>;

    /// Locks the session and the presented token, asks [`crate::PresentedToken::spend`], and follows its decision:
    /// - at the first use, stores the successor, which expires at [`crate::PresentedToken::next_expiry`], and the
    ///   device that used the token first,
    /// - at each renewal, stores [`crate::PresentedToken::next_renewals`] of the session,
    /// - ends the session and returns [`Rotation::Stolen`], or changes nothing.
    ///
    /// Concurrent calls with one token get one successor.
    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure>;

    /// Ends a session with all its refresh tokens. A second call changes nothing.
    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure>;

    /// Lists the person's sessions that are active at `now`, the most recently used first, at most `limit`.
    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure>;

    /// Ends a session of this person with all its refresh tokens. Returns whether it was active. MUST leave another
    /// person's session unchanged and return `false`.
    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure>;

    /// Ends all active sessions of this person except `kept`. Returns their number. A concurrent renewal MUST NOT
    /// restore one of them. Fails as busy like [`Self::open`], and never returns 0 without having looked.
    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure>;

    /// Removes sessions that ended or expired before `before`, and refresh tokens that expired before it, at most
    /// `limit` of each. Returns the number of removed rows.
    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure>;

    /// Counts the sessions that are active at `now` and whose owners may act. MUST leave out sessions of test people
    /// and of test clients.
    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure>;

    /// Finds whether the session's owner may still act. `None` when there is no such session.
    async fn session_state(&self, session: SessionId) -> Result<Option<SessionState>, PortFailure>;

    /// Those of these sessions whose owners may still act, with their owners.
    async fn active_among(&self, sessions: Vec<SessionId>) -> Result<HashMap<SessionId, Person>, PortFailure>;
}

/// The revocations that other instances announce. An item of `None` means that some may have been lost.
pub type RevocationStream = Pin<Box<dyn Stream<Item = Option<SessionRevocation>> + Send>>;

/// Announces revoked sessions to other instances, and receives their announcements. A message carries ids only; the
/// receiver asks the store.
pub trait RevocationBus: Send + Sync {
    /// Announces a revocation to the other instances. MUST NOT wait.
    fn announce(&self, revocation: SessionRevocation);

    /// The announcements of the other instances from now on.
    fn revocations(&self) -> RevocationStream;
}
