use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, Page, PortFailure, ReasonNeeded};

use crate::{
    FoundJoinLink, JoinAsk, JoinCodeHash, JoinLink, JoinLinkChoice, JoinLinkFilter, JoinPeople, JoinPerson,
    JoinTokenHash, NewJoinCode, NewJoinLinks,
};

/// The reason why no links were made.
#[derive(Debug, thiserror::Error)]
pub enum MakeJoinLinksError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The meeting is over or cancelled.
    #[error("a completed or cancelled meeting has no personal links")]
    MeetingOver,
    /// At least one of the named people is not an end user of the client.
    #[error("not all of them are end users of the organization")]
    UnknownEndUsers,
    /// More people than a call may make links for.
    #[error("these are more than {0} people; choose fewer")]
    TooMany(u32),
    /// One of the people is in the register of an open round, and there is no reason.
    #[error(transparent)]
    ReasonNeeded(#[from] ReasonNeeded),
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores personal links. Each call is one transaction.
///
/// A link works while all of this holds: it is not revoked or expired, it was never used if it signs in only once, its meeting is
/// not over or cancelled, and its owner has the password that they had when it was made. So a new password makes it void.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait JoinLinkStore: Send + Sync {
    /// The active end users of the client whom these people are, in the order of names, at most `limit`. With a meeting, only
    /// the invited ones.
    ///
    /// # Errors
    /// `MeetingNotFound`, also for a meeting of another client, `MeetingOver`, and `UnknownEndUsers` if one of the named people is not
    /// an end user of the client.
    async fn people(
        &self,
        owner: ClientId,
        meeting: Option<MeetingId>,
        people: &JoinPeople,
        limit: u32,
    ) -> Result<Vec<JoinPerson>, MakeJoinLinksError>;

    /// Stores links in place of the earlier ones of the same people for the same meeting, in a constant number of statements.
    /// Returns the end users who have one now: those who exist in the client and are active.
    ///
    /// A store with rounds MUST log the links in open rounds like new passwords; see [`crate::EndUserStore::update`].
    ///
    /// # Errors
    /// `ReasonNeeded` when [`decide_setting`](plenum_kernel::decide_setting) refuses. `MeetingNotFound` for a meeting that is not the
    /// client's. Then nothing is stored.
    async fn make(&self, owner: ClientId, new: NewJoinLinks) -> Result<Vec<EndUserId>, MakeJoinLinksError>;

    /// Finds the link with this token, if it works.
    async fn find(&self, token: &JoinTokenHash, now: DateTime<Utc>) -> Result<Option<FoundJoinLink>, PortFailure>;

    /// Lists the client's links that match the filter, the newest first.
    async fn list(
        &self,
        owner: ClientId,
        filter: JoinLinkFilter,
        now: DateTime<Utc>,
    ) -> Result<Page<JoinLink>, PortFailure>;

    /// Revokes the chosen links of the client, and returns the number of those that were not revoked before.
    async fn revoke(&self, owner: ClientId, choice: JoinLinkChoice, now: DateTime<Utc>) -> Result<u64, PortFailure>;

    /// Stores a code of the client's link with this token, in place of the earlier one, and says whether the link exists.
    async fn put_code(&self, owner: ClientId, token: &JoinTokenHash, new: NewJoinCode) -> Result<bool, PortFailure>;

    /// Whether the code of the client's link with this token is the one with this hash, has not expired and had fewer than
    /// [`CODE_TRIES`](crate::CODE_TRIES) wrong tries. Otherwise counts a wrong try. Does not use the code up: the session that
    /// opens with it does ([`SessionStore::open`](crate::SessionStore::open)).
    async fn try_code(
        &self,
        owner: ClientId,
        token: &JoinTokenHash,
        code: &JoinCodeHash,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure>;

    /// What the client's links ask for.
    async fn asks(&self, owner: ClientId) -> Result<JoinAsk, PortFailure>;

    /// Changes what the client's links ask for, those that were made before among them.
    async fn set_asks(&self, owner: ClientId, asks: JoinAsk) -> Result<(), PortFailure>;
}
