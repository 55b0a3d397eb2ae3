use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use plenum_clients::{AuditLog, ClientFilter, NotedAct, ReportService, SheetFormat};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::clients::client_filter;
use crate::error::ApiError;
use crate::extract::ListQuery;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::views::download;

/// The filter and the order of the file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportExportQuery {
    /// Plain text to find. `%` and `_` match themselves.
    search: Option<String>,
    /// Only organizations with this status.
    status: Option<String>,
    /// `name` or `-name`.
    sort: Option<String>,
}

impl ReportExportQuery {
    fn read(self) -> Result<ClientFilter, ApiError> {
        let Self { search, status, sort } = self;
        client_filter(&ListQuery { search, status, sort, page: None, page_size: None })
    }
}

/// Downloads the usage reports of organizations as a CSV file, newest organization first unless `sort` is given.
#[utoipa::path(
    tag = "reports",
    security(("bearer" = [])),
    params(ReportExportQuery),
    responses(
        (status = 200, description = "The file",
         headers(("Content-Disposition" = String, description = "The name of the file")),
         body = String, content_type = "text/csv",
         example = json!(
             "\u{feff}Name,Client Code,Status,Plan,End Users,Active End Users,Total Weight,Meetings,Active Meetings,\
              Completed Meetings,Questions,Rounds,Votes Cast,Last Activity\r\n\
              Rowing Club,rowing-club,Active,Basic,180,176,201.5,12,1,9,64,58,7410,2026-11-21T18:09:12Z\r\n"
         )),
    ),
)]
#[get("/reports/clients/export")]
pub(crate) async fn export_client_reports(
    _: SuperAdmin,
    query: Query<ReportExportQuery>,
    reports: Data<ReportService>,
    audit: Data<AuditLog>,
) -> Result<HttpResponse, ApiError> {
    let filter = query.into_inner().read()?;
    audit.note(NotedAct::ReportsExported).await?;
    let file = reports.export(&filter, SheetFormat::Csv).await?;
    Ok(download("text/csv; charset=utf-8", &file.name).body(file.content))
}
