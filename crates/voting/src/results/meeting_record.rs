use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::{ClientId, MeetingId, MeetingQuorum, NotedQuorum, PortFailure, QuestionId};
use uuid::Uuid;

use crate::{Count, MeasuredQuorum, NotedAmendment, StoredClosing};

/// The facts about a meeting besides its rounds, for the results.
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
    /// Who came and went, in the order of their storing.
    pub check_ins: Vec<NotedPresence>,
    /// The remarks, the earliest first.
    pub remarks: Vec<NotedRemark>,
    /// The first start.
    pub started_at: Option<DateTime<Utc>>,
    /// The last end.
    pub ended_at: Option<DateTime<Utc>>,
    /// The questions, in the order of the agenda.
    pub agenda: Vec<AgendaText>,
    /// The closing records, the first one first.
    pub closings: Vec<StoredClosing>,
    /// The hash of the last closing record, as stored with the meeting.
    pub closing_hash: Option<String>,
    /// The amendments, the first one first.
    pub amendments: Vec<NotedAmendment>,
}

/// A question on the agenda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgendaText {
    /// The question.
    pub id: QuestionId,
    /// Its text.
    pub text: String,
}

/// The attendance at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedAttendance {
    /// The time.
    pub at: DateTime<Utc>,
    /// Connected people who could vote.
    pub present: Count,
    /// People who could vote and were not connected, while the holder of their proxy was. None in notes of earlier versions.
    pub represented: Count,
    /// All people who could vote.
    pub eligible: Count,
    /// Whether the meeting was called a second time.
    pub is_second_call: bool,
    /// The quorum by which it is measured.
    pub quorum: NotedQuorum,
}

impl NotedAttendance {
    /// The people who count for a quorum: present or represented.
    fn attending(&self) -> Count {
        self.present.plus(self.represented)
    }
}

/// A person came to the meeting, or went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotedPresence {
    /// The name at that time.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// Whether the person came.
    pub has_come: bool,
    /// The time at which it happened.
    pub at: DateTime<Utc>,
    /// The time at which the server received it.
    pub noted_at: DateTime<Utc>,
    /// The name of the organizer, the desk or the person.
    pub by: String,
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
    /// When it was struck through and by whom, if it was.
    pub struck: Option<(DateTime<Utc>, String)>,
}

impl MeetingRecord {
    /// Whether the present and represented people met the quorum of that moment. `None` without a quorum.
    pub fn is_quorate(&self, noted: &NotedAttendance) -> Option<bool> {
        let in_force = noted.quorum.in_force(self.quorum, noted.is_second_call);
        in_force.map(|quorum| MeasuredQuorum::measure(quorum, noted.attending(), noted.eligible).is_met)
    }
}

/// Reads records of meetings.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait MeetingRecords: Send + Sync {
    /// The record of a meeting. `None` when the client has no such meeting.
    async fn record(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<MeetingRecord>, PortFailure>;

    /// The closing records of a meeting, the first one first. Also of a deleted meeting.
    async fn closings(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<StoredClosing>, PortFailure>;
}
