//! The archives of an organization's meetings, for the super administrator who is about to delete it.

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get};
use chrono::{DateTime, Utc};
use plenum_clients::ClientService;
use plenum_kernel::{ClientId, MeetingId, PageRequest};
use plenum_meetings::{MeetingFilter, MeetingOverview, MeetingService, MeetingStatus};
use plenum_result_format::ArchiveFile;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::archive::{ArchiveQuery, ArchiveWriter, WantedArchive, example_archive};
use crate::config::HttpSettings;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::PageMeta;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::read_page;
use crate::views::MeetingStatusName;

/// The statuses of meetings that are over.
const OVER: [MeetingStatus; 2] = [MeetingStatus::Completed, MeetingStatus::Cancelled];

/// A page of archives.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchivesQuery {
    /// The page, from 1; the first one if missing.
    #[param(value_type = Option<u64>, minimum = 1)]
    page: Option<String>,
    /// Meetings on a page, at most 200; 50 if missing.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    page_size: Option<String>,
}

impl ArchivesQuery {
    fn read(&self) -> Result<PageRequest, ApiError> {
        let mut check = FieldCheck::default();
        let page = read_page(&mut check, self.page.as_deref(), self.page_size.as_deref());
        check.finish(page)
    }
}

/// A meeting whose archive can be downloaded.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "meetingId": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting", "status": "COMPLETED",
    "scheduledStartTime": "2026-11-21T18:00:00Z",
}))]
pub(crate) struct ClientArchiveView {
    meeting_id: Uuid,
    title: String,
    status: MeetingStatusName,
    scheduled_start_time: DateTime<Utc>,
}

impl From<&MeetingOverview> for ClientArchiveView {
    fn from(MeetingOverview { meeting, .. }: &MeetingOverview) -> Self {
        Self {
            meeting_id: meeting.id.as_uuid(),
            title: meeting.title.as_str().to_owned(),
            status: meeting.status.into(),
            scheduled_start_time: meeting.schedule.start(),
        }
    }
}

/// A page of meetings whose archives can be downloaded.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "success": true,
    "data": [{
        "meetingId": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting", "status": "COMPLETED",
        "scheduledStartTime": "2026-11-21T18:00:00Z",
    }],
    "meta": { "page": 1, "pageSize": 50, "total": 1 },
}))]
pub(crate) struct ClientArchivesAnswer {
    success: bool,
    data: Vec<ClientArchiveView>,
    meta: PageMeta,
}

/// Lists the meetings of an organization that are over, the latest start first, to download their archives before the organization
/// is deleted. It returns no question, no person and no result.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path), ArchivesQuery),
    responses(
        (status = 200, description = "The meetings", body = ClientArchivesAnswer),
        (status = 404, description = "There is no organization with this id", body = ApiErrorBody),
    ),
)]
#[get("/clients/{clientId}/archives")]
pub(crate) async fn list_client_archives(
    _: SuperAdmin,
    PathId(id): PathId<ClientId>,
    query: Query<ArchivesQuery>,
    clients: Data<ClientService>,
    meetings: Data<MeetingService>,
) -> Result<Json<ClientArchivesAnswer>, ApiError> {
    let page = query.read()?;
    clients.find(id).await?.ok_or_else(ClientId::missing)?;
    let filter = MeetingFilter { statuses: OVER.to_vec(), page: Some(page), ..MeetingFilter::default() };
    let found = meetings.list(id, &filter).await?;
    let meta = PageMeta { page: page.page, page_size: page.page_size, total: found.total };
    let data = found.rows.iter().map(ClientArchiveView::from).collect();
    Ok(Json(ClientArchivesAnswer { success: true, data, meta }))
}

/// Downloads the archive of a meeting that is over, before its organization is deleted. It is the same signed file that an
/// organizer downloads, also with the vote of each person in named rounds. The audit logs of the organization and of the platform
/// have an entry `results_exported` with the super administrator's name.
#[utoipa::path(
    tag = "clients",
    security(("bearer" = [])),
    params(("clientId" = Uuid, Path), ("meetingId" = Uuid, Path), ArchiveQuery),
    responses(
        (status = 200, description = "The archive",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content((ArchiveFile = "application/json", example = example_archive)),
        ),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "The meeting is not over", body = ApiErrorBody,
         example = json!({
             "code": "meeting_not_over",
             "error": "The archive is available when the meeting is completed or cancelled",
         })),
    ),
)]
#[get("/clients/{clientId}/archives/{meetingId}")]
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn download_client_archive(
    _: SuperAdmin,
    PathId(client): PathId<ClientId>,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ArchiveQuery>,
    meetings: Data<MeetingService>,
    archives: ArchiveWriter,
    request: HttpRequest,
    settings: Data<HttpSettings>,
) -> Result<HttpResponse, ApiError> {
    let (time_zone, verify_at) = query.read(&request, &settings)?;
    let found = meetings.find(client, meeting).await?.ok_or_else(MeetingId::missing)?;
    if !OVER.contains(&found.meeting.status) {
        let text = "the archive is available when the meeting is completed or cancelled";
        return Err(ApiError::conflict("meeting_not_over", text));
    }
    archives.write(WantedArchive { client, meeting, time_zone, verify_at }).await
}
