//! `/client/groups`: the groups of end users of the caller's organization, for its administrators.

mod change;
mod errors;
mod list;
mod members;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_groups)
        .service(change::create_group)
        .service(list::find_group)
        .service(change::rename_group)
        .service(change::delete_group)
        .service(members::change_members);
}
