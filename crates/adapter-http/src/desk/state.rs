use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::Clock;
use plenum_meetings::CheckInService;
use plenum_result_format::WeightKindFormat;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::check_in::{CheckInName, DeskPurposeName};
use crate::error::ApiError;
use crate::extract::AnyDesk;
use crate::views::MeetingStatusName;

/// The meeting of a desk.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "desk": "Desk 1", "purpose": "CHECK_IN", "meetingId": "019a9d5e-0000-7000-8000-000000000001", "meetingTitle": "General assembly", "organization": "Rowing Club", "status": "ACTIVE", "checkIn": "ON",
    "weightKind": null,
    "present": 164, "eligible": 180, "lastEntry": 170, "serverTime": "2026-11-21T18:04:20.500Z",
}))]
pub(crate) struct DeskStateView {
    /// The name of the desk.
    desk: String,
    purpose: DeskPurposeName,
    meeting_id: Uuid,
    meeting_title: String,
    organization: String,
    status: MeetingStatusName,
    check_in: CheckInName,
    /// The kind that the meeting counts as weight. Null for the ordinary weight.
    #[schema(required)]
    weight_kind: Option<WeightKindFormat>,
    /// The people who are checked in and may vote.
    present: u64,
    /// The people who may vote.
    eligible: u64,
    /// The number of the last entry in the log.
    last_entry: u32,
    /// A desk that had no network sends it as `contactAt`.
    server_time: DateTime<Utc>,
}

/// Returns the meeting of the desk, and how many people are there.
#[utoipa::path(
    tag = "desk",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The meeting", body = DeskStateView),
    ),
)]
#[get("/desk")]
pub(crate) async fn desk_state(
    AnyDesk(desk): AnyDesk,
    check_ins: Data<CheckInService>,
    clock: Data<dyn Clock>,
) -> Result<Json<DeskStateView>, ApiError> {
    let totals = check_ins.totals_of_desk(&desk).await?;
    Ok(Json(DeskStateView {
        desk: desk.name.clone(),
        purpose: desk.purpose.into(),
        meeting_id: desk.meeting.as_uuid(),
        meeting_title: desk.meeting_title.clone(),
        organization: desk.client_name.clone(),
        status: desk.status.into(),
        check_in: desk.check_in.into(),
        weight_kind: desk.weight_kind.as_ref().map(Into::into),
        present: totals.present.heads,
        eligible: totals.eligible.heads,
        last_entry: totals.entries,
        server_time: clock.now(),
    }))
}
