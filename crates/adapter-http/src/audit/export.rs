use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_clients::{AuditLog, AuditScope, NotedAct, SheetFormat};
use plenum_kernel::{Clock, EvidenceKeys};
use plenum_result_format::AuditFile;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::audit::chain_file::document;
use crate::audit::query::AuditQuery;
use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::read_choice;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum AuditFormat {
    Csv,
    Xlsx,
    Json,
}

impl AuditFormat {
    const ALL: [(&'static str, Self); 3] = [("csv", Self::Csv), ("xlsx", Self::Xlsx), ("json", Self::Json)];

    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Json => "json",
        }
    }
}

/// The filter and the format of an export.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditExportQuery {
    /// `csv` and `xlsx` are for spreadsheets and contain the newest 50,000 matching entries. `json` is for `plenum
    /// verify` and contains the whole chain.
    #[param(inline, value_type = AuditFormat, required = true)]
    format: Option<String>,
    /// Plain text to find. Not with `json`.
    search: Option<String>,
    /// Part of the name of the actor or the affected person. Not with `json`.
    person: Option<String>,
    /// Only entries of this kind. Not with `json`.
    kind: Option<String>,
    /// Only entries at or after this time. Not with `json`.
    #[param(value_type = Option<DateTime<Utc>>)]
    from: Option<String>,
    /// Only entries before this time. Not with `json`.
    #[param(value_type = Option<DateTime<Utc>>)]
    until: Option<String>,
}

impl AuditExportQuery {
    fn read(self) -> Result<(AuditFormat, AuditQuery), ApiError> {
        let mut check = FieldCheck::default();
        let format = read_choice(&mut check, "format", self.format.as_deref(), &AuditFormat::ALL);
        if self.format.as_deref().unwrap_or_default().is_empty() {
            check.note("format", "Must be one of csv, xlsx, json.".to_owned());
        }
        let Self { search, person, kind, from, until, .. } = self;
        let format = check.finish(format)?;
        Ok((format, AuditQuery { search, person, kind, from, until, behind: None, limit: None }))
    }
}

async fn export(
    scope: AuditScope,
    query: AuditExportQuery,
    log: Data<AuditLog>,
    with: (&dyn Clock, &dyn EvidenceKeys),
) -> Result<HttpResponse, ApiError> {
    let (format, query) = query.read()?;
    let (filter, _) = query.read()?;
    log.note(NotedAct::AuditLogExported(scope, format.name())).await?;
    let mut response = HttpResponse::Ok();
    // The names contain only characters that need no quoting.
    let named = |name: &str| (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
    match format {
        AuditFormat::Json => {
            response.insert_header((CONTENT_TYPE, "application/json")).insert_header(named(&log.file_name("json")));
            let document = document(log, scope, with.0, with.1).await?;
            Ok(response.streaming(document))
        }
        AuditFormat::Csv => {
            let file = log.export(scope, &filter, SheetFormat::Csv).await?;
            response.insert_header((CONTENT_TYPE, "text/csv; charset=utf-8")).insert_header(named(&file.name));
            Ok(response.body(file.content))
        }
        AuditFormat::Xlsx => {
            let file = log.export(scope, &filter, SheetFormat::Xlsx).await?;
            let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            response.insert_header((CONTENT_TYPE, kind)).insert_header(named(&file.name));
            Ok(response.body(file.content))
        }
    }
}

/// Downloads the audit log of the organization as a file.
#[utoipa::path(
    tag = "audit log",
    security(("bearer" = [])),
    params(AuditExportQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (AuditFile = "application/json", example = json!({
                 "format": "plenum-audit/1", "chain": "019a9d5e-0000-7000-8000-000000000001",
                 "exportedAt": "2026-11-22T11:00:00Z", "waiting": 0, "head": null, "entries": [],
             })),
             (String = "text/csv", example = json!("\u{feff}Time,Number,…\r\n")),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
         )),
    ),
)]
#[get("/client/audit/export")]
pub(crate) async fn export_client_audit(
    admin: ClientAdmin,
    query: Query<AuditExportQuery>,
    log: Data<AuditLog>,
    clock: Data<dyn Clock>,
    keys: Data<dyn EvidenceKeys>,
) -> Result<HttpResponse, ApiError> {
    export(AuditScope::Client(admin.client_id), query.into_inner(), log, (&**clock, &**keys)).await
}

/// Downloads the audit log of the platform as a file.
#[utoipa::path(
    tag = "audit log",
    security(("bearer" = [])),
    params(AuditExportQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         content(
             (AuditFile = "application/json", example = json!({
                 "format": "plenum-audit/1", "chain": "00000000-0000-0000-0000-000000000000",
                 "exportedAt": "2026-11-22T11:00:00Z", "waiting": 0, "head": null, "entries": [],
             })),
             (String = "text/csv", example = json!("\u{feff}Time,Number,…\r\n")),
             (String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", example = json!("PK…")),
         )),
    ),
)]
#[get("/audit/export")]
pub(crate) async fn export_platform_audit(
    _: SuperAdmin,
    query: Query<AuditExportQuery>,
    log: Data<AuditLog>,
    clock: Data<dyn Clock>,
    keys: Data<dyn EvidenceKeys>,
) -> Result<HttpResponse, ApiError> {
    export(AuditScope::Platform, query.into_inner(), log, (&**clock, &**keys)).await
}
