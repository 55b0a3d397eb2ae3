use actix_web::get;
use actix_web::web::{Data, Json};
use chrono::{DateTime, Utc};
use plenum_kernel::{MeetingId, PageRequest, SearchText};
use plenum_meetings::{RehearsalFilter, RehearsalPerson, RehearsalReport, RehearsalService, RehearsalStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::read_choice;
use crate::extract::read_flag;
use crate::extract::read_page;
use crate::extract::status_parameter;
use crate::meetings::rehearsal::{RehearsalView, example_rehearsal};

/// The values of `status`.
const STATUSES: [(&str, &[RehearsalStatus]); 6] = [
    ("answered", &[RehearsalStatus::Answered]),
    ("received", &[RehearsalStatus::Received]),
    ("connected", &[RehearsalStatus::Connected]),
    ("absent", &[RehearsalStatus::Absent]),
    ("never_signed_in", &[RehearsalStatus::NeverSignedIn]),
    ("silent", &RehearsalStatus::SILENT),
];

/// The filter and the page of participants.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct RehearsalQuery {
    /// One of [`STATUSES`].
    #[param(ignore)]
    status: Option<String>,
    /// Only people whose device can (`true`), or cannot (`false`), seal a secret ballot by itself.
    #[param(value_type = Option<bool>)]
    can_seal: Option<String>,
    /// Plain text to find in name and username. The first 200 characters count. `%` and `_` match themselves.
    search: Option<String>,
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl RehearsalQuery {
    fn read(&self) -> Result<RehearsalFilter, ApiError> {
        let mut check = FieldCheck::default();
        let statuses = read_choice(&mut check, "status", self.status.as_deref(), &STATUSES);
        let can_seal = read_flag(&mut check, "canSeal", self.can_seal.as_deref());
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        let search = self.search.as_deref().and_then(SearchText::parse);
        let statuses = statuses.unwrap_or(&RehearsalStatus::ALL);
        check.finish(page.map(|page| RehearsalFilter { search, statuses, can_seal, page }))
    }
}

/// The `status` parameter in the OpenAPI document.
struct StatusQuery;

impl IntoParams for StatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATUSES)]
    }
}

/// The status of a participant in a rehearsal: the first that applies.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RehearsalStatus)]
pub(crate) enum RehearsalStatusName {
    /// The voter has tapped.
    Answered,
    /// The voter's screen has confirmed the rehearsal.
    Received,
    /// The voter is connected, and the screen has confirmed nothing.
    Connected,
    /// The voter is not connected.
    Absent,
    /// The voter is not connected, and has never signed in.
    NeverSignedIn,
}

impl From<RehearsalStatus> for RehearsalStatusName {
    fn from(status: RehearsalStatus) -> Self {
        match status {
            RehearsalStatus::Answered => Self::Answered,
            RehearsalStatus::Received => Self::Received,
            RehearsalStatus::Connected => Self::Connected,
            RehearsalStatus::Absent => Self::Absent,
            RehearsalStatus::NeverSignedIn => Self::NeverSignedIn,
        }
    }
}

/// A participant and their status in the rehearsal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_person)]
pub(crate) struct RehearsalPersonView {
    end_user_id: Uuid,
    name: String,
    username: String,
    status: RehearsalStatusName,
    /// Whether the voter is connected now.
    is_connected: bool,
    /// Milliseconds from the start until the voter's screen confirmed the rehearsal.
    #[schema(required)]
    received_ms: Option<u64>,
    /// Milliseconds from the start until the voter tapped.
    #[schema(required)]
    answered_ms: Option<u64>,
    /// Whether the voter's device can seal a secret ballot by itself. `null` if it did not say so.
    #[schema(required)]
    can_seal: Option<bool>,
    #[schema(required)]
    last_login_at: Option<DateTime<Utc>>,
}

/// An example for the OpenAPI document.
fn example_person() -> Value {
    json!({
        "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Brandt", "username": "ada",
        "status": "answered", "isConnected": true, "receivedMs": 84, "answeredMs": 3120, "canSeal": true,
        "lastLoginAt": "2026-11-21T17:31:12.004Z",
    })
}

impl From<RehearsalPerson> for RehearsalPersonView {
    fn from(person: RehearsalPerson) -> Self {
        let status = person.status().into();
        Self {
            end_user_id: person.id.as_uuid(),
            name: person.name,
            username: person.username,
            status,
            is_connected: person.signs.is_connected,
            received_ms: person.signs.received_ms,
            answered_ms: person.signs.answered_ms,
            can_seal: person.signs.can_seal,
            last_login_at: person.signs.last_login_at,
        }
    }
}

/// The number of participants with each status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_counts)]
pub(crate) struct RehearsalCounts {
    /// All participants; the sum of the other numbers.
    invited: u64,
    answered: u64,
    received: u64,
    connected: u64,
    absent: u64,
    never_signed_in: u64,
}

/// An example for the OpenAPI document.
fn example_counts() -> Value {
    json!({ "invited": 180, "answered": 151, "received": 6, "connected": 2, "absent": 17, "neverSignedIn": 4 })
}

impl From<plenum_meetings::RehearsalCounts> for RehearsalCounts {
    fn from(counts: plenum_meetings::RehearsalCounts) -> Self {
        Self {
            invited: counts.invited(),
            answered: counts.answered,
            received: counts.received,
            connected: counts.connected,
            absent: counts.absent,
            never_signed_in: counts.never_signed_in,
        }
    }
}

/// Delays in milliseconds by nearest rank, so each is the delay of one voter. `null` without any voter.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = DelayFigures, example = json!({ "medianMs": 91, "p95Ms": 240, "maxMs": 1310 }))]
pub(crate) struct DelayStatistics {
    #[schema(required)]
    median_ms: Option<u64>,
    /// 95 % of voters had at most this delay.
    #[schema(required)]
    p95_ms: Option<u64>,
    #[schema(required)]
    max_ms: Option<u64>,
}

impl From<plenum_meetings::DelayStatistics> for DelayStatistics {
    fn from(figures: plenum_meetings::DelayStatistics) -> Self {
        Self { median_ms: figures.median_ms, p95_ms: figures.p95_ms, max_ms: figures.max_ms }
    }
}

/// The report of a rehearsal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "rehearsal": example_rehearsal(), "counts": example_counts(), "cannotSeal": 0,
    "received": { "medianMs": 91, "p95Ms": 240, "maxMs": 1310 },
    "answered": { "medianMs": 2870, "p95Ms": 9400, "maxMs": 31020 },
    "data": [example_person()], "meta": { "page": 1, "pageSize": 50, "total": 180 },
}))]
pub(crate) struct RehearsalReportView {
    /// The last rehearsal; `null` if there was none.
    #[schema(required)]
    rehearsal: Option<RehearsalView>,
    /// The counts of all participants, regardless of the filter.
    counts: RehearsalCounts,
    /// The number of participants whose device cannot seal a secret ballot by itself, regardless of the filter. The server seals
    /// for them.
    cannot_seal: u64,
    /// The delays of all voters whose screens confirmed the rehearsal.
    received: DelayStatistics,
    /// The delays of all voters who tapped.
    answered: DelayStatistics,
    /// The participants that match the filter, by name.
    data: Vec<RehearsalPersonView>,
    meta: PageMeta,
}

impl RehearsalReportView {
    fn new(report: RehearsalReport, page: PageRequest) -> Self {
        let meta = PageMeta { page: page.page, page_size: page.page_size, total: report.page.total };
        Self {
            rehearsal: report.rehearsal.map(RehearsalView::from),
            counts: report.counts.into(),
            cannot_seal: report.cannot_seal,
            received: report.received.into(),
            answered: report.answered.into(),
            data: report.page.rows.into_iter().map(RehearsalPersonView::from).collect(),
            meta,
        }
    }
}

/// Returns the report of the last rehearsal: the people with and without an answer, and the delays. Without a rehearsal
/// it shows the people who are connected, not connected, or never signed in. `status=silent` selects voters who are
/// reachable and did not answer: `received` and `connected`.
#[utoipa::path(
    tag = "meetings",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), StatusQuery, RehearsalQuery),
    responses(
        (status = 200, description = "The report", body = RehearsalReportView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/rehearsal")]
pub(crate) async fn rehearsal_report(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<RehearsalQuery>,
    rehearsals: Data<RehearsalService>,
) -> Result<Json<RehearsalReportView>, ApiError> {
    let filter = query.read()?;
    let report = rehearsals.report(admin.client_id, meeting, &filter).await?.ok_or_else(MeetingId::missing)?;
    Ok(Json(RehearsalReportView::new(report, filter.page)))
}
