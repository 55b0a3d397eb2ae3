use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::web::{Data, Json, ServiceConfig, get};
use actix_web::{HttpResponse, get};
use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ErrorCode;

/// Why the product cannot work at the moment, as a sentence for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReady(pub String);

/// Knows whether everything that requests need is there.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// Whether the database answers and all migrations are done.
    async fn check(&self) -> Result<(), NotReady>;

    /// Whether other instances are heard at this moment. `None` where there are none. Without them voting goes on, so that
    /// nobody is less ready for it.
    fn hears_other_instances(&self) -> Option<bool>;
}

/// The process is alive.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthView {
    /// `ok`
    #[schema(example = "ok")]
    status: &'static str,
}

/// Whether requests can be served.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadinessView {
    /// `ready` or `not_ready`
    #[schema(example = "ready")]
    status: &'static str,
    /// Where several instances work on one database: `connected`, or `away` while what happens on the others is shown some
    /// seconds late, because the server between them is not reached
    #[serde(skip_serializing_if = "Option::is_none")]
    bus: Option<&'static str>,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// As with every other answer that says so: `temporarily_unavailable`
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

/// Says that the process is alive.
#[utoipa::path(tag = "system", responses((status = 200, description = "Alive", body = HealthView)))]
#[get("/health")]
pub(crate) async fn check_health() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}

/// Says whether the database is reachable and migrated.
#[utoipa::path(
    tag = "system",
    responses(
        (status = 200, description = "Ready", body = ReadinessView),
        (status = 503, description = "Not ready", body = ReadinessView,
         example = json!({
             "status": "not_ready", "reason": "The database does not answer.", "code": "temporarily_unavailable",
         })),
    ),
)]
#[get("/health/ready")]
pub(crate) async fn check_readiness(readiness: Data<dyn Readiness>) -> HttpResponse {
    answer(&**readiness).await
}

async fn answer(readiness: &dyn Readiness) -> HttpResponse {
    let bus = readiness.hears_other_instances().map(|is_heard| if is_heard { "connected" } else { "away" });
    match readiness.check().await {
        Ok(()) => HttpResponse::Ok().json(ReadinessView { status: "ready", bus, reason: None, code: None }),
        Err(NotReady(reason)) => {
            let code = Some(ErrorCode::TEMPORARILY_UNAVAILABLE);
            HttpResponse::build(StatusCode::SERVICE_UNAVAILABLE).insert_header((RETRY_AFTER, "1")).json(ReadinessView {
                status: "not_ready",
                bus,
                reason: Some(reason),
                code,
            })
        }
    }
}

/// The same two answers at the root, where load balancers look for them.
pub(crate) fn plain_routes(config: &mut ServiceConfig) {
    config.route(HEALTH, get().to(health)).route(READINESS, get().to(readiness));
}

const HEALTH: &str = "/health";
const READINESS: &str = "/health/ready";

async fn health() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}

async fn readiness(readiness: Data<dyn Readiness>) -> HttpResponse {
    answer(&**readiness).await
}
