//! `/accounts`: everybody who signs in to a portal, for super administrators.

mod list;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(list::list_accounts);
}
