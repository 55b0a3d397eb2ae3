//! `/client/end-users`: the voters of one's own organisation, for its administrators.

mod create;
mod find;
mod list;
mod stats;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use views::EndUserView;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(stats::end_user_stats)
        .service(list::list_end_users)
        .service(create::create_end_user)
        .service(find::find_end_user);
}
