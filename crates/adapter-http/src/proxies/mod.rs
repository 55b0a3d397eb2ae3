//! Proxies: settings, grants, revocations, import and export for organizers, and the proxies and ballots of principals and holders.

mod export;
mod grants;
mod import;
mod of_voter;
mod settings;
mod views;
mod votes;

pub(crate) use of_voter::held_votes;
pub(crate) use votes::cast_votes;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(of_voter::own_proxies)
        .service(of_voter::grant_own_proxy)
        .service(of_voter::revoke_own_proxy)
        .service(settings::proxy_settings)
        .service(settings::change_proxy_settings)
        .service(grants::proxy_holders)
        .service(export::export_proxies)
        .service(import::import_proxies)
        .service(grants::list_proxies)
        .service(grants::grant_proxy)
        .service(grants::revoke_proxy);
}
