use actix_web::get;
use actix_web::web::{Data, Json};
use plenum_clients::{AuditLog, AuditScope};
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::query::{AuditQuery, place_text};
use crate::audit::views::{AuditEntryView, example_entry};
use crate::error::ApiError;
use crate::extract::ClientAdmin;
use crate::extract::Query;
use crate::extract::SuperAdmin;

/// A page of an audit log, newest entry first.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": [example_entry()], "next": "1795341871250017-4711" }))]
pub(crate) struct AuditAnswer {
    success: bool,
    data: Vec<AuditEntryView>,
    /// The value of `behind` for the next page. Null on the last page.
    #[schema(required)]
    next: Option<String>,
}

async fn page(log: &AuditLog, scope: AuditScope, query: &AuditQuery) -> Result<Json<AuditAnswer>, ApiError> {
    let (filter, limit) = query.read()?;
    let mut entries = log.list(scope, &filter, limit + 1).await?;
    let there_is_more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let next = entries.last().filter(|_| there_is_more).map(|entry| place_text(entry.place));
    Ok(Json(AuditAnswer { success: true, data: entries.into_iter().map(AuditEntryView::from).collect(), next }))
}

/// Lists the audit log of the organization, newest entry first.
#[utoipa::path(
    tag = "audit log",
    security(("bearer" = [])),
    params(AuditQuery),
    responses(
        (status = 200, description = "The entries", body = AuditAnswer),
    ),
)]
#[get("/client/audit")]
pub(crate) async fn list_client_audit(
    admin: ClientAdmin,
    query: Query<AuditQuery>,
    log: Data<AuditLog>,
) -> Result<Json<AuditAnswer>, ApiError> {
    page(&log, AuditScope::Client(admin.client_id), &query).await
}

/// Lists the audit log of the platform, newest entry first. It contains the actions of super administrators and changes
/// to organizations themselves.
#[utoipa::path(
    tag = "audit log",
    security(("bearer" = [])),
    params(AuditQuery),
    responses(
        (status = 200, description = "The entries", body = AuditAnswer),
    ),
)]
#[get("/audit")]
pub(crate) async fn list_platform_audit(
    _: SuperAdmin,
    query: Query<AuditQuery>,
    log: Data<AuditLog>,
) -> Result<Json<AuditAnswer>, ApiError> {
    page(&log, AuditScope::Platform, &query).await
}
