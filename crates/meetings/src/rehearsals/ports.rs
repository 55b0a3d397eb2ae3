use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};

use crate::{
    EndRehearsalError, NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalFilter, RehearsalReport, StartRehearsalError,
};

/// Stores the last rehearsal of each meeting. Each call is one transaction and sees one client's rows only.
///
/// Opening a round MUST end a rehearsal that runs, in the same transaction, whoever does it: there is never one beside an
/// open round. So MUST a change of the meeting that [`MeetingStore::update`](crate::MeetingStore::update) names.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait RehearsalStore: Send + Sync {
    /// Locks the meeting, asks [`crate::decide_rehearsal`], and if that agrees puts this rehearsal in the place of the one
    /// before and its answers, with the name of who starts it: first and last name, or the e-mail address of an account
    /// without a name.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `Rule` when [`crate::decide_rehearsal`] refuses. Then the
    /// one before stays as it is.
    async fn start(&self, new: NewRehearsal) -> Result<Rehearsal, StartRehearsalError>;

    /// Locks the meeting, ends its rehearsal, if that runs, and gives it back. It never ends before it started.
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

    /// Notes an answer to a rehearsal that runs, of somebody who would be registered if a round was opened now, and
    /// says whether it was noted. A person who answers has received it; the first time of each stays. All voters may
    /// answer at once: MUST neither wait for a step in the meeting nor block one.
    async fn answer(&self, answer: RehearsalAnswer) -> Result<bool, PortFailure>;

    /// Everyone who would be registered if a round was opened now, by name, as far as they fit the filter; how they stand
    /// to the meeting's rehearsal, where these are `connected`; and the figures of all of them. `None` when the client has
    /// no such meeting. MUST not take much longer when many are connected or have answered.
    async fn report(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        connected: Vec<EndUserId>,
        filter: &RehearsalFilter,
    ) -> Result<Option<RehearsalReport>, PortFailure>;
}
