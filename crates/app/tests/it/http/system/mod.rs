//! Health, metrics, diagnostics, and behaviour when the database fails.

mod broken_database;
mod connection_pools;
mod diagnostics;
mod health;
mod metrics;
