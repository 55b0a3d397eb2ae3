//! What is played. Each module has its settings, as they stand on the command line, and one function that plays it.

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

use std::path::Path;

use crate::arguments::Command;
use crate::bcrypt_baseline::measure_bcrypt;
use crate::failure::LoadFailure;
use crate::run::RunResult;

/// Plays what the command line asks for. Beside what was gathered stands the file that is to have it.
///
/// # Errors
/// Fails when the run cannot be carried out. What it takes and what it finds is no failure.
pub async fn play(command: &Command) -> Result<(RunResult, Option<&Path>), LoadFailure> {
    let (result, common) = match command {
        Command::Ballots(settings) => (ballots::play(settings).await?, settings.common()),
        Command::FanOut(settings) => (fan_out::play(settings).await?, settings.common()),
        Command::Watch(settings) => (watch::play(settings).await?, settings.common()),
        Command::SignInBurst(settings) => (sign_in_burst::play(settings).await?, settings.common()),
        Command::SlowClients(settings) => (slow_clients::play(settings).await?, settings.common()),
        Command::Assembly(settings) => (assembly::play(settings).await?, settings.common()),
        Command::Growth(settings) => (growth::play(settings).await?, settings.common()),
        Command::Bcrypt(settings) => (measure_bcrypt(settings)?, settings.common()),
        Command::Faults(_) => {
            return Err(LoadFailure::Settings("fault runs are started by another function".to_owned()));
        }
        Command::Report(_) => return Err(LoadFailure::Settings("a report is not a scenario".to_owned())),
    };
    Ok((result, common.json.as_deref()))
}
