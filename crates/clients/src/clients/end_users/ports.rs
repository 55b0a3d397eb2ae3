use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, OpenVote, Page, PortFailure, ReasonNeeded};

use crate::{EndUser, EndUserFilter, EndUserStats, EndUserUpdate, Erasure, ImportError, ImportedPeople, PasswordHash};

/// The reason why an end user was not created.
#[derive(Debug, thiserror::Error)]
pub enum AddEndUserError {
    /// Another end user of the client has this username.
    #[error("the username is taken")]
    UsernameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why an end user was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeEndUserError {
    /// The client has no such end user.
    #[error("the end user does not exist")]
    NotFound,
    /// Another end user of the client has this username.
    #[error("the username is taken")]
    UsernameTaken,
    /// The personal data was erased, and none is added again.
    #[error("the personal data of this person was erased; create a new person instead")]
    Erased,
    /// The end user is in the register of an open round, and the new password has no reason.
    #[error(transparent)]
    ReasonNeeded(#[from] ReasonNeeded),
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Why the personal data of an end user was not erased.
#[derive(Debug, thiserror::Error)]
pub enum EraseEndUserError {
    /// The client has no such end user.
    #[error("the end user does not exist")]
    NotFound,
    /// It was erased before.
    #[error("the personal data of this person is erased already")]
    AlreadyErased,
    /// The typed username is not that of the end user.
    #[error("this is not the username of the person")]
    OtherUsername,
    /// The end user is in the register of an open round.
    #[error("this person may vote in a question that is open; end the question first")]
    VotingNow,
    /// The end user takes part in a running meeting.
    #[error("this person takes part in a meeting that is running; end the meeting first")]
    InRunningMeeting,
    /// Another end user of the client has the username that the end user would get.
    #[error("another person has the username that this person would get; give that person another username first")]
    UsernameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why an end user was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum RemoveEndUserError {
    /// The client has no such end user.
    #[error("the end user does not exist")]
    NotFound,
    /// The end user is in the register of an open round.
    #[error("this person may vote in a question that is open; end the question first")]
    VotingNow,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// Stores end users. Each call is one transaction on the rows of one client.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait EndUserStore: Send + Sync {
    /// Stores an end user.
    ///
    /// # Errors
    /// MUST return `UsernameTaken` also when a concurrent call took the name, and an outdated failure
    /// ([`PortFailure::outdated`]) when the client has not, or no longer, one of the kinds of weight.
    async fn add(&self, end_user: EndUser, password: PasswordHash) -> Result<(), AddEndUserError>;

    /// Finds an end user of the client. MUST return `None` for an end user of another client.
    async fn find(&self, owner: ClientId, id: EndUserId) -> Result<Option<EndUser>, PortFailure>;

    /// Lists the client's end users that match the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &EndUserFilter) -> Result<Page<EndUser>, PortFailure>;

    /// Counts the client's end users, and sums the weights of the active ones. Leaves out test data
    /// ([`EndUser::is_test`]), unless the client is test data.
    async fn stats(&self, owner: ClientId) -> Result<EndUserStats, PortFailure>;

    /// The open rounds of real meetings of the client with at least one of these end users in the register. Decides nothing: a
    /// round may open or end afterwards.
    async fn open_votes(&self, owner: ClientId, people: &[EndUserId]) -> Result<Vec<OpenVote>, PortFailure>;

    /// Locks the end user, makes the changes, and sets the password if there is a new one. A new password or a
    /// deactivation ends the end user's sessions at `now`.
    ///
    /// A store with rounds MUST log a new password in each open round of a real meeting with the end user in its register. A
    /// round that opens or ends at this moment does so before or after the change.
    ///
    /// # Errors
    /// `NotFound`, also for an end user of another client. `Erased` for an erased one. MUST return `UsernameTaken` also
    /// when a concurrent call took the name, and `ReasonNeeded` when [`decide_setting`](plenum_kernel::decide_setting) refuses a
    /// new password, and fails as [`Self::add`] for an unknown kind of weight. Then nothing is changed.
    async fn update(
        &self,
        owner: ClientId,
        update: EndUserUpdate,
        now: DateTime<Utc>,
    ) -> Result<EndUser, ChangeEndUserError>;

    /// Removes the end user with their sessions and invitations. Registers and votes stay.
    ///
    /// # Errors
    /// `NotFound`, also for an end user of another client. A store with rounds MUST return `VotingNow` while the end user is in
    /// the register of an open round, also if the round is opening at this moment.
    async fn remove(&self, owner: ClientId, id: EndUserId) -> Result<(), RemoveEndUserError>;

    /// Replaces the personal data of the end user by neutral texts ([`EndUser::erased`]), and removes their sessions and invitations.
    /// Registers, votes and records stay.
    ///
    /// # Errors
    /// `NotFound`, also for an end user of another client, and for the rule when [`Self::inactive_since`] would no longer find the
    /// end user. MUST check this condition, or the typed username, with the end user locked. `UsernameTaken` when another end user
    /// has the username of [`EndUser::erased`]. A store with meetings MUST refuse somebody who is in the register of an open round,
    /// also of one that is opening at this moment, or takes part in a running meeting.
    async fn erase(&self, owner: ClientId, erasure: Erasure) -> Result<(), EraseEndUserError>;

    /// End users of all clients who were deactivated before this time, have not signed in since, and are not erased: in the order
    /// of ids, those after `behind`, at most `limit`.
    async fn inactive_since(
        &self,
        before: DateTime<Utc>,
        behind: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<(ClientId, EndUserId)>, PortFailure>;

    /// Stores all new groups and end users and makes all changes, or nothing, in a constant number of statements. Locks the
    /// changed end users first. A new password or a deactivation ends the end user's sessions at `now`. New passwords of
    /// changed end users are logged in open rounds as by [`Self::update`]. All of them have the same setter.
    ///
    /// # Errors
    /// MUST return `Outdated` when a username or the name of a group is taken, also by a concurrent call, and when a changed end user does not
    /// exist, is erased or belongs to another client, or a kind of weight does not exist, and `ReasonNeeded` like [`Self::update`]. Never returns `HasErrors`.
    async fn import(&self, owner: ClientId, people: ImportedPeople, now: DateTime<Utc>) -> Result<(), ImportError>;
}
