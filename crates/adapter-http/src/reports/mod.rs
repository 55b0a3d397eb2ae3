//! `/reports`: usage reports, for super administrators.

mod clients;
mod export_clients;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config.service(clients::report_clients).service(export_clients::export_client_reports);
}
