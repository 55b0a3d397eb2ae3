//! `/clients`: organisations, for super administrators.

mod create;
mod find;
mod list;
mod stats;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(stats::client_stats)
        .service(list::list_clients)
        .service(create::create_client)
        .service(find::find_client);
}
