use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_kernel::{MeetingId, Page, SearchText};
use plenum_meetings::{AttendanceFilter, AttendanceTotals, CheckInService, People, PresenceFilter};
use plenum_result_format::Count;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::check_in::views::AttendeeView;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::meta_of;
use crate::extract::read_choice;
use crate::extract::read_page;

/// The values of `presence`.
const PRESENCES: [(&str, PresenceFilter); 2] =
    [("present", PresenceFilter::Present), ("absent", PresenceFilter::Absent)];

/// Whether people are present.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only describes the values of a parameter")]
pub(crate) enum PresenceChoice {
    Present,
    Absent,
}

/// The filter and the page of an attendance list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct AttendanceQuery {
    /// Plain text to find in name, username and email address. `%` and `_` match themselves.
    search: Option<String>,
    /// Only present or only absent people.
    #[param(inline, value_type = Option<PresenceChoice>)]
    presence: Option<String>,
    /// The page, from 1.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

/// Present people, and all who may vote.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "present": { "heads": 164, "weight": 183.25 }, "eligible": { "heads": 180, "weight": 201.5 } }))]
pub(crate) struct AttendanceTotalsView {
    present: Count,
    eligible: Count,
}

impl From<AttendanceTotals> for AttendanceTotalsView {
    fn from(totals: AttendanceTotals) -> Self {
        let count = |people: People| Count { heads: people.heads, weight: people.weight.normalize() };
        Self { present: count(totals.present), eligible: count(totals.eligible) }
    }
}

/// A page of the people who may vote, with the totals of all of them.
#[derive(Serialize, ToSchema)]
pub(crate) struct AttendanceAnswer {
    success: bool,
    data: Vec<AttendeeView>,
    totals: AttendanceTotalsView,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// Lists the people who may vote in a meeting by name, and whether they are checked in. The totals ignore the filter.
#[utoipa::path(
    tag = "check-in",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), AttendanceQuery),
    responses(
        (status = 200, description = "The people", body = AttendanceAnswer),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/attendance")]
pub(crate) async fn list_attendance(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<AttendanceQuery>,
    check_ins: Data<CheckInService>,
) -> Result<Json<AttendanceAnswer>, ApiError> {
    let mut check = FieldCheck::default();
    let presence = read_choice(&mut check, "presence", query.presence.as_deref(), &PRESENCES);
    let page = read_page(&mut check, query.page.as_deref(), query.page_size.as_deref());
    let page = check.finish(page)?;
    let search = query.search.as_deref().and_then(SearchText::parse);
    let filter = AttendanceFilter { search, presence, page: Some(page) };
    let found = check_ins.people(admin.client_id, meeting, &filter).await?.ok_or_else(MeetingId::missing)?;
    let totals = found.totals.into();
    let rows = Page { rows: found.rows, total: found.total };
    let meta = meta_of(Some(page), &rows);
    let data = rows.rows.into_iter().map(AttendeeView::from).collect();
    Ok(Json(AttendanceAnswer { success: true, data, totals, meta }))
}
