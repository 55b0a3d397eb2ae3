//! The binary `plenum`: reads the configuration, starts the database, connects ports to adapters, and serves.
//!
//! Also a library, so that tests can build the whole product ([`Product`]) on their own database.

mod backup;
pub mod commands;
mod config;
mod database;
mod demonstration;
mod doctor;
mod error_chain;
mod evidence;
mod jobs;
mod metrics;
mod output;
mod purges;
mod runtime;
mod server;
mod wiring;
mod workers;

pub use config::{Config, ConfigError, LogFormat, SigningSecret, SuperAdminConfig};
pub use database::{Database, DatabaseError, Pools};
pub use demonstration::{DEMO_CLIENT_CODE, DEMO_PASSWORD, set_up_demo};
pub use error_chain::whole_chain;
pub use evidence::{CheckedChain, EvidenceCheck, EvidenceFinding, EvidenceFindings};
pub use jobs::{chain_audit_log, close_rounds_in_time};
pub use metrics::metric_names;
pub use wiring::{Product, ProductError, ProductSettings};
pub use workers::{MailSetup, MailWorker, RunningMailWorker, TimestampSetup, TimestampWorker};
