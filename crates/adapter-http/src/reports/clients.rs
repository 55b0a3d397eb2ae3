use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::ReportService;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clients::{ClientStatusQuery, client_filter};
use crate::error::ApiError;
use crate::extract::ListQuery;
use crate::extract::PageMeta;
use crate::extract::Query;
use crate::extract::SuperAdmin;
use crate::extract::meta_of;
use crate::reports::views::{ClientReportView, example_report};

/// The usage reports of organizations.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_report()] }))]
pub(crate) struct ClientReportAnswer {
    success: bool,
    data: Vec<ClientReportView>,
    /// With `page` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<PageMeta>,
}

/// Lists the usage reports of organizations, newest organization first unless `sort` is given.
#[utoipa::path(
    tag = "reports",
    security(("bearer" = [])),
    params(ListQuery, ClientStatusQuery),
    responses(
        (status = 200, description = "The reports", body = ClientReportAnswer),
    ),
)]
#[get("/reports/clients")]
pub(crate) async fn report_clients(
    _: SuperAdmin,
    query: Query<ListQuery>,
    reports: Data<ReportService>,
) -> Result<Json<ClientReportAnswer>, ApiError> {
    let filter = client_filter(&query)?;
    let page = reports.list(&filter).await?;
    let meta = meta_of(filter.page, &page);
    Ok(Json(ClientReportAnswer { success: true, data: page.rows.iter().map(ClientReportView::from).collect(), meta }))
}
