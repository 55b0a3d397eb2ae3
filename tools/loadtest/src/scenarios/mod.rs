//! The scenarios. Each module has the options of its command, and a function that plays the scenario.

pub mod assembly;
pub mod ballots;
pub mod fan_out;
pub mod growth;
pub mod sign_in_burst;
pub mod slow_clients;
pub mod watch;

mod background_load;
mod sign_in;
mod voting;
mod watchers;
