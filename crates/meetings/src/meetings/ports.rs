use async_trait::async_trait;
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PortFailure};

use crate::{
    Invitation, InvitationTarget, Meeting, MeetingFilter, MeetingOverview, MeetingRule, MeetingStats,
    UpdateMeetingError, VoterMeeting,
};

/// A pure decision about a meeting that stays locked until the outcome is stored.
pub type MeetingDecision = Box<dyn FnOnce(&mut Meeting) -> Result<(), MeetingRule> + Send>;

/// Stores meetings. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingStore: Send + Sync {
    /// Stores a new meeting; one that is ACTIVE only if those for whom it would be have room ([`Meeting::check_room`]).
    ///
    /// # Errors
    /// `Rule` when they have none.
    async fn add(&self, meeting: Meeting) -> Result<(), UpdateMeetingError>;

    /// `None` also for a meeting of another client.
    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure>;

    /// The client's meetings that fit the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure>;

    /// How many meetings the client has in each status; without test data ([`Meeting::is_test`]), unless the client is.
    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure>;

    /// Locks the meeting, applies `decide` and stores the outcome, its step included; stores nothing if `decide` refuses.
    /// When the meeting leaves ACTIVE, MUST in the same transaction end its running round (status ENDED, `ended_at` the
    /// meeting's) after the ballots that are being written, log that `by` ended it, and clear its current question. When it
    /// gets a status in which nothing is rehearsed, MUST in the same transaction end a rehearsal that runs. When it becomes
    /// ACTIVE, asks [`Meeting::check_room`] whether there is room for those on its list, or for everybody.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when `decide` refuses, or there is no room.
    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: Option<AccountId>,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError>;

    /// Locks the meeting, asks [`Meeting::check_removal`], and removes it with its participant list, agenda, rounds and
    /// votes; removes nothing if that refuses.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when the meeting is running.
    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError>;

    /// The meeting that an invitation link leads to, whatever its status; none of a client that is not active.
    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure>;
}

/// How many meetings a voter's list holds at most.
pub const MAX_VOTER_MEETINGS: usize = 200;

/// Reads meetings for voters. Each call is one transaction and sees one client's rows only.
///
/// The register takes precedence: a voter in the register of the open round is invited until that round ends, even if
/// removed from the participant list.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait VoterMeetings: Send + Sync {
    /// The meetings that are no drafts and that the voter is invited to: running ones first, then those to come by
    /// planned start, then the rest, the latest first; [`MAX_VOTER_MEETINGS`] of them at most. Each says whether a rehearsal
    /// runs.
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure>;

    /// One meeting that is no draft, and whether the voter is invited to it. `None` also for another client's.
    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure>;
}
