//! The binary `plenum`: it reads the configuration, starts the database, wires ports to adapters, and serves.
//!
//! A library too, so that tests can build the whole product ([`Product`]) on a database of their own.

mod attribution;
mod backup_file;
mod backup_target;
mod chaining;
mod closing;
pub mod commands;
mod config;
mod database;
mod demo;
mod demonstration;
mod diagnostics;
mod failure;
mod limits;
mod listening;
mod mailing;
mod memory;
mod metrics;
mod origins;
mod pools;
mod readiness;
mod reset_mailing;
mod say;
mod secret_strength;
mod signals;
mod signing_key;
mod sweeping;
mod variables;
mod wiring;

pub use chaining::chain_audit_log;
pub use closing::close_rounds_in_time;
pub use config::{Config, ConfigError, LogFormat, SigningSecret, SuperAdminConfig};
pub use database::{Database, DatabaseError};
pub use demo::{DEMO_CLIENT_CODE, DEMO_PASSWORD, set_up_demo};
pub use failure::whole_chain;
pub use mailing::{MailSetup, MailWorker, RunningMailWorker};
pub use metrics::metric_names;
pub use pools::Pools;
pub use wiring::{Product, ProductError, ProductSettings};
