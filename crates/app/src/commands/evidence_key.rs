//! The key that signs records and exports: at the start, shown, rotated, replaced and accepted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use plenum_adapter_postgres::{Db, DbSettings, ExpectedFingerprints, ExpectedKey, migrate};
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_kernel::{Clock as _, EvidenceKey, EvidenceKeys};
use plenum_records::{keys_of, public_keys};
use plenum_result_format::PublicKey;
use plenum_verify::read_keys;

use super::{CommandError, record_earlier};
use crate::config::evidence_key::{self as key_file, EvidenceKeyError};
use crate::output::print_line;
use crate::runtime::runtime;
use crate::{Config, Database};

/// The commands for the evidence key.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(super) enum EvidenceKeyCommand {
    /// Make a new key, and sign it with the present one. Then restart every instance, with a copy of the file.
    Rotate,
    /// Record and sign declared results and ended meetings from a version without records. Lists them first.
    RecordEarlier {
        /// Record them. Without it they are only listed.
        #[arg(long)]
        yes: bool,
    },
    /// Make a new key in place of one that is lost or damaged.
    Replace {
        /// The published keys of this installation, or a signed export of results: with these public keys the earlier records
        /// stay valid. Without it, results that the lost key signed are shown as damaged.
        #[arg(long, value_name = "FILE")]
        keys: Option<PathBuf>,
    },
    /// Make the database expect the key in the file, for example the original one that was found after `replace`.
    Accept {
        /// The published keys of this installation from the time of the other key, or a signed export of results: with these
        /// public keys, what the other key signed stays valid. Without it, results that it signed are shown as damaged.
        #[arg(long, value_name = "FILE")]
        keys: Option<PathBuf>,
    },
}

/// Shows the keys, or makes a new one.
pub(super) fn run(config: &Config, command: Option<EvidenceKeyCommand>) -> Result<(), CommandError> {
    let file = key_file::path(config);
    match command {
        None => show(&load(config, &file)?, &file),
        Some(EvidenceKeyCommand::Rotate) => {
            let present = load(config, &file)?;
            // The successor of another key would not be accepted either.
            key_file::check_expected(&file, Some(&present), expected_fingerprint(config)?.as_deref())?;
            let next = present.rotated(SystemClock.now());
            key_file::store(&file, &next)?;
            show(&next, &file);
            print_line("Restart every instance with this file. Keep a copy apart from the backups.");
        }
        Some(EvidenceKeyCommand::RecordEarlier { yes }) => record_earlier::run(config, yes)?,
        Some(EvidenceKeyCommand::Replace { keys }) => replace(config, &file, keys.as_deref())?,
        Some(EvidenceKeyCommand::Accept { keys }) => accept(config, &file, keys.as_deref())?,
    }
    Ok(())
}

/// The keys of this installation. The first start makes one.
///
/// # Errors
/// Refuses a start without the key that the database expects, and names the remedy.
pub(super) async fn evidence_keys(config: &Config, url: &str) -> Result<Arc<dyn EvidenceKeys>, CommandError> {
    let file = key_file::path(config);
    let expected = ExpectedKey::evidence(Db::new(&DbSettings::new(url.to_owned()))?);
    let registered = expected.fingerprint().await?;
    let present = key_file::load(&file)?;
    key_file::check_expected(&file, present.as_ref(), registered.as_deref())?;
    let ring = match present {
        Some(ring) => ring,
        None => key_file::create(&file, &EvidenceKeyRing::generate(SystemClock.now()))?,
    };
    if registered.as_deref() != Some(ring.fingerprint()) {
        // Another instance that starts at this moment may have registered its key.
        let accepted = expected.replace(registered, ring.fingerprint().to_owned()).await?;
        key_file::check_expected(&file, Some(&ring), Some(&accepted))?;
    }
    if let Some(warning) = key_file::warning(&file) {
        tracing::warn!("{warning}");
    }
    Ok(Arc::new(ring))
}

/// The key in the file. Without one, the database says whether the first start makes it.
fn load(config: &Config, file: &Path) -> Result<EvidenceKeyRing, CommandError> {
    if let Some(ring) = key_file::load(file)? {
        return Ok(ring);
    }
    key_file::check_expected(file, None, expected_fingerprint(config)?.as_deref())?;
    Err(format!("there is no evidence key {} yet: the first `plenum serve` makes it", file.display()).into())
}

/// The fingerprint of the key that the database was used with. Makes no data directory.
fn expected_fingerprint(config: &Config) -> Result<Option<String>, CommandError> {
    if config.database_url.is_none() && !config.data_dir.exists() {
        return Ok(None);
    }
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(ExpectedFingerprints::of(database.url()));
    database.close()?;
    Ok(outcome?.evidence)
}

fn show(ring: &EvidenceKeyRing, file: &Path) {
    print_line(&format!("The evidence key is in {}.", file.display()));
    for PublicKey { fingerprint, created_at, retired_at, .. } in public_keys(ring) {
        let until = retired_at.map_or_else(|| "signs now".to_owned(), |at| format!("signed until {at}"));
        print_line(&format!("{fingerprint}  made {created_at}, {until}"));
    }
}

/// Makes a new key, although the current one cannot sign it, and makes the database expect it.
fn replace(config: &Config, file: &Path, published: Option<&Path>) -> Result<(), CommandError> {
    match key_file::load(file) {
        Ok(None) | Err(EvidenceKeyError::Unfit { .. }) => {}
        Ok(Some(_)) => {
            return Err(format!(
                "the evidence key {} can be used: `plenum evidence-key rotate` replaces it. If `plenum serve` refuses it, because \
                 the database expects another one, `plenum evidence-key accept` makes the database expect it",
                file.display()
            )
            .into());
        }
        // It may be a key.
        Err(inaccessible) => return Err(inaccessible.into()),
    }
    let lost = published.map(read_published).transpose()?.unwrap_or_default();
    let ring = EvidenceKeyRing::replacing(lost, SystemClock.now());
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let expected = ExpectedKey::evidence(Db::new(&DbSettings::new(database.url().to_owned()))?);
        let before = expected.fingerprint().await?;
        print_kept(key_file::set_aside(file, SystemClock.now())?.as_deref());
        key_file::store(file, &ring)?;
        expected.replace(before, ring.fingerprint().to_owned()).await?;
        Ok::<(), CommandError>(())
    });
    database.close()?;
    outcome?;
    show(&ring, file);
    if published.is_none() {
        print_line("Results that the lost key signed are shown as damaged, because its public key is not known.");
    }
    Ok(())
}

/// Makes the database expect the key in the file, although it was used with another one.
fn accept(config: &Config, file: &Path, published: Option<&Path>) -> Result<(), CommandError> {
    let present = load(config, file)?;
    let others = published.map(read_published).transpose()?.unwrap_or_default();
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let expected = ExpectedKey::evidence(Db::new(&DbSettings::new(database.url().to_owned()))?);
        let before = expected.fingerprint().await?;
        if others.is_empty() && key_file::check_expected(file, Some(&present), before.as_deref()).is_ok() {
            return Err("the database accepts the evidence key already: nothing was changed".into());
        }
        let ring = if others.is_empty() {
            present
        } else {
            let ring = present.knowing(others, SystemClock.now());
            key_file::store(file, &ring)?;
            ring
        };
        expected.replace(before.clone(), ring.fingerprint().to_owned()).await?;
        Ok::<_, CommandError>((ring, before))
    });
    database.close()?;
    let (ring, before) = outcome?;
    show(&ring, file);
    print_line("The database now expects this key. Restart every instance with this file.");
    if let Some(other) = before.filter(|other| ring.published().iter().all(|known| known.fingerprint != *other)) {
        print_line(&format!(
            "Results that the key {other} signed are shown as damaged, because its public key is not known here. With the keys \
             that were published then, `plenum evidence-key accept --keys FILE` makes them valid."
        ));
    }
    Ok(())
}

/// Says where a replaced file is kept.
pub(super) fn print_kept(kept: Option<&Path>) {
    if let Some(kept) = kept {
        print_line(&format!("The former file is kept as {}: it may still be repaired.", kept.display()));
    }
}

/// The public keys of a file.
fn read_published(file: &Path) -> Result<Vec<EvidenceKey>, CommandError> {
    let content = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let keys = read_keys(&content).as_deref().and_then(keys_of);
    Ok(keys.ok_or_else(|| format!("{} contains no published keys", file.display()))?)
}
