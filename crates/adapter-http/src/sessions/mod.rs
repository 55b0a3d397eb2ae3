//! `/sessions`: statistics of sessions, for super administrators.

mod stats;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(stats::session_stats);
}
