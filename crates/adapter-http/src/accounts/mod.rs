//! `/accounts`: the accounts of both portals, for super administrators.

mod list;
mod second_factor;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config.service(list::list_accounts).service(second_factor::take_second_factor);
}
