//! `/audit` and `/client/audit`: the audit logs, for super administrators and for a client's administrators.

mod chain_file;
mod export;
mod list;
mod query;
mod views;

use crate::registration::Routes;

pub(crate) fn routes(config: &mut Routes<'_, '_>) {
    config
        .service(list::list_platform_audit)
        .service(list::list_client_audit)
        .service(export::export_platform_audit)
        .service(export::export_client_audit);
}
