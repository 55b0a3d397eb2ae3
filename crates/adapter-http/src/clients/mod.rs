//! `/clients`: organizations, for super administrators.

mod code_check;
mod create;
mod delete;
mod errors;
mod find;
mod list;
mod stats;
mod update;
mod views;

pub(crate) use list::{ClientStatusQuery, client_filter};
pub(crate) use views::{ClientStatusName, PlanName};

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(stats::client_stats)
        .service(code_check::check_client_code)
        .service(list::list_clients)
        .service(create::create_client)
        .service(find::find_client)
        .service(update::update_client)
        .service(delete::delete_client);
}
