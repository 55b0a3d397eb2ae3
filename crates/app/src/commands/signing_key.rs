//! The key that signs access tokens: at the start, and replaced.

use clap::Subcommand;
use plenum_adapter_postgres::{Db, DbSettings, ExpectedKey, migrate};
use plenum_adapter_security::OsSecrets;
use plenum_result_format::sha256;

use super::CommandError;
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
    let key = match (present(config)?, &registered) {
        (Some(key), _) => key,
        (None, None) => key_file::load_or_create(&config.data_dir, &OsSecrets)?,
        (None, Some(_)) => return Err(lost(config)),
    };
    let fingerprint = fingerprint_of(&key);
    let accepted = match registered {
        Some(registered) => registered,
        None => expected.replace(None, fingerprint.clone()).await?,
    };
    if accepted != fingerprint {
        return Err(foreign(config));
    }
    if let Some(warning) = key_file::warning(&config.data_dir).filter(|_| config.jwt_secret.is_none()) {
        tracing::warn!("{warning}");
    }
    Ok(key)
}

fn present(config: &Config) -> Result<Option<Vec<u8>>, CommandError> {
    match &config.jwt_secret {
        Some(secret) => Ok(Some(secret.as_bytes().to_vec())),
        None => Ok(key_file::load(&config.data_dir)?),
    }
}

/// The fingerprint of the key in the database. The key has at least 32 random bytes, so its hash does not reveal it.
fn fingerprint_of(key: &[u8]) -> String {
    sha256(&[b"the fingerprint of Plenum's signing key: ", key].concat())
}

const CONSEQUENCES: &str = "everybody signs in again, and all second factors have to be set up again";

fn lost(config: &Config) -> CommandError {
    format!(
        "the signing key {} is lost: this database has been used with one. Restore the copy that you kept apart from \
         the backups, or set PLENUM_JWT_SECRET as before. If there is none, `plenum signing-key replace` makes a new key: \
         {CONSEQUENCES}",
        key_file::path(&config.data_dir).display()
    )
    .into()
}

fn foreign(config: &Config) -> CommandError {
    let key = match config.jwt_secret {
        Some(_) => "PLENUM_JWT_SECRET".to_owned(),
        None => format!("the signing key {}", key_file::path(&config.data_dir).display()),
    };
    format!(
        "{key} is not the signing key of this database. All instances on a database use the same key. Restore the copy that \
         you kept apart from the backups. If the key is to change, `plenum signing-key replace` accepts the present one: \
         {CONSEQUENCES}"
    )
    .into()
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
            key_file::keep_damaged(&config.data_dir)?;
            key_file::load_or_create(&config.data_dir, &OsSecrets)?
        }
    };
    let fingerprint = fingerprint_of(&key);
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
