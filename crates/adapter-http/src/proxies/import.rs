use actix_web::post;
use actix_web::web::{Data, Json};
use plenum_clients::{ReadSheet, SheetReader, SheetRow, normalized_heading};
use plenum_kernel::MeetingId;
use plenum_voting::{GrantRequest, ProxyAuthor, ProxyNote, ProxyReference, ProxyScope, ProxyService};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::views::refused;
use crate::error::ApiError;
use crate::error::ApiErrorBody;
use crate::extract::Body;
use crate::extract::ClientAdmin;
use crate::extract::PathId;
use crate::extract::{MAX_SHEET_BODY, SheetFileBody};

/// The most rows of a file.
const MAX_ROWS: usize = 5_000;

/// The headings of the columns, as [`normalized_heading`] returns them.
const PRINCIPAL: [&str; 7] =
    ["principal", "principalusername", "member", "username", "vollmachtgeber", "vollmachtgeberin", "mitglied"];
const HOLDER: [&str; 7] =
    ["holder", "holderusername", "proxy", "representative", "bevollmachtigter", "bevollmachtigte", "vertreter"];
const REFERENCE: [&str; 5] = ["reference", "proof", "document", "beleg", "nachweis"];
const NOTE: [&str; 5] = ["note", "instructions", "instruction", "weisung", "notiz"];

/// A file with proxies.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "file": { "fileName": "proxies.csv", "content": "UHJpbmNpcGFsLEhvbGRlcixSZWZlcmVuY2UKYWRhLGJlbixGb2xkZXIgMwo=" },
    "dryRun": true,
}))]
pub(super) struct ImportProxiesBody {
    /// The columns are Principal and Holder (usernames), and optionally Reference and Note.
    file: SheetFileBody,
    /// Whether to check the file without storing anything.
    dry_run: bool,
}

/// A row of the file.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "line": 2, "principal": "ada", "holder": "ben", "error": null }))]
pub(super) struct ImportedProxyView {
    /// The line in the file.
    line: u32,
    /// The username of the principal.
    principal: String,
    /// The username of the holder.
    holder: String,
    /// The reason why the row cannot be imported.
    #[schema(required)]
    error: Option<String>,
}

/// The effect of an import of proxies.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "rows": [{ "line": 2, "principal": "ada", "holder": "ben", "error": null }], "errors": 0, "applied": false,
}))]
pub(super) struct ImportedProxiesView {
    /// In the order of the file.
    rows: Vec<ImportedProxyView>,
    /// The number of rows with errors.
    errors: usize,
    /// Whether the proxies are granted; false for a dry run.
    applied: bool,
}

/// The columns of a file with proxies.
struct Columns {
    principal: usize,
    holder: usize,
    reference: Option<usize>,
    note: Option<usize>,
}

impl Columns {
    fn of(headings: &[String]) -> Result<Self, ApiError> {
        let place = |names: &[&str]| {
            headings.iter().position(|heading| {
                let heading: String = normalized_heading(heading).chars().filter(|one| one.is_alphanumeric()).collect();
                names.contains(&heading.as_str())
            })
        };
        match (place(&PRINCIPAL), place(&HOLDER)) {
            (Some(principal), Some(holder)) => {
                Ok(Self { principal, holder, reference: place(&REFERENCE), note: place(&NOTE) })
            }
            _ => Err(ApiError::invalid_field(
                "file.content",
                "Must have columns with the headings Principal and Holder, with usernames.",
            )),
        }
    }

    fn read(&self, row: &SheetRow) -> Result<GrantRequest, String> {
        let cell = |column: usize| row.cells.get(column).map(|cell| cell.trim()).unwrap_or_default();
        let filled = |column: Option<usize>| column.map(cell).filter(|text| !text.is_empty());
        let reference = filled(self.reference).map(ProxyReference::parse).transpose();
        let note = filled(self.note).map(ProxyNote::parse).transpose();
        Ok(GrantRequest {
            principal: Some(cell(self.principal).to_owned()),
            holder: cell(self.holder).to_owned(),
            scope: ProxyScope::Meeting,
            note: note.map_err(|wanted| format!("Note: {wanted}"))?,
            reference: reference.map_err(|wanted| format!("Reference: {wanted}"))?,
        })
    }
}

/// Grants the proxies of a CSV file or an Excel workbook for the whole meeting: all, or none. With `dryRun` it returns the check
/// and stores nothing.
#[utoipa::path(
    tag = "proxies",
    security(("bearer" = [])),
    params(("meetingId" = Uuid, Path)),
    request_body = ImportProxiesBody,
    responses(
        (status = 200, description = "The effect of the import", body = ImportedProxiesView),
        (status = 404, description = "The organization has no such meeting", body = ApiErrorBody),
        (status = 409, description = "Some rows have errors; nothing was imported", body = ApiErrorBody,
         example = json!({ "code": "import_has_errors", "error": "Some rows have errors. Nothing was imported." })),
        (status = 413, description = "The body is larger than 8 MB", body = ApiErrorBody,
         example = json!({ "code": "body_too_large", "error": "The body is larger than 8192 KiB." })),
        (status = 422, description = "The file cannot be used; `fields` contains the requirements", body = ApiErrorBody,
         example = json!({
             "code": "invalid_input", "error": "file.content must have at most 5000 rows.",
             "fields": { "file.content": ["Must have at most 5000 rows."] },
         })),
    ),
)]
#[post("/client/meetings/{meetingId}/proxies/import")]
pub(super) async fn import_proxies(
    admin: ClientAdmin,
    PathId(meeting): PathId<MeetingId>,
    Body(body): Body<ImportProxiesBody, MAX_SHEET_BODY>,
    sheets: Data<dyn SheetReader>,
    proxies: Data<ProxyService>,
) -> Result<Json<ImportedProxiesView>, ApiError> {
    let is_check = body.dry_run;
    let sheet: ReadSheet = body.file.read(&**sheets).await?;
    let columns = Columns::of(&sheet.columns)?;
    if sheet.rows.len() > MAX_ROWS {
        return Err(ApiError::invalid_field("file.content", format!("Must have at most {MAX_ROWS} rows.")));
    }
    let read: Vec<Result<GrantRequest, String>> = sheet.rows.iter().map(|row| columns.read(row)).collect();
    let requests: Vec<GrantRequest> = read.iter().flatten().cloned().collect();
    let is_complete = requests.len() == read.len();
    let by = ProxyAuthor::Organizer(admin.account_id);
    let decided = proxies.grant_all(admin.client_id, meeting, requests, (by, is_check || !is_complete)).await?;
    let mut decided = decided.into_iter();
    let row = |(row, read): (&SheetRow, Result<GrantRequest, String>)| {
        let cell = |column: usize| row.cells.get(column).cloned().unwrap_or_default();
        let error = match read {
            Ok(_) => decided.next().flatten().map(|rule| refused(&rule).body().error),
            Err(error) => Some(error),
        };
        ImportedProxyView { line: row.line, principal: cell(columns.principal), holder: cell(columns.holder), error }
    };
    let rows: Vec<ImportedProxyView> = sheet.rows.iter().zip(read).map(row).collect();
    let errors = rows.iter().filter(|row| row.error.is_some()).count();
    if errors > 0 && !is_check {
        return Err(ApiError::conflict("import_has_errors", "Some rows have errors. Nothing was imported."));
    }
    Ok(Json(ImportedProxiesView { rows, errors, applied: !is_check }))
}
