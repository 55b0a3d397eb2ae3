//! `/reports`: usage reports, for super administrators.

mod clients;
mod export_clients;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(clients::report_clients).service(export_clients::export_client_reports);
}
