//! Health, readiness and metrics, for operators.

mod health;
mod metrics;
mod stopping;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use health::plain_routes;
pub use health::{NotReady, Readiness};
pub use metrics::MetricsPage;
pub(crate) use metrics::metrics_routes;
pub use stopping::Stopping;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(health::check_health).service(health::check_readiness);
}
