use chrono::{DateTime, Utc};
use plenum_meetings::{InvitationTarget, MeetingClient, MeetingOverview};
use plenum_result_format::MeetingQuorumFormat;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::check_in::CheckInName;
use crate::views::MeetingStatusName;

/// The public part of a meeting's organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club",
}))]
pub(crate) struct MeetingClientView {
    id: Uuid,
    name: String,
    client_code: String,
}

impl From<&MeetingClient> for MeetingClientView {
    fn from(client: &MeetingClient) -> Self {
        Self { id: client.id.as_uuid(), name: client.name.clone(), client_code: client.code.clone() }
    }
}

/// A meeting.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_meeting)]
pub(crate) struct MeetingView {
    id: Uuid,
    client_id: Uuid,
    title: String,
    #[schema(required)]
    description: Option<String>,
    status: MeetingStatusName,
    /// The number of steps in the meeting. A request for a step may name it, and is rejected if it is outdated.
    step: u64,
    scheduled_start_time: DateTime<Utc>,
    scheduled_end_time: DateTime<Utc>,
    /// The same as `scheduledStartTime`.
    start_time: DateTime<Utc>,
    /// The same as `scheduledEndTime`.
    end_time: DateTime<Utc>,
    /// The time of the first start.
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    /// The time of the last end.
    #[schema(required)]
    ended_at: Option<DateTime<Utc>>,
    /// The highest number of participants; no limit if null.
    #[schema(required)]
    max_participants: Option<u32>,
    is_recurring: bool,
    #[schema(required)]
    recurring_pattern: Option<String>,
    /// The quorum of every question without a quorum of its own.
    #[schema(required)]
    quorum: Option<MeetingQuorumFormat>,
    /// Whether the meeting was called a second time, so that the quorums for a second call apply.
    is_second_call: bool,
    /// Whether a round with votes and without a decision rule is counted when it ends.
    counts_surveys_at_end: bool,
    /// Whether people check in.
    check_in: CheckInName,
    /// Whether voters can check themselves in.
    self_check_in: bool,
    /// The hash of the last closing record. Null until the meeting ends.
    #[schema(required)]
    closing_hash: Option<String>,
    /// False if the meeting is for every active end user. If the meeting or the organization is test data, it is for
    /// test people only.
    has_participant_list: bool,
    /// The groups that the meeting is for. Empty for everybody.
    group_ids: Vec<Uuid>,
    /// The kind of weight that it counts. Null means the ordinary weight.
    #[schema(required)]
    weight_kind_id: Option<Uuid>,
    participant_count: u64,
    question_count: u64,
    client: MeetingClientView,
    created_at: DateTime<Utc>,
    /// Whether the title starts with `TEST_`. Unless the organization is test data itself, its statistics leave such a
    /// meeting out.
    is_test: bool,
}

/// An example for the OpenAPI document.
pub(super) fn example_meeting() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000004", "clientId": "019a9d5e-0000-7000-8000-000000000001",
        "title": "General assembly", "description": "The budget, and the board.", "status": "ACTIVE",
        "step": 12, "scheduledStartTime": "2026-11-21T18:00:00Z", "scheduledEndTime": "2026-11-21T20:00:00Z",
        "startTime": "2026-11-21T18:00:00Z", "endTime": "2026-11-21T20:00:00Z",
        "startedAt": "2026-11-21T18:02:30Z", "endedAt": null, "maxParticipants": null, "isRecurring": true,
        "recurringPattern": "Every year",
        "quorum": {
            "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "present",
            "atOpening": "warn",
        },
        "isSecondCall": false, "countsSurveysAtEnd": true, "checkIn": "OFF", "selfCheckIn": false, "closingHash": null, "hasParticipantList": false, "groupIds": [], "weightKindId": null, "participantCount": 176, "questionCount": 5,
        "client": { "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club" },
        "createdAt": "2026-11-01T10:00:00Z", "isTest": false,
    })
}

impl From<&MeetingOverview> for MeetingView {
    fn from(overview: &MeetingOverview) -> Self {
        let meeting = &overview.meeting;
        let (start, end) = (meeting.schedule.start(), meeting.schedule.end());
        Self {
            id: meeting.id.as_uuid(),
            client_id: meeting.client_id.as_uuid(),
            title: meeting.title.to_string(),
            description: meeting.description.as_ref().map(ToString::to_string),
            status: meeting.status.into(),
            step: meeting.step.0,
            scheduled_start_time: start,
            scheduled_end_time: end,
            start_time: start,
            end_time: end,
            started_at: meeting.started_at,
            ended_at: meeting.ended_at,
            max_participants: meeting.max_participants.map(u32::from),
            is_recurring: meeting.is_recurring,
            recurring_pattern: meeting.recurring_pattern.as_ref().map(ToString::to_string),
            quorum: meeting.quorum.map(MeetingQuorumFormat::from),
            is_second_call: meeting.is_second_call,
            counts_surveys_at_end: meeting.counts_surveys_at_end,
            check_in: meeting.check_in.into(),
            self_check_in: meeting.self_check_in,
            closing_hash: meeting.closing_hash.clone(),
            has_participant_list: meeting.has_participant_list,
            group_ids: meeting.groups.iter().map(|group| group.as_uuid()).collect(),
            weight_kind_id: meeting.weight_kind.map(|kind| kind.as_uuid()),
            participant_count: overview.participant_count,
            question_count: overview.question_count,
            client: MeetingClientView::from(&overview.client),
            created_at: meeting.created_at,
            is_test: meeting.is_test(),
        }
    }
}

/// The public part of a meeting, for an invitation link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000004", "title": "General assembly",
    "clientId": "019a9d5e-0000-7000-8000-000000000001",
    "client": { "id": "019a9d5e-0000-7000-8000-000000000001", "name": "Rowing Club", "clientCode": "rowing-club" },
}))]
pub(crate) struct LinkedMeetingView {
    id: Uuid,
    title: String,
    client_id: Uuid,
    client: MeetingClientView,
}

impl From<&InvitationTarget> for LinkedMeetingView {
    fn from(target: &InvitationTarget) -> Self {
        Self {
            id: target.meeting.id.as_uuid(),
            title: target.meeting.title.to_string(),
            client_id: target.client.id.as_uuid(),
            client: MeetingClientView::from(&target.client),
        }
    }
}
