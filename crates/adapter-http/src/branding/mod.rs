//! `/client/branding`: the logo and the accent color of the caller's organization, for administrators; and
//! `/clients/{clientId}/branding`: those of any organization, for super administrators.

mod change;
mod of_client;
mod views;

pub(crate) use views::BrandingView;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(change::find_branding)
        .service(change::change_accent_color)
        .service(change::change_logo)
        .service(change::remove_logo)
        .service(of_client::find_client_branding)
        .service(of_client::change_client_accent_color)
        .service(of_client::change_client_logo)
        .service(of_client::remove_client_logo);
}
