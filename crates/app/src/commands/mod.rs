//! The commands of `plenum`, one file each.

mod addresses;
mod archive;
mod backup;
mod close_earlier_meetings;
mod count;
mod count_json;
mod count_table;
mod create_super_admin;
mod doctor;
mod end_demonstration;
mod evidence_key;
mod instance_turn;
mod licenses;
mod migrate;
mod openapi;
mod purge;
mod record_earlier;
mod record_earlier_results;
mod remove_second_factor;
mod restore;
mod serve;
mod show_archive;
mod signing_key;
mod verify;
mod verify_chains;
mod verify_records;
mod version;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::archive::ArchiveCommand;
use self::count::CountArguments;
use self::evidence_key::EvidenceKeyCommand;
use self::purge::PurgeArguments;
use self::signing_key::SigningKeyCommand;
use self::verify::Verification;
use self::version::{LONG_VERSION, VERSION};
use crate::Config;
use crate::demonstration::check_demo_address;

/// The reason for a failed command.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// Live voting and meetings for organizations.
#[derive(Debug, Parser)]
#[command(name = "plenum", version = VERSION, long_version = LONG_VERSION.as_str(), about)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the product. Without DATABASE_URL, run an embedded PostgreSQL.
    Serve {
        /// Add an organization with voters, a scheduled meeting and questions of every type.
        #[arg(long)]
        demo: bool,
        /// Serve the demonstration, whose passwords are public, also on an address that others can reach.
        #[arg(long, requires = "demo")]
        demo_on_any_address: bool,
    },
    /// Turn a demonstration into a real installation: delete its organization, and its accounts with public passwords.
    EndDemonstration {
        /// Keep the organization with all its data, and only lock the accounts with public passwords.
        #[arg(long)]
        keep_data: bool,
    },
    /// Apply pending migrations, and do nothing else.
    Migrate,
    /// Create a super administrator.
    CreateSuperAdmin {
        /// The email address for sign-in.
        #[arg(long)]
        email: String,
        /// The password. Default: PLENUM_NEW_PASSWORD, or a generated password that the command prints.
        #[arg(long)]
        password: Option<String>,
    },
    /// Remove a lost second factor, so that the account signs in with its password alone.
    RemoveSecondFactor {
        /// The email address of the account.
        #[arg(long)]
        email: String,
    },
    /// Show the key that signs records and exports, with its fingerprint.
    EvidenceKey {
        #[command(subcommand)]
        command: Option<EvidenceKeyCommand>,
    },
    /// Show, import, write and list archives of meetings.
    Archive {
        #[command(subcommand)]
        command: ArchiveCommand,
    },
    /// Remove old evidence under a signed document: records, their meetings, and entries of the audit log. Lists them
    /// first.
    Purge {
        #[command(flatten)]
        arguments: PurgeArguments,
    },
    /// Replace the key that signs access tokens.
    SigningKey {
        #[command(subcommand)]
        command: SigningKeyCommand,
    },
    /// Print the OpenAPI document.
    Openapi,
    /// Print the licenses of everything that is built into the program.
    Licenses,
    /// Check configuration, keys, encryption, database, timestamp service and mail server, and suggest remedies.
    Doctor,
    /// Count the results of an exported file again, or check the chain of an exported audit log, and check who signed it. Exits
    /// with 0 if it is consistent and signed by a known key, with 1 for a difference, with 2 for a file that cannot be read,
    /// and with 3 if it is consistent and its origin is unknown.
    Verify {
        /// The results of a meeting or an audit log (JSON, CSV or XLSX), or an archive (JSON).
        #[arg(required_unless_present = "database", conflicts_with = "database")]
        file: Option<PathBuf>,
        /// An earlier export of the same audit log, which the file must continue.
        #[arg(long, value_name = "EARLIER_FILE", requires = "file")]
        since: Option<PathBuf>,
        /// The fingerprint of the key that the file must be signed with, or of a key before it. Default: the keys of this
        /// installation.
        #[arg(long, value_name = "FINGERPRINT", requires = "file")]
        key: Vec<String>,
        /// A file with the published keys of the installation that must have signed it.
        #[arg(long, value_name = "FILE", requires = "file")]
        keys: Option<PathBuf>,
        /// A PEM file with the certificates that must vouch for the timestamps in the file. Default: those of
        /// PLENUM_TIMESTAMP_CERTIFICATES, for information.
        #[arg(long, value_name = "FILE", requires = "file")]
        timestamp_certificates: Option<PathBuf>,
        /// Check the audit log and the records in the database instead of a file. Without an evidence key to check the records
        /// with, exits with 3. If something cannot be read, and no difference was found before, exits with 2.
        #[arg(long)]
        database: bool,
        /// Check only the audit log of the organization with this code.
        #[arg(long, value_name = "CODE", requires = "database")]
        client: Option<String>,
    },
    /// Count the ballots of an election from a file. Exits with 0 if the count is complete, with 2 for a file that cannot be
    /// read, and with 3 if it ended at a tie.
    Count {
        #[command(flatten)]
        arguments: CountArguments,
    },
    /// Write the whole database into a file, also while the product is served.
    Backup {
        /// The target. An existing file is replaced once the backup is complete.
        file: PathBuf,
    },
    /// Restore a backup into an empty installation. Exits with 2 for a file that is not a complete backup.
    Restore {
        /// The file that `plenum backup` has written.
        file: PathBuf,
    },
}

/// Runs a command that needs no configuration, such as the verification of a file. Returns its exit code, or `None` for
/// other commands.
pub fn run_alone(arguments: &Arguments) -> Option<ExitCode> {
    match &arguments.command {
        Command::Verify { file: Some(file), since, key, keys, timestamp_certificates, .. } => {
            Some(verify::run(&Verification {
                file,
                since: since.as_deref(),
                keys: key,
                key_file: keys.as_deref(),
                timestamp_certificates: timestamp_certificates.as_deref(),
            }))
        }
        Command::Archive { command } => archive::run_alone(command),
        Command::Count { arguments } => Some(count::run(arguments)),
        Command::Licenses => {
            licenses::run();
            Some(ExitCode::SUCCESS)
        }
        Command::Verify { file: None, .. }
        | Command::Serve { .. }
        | Command::EndDemonstration { .. }
        | Command::Migrate
        | Command::CreateSuperAdmin { .. }
        | Command::RemoveSecondFactor { .. }
        | Command::EvidenceKey { .. }
        | Command::Purge { .. }
        | Command::SigningKey { .. }
        | Command::Openapi
        | Command::Doctor
        | Command::Backup { .. }
        | Command::Restore { .. } => None,
    }
}

/// Runs the command of the arguments.
///
/// # Errors
/// Fails with a text that suggests a remedy.
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
        Command::EvidenceKey { command } => evidence_key::run(config, command)?,
        Command::Archive { command } => return archive::run(config, command),
        Command::Purge { arguments } => return purge::run(config, &arguments),
        Command::SigningKey { command } => signing_key::run(config, &command)?,
        Command::Openapi => openapi::run(config)?,
        Command::Doctor => doctor::run(config)?,
        // These need no configuration: `run_alone` has run them.
        Command::Verify { file: Some(_), .. } | Command::Count { .. } | Command::Licenses => {}
        Command::Verify { file: None, client, .. } => return Ok(verify_chains::run(config, client.as_deref())),
        Command::Backup { file } => backup::run(config, &file)?,
        Command::Restore { file } => return restore::run(config, &file),
    }
    Ok(ExitCode::SUCCESS)
}
