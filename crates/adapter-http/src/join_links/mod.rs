//! `/client/join-links`: personal links of the caller's voters, for administrators.

mod list;
mod make;
mod revoke;
mod settings;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_join_links)
        .service(make::make_join_links)
        .service(revoke::revoke_join_links)
        .service(settings::join_link_settings)
        .service(settings::change_join_link_settings);
}
