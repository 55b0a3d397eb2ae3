//! The key that signs access tokens: at the start, and replaced.

use clap::Subcommand;
use plenum_adapter_postgres::{Db, DbSettings, ExpectedKey, migrate};
use plenum_adapter_security::{OsSecrets, SystemClock};
use plenum_kernel::Clock as _;

use super::CommandError;
use super::evidence_key::print_kept;
use crate::config::signing_key as key_file;
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database};

/// The commands for the signing key.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum SigningKeyCommand {
    /// Accept the configured PLENUM_JWT_SECRET, or make a new key in place of one that is lost or damaged. Everybody signs in
    /// again, and all second factors have to be set up again.
    Replace,
}

/// Replaces the key.
pub(super) fn run(config: &Config, command: &SigningKeyCommand) -> Result<(), CommandError> {
    let SigningKeyCommand::Replace = command;
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(replace(config, database.url()));
    database.close()?;
    outcome
}

/// The configured signing key, or the one in the data directory. The first start makes one.
///
/// # Errors
/// Refuses a start without the key that the database expects, and names the remedy.
pub(super) async fn signing_key(config: &Config, url: &str) -> Result<Vec<u8>, CommandError> {
    let expected = ExpectedKey::signing(Db::new(&DbSettings::new(url.to_owned()))?);
    let registered = expected.fingerprint().await?;
    let present = key_file::present(config)?;
    key_file::check_expected(config, present.as_deref(), registered.as_deref())?;
    let key = match present {
        Some(key) => key,
        None => key_file::load_or_create(&config.data_dir, &OsSecrets)?,
    };
    if registered.is_none() {
        // Another instance that starts at this moment may have registered its key.
        let accepted = expected.replace(None, key_file::fingerprint_of(&key)).await?;
        key_file::check_expected(config, Some(&key), Some(&accepted))?;
    }
    if let Some(warning) = key_file::warning(&config.data_dir).filter(|_| config.jwt_secret.is_none()) {
        tracing::warn!("{warning}");
    }
    Ok(key)
}

/// Makes the database expect the current key, or a new one that replaces a lost or damaged key.
async fn replace(config: &Config, url: &str) -> Result<(), CommandError> {
    migrate(url).await?;
    let expected = ExpectedKey::signing(Db::new(&DbSettings::new(url.to_owned()))?);
    let before = expected.fingerprint().await?;
    let present = match &config.jwt_secret {
        Some(secret) => Some(secret.as_bytes().to_vec()),
        None => key_file::load_unless_unfit(&config.data_dir)?,
    };
    let is_new = present.is_none();
    let key = match present {
        Some(key) => key,
        None => {
            print_kept(key_file::set_aside(&config.data_dir, SystemClock.now())?.as_deref());
            key_file::load_or_create(&config.data_dir, &OsSecrets)?
        }
    };
    let fingerprint = key_file::fingerprint_of(&key);
    if before.as_ref() == Some(&fingerprint) {
        return Err(
            "the signing key is the one that the database expects, and can be used: nothing was replaced".into()
        );
    }
    expected.replace(before, fingerprint).await?;
    print_line(if is_new { "Made a new signing key." } else { "The database now expects the present signing key." });
    print_line("Everybody has to sign in again, and all second factors have to be set up again.");
    print_line("Keep a copy of the key apart from the backups, and give the key to every instance.");
    Ok(())
}
