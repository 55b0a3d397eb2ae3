use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Count, MeetingQuorumFormat, RoundFile, RoundResult};

/// The name and version of the file's form.
pub const FORMAT: &str = "plenum-results/1";

/// The meeting in which the rounds were.
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
    /// When it was to begin.
    #[schema(required)]
    pub scheduled_start: Option<DateTime<Utc>>,
    /// When it was to end.
    #[schema(required)]
    pub scheduled_end: Option<DateTime<Utc>>,
    /// Its quorum; null when it has none.
    #[schema(required, example = json!(null))]
    pub quorum: Option<MeetingQuorumFormat>,
}

/// The attendance at one moment of the meeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "at": "2026-11-21T18:04:00Z", "present": { "heads": 170, "weight": 190 },
    "eligible": { "heads": 180, "weight": 201.5 }, "isQuorate": true,
}))]
pub struct AttendanceEntry {
    /// The time.
    pub at: DateTime<Utc>,
    /// Those connected who may vote.
    pub present: Count,
    /// All who may vote.
    pub eligible: Count,
    /// Whether those present were enough for the meeting's quorum; null when it has none.
    #[schema(required)]
    pub is_quorate: Option<bool>,
}

/// What a remark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RemarkKind {
    /// Something that should stand in the minutes.
    Remark,
    /// Something that went wrong.
    Incident,
}

/// What an organizer noted for the minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-00000000000c", "at": "2026-11-21T18:12:00Z", "by": "Maria Keller",
    "kind": "REMARK", "text": "The treasurer left the room.",
}))]
pub struct Remark {
    /// Its id.
    pub id: Uuid,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// The name of the author.
    pub by: String,
    /// The description.
    pub kind: RemarkKind,
    /// The remark.
    pub text: String,
}

/// The results of a meeting as screens show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeetingResults {
    /// The meeting.
    pub meeting: MeetingHead,
    /// The results of all rounds that have ended, in the order of the agenda; the rounds of a question in their order.
    pub rounds: Vec<RoundResult>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// What was noted for the minutes, the earliest first.
    pub remarks: Vec<Remark>,
}

/// The results of a meeting with all that they were made of: the exported file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultsFile {
    /// [`FORMAT`].
    pub format: String,
    /// When the file was made.
    pub exported_at: DateTime<Utc>,
    /// The meeting.
    pub meeting: MeetingHead,
    /// All rounds that have ended, in the order of the agenda; the rounds of a question in their order.
    pub rounds: Vec<RoundFile>,
    /// The attendance notes, in order of time.
    pub attendance: Vec<AttendanceEntry>,
    /// What was noted for the minutes, the earliest first.
    pub remarks: Vec<Remark>,
}
