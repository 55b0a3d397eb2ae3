//! Health, readiness and metrics, for operators.

mod health;
mod metrics;
mod stopping;

pub(crate) use health::plain_routes;
pub use health::{NotReady, Readiness};
pub use metrics::MetricsPage;
pub(crate) use metrics::metrics_routes;

use crate::registration::Routes;
pub use stopping::Stopping;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config.service(health::check_health).service(health::check_readiness);
}
