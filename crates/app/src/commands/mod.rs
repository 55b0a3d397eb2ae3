//! What `plenum` can be told to do, one file for each command.

mod create_super_admin;
mod doctor;
mod migrate;
mod openapi;
mod remove_second_factor;
mod serve;
mod verify;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::Config;

/// Why a command failed.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// Live voting and meetings for organizations.
#[derive(Debug, Parser)]
#[command(name = "plenum", version, about)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the product; without DATABASE_URL with a PostgreSQL of its own.
    Serve {
        /// Add an organization with voters, a scheduled meeting and questions of every type.
        #[arg(long)]
        demo: bool,
    },
    /// Bring the database up to date, and do nothing else.
    Migrate,
    /// Make a super administrator.
    CreateSuperAdmin {
        /// What they sign in with.
        #[arg(long)]
        email: String,
        /// Their password; made up and printed when missing.
        #[arg(long, env = "PLENUM_NEW_PASSWORD", hide_env_values = true)]
        password: Option<String>,
    },
    /// Let somebody with an account sign in by their password alone who has lost their second factor.
    RemoveSecondFactor {
        /// What they sign in with.
        #[arg(long)]
        email: String,
    },
    /// Print the OpenAPI document.
    Openapi,
    /// Check configuration and database, and say what to do.
    Doctor,
    /// Count the results of an exported file again, and say whether they agree. Exits with 1 where something differs, and
    /// with 2 where the file cannot be read.
    Verify {
        /// The results of a meeting, exported as JSON.
        file: PathBuf,
    },
}

/// Does what needs no configuration, and gives the exit code; none where the arguments want something else. Whoever
/// verifies a file need not run a server.
pub fn run_alone(arguments: &Arguments) -> Option<ExitCode> {
    match &arguments.command {
        Command::Verify { file } => Some(verify::run(file)),
        Command::Serve { .. }
        | Command::Migrate
        | Command::CreateSuperAdmin { .. }
        | Command::RemoveSecondFactor { .. }
        | Command::Openapi
        | Command::Doctor => None,
    }
}

/// Does what the arguments say.
///
/// # Errors
/// Fails with a text that says what to do.
pub fn run(arguments: Arguments, config: &Config) -> Result<ExitCode, CommandError> {
    match arguments.command {
        Command::Serve { demo } => serve::run(config, demo)?,
        Command::Migrate => migrate::run(config)?,
        Command::CreateSuperAdmin { email, password } => create_super_admin::run(config, &email, password.as_deref())?,
        Command::RemoveSecondFactor { email } => remove_second_factor::run(config, &email)?,
        Command::Openapi => openapi::run(config)?,
        Command::Doctor => doctor::run(config)?,
        Command::Verify { file } => return Ok(verify::run(&file)),
    }
    Ok(ExitCode::SUCCESS)
}

/// A runtime for commands that work with the database.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}
