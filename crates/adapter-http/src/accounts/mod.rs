//! `/accounts`: the accounts of both portals, for super administrators.

mod list;
mod second_factor;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list::list_accounts).service(second_factor::take_second_factor);
}
