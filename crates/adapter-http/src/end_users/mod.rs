//! `/client/end-users`: the voters of the caller's organization, for its administrators.

mod create;
mod credentials;
mod delete;
mod erase;
mod errors;
mod export;
mod export_credentials;
mod find;
mod groups;
mod import;
mod list;
mod password_reason;
mod read_import;
mod stats;
mod update;
mod views;
mod weights;

pub(crate) use password_reason::read_setter;
pub(crate) use views::{EndUserView, example_end_user};

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(stats::end_user_stats)
        .service(export::export_end_users)
        .service(read_import::read_import)
        .service(import::import_end_users)
        .service(list::list_end_users)
        .service(create::create_end_user)
        .service(find::find_end_user)
        .service(update::update_end_user)
        .service(delete::delete_end_user)
        .service(erase::erase_end_user)
        .service(export_credentials::export_credentials);
}
