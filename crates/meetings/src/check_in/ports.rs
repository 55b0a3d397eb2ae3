use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, DeskId, EndUserId, MeetingId, PortFailure};

use crate::{
    AttendanceFilter, AttendancePage, AttendanceRecord, AttendanceTotals, Attendee, CallingDesk, CheckInRule, Desk,
    DeskTokenHash, MakeDeskError, NewDesk, NewPresence, PresenceEntry, PresenceOutcome,
};

/// The reason why an entry was not stored.
#[derive(Debug, thiserror::Error)]
pub enum NotePresenceError {
    /// The client has no such meeting.
    #[error("the meeting does not exist")]
    MeetingNotFound,
    /// The client has no such end user.
    #[error("the end user does not exist")]
    EndUserNotFound,
    /// A rule forbids it.
    #[error(transparent)]
    Rule(#[from] CheckInRule),
    /// The store did not respond.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The check-in of a voter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnCheckIn {
    /// Whether the meeting has check-in.
    pub is_on: bool,
    /// Whether voters can check themselves in.
    pub is_self: bool,
    /// The entry by which the voter is in.
    pub present: Option<PresenceEntry>,
}

/// Stores who came and went. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait CheckInStore: Send + Sync {
    /// Locks the meeting as steps do, asks [`crate::check_taking`] and [`crate::decide_presence`], and stores the entry with the
    /// next number. An entry with the same id is never stored twice. Of several concurrent calls for one person, one checks the
    /// person in. An opening sees all of it or nothing. A person is checked in only if they may vote in the meeting; whoever is in can
    /// always be checked out.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client, `EndUserNotFound` also for a person of another one.
    async fn note(&self, new: NewPresence) -> Result<PresenceOutcome, NotePresenceError>;

    /// The people who may vote in the meeting, by name, with totals. `None` when the client has no such meeting.
    async fn people(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        filter: &AttendanceFilter,
    ) -> Result<Option<AttendancePage>, PortFailure>;

    /// The totals of these people. `None` when the client has no such meeting.
    async fn totals(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceTotals>, PortFailure>;

    /// All people, and the whole log. `None` when the client has no such meeting.
    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<AttendanceRecord>, PortFailure>;

    /// Up to `limit` people who may vote in the meeting, in the order of their ids, after one of them.
    async fn people_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        after: Option<EndUserId>,
        limit: u32,
    ) -> Result<Vec<Attendee>, PortFailure>;

    /// Up to `limit` entries with a higher number, in order.
    async fn entries_after(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        number: u32,
        limit: u32,
    ) -> Result<Vec<PresenceEntry>, PortFailure>;

    /// The check-in of a voter. `None` when the client has no such meeting.
    async fn own(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Option<OwnCheckIn>, PortFailure>;

    /// The codes with these numbers for self check-in. `None` if voters cannot check themselves in: there is no such meeting of an active
    /// client, it is over, or self check-in is off. MUST be unpredictable without the key of the meeting.
    async fn codes(&self, meeting: MeetingId, numbers: Vec<i64>) -> Result<Option<Vec<String>>, PortFailure>;
}

/// Stores desks.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait DeskStore: Send + Sync {
    /// Locks the meeting and stores a desk.
    ///
    /// # Errors
    /// `MeetingNotFound` also for a meeting of another client; `NameTaken` ignoring case, for desks that are not revoked.
    async fn add(&self, desk: NewDesk) -> Result<Desk, MakeDeskError>;

    /// The desks of a meeting, the earliest first. `None` when the client has no such meeting.
    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<Desk>>, PortFailure>;

    /// Revokes a desk. A revoked one stays as it is. Returns whether the client's meeting has it.
    async fn revoke(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        desk: DeskId,
        now: DateTime<Utc>,
    ) -> Result<bool, PortFailure>;

    /// The desk with this token, also a revoked one, and of a meeting that is over. `None` if the client is not active.
    async fn find(&self, token: &DeskTokenHash) -> Result<Option<CallingDesk>, PortFailure>;
}
