//! Jobs that run in the background on a schedule while the product is served.

mod chain_audit_log;
mod close_rounds;
mod delete_expired_sessions;
mod prepare_registers;
mod retention;
mod sweep_urn_keys;

pub use chain_audit_log::chain_audit_log;
pub use close_rounds::close_rounds_in_time;
pub(crate) use delete_expired_sessions::delete_expired_sessions;
pub(crate) use prepare_registers::prepare_registers;
pub(crate) use retention::{RetentionJob, apply_retention};
pub(crate) use sweep_urn_keys::sweep_urn_keys;
