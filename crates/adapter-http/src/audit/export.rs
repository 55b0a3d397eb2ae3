use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use plenum_clients::{AuditLog, AuditScope, NotedAct, SheetFormat, SheetSeal};
use plenum_kernel::{Clock, EvidenceKeys, PortFailure};
use plenum_records::unsigned;
use plenum_result_format::{AuditFile, AuditHead, TableSeal, hexadecimal};
use plenum_voting::PurgeDocuments;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::audit::chain_file::document;
use crate::audit::query::AuditQuery;
use crate::config::HttpSettings;
use crate::error::ApiError;
use crate::error::FieldCheck;
use crate::extract::ClientAdmin;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::read_choice;
use crate::extract::verify_address;
use crate::views::{content_type, download};

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
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditExportQuery {
    /// `csv` and `xlsx` are for spreadsheets and contain the newest 50,000 matching entries, with a signature at the end. `json` is for `plenum
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
    /// The origin of the page, for the address in the file that leads to its check. `PLENUM_PUBLIC_URL` has priority over it. If
    /// both are missing, the server uses the origin of the request. Not with `json`.
    #[param(max_length = 300)]
    public_url: Option<String>,
}

impl AuditExportQuery {
    fn read(self, mut check: FieldCheck) -> Result<(AuditFormat, AuditQuery), ApiError> {
        let format = read_choice(&mut check, "format", self.format.as_deref(), &AuditFormat::ALL);
        if self.format.as_deref().unwrap_or_default().is_empty() {
            check.note("format", "Must be one of csv, xlsx, json.".to_owned());
        }
        let Self { search, person, kind, from, until, .. } = self;
        let format = check.finish(format)?;
        Ok((format, AuditQuery { search, person, kind, from, until, behind: None, limit: None }))
    }
}

/// The data for an export besides its query.
struct Exporting {
    scope: AuditScope,
    log: Data<AuditLog>,
    clock: Data<dyn Clock>,
    keys: Data<dyn EvidenceKeys>,
    settings: Data<HttpSettings>,
    purges: Data<dyn PurgeDocuments>,
}

impl Exporting {
    /// The signer of a table. It includes the end of the chain, so that a table without its newest entries cannot be
    /// mistaken for a complete one.
    async fn seal(&self, verify_at: String) -> Result<SheetSeal, PortFailure> {
        let head = self.log.chain_state(self.scope).await?.head;
        let says = TableSeal {
            content: TableSeal::AUDIT_LOG.to_owned(),
            title: String::new(),
            organization: String::new(),
            exported_at: self.clock.now().format("%Y-%m-%d %H:%M:%S").to_string(),
            records: Vec::new(),
            audit_head: head.map(|(number, hash)| AuditHead { number, hash: hexadecimal(&hash) }),
            verify_at,
            signature: unsigned(&**self.keys),
        };
        Ok(SheetSeal { lines: says.lines(), keys: self.keys.clone().into_inner() })
    }
}

async fn export(request: &HttpRequest, query: AuditExportQuery, with: Exporting) -> Result<HttpResponse, ApiError> {
    let mut check = FieldCheck::default();
    let verify_at = verify_address(&mut check, request, &with.settings, query.public_url.as_deref());
    let (format, query) = query.read(check)?;
    let (filter, _) = query.read()?;
    let (scope, log) = (with.scope, with.log.clone());
    log.note(NotedAct::AuditLogExported(scope, format.name())).await?;
    match format {
        AuditFormat::Json => {
            let mut response = download("application/json", &log.file_name("json"));
            let document = document((log, &**with.purges), scope, &**with.clock, &**with.keys).await?;
            Ok(response.streaming(document))
        }
        AuditFormat::Csv => {
            let seal = with.seal(verify_at).await?;
            let file = log.export(scope, &filter, (SheetFormat::Csv, seal)).await?;
            Ok(download(content_type(SheetFormat::Csv), &file.name).body(file.content))
        }
        AuditFormat::Xlsx => {
            let seal = with.seal(verify_at).await?;
            let file = log.export(scope, &filter, (SheetFormat::Xlsx, seal)).await?;
            Ok(download(content_type(SheetFormat::Xlsx), &file.name).body(file.content))
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
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn export_client_audit(
    admin: ClientAdmin,
    request: HttpRequest,
    query: Query<AuditExportQuery>,
    log: Data<AuditLog>,
    clock: Data<dyn Clock>,
    keys: Data<dyn EvidenceKeys>,
    settings: Data<HttpSettings>,
    purges: Data<dyn PurgeDocuments>,
) -> Result<HttpResponse, ApiError> {
    let with = Exporting { scope: AuditScope::Client(admin.client_id), log, clock, keys, settings, purges };
    export(&request, query.into_inner(), with).await
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
#[expect(clippy::too_many_arguments, reason = "each is what a handler is given by its type")]
pub(crate) async fn export_platform_audit(
    _: SuperAdmin,
    request: HttpRequest,
    query: Query<AuditExportQuery>,
    log: Data<AuditLog>,
    clock: Data<dyn Clock>,
    keys: Data<dyn EvidenceKeys>,
    settings: Data<HttpSettings>,
    purges: Data<dyn PurgeDocuments>,
) -> Result<HttpResponse, ApiError> {
    let with = Exporting { scope: AuditScope::Platform, log, clock, keys, settings, purges };
    export(&request, query.into_inner(), with).await
}
