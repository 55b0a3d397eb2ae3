//! What `plenum` can be told to do, one file for each command.

mod backup;
mod create_super_admin;
mod doctor;
mod end_demonstration;
mod migrate;
mod openapi;
mod remove_second_factor;
mod restore;
mod serve;
mod verify;
mod verify_chains;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::Config;
use crate::demonstration::check_demo_address;

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
        /// Show the demonstration, whose passwords everybody knows, also on an address that others can reach.
        #[arg(long, requires = "demo")]
        demo_on_any_address: bool,
    },
    /// Make a real installation of a demonstration: remove its organization, and the accounts whose passwords everybody knows.
    EndDemonstration {
        /// Keep its organization with all that was entered, and only lock the accounts whose passwords everybody knows.
        #[arg(long)]
        keep_data: bool,
    },
    /// Bring the database up to date, and do nothing else.
    Migrate,
    /// Make a super administrator.
    CreateSuperAdmin {
        /// What they sign in with.
        #[arg(long)]
        email: String,
        /// Their password; that of PLENUM_NEW_PASSWORD when missing, or else made up and printed.
        #[arg(long)]
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
    /// Count the results of an exported file again, or check the chain of an exported audit log, and say whether they agree.
    /// Exits with 1 where something differs, and with 2 where the file cannot be read.
    Verify {
        /// The results of a meeting or an audit log, exported as JSON.
        #[arg(required_unless_present = "database", conflicts_with = "database")]
        file: Option<PathBuf>,
        /// An earlier export of the same audit log, which the file must go on from.
        #[arg(long, value_name = "EARLIER_FILE", requires = "file")]
        since: Option<PathBuf>,
        /// Check the audit log in the database instead of a file.
        #[arg(long)]
        database: bool,
        /// Only that of the organization with this code.
        #[arg(long, value_name = "CODE", requires = "database")]
        client: Option<String>,
    },
    /// Write everything that is in the database into a file, also while it is being served.
    Backup {
        /// Where to; what was there is replaced once the backup is whole.
        file: PathBuf,
    },
    /// Read a backup into an installation in which there is nothing yet. Exits with 2 where the file is no whole backup.
    Restore {
        /// What `plenum backup` has written.
        file: PathBuf,
    },
}

/// Does what needs no configuration, and gives the exit code; none where the arguments want something else. Whoever
/// verifies a file need not run a server.
pub fn run_alone(arguments: &Arguments) -> Option<ExitCode> {
    match &arguments.command {
        Command::Verify { file: Some(file), since, .. } => Some(verify::run(file, since.as_deref())),
        Command::Verify { file: None, .. }
        | Command::Serve { .. }
        | Command::EndDemonstration { .. }
        | Command::Migrate
        | Command::CreateSuperAdmin { .. }
        | Command::RemoveSecondFactor { .. }
        | Command::Openapi
        | Command::Doctor
        | Command::Backup { .. }
        | Command::Restore { .. } => None,
    }
}

/// Does what the arguments say.
///
/// # Errors
/// Fails with a text that says what to do.
pub fn run(arguments: Arguments, config: &Config) -> Result<ExitCode, CommandError> {
    match arguments.command {
        Command::Serve { demo, demo_on_any_address } => {
            if demo {
                check_demo_address(config, demo_on_any_address)?;
            }
            return serve::run(config, demo);
        }
        Command::EndDemonstration { keep_data } => end_demonstration::run(config, keep_data)?,
        Command::Migrate => migrate::run(config)?,
        Command::CreateSuperAdmin { email, password } => create_super_admin::run(config, &email, password.as_deref())?,
        Command::RemoveSecondFactor { email } => remove_second_factor::run(config, &email)?,
        Command::Openapi => openapi::run(config)?,
        Command::Doctor => doctor::run(config)?,
        Command::Verify { file: Some(file), since, .. } => return Ok(verify::run(&file, since.as_deref())),
        Command::Verify { file: None, client, .. } => return verify_chains::run(config, client.as_deref()),
        Command::Backup { file } => backup::run(config, &file)?,
        Command::Restore { file } => return restore::run(config, &file),
    }
    Ok(ExitCode::SUCCESS)
}

/// A runtime for commands that work with the database.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}
