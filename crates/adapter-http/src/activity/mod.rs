//! `/activity` and `/client/activity`: recent actions, for super administrators and for a client's administrators.

mod of_client;
mod of_platform;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(of_platform::list_activity).service(of_client::list_client_activity);
}
