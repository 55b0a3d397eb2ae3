//! The way from a command to its scenario.

use std::path::Path;

use crate::arguments::Command;
use crate::bcrypt_baseline::measure_bcrypt;
use crate::failure::LoadFailure;
use crate::run::RunResult;
use crate::scenarios::{assembly, ballots, fan_out, growth, sign_in_burst, slow_clients, watch};

/// Plays the scenario of a command. Returns its result, and the file for the result.
///
/// # Errors
/// Fails when the run cannot be completed. A slow server or a lost vote is a result, not a failure.
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
