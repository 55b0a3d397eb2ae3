//! What is played. Each module has its settings, as they stand on the command line, and one function that plays it.

pub mod assembly;
pub mod ballots;
pub mod fan_out;
pub mod growth;
pub mod rush;
pub mod siege;
pub mod watch;

mod door;
mod meanwhile;
mod voting;
mod watchers;

use std::path::Path;

use crate::arguments::Command;
use crate::failure::LoadFailure;
use crate::run::Gathered;
use crate::yardstick::measure_bcrypt;

/// Plays what the command line asks for. Beside what was gathered stands the file that is to have it.
///
/// # Errors
/// Fails when the run cannot be carried out. What it takes and what it finds is no failure.
pub async fn play(command: &Command) -> Result<(Gathered, Option<&Path>), LoadFailure> {
    let (gathered, common) = match command {
        Command::Ballots(settings) => (ballots::play(settings).await?, settings.common()),
        Command::FanOut(settings) => (fan_out::play(settings).await?, settings.common()),
        Command::Watch(settings) => (watch::play(settings).await?, settings.common()),
        Command::Rush(settings) => (rush::play(settings).await?, settings.common()),
        Command::Siege(settings) => (siege::play(settings).await?, settings.common()),
        Command::Assembly(settings) => (assembly::play(settings).await?, settings.common()),
        Command::Growth(settings) => (growth::play(settings).await?, settings.common()),
        Command::Bcrypt(settings) => (measure_bcrypt(settings)?, settings.common()),
        Command::Faults(_) => return Err(LoadFailure::Settings("faults have a report of their own".to_owned())),
        Command::Report(_) => return Err(LoadFailure::Settings("a report is not played".to_owned())),
    };
    Ok((gathered, common.json.as_deref()))
}
