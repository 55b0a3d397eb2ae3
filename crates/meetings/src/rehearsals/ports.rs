use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{
    EndRehearsalError, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalFilter, RehearsalReport, StartRehearsalError,
};

/// Stores the last rehearsal of each meeting. Each call is one transaction and sees one client's rows only.
///
/// Opening a round MUST end a running rehearsal in the same transaction, so that no rehearsal runs during an open
/// round. So MUST the changes of the meeting that [`MeetingStore::update`](crate::MeetingStore::update) names.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RehearsalStore: Send + Sync {
    /// Locks the meeting, asks [`crate::decide_rehearsal`], and if that permits it, replaces the previous rehearsal and
    /// its answers with this one. Stores the name of the organizer: first and last name, or the email address of an
    /// account without a name.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when [`crate::decide_rehearsal`] refuses. Then the
    /// previous one stays unchanged.
    async fn start(&self, new: NewRehearsal) -> Result<Rehearsal, StartRehearsalError>;

    /// Locks the meeting, ends its rehearsal if it runs, and returns it. The end is never before the start.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `NoRehearsal` when there is none.
    async fn end(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        now: DateTime<Utc>,
    ) -> Result<Rehearsal, EndRehearsalError>;

    /// Locks the meeting and removes its rehearsal with all answers.
    ///
    /// # Errors
    /// As [`Self::end`].
    async fn discard(&self, owner: ClientId, meeting: MeetingId) -> Result<(), EndRehearsalError>;

    /// Records an answer to the running rehearsal, of a person who would be in the register if a round opened now. Returns
    /// whether it was recorded. An answer implies receipt. The first time of each stays, and the last known `can_seal`. All
    /// voters may answer at once:
    /// MUST neither wait for a step in the meeting nor block one.
    async fn answer(&self, answer: RehearsalAnswer) -> Result<bool, PortFailure>;

    /// The people who would be in the register if a round opened now and match the filter, by name, with their status in the
    /// rehearsal, given the `connected` voters. Also the counts of all of them. `None` when the client has no such meeting.
    /// The time MUST not grow much with the number of connected voters or answers.
    async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure>;
}
