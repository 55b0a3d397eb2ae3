use std::sync::Arc;

use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, get};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use plenum_clients::{AccentColor, AuditLog, BrandingStore, NotedAct, SheetFormat};
use plenum_kernel::{ClientId, Clock, EvidenceKeys, MeetingId, PortFailure};
use plenum_records::{
    MeetingParts, RecordedResults, RoundsOfMeeting, document_seal, exported_meeting, results_file, sign_results,
};
use plenum_result_format::{DocumentFailure, Letterhead, LetterheadLogo, ResultDocuments, ResultsFile};
use plenum_voting::MeetingRecords;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::config::HttpSettings;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::error::FieldCheck;
use crate::extract::ApiId as _;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::Query;
use crate::extract::read_choice;
use crate::extract::verify_address;
use crate::views::{content_type, download};

/// The name of the document writer in errors.
const WHAT: &str = "the writer of documents";

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum ResultsFormat {
    Csv,
    Xlsx,
    Json,
    Pdf,
}

impl ResultsFormat {
    const ALL: [(&'static str, Self); 4] =
        [("csv", Self::Csv), ("xlsx", Self::Xlsx), ("json", Self::Json), ("pdf", Self::Pdf)];

    fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
            Self::Pdf => "pdf",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Csv => content_type(SheetFormat::Csv),
            Self::Xlsx => content_type(SheetFormat::Xlsx),
            Self::Json => "application/json",
            Self::Pdf => "application/pdf",
        }
    }
}

/// The format of the file.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ResultsExportQuery {
    /// `csv` and `xlsx` are for spreadsheets, `json` is for `plenum verify`, and `pdf` contains the minutes.
    #[param(inline, value_type = ResultsFormat, required = true)]
    format: Option<String>,
    /// The time zone of the minutes, such as `Europe/Berlin`; UTC if missing.
    #[param(example = "Europe/Berlin")]
    time_zone: Option<String>,
    /// The origin of the page, for the address in the file that leads to its check. `PLENUM_PUBLIC_URL` has priority over it. If
    /// both are missing, the server uses the origin of the request.
    #[param(max_length = 300)]
    public_url: Option<String>,
}

impl ResultsExportQuery {
    fn read(&self, mut check: FieldCheck) -> Result<(ResultsFormat, Tz), ApiError> {
        let format = read_choice(&mut check, "format", self.format.as_deref(), &ResultsFormat::ALL);
        if self.format.as_deref().unwrap_or_default().is_empty() {
            check.note("format", "Must be one of csv, xlsx, json, pdf.".to_owned());
        }
        let zone = read_time_zone(&mut check, self.time_zone.as_deref());
        check.finish(format.zip(zone))
    }
}

/// Reads the time zone of the minutes: UTC if it is missing.
pub(super) fn read_time_zone(check: &mut FieldCheck, name: Option<&str>) -> Option<Tz> {
    let zone = name.filter(|name| !name.is_empty()).unwrap_or("UTC").parse::<Tz>();
    if zone.is_err() {
        check.note("timeZone", "Must be the name of a time zone, such as Europe/Berlin.".to_owned());
    }
    zone.ok()
}

/// An example for the OpenAPI document.
pub(super) fn example_results() -> Value {
    json!({
        "format": "plenum-results/2", "exportedAt": "2026-11-21T20:30:00Z",
        "meeting": {
            "id": "019a9d5e-0000-7000-8000-000000000004", "title": "Annual meeting", "organization": "Rowing Club",
            "status": "COMPLETED", "scheduledStart": "2026-11-21T18:00:00Z", "scheduledEnd": "2026-11-21T20:00:00Z",
            "quorum": null,
        },
        "rounds": [], "attendance": [], "remarks": [],
    })
}

/// Downloads the results of all ended rounds of a meeting as a file, with registers, ballots, attendance, remarks, closing
/// records and amendments.
/// Only for named votes does it show the vote of each person. The file is signed with the installation's key, and declared
/// results carry the hash and the signature of their records.
#[utoipa::path(
    tag = "results",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path), ResultsExportQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (ResultsFile = "application/json", example = example_results),
             (String = "text/csv", example = json!("\u{feff}Section,…\r\n")),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
             (String = "application/pdf", example = json!("%PDF-…")),
         )),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
    ),
)]
#[get("/client/meetings/{meetingId}/results/export")]
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn export_results(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    query: Query<ResultsExportQuery>,
    results: Data<RecordedResults>,
    records: Data<dyn MeetingRecords>,
    documents: Data<dyn ResultDocuments>,
    branding: Data<dyn BrandingStore>,
    keys: Data<dyn EvidenceKeys>,
    clock: Data<dyn Clock>,
    audit: Data<AuditLog>,
    request: HttpRequest,
    settings: Data<HttpSettings>,
) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    let verify_at = verify_address(&mut check, &request, &settings, query.public_url.as_deref());
    let (format, time_zone) = query.read(check)?;
    let now = clock.now();
    let exported = exported_meeting(&**records, &results, admin.client_id, meeting).await?;
    let (record, rounds) = exported.ok_or_else(MeetingId::missing)?;
    let timestamps = results.timestamps(admin.client_id, meeting).await?;
    audit.note(NotedAct::ResultsExported(admin.client_id, meeting, format.extension())).await?;
    let end = format!("results-{}.{}", now.format("%Y-%m-%d"), format.extension());
    let name = file_name(&record.title, &end);
    let keys = keys.into_inner();
    let seal = document_seal(Arc::clone(&keys), verify_at);
    let parts = MeetingParts::read(record, &*keys, &timestamps);
    let file = signed_results(parts, rounds, now, keys).await?;
    let content = match format {
        ResultsFormat::Json => aside(move || serde_json::to_vec_pretty(&file).map_err(failure)).await?,
        ResultsFormat::Csv => documents.csv(file, seal).await.map_err(unwritten)?,
        ResultsFormat::Xlsx => documents.xlsx(file, seal).await.map_err(unwritten)?,
        ResultsFormat::Pdf => {
            let letterhead = letterhead(&**branding, admin.client_id).await?;
            documents.minutes(file, seal, time_zone, letterhead).await.map_err(unwritten)?
        }
    };
    Ok(download(format.content_type(), &name).body(content))
}

/// The letterhead of the organization's minutes.
pub(super) async fn letterhead(branding: &dyn BrandingStore, owner: ClientId) -> Result<Letterhead, PortFailure> {
    let accent = branding.branding(owner).await?.accent.map(AccentColor::channels);
    let logo = branding.logo(owner).await?;
    let logo = logo.map(|logo| LetterheadLogo { media_type: logo.format.media_type(), content: logo.content });
    Ok(Letterhead { accent, logo })
}

/// The signed results of a meeting as a file contains them.
pub(super) async fn signed_results(
    parts: MeetingParts,
    rounds: RoundsOfMeeting,
    exported_at: DateTime<Utc>,
    keys: Arc<dyn EvidenceKeys>,
) -> Result<ResultsFile, ApiError> {
    aside(move || {
        let mut file = results_file(parts, rounds, exported_at);
        sign_results(&mut file, &*keys);
        Ok(file)
    })
    .await
}

/// Runs long work for many voters on another thread than those that serve requests.
pub(super) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    web::block(work).await.map_err(failure)?
}

pub(super) fn failure(cause: impl std::error::Error + Send + Sync + 'static) -> ApiError {
    ApiError::unavailable(&PortFailure::new(WHAT, cause))
}

pub(super) fn unwritten(cause: DocumentFailure) -> ApiError {
    failure(cause)
}

/// The file name contains the meeting's title in letters a to z, digits and hyphens, and ends with `end`.
pub(super) fn file_name(title: &str, end: &str) -> String {
    const LONGEST: usize = 60;
    let ascii = deunicode::deunicode(title).to_lowercase();
    let words: Vec<&str> =
        ascii.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut slug = words.join("-");
    slug.truncate(LONGEST);
    let slug = if slug.is_empty() { "meeting" } else { slug.trim_end_matches('-') };
    format!("{slug}-{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_contains_the_title_in_plain_letters() {
        let name = |title| file_name(title, "results-2026-11-21.json");
        assert_eq!(name("General assembly"), "general-assembly-results-2026-11-21.json");
        assert_eq!(name("Jährliche \"Versammlung\"; 2/3"), "jahrliche-versammlung-2-3-results-2026-11-21.json");
        assert_eq!(name("Собрание"), "sobranie-results-2026-11-21.json");
        assert_eq!(name("…"), "results-2026-11-21.json".replace("results", "meeting-results"));
        assert_eq!(name(&"long ".repeat(40)).len(), "-results-2026-11-21.json".len() + 59);
    }

    #[test]
    fn a_query_has_a_format_and_optionally_a_time_zone() {
        let read = |format: Option<&str>, zone: Option<&str>| {
            let (format, time_zone) = (format.map(str::to_owned), zone.map(str::to_owned));
            ResultsExportQuery { format, time_zone, public_url: None }.read(FieldCheck::default())
        };
        assert_eq!(read(Some("pdf"), Some("Europe/Berlin")).unwrap(), (ResultsFormat::Pdf, Tz::Europe__Berlin));
        assert_eq!(read(Some("json"), None).unwrap(), (ResultsFormat::Json, Tz::UTC));
        for (format, zone) in [(None, None), (Some(""), None), (Some("doc"), None), (Some("pdf"), Some("Mars"))] {
            assert!(read(format, zone).is_err(), "{format:?} {zone:?}");
        }
    }
}
