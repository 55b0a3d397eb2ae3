use actix_web::get;
use actix_web::web::{Data, Json, Query};
use chrono::{DateTime, Utc};
use plenum_kernel::{MAX_PAGE_SIZE, MeetingId, PageRequest, SearchText};
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
use crate::extract::read_choice;
use crate::extract::read_number;
use crate::extract::status_parameter;
use crate::meetings::rehearsal::{RehearsalView, example_rehearsal};

/// Rows on a page when nobody says.
const DEFAULT_PAGE_SIZE: u32 = 50;

/// What `status` may ask for.
const STATUSES: [(&str, &[RehearsalStatus]); 6] = [
    ("answered", &[RehearsalStatus::Answered]),
    ("received", &[RehearsalStatus::Received]),
    ("connected", &[RehearsalStatus::Connected]),
    ("absent", &[RehearsalStatus::Absent]),
    ("never_signed_in", &[RehearsalStatus::NeverSignedIn]),
    ("silent", &RehearsalStatus::SILENT),
];

/// Which part of those who are invited is wanted.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct RehearsalQuery {
    /// What [`STATUSES`] lists.
    #[param(ignore)]
    status: Option<String>,
    /// Plain text to look for in name and username, of which the first 200 characters count; `%` and `_` are letters.
    search: Option<String>,
    /// The page, from 1; the first one when missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Rows on a page, at most 200; 50 when missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl RehearsalQuery {
    fn read(&self) -> Result<RehearsalFilter, ApiError> {
        let mut check = FieldCheck::default();
        let statuses = read_choice(&mut check, "status", self.status.as_deref(), &STATUSES);
        let page = read_number(&mut check, "page", self.page.as_deref(), 1, u32::MAX);
        let page_size =
            read_number(&mut check, "pageSize", self.page_size.as_deref(), DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
        let page = page.zip(page_size).map(|(page, page_size)| PageRequest { page, page_size });
        let search = self.search.as_deref().and_then(SearchText::parse);
        let statuses = statuses.unwrap_or(&RehearsalStatus::ALL);
        check.finish(page.map(|page| RehearsalFilter { search, statuses, page }))
    }
}

/// Which of them, as the document says it.
struct StatusQuery;

impl IntoParams for StatusQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![status_parameter(&STATUSES)]
    }
}

/// How somebody who is invited stands to a rehearsal: the first that fits.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RehearsalStatus)]
pub(crate) enum RehearsalStatusName {
    /// They have tapped.
    Answered,
    /// It has arrived on their screen.
    Received,
    /// They are connected, and nothing has arrived.
    Connected,
    /// They are not connected.
    Absent,
    /// They are not connected, and have never signed in.
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

/// Somebody who is invited, and how they stand to the rehearsal.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_person)]
pub(crate) struct RehearsalPersonView {
    end_user_id: Uuid,
    name: String,
    username: String,
    status: RehearsalStatusName,
    /// Whether they are connected now.
    is_connected: bool,
    /// Milliseconds from the start until their screen said that it has arrived.
    #[schema(required)]
    received_ms: Option<u64>,
    /// Milliseconds from the start until they tapped.
    #[schema(required)]
    answered_ms: Option<u64>,
    #[schema(required)]
    last_login_at: Option<DateTime<Utc>>,
}

/// Somebody who has answered, for the document.
fn example_person() -> Value {
    json!({
        "endUserId": "019a9d5e-0000-7000-8000-000000000003", "name": "Ada Brandt", "username": "ada",
        "status": "answered", "isConnected": true, "receivedMs": 84, "answeredMs": 3120,
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
            last_login_at: person.signs.last_login_at,
        }
    }
}

/// How many of those who are invited have which status.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = example_counts)]
pub(crate) struct RehearsalCounts {
    /// Everyone; the others add up to it.
    invited: u64,
    answered: u64,
    received: u64,
    connected: u64,
    absent: u64,
    never_signed_in: u64,
}

/// Counts, for the document.
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

/// Delays in milliseconds, by the nearest rank: each is one that somebody had. `null` where nobody had any.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "medianMs": 91, "p95Ms": 240, "maxMs": 1310 }))]
pub(crate) struct DelayFigures {
    #[schema(required)]
    median_ms: Option<u64>,
    /// Of a hundred, ninety-five took no longer.
    #[schema(required)]
    p95_ms: Option<u64>,
    #[schema(required)]
    max_ms: Option<u64>,
}

impl From<plenum_meetings::DelayFigures> for DelayFigures {
    fn from(figures: plenum_meetings::DelayFigures) -> Self {
        Self { median_ms: figures.median_ms, p95_ms: figures.p95_ms, max_ms: figures.max_ms }
    }
}

/// What has become of the rehearsal of a meeting.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "rehearsal": example_rehearsal(), "counts": example_counts(),
    "received": { "medianMs": 91, "p95Ms": 240, "maxMs": 1310 },
    "answered": { "medianMs": 2870, "p95Ms": 9400, "maxMs": 31020 },
    "data": [example_person()], "meta": { "page": 1, "pageSize": 50, "total": 180 },
}))]
pub(crate) struct RehearsalReportView {
    /// The last one; `null` where there was none.
    #[schema(required)]
    rehearsal: Option<RehearsalView>,
    /// Of everyone, whatever was looked for.
    counts: RehearsalCounts,
    /// Of everyone on whose screen it has arrived.
    received: DelayFigures,
    /// Of everyone who has tapped.
    answered: DelayFigures,
    /// Those who are invited and fit the filter, by name.
    data: Vec<RehearsalPersonView>,
    meta: PageMeta,
}

impl RehearsalReportView {
    fn new(report: RehearsalReport, page: PageRequest) -> Self {
        let meta = PageMeta { page: page.page, page_size: page.page_size, total: report.page.total };
        Self {
            rehearsal: report.rehearsal.map(RehearsalView::from),
            counts: report.counts.into(),
            received: report.received.into(),
            answered: report.answered.into(),
            data: report.page.rows.into_iter().map(RehearsalPersonView::from).collect(),
            meta,
        }
    }
}

/// Tells what has become of the last rehearsal of a meeting: who answered, who did not, and how long it took. Without a
/// rehearsal it tells who is connected, who is not, and who never signed in. `status=silent` are those who are reached and
/// did not answer: `received` and `connected`.
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
