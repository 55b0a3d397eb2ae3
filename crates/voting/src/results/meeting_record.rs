use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, MeetingQuorum, PortFailure};
use uuid::Uuid;

use crate::{Count, MeasuredQuorum};

/// The facts about a meeting beside its rounds, for the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeetingRecord {
    /// The meeting.
    pub id: MeetingId,
    /// Its title.
    pub title: String,
    /// The name of the organization.
    pub organization: String,
    /// DRAFT, SCHEDULED, ACTIVE, COMPLETED or CANCELLED.
    pub status: String,
    /// The planned start.
    pub scheduled_start: DateTime<Utc>,
    /// The planned end.
    pub scheduled_end: DateTime<Utc>,
    /// Its quorum, if it has one.
    pub quorum: Option<MeetingQuorum>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<NotedAttendance>,
    /// The remarks, the earliest first.
    pub remarks: Vec<NotedRemark>,
}

/// The attendance at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedAttendance {
    /// The time.
    pub at: DateTime<Utc>,
    /// Connected people who could vote.
    pub present: Count,
    /// All people who could vote.
    pub eligible: Count,
}

/// An organizer's remark for the minutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedRemark {
    /// Its id.
    pub id: Uuid,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// The name of the author.
    pub by: String,
    /// Whether it is an incident.
    pub is_incident: bool,
    /// The remark.
    pub text: String,
}

impl MeetingRecord {
    /// Whether the present people met the quorum of the meeting. `None` without a quorum.
    pub fn is_quorate(&self, noted: &NotedAttendance) -> Option<bool> {
        self.quorum.map(|quorum| MeasuredQuorum::measure(quorum.quorum, noted.present, noted.eligible).is_met)
    }
}

/// Reads records of meetings.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingRecords: Send + Sync {
    /// The record of a meeting. `None` when the client has no such meeting.
    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<MeetingRecord>, PortFailure>;
}
