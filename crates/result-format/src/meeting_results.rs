use chrono::{DateTime, Utc};
use plenum_kernel::is_test_name;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Amendment, Count, DamagedRecord, ElectionOutcome, FileSignature, MeetingQuorumFormat, QuorumFormat, RoundFile,
    RoundResult, SealedClosing,
};

/// The name and version of the file format.
pub const FORMAT: &str = "plenum-results/2";

/// The format before there were records and signatures. It can still be read.
pub const EARLIER_FORMAT: &str = "plenum-results/1";

/// The meeting of the rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting", "organization": "Rowing Club",
    "status": "COMPLETED", "scheduledStart": "2026-11-21T18:00:00Z", "scheduledEnd": null, "quorum": null,
}))]
pub struct MeetingHead {
    /// Its id.
    pub id: Uuid,
    /// Its title.
    pub title: String,
    /// The name of the organization.
    pub organization: String,
    /// DRAFT, SCHEDULED, ACTIVE, COMPLETED or CANCELLED.
    pub status: String,
    /// The planned start.
    #[schema(required)]
    pub scheduled_start: Option<DateTime<Utc>>,
    /// The planned end.
    #[schema(required)]
    pub scheduled_end: Option<DateTime<Utc>>,
    /// The quorum. Null if it has none.
    #[schema(required, example = json!(null))]
    pub quorum: Option<MeetingQuorumFormat>,
}

/// The mark of a meeting that is test data, in every file about it.
pub const TEST_DATA: &str = "This meeting is test data: its results decide nothing.";

impl MeetingHead {
    /// Whether the meeting is test data, by its title or its organization.
    pub fn is_test(&self) -> bool {
        is_test_name(&self.title) || is_test_name(&self.organization)
    }
}

/// The attendance at one moment of the meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "at": "2026-11-21T18:04:00Z", "present": { "heads": 170, "weight": 190 }, "represented": { "heads": 4, "weight": 4 },
    "eligible": { "heads": 180, "weight": 201.5 }, "isQuorate": true,
    "quorum": { "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present" },
}))]
pub struct AttendanceEntry {
    /// The time.
    pub at: DateTime<Utc>,
    /// The connected eligible people.
    pub present: Count,
    /// The eligible people who were not present, while the holder of their proxy was. Left out if there were none, and in notes of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub represented: Option<Count>,
    /// All eligible people.
    pub eligible: Count,
    /// Whether the present and represented people met the meeting's quorum of that moment. Null if it had none.
    #[schema(required)]
    pub is_quorate: Option<bool>,
    /// The quorum of that moment. Left out if there was none, and in notes of earlier versions, which the meeting's current quorum
    /// measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub quorum: Option<QuorumFormat>,
    /// Whether the meeting had no quorum at that moment. Left out if it had one, and in notes of earlier versions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub has_no_quorum: bool,
    /// Whether the meeting was called a second time, so that its quorum for a second call applied. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_second_call: bool,
}

impl AttendanceEntry {
    /// Whether the note tells by which quorum it is measured, or that there was none. Notes of earlier versions do not.
    pub const fn keeps_quorum(&self) -> bool {
        self.quorum.is_some() || self.has_no_quorum
    }

    /// The quorum by which the note is measured, in a meeting that now has this one.
    pub fn quorum_in_force(&self, of_meeting: Option<MeetingQuorumFormat>) -> Option<QuorumFormat> {
        if self.keeps_quorum() {
            return self.quorum;
        }
        of_meeting.map(|quorum| quorum.in_force(self.is_second_call))
    }
}

/// Whether a person came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AttendanceKind {
    /// The person came.
    In,
    /// The person went.
    Out,
}

/// An entry of the attendance log of a meeting with check-in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Ben Otto", "username": "ben", "kind": "IN", "at": "2026-11-21T18:04:05Z", "notedAt": "2026-11-21T18:04:05Z",
    "by": "Desk 1",
}))]
pub struct AttendanceLogEntry {
    /// The name at that time.
    pub name: String,
    /// The username at that time.
    pub username: String,
    /// Whether the person came or went.
    pub kind: AttendanceKind,
    /// The time at which it happened.
    pub at: DateTime<Utc>,
    /// The time at which the server received it. Later for a desk that had no network.
    pub noted_at: DateTime<Utc>,
    /// The name of the organizer, the desk or the person.
    pub by: String,
}

/// The kind of a remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RemarkKind {
    /// A fact for the minutes.
    Remark,
    /// An incident.
    Incident,
}

/// An organizer's remark for the minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-00000000000c", "at": "2026-11-21T18:12:00Z", "by": "Maria Keller",
    "kind": "REMARK", "text": "The treasurer left the room.",
}))]
pub struct Remark {
    /// Its id.
    pub id: Uuid,
    /// The time of writing.
    pub at: DateTime<Utc>,
    /// The name of the author.
    pub by: String,
    /// The description.
    pub kind: RemarkKind,
    /// The remark.
    pub text: String,
    /// The organizer who struck it through. Missing if it is not struck through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub struck: Option<Struck>,
}

/// A remark was struck through. Its text stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "at": "2026-11-21T18:40:00Z", "by": "Maria Keller" }))]
pub struct Struck {
    /// The time.
    pub at: DateTime<Utc>,
    /// The name of the organizer.
    pub by: String,
}

/// An ended round that is not counted. Voting on it may still reopen, so its votes are secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "roundId": "019a9d5e-0000-7000-8000-000000000007", "questionId": "019a9d5e-0000-7000-8000-000000000005",
    "position": 2, "number": 1, "questionText": "Do you approve the budget?",
}))]
pub struct UncountedRound {
    /// The id of the round.
    pub round_id: Uuid,
    /// The id of the question. Missing only in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Uuid, required = true)]
    pub question_id: Option<Uuid>,
    /// The question's position on the agenda, from 1.
    pub position: u32,
    /// The number of the round among those of its question, from 1.
    pub number: u32,
    /// The question.
    pub question_text: String,
    /// Whether it is a secret vote that can never be counted, because its key is lost. Left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_void: bool,
}

/// The results of a meeting, for screens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeetingResults {
    /// The meeting.
    pub meeting: MeetingHead,
    /// The results of all ended rounds, in the order of the agenda, with the rounds of each question together. A question has
    /// the position of its last round.
    pub rounds: Vec<RoundResult>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// The remarks, the earliest first.
    pub remarks: Vec<Remark>,
    /// Declared results that are not shown, because their records are damaged. Empty unless the database was
    /// manipulated.
    pub damaged: Vec<DamagedRecord>,
    /// Ended rounds that are not counted, in the same order. They have no result yet.
    pub uncounted: Vec<UncountedRound>,
    /// The declared elections, and who has their seats, in the order of the agenda.
    pub elections: Vec<ElectionOutcome>,
    /// The closing records, the first one first. Empty until the meeting ends.
    pub closings: Vec<SealedClosing>,
    /// The changes after the end, the first one first.
    pub amendments: Vec<Amendment>,
    /// The errors of closing records that are not shown, as sentences. Empty unless the database was manipulated.
    #[schema(example = json!([]))]
    pub closing_damage: Vec<String>,
}

/// The results of a meeting with registers and ballots: the exported file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultsFile {
    /// [`FORMAT`].
    pub format: String,
    /// The time of the export.
    pub exported_at: DateTime<Utc>,
    /// The meeting.
    pub meeting: MeetingHead,
    /// All ended rounds, in the order of the agenda, with the rounds of each question together. A question has the position of
    /// its last round.
    pub rounds: Vec<RoundFile>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// Who came and went, in the order of their storing. Left out without check-in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub check_ins: Vec<AttendanceLogEntry>,
    /// The remarks, the earliest first.
    pub remarks: Vec<Remark>,
    /// Declared results that are not shown, because their records are damaged. Empty unless the database was
    /// manipulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<DamagedRecord>,
    /// Ended rounds that are not counted, in the same order. They have no result yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<UncountedRound>,
    /// The declared elections, and who has their seats, in the order of the agenda.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elections: Vec<ElectionOutcome>,
    /// The closing records, the first one first. Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closings: Option<Vec<SealedClosing>>,
    /// The changes after the end, the first one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub amendments: Vec<Amendment>,
    /// The errors of closing records that are not shown, as sentences. Empty unless the database was manipulated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closing_damage: Vec<String>,
    /// The signature of all other members. Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<FileSignature>,
}
