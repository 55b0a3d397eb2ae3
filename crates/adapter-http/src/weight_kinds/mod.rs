//! `/client/weight-kinds`: the kinds of voting weight of the caller's organization, for its administrators.

mod change;
mod errors;
mod list;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_weight_kinds)
        .service(change::create_weight_kind)
        .service(list::find_weight_kind)
        .service(change::change_weight_kind)
        .service(change::delete_weight_kind);
}
