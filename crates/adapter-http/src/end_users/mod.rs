//! `/client/end-users`: the voters of one's own organization, for its administrators.

mod create;
mod credentials;
mod delete;
mod errors;
mod export_credentials;
mod find;
mod list;
mod stats;
mod update;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use views::{EndUserView, example_end_user};

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(stats::end_user_stats)
        .service(list::list_end_users)
        .service(create::create_end_user)
        .service(find::find_end_user)
        .service(update::update_end_user)
        .service(delete::delete_end_user)
        .service(export_credentials::export_credentials);
}
