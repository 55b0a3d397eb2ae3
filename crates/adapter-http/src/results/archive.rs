use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get};
use chrono_tz::Tz;
use plenum_clients::{AuditLog, BrandingStore, NotedAct};
use plenum_kernel::{ClientId, Clock, EvidenceKeys, MeetingId, PortFailure};
use plenum_records::{ArchiveParts, MeetingParts, RecordedResults, archive_file, document_seal, exported_meeting};
use plenum_result_format::{ArchiveFile, ArchivedMinutes, MeetingAudit, ResultDocuments};
use plenum_voting::MeetingRecords;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::export::{
    aside, example_results, failure, file_name, letterhead, read_time_zone, signed_results, unwritten,
};
use crate::config::HttpSettings;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::verify_address;
use crate::views::download;

/// The time zone and the address in the minutes.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ArchiveQuery {
    /// The time zone of the minutes in the archive, such as `Europe/Berlin`; UTC if missing.
    #[param(example = "Europe/Berlin")]
    time_zone: Option<String>,
    /// The origin of the page, for the address in the minutes that leads to their check. `PLENUM_PUBLIC_URL` has priority over it.
    /// If both are missing, the server uses the origin of the request.
    #[param(max_length = 300)]
    public_url: Option<String>,
}

impl ArchiveQuery {
    /// The time zone, and the address of the page that checks files.
    pub(super) fn read(&self, request: &HttpRequest, settings: &HttpSettings) -> Result<(Tz, String), ApiError> {
        let mut check = FieldCheck::default();
        let verify_at = verify_address(&mut check, request, settings, self.public_url.as_deref());
        let zone = read_time_zone(&mut check, self.time_zone.as_deref());
        Ok((check.finish(zone)?, verify_at))
    }
}

/// A meeting whose archive is wanted.
pub(super) struct WantedArchive {
    pub(super) client: ClientId,
    pub(super) meeting: MeetingId,
    /// The time zone of the minutes.
    pub(super) time_zone: Tz,
    /// The address of the page that checks files, for the minutes.
    pub(super) verify_at: String,
}

/// Writes archives of meetings, for organizers and super administrators.
pub(crate) struct ArchiveWriter {
    results: Data<RecordedResults>,
    records: Data<dyn MeetingRecords>,
    documents: Data<dyn ResultDocuments>,
    branding: Data<dyn BrandingStore>,
    meeting_audit: Data<dyn MeetingAudit>,
    keys: Data<dyn EvidenceKeys>,
    clock: Data<dyn Clock>,
    audit: Data<AuditLog>,
}

fn given<T: ?Sized + 'static>(request: &HttpRequest) -> Result<Data<T>, ApiError> {
    let data = request.app_data::<Data<T>>().cloned();
    data.ok_or_else(|| ApiError::unavailable(&PortFailure::new("the writer of archives", "a part of it is missing")))
}

impl FromRequest for ArchiveWriter {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = || {
            Ok(Self {
                results: given(request)?,
                records: given(request)?,
                documents: given(request)?,
                branding: given(request)?,
                meeting_audit: given(request)?,
                keys: given(request)?,
                clock: given(request)?,
                audit: given(request)?,
            })
        };
        ready(read())
    }
}

impl ArchiveWriter {
    /// Notes the export in the audit log, and writes the archive.
    pub(super) async fn write(&self, wanted: WantedArchive) -> Result<HttpResponse, ApiError> {
        let WantedArchive { client, meeting, time_zone, verify_at } = wanted;
        let now = self.clock.now();
        let exported = exported_meeting(&**self.records, &self.results, client, meeting).await?;
        let (record, rounds) = exported.ok_or_else(MeetingId::missing)?;
        let timestamps = self.results.timestamps(client, meeting).await?;
        self.audit.note(NotedAct::ResultsExported(client, meeting, "archive")).await?;
        let name = file_name(&record.title, &format!("archive-{}.json", now.format("%Y-%m-%d")));
        let keys = Arc::clone(&self.keys);
        let seal = document_seal(Arc::clone(&keys), verify_at);
        let parts = MeetingParts::read(record, &*keys, &timestamps);
        let file = signed_results(parts, rounds, now, Arc::clone(&keys)).await?;
        let letterhead = letterhead(&**self.branding, client).await?;
        let pdf = self.documents.minutes(file.clone(), seal, time_zone, letterhead).await.map_err(unwritten)?;
        let entries = self.meeting_audit.of_meeting(client, meeting).await?;
        let content = aside(move || {
            let minutes = ArchivedMinutes::new(time_zone.name().to_owned(), &pdf);
            let (results, audit) = (file, entries);
            let parts = ArchiveParts { client, is_meeting_deleted: false, results, minutes, audit, archived_at: now };
            serde_json::to_vec_pretty(&archive_file(parts, &*keys)).map_err(failure)
        })
        .await?;
        Ok(download("application/json", &name).body(content))
    }
}

/// An example for the OpenAPI document.
pub(super) fn example_archive() -> Value {
    json!({
        "format": "plenum-archive/1", "archivedAt": "2026-11-21T20:30:00Z",
        "organizationId": "019a9d5e-0000-7000-8000-000000000001", "isMeetingDeleted": false,
        "results": example_results(),
        "minutes": { "timeZone": "UTC", "sha256": "5df6e0e2…", "pdf": "JVBERi0…" },
        "audit": { "head": null, "waiting": 0, "leftOut": 0, "entries": [] }, "signature": null,
    })
}

/// Downloads the archive of a meeting as one signed file. It contains the results as the export in JSON has them, the minutes as
/// PDF, the entries of the audit log about the meeting, and the installation's public keys. It is signed as a whole. `plenum archive
/// show` and `plenum verify` read it on any installation.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ArchiveQuery),
    responses(
        (status = 200, description = "The archive",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content((ArchiveFile = "application/json", example = example_archive)),
        ),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/archive")]
pub(crate) async fn archive_meeting(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ArchiveQuery>,
    archives: ArchiveWriter,
    request: HttpRequest,
    settings: Data<HttpSettings>,
) -> Result<HttpResponse, ApiError> {
    let (time_zone, verify_at) = query.read(&request, &settings)?;
    let client = admin.client_id;
    archives.write(WantedArchive { client, meeting, time_zone, verify_at }).await
}
