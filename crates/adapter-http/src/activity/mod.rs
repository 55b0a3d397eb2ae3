//! `/activity` and `/client/activity`: recent actions, for super administrators and for a client's administrators.

mod of_client;
mod of_platform;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config.service(of_platform::list_activity).service(of_client::list_client_activity);
}
