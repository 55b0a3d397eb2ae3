//! `/client/branding`: the logo and the accent color of the caller's organization, for administrators.

mod change;
mod views;

use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) use views::BrandingView;

pub(crate) fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(change::find_branding)
        .service(change::change_accent_color)
        .service(change::change_logo)
        .service(change::remove_logo);
}
