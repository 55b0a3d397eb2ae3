//! Public data, without a token.

mod client;
mod meeting_by_link;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config.service(client::find_public_client).service(meeting_by_link::find_meeting_by_link);
}
