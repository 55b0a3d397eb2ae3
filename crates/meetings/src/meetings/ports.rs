use std::collections::HashSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{AccountId, ClientId, EndUserId, MeetingId, Page, PortFailure};

use crate::{
    Invitation, InvitationTarget, Meeting, MeetingCopy, MeetingFilter, MeetingOverview, MeetingRule, MeetingStats,
    Question, UpdateMeetingError, VoterMeeting,
};

/// A pure decision about a meeting that stays locked until the outcome is stored.
pub type MeetingDecision = Box<dyn FnOnce(&mut Meeting) -> Result<(), MeetingRule> + Send>;

/// Stores meetings. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingStore: Send + Sync {
    /// Stores a new meeting with its agenda, whose positions are without gaps. An ACTIVE one must have room for its
    /// participants ([`Meeting::check_room`]). A COMPLETED one gets its closing record in the same transaction.
    ///
    /// # Errors
    /// `Rule` when it has not; `UnknownGroups` when a group of the meeting or of a question is not of this client.
    async fn add(&self, meeting: Meeting, agenda: Vec<Question>) -> Result<(), UpdateMeetingError>;

    /// Locks the meeting, makes a copy of it and of its agenda with `copy`, and stores the copy with the participant list of
    /// the original, without erased people. The list of the copy may be empty. Returns the id of the copy.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client.
    async fn copy(&self, owner: ClientId, id: MeetingId, copy: MeetingCopy) -> Result<MeetingId, UpdateMeetingError>;

    /// `None` also for a meeting of another client.
    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure>;

    /// The client's meetings that match the filter, in its order.
    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure>;

    /// The number of the client's meetings in each status, without test data ([`Meeting::is_test`]), unless the client is.
    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure>;

    /// Locks the meeting, applies `decide` and stores the outcome with its step. Stores nothing if `decide` refuses.
    /// When the meeting leaves ACTIVE, MUST in the same transaction end its running round (status ENDED, `ended_at` the
    /// meeting's) after the ballots that are being written, log that `by` ended it, and clear its current question.
    /// When it gets a status without rehearsals, MUST in the same transaction end a running one. When it ends
    /// ([`Meeting::closes`]), MUST in the same transaction write its closing record after all this, and store its hash.
    /// When it has a closing record, MUST in the same transaction record each changed field of it as an amendment,
    /// unless the change writes the next closing record. When it becomes ACTIVE, asks [`Meeting::check_room`] whether
    /// there is room for its participants. Asks [`Meeting::check_test_mark`] about a new title.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `UnknownGroups` when a group is not of this client; `Rule` when `decide` refuses, there is no room, or the title
    /// would change whether the meeting is test data after a round was opened.
    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        by: Option<AccountId>,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError>;

    /// Locks the meeting, asks [`Meeting::check_removal`], and removes it with its participant list, agenda, rounds and
    /// votes. Removes nothing if that refuses.
    ///
    /// # Errors
    /// `NotFound` also for a meeting of another client; `Rule` when the meeting is running.
    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError>;

    /// Some meetings of all clients that have ended and have no closing record, as installations had them before there were
    /// closing records. Empty when all have one.
    async fn unclosed(&self) -> Result<Vec<(ClientId, MeetingId)>, PortFailure>;

    /// Writes the closing record of such a meeting at `now`, marked as recorded later. Does nothing if it has one, or runs.
    async fn close_later(&self, owner: ClientId, id: MeetingId, now: DateTime<Utc>) -> Result<(), PortFailure>;

    /// The meeting of an invitation link, in any status. `None` for a client that is not active.
    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure>;
}

/// The maximum number of meetings in a voter's list.
pub const MAX_VOTER_MEETINGS: usize = 200;

/// Reads meetings for voters. Each call is one transaction and sees one client's rows only.
///
/// The register takes precedence: a voter in the register of the open round is invited until that round ends, even if
/// removed from the participant list.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait VoterMeetings: Send + Sync {
    /// The meetings to which the voter is invited, without drafts: running ones first, then scheduled ones by planned start,
    /// then the rest, the latest first, at most [`MAX_VOTER_MEETINGS`]. Each with whether a rehearsal runs.
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<VoterMeeting>, PortFailure>;

    /// One meeting, also a draft, and whether the voter is invited. `None` also for a meeting of another client.
    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure>;

    /// Those of these voters who are invited to the meeting. Nobody, if it is a draft or of another client.
    async fn invited_among(
        &self,
        client: ClientId,
        voters: Vec<EndUserId>,
        id: MeetingId,
    ) -> Result<HashSet<EndUserId>, PortFailure>;
}
