use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::web::{Data, Json, ServiceConfig, get};
use actix_web::{HttpResponse, get};
use async_trait::async_trait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ErrorCode;

/// The reason why the product is not ready, as a sentence for an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReady(pub String);

/// Checks whether the product can serve requests.
#[async_trait]
pub trait Readiness: Send + Sync {
    /// Whether the database responds and all migrations are applied.
    async fn check(&self) -> Result<(), NotReady>;

    /// Whether this instance receives messages from other instances. `None` for a single instance. Voting continues
    /// without them, so this does not affect readiness.
    fn receives_from_other_instances(&self) -> Option<bool>;
}

/// The process is alive.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthView {
    /// `ok`
    #[schema(example = "ok")]
    status: &'static str,
}

/// Whether the product can serve requests.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReadinessView {
    /// `ready` or `not_ready`
    #[schema(example = "ready")]
    status: &'static str,
    /// With several instances on one database: `connected`, or `away` while the message server is unreachable. While it
    /// is away, events of other instances arrive a few seconds late.
    #[serde(skip_serializing_if = "Option::is_none")]
    bus: Option<&'static str>,
    /// The reason if the product is not ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Equal to all other responses of this kind: `temporarily_unavailable`
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

/// Returns that the process is alive.
#[utoipa::path(tag = "system", responses((status = 200, description = "The process is alive", body = HealthView)))]
#[get("/health")]
pub(crate) async fn check_health() -> Json<HealthView> {
    Json(HealthView { status: "ok" })
}

/// Returns whether the database is reachable and migrated.
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
    let bus =
        readiness.receives_from_other_instances().map(|is_connected| if is_connected { "connected" } else { "away" });
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

/// The same two responses at the root, for load balancers.
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
