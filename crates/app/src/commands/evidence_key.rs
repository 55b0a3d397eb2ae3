//! The key that signs records and exports: at the start, shown, rotated and replaced.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;
use plenum_adapter_postgres::{Db, DbSettings, ExpectedKey, migrate};
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_kernel::{Clock as _, EvidenceKey, EvidenceKeys};
use plenum_records::{keys_of, public_keys};
use plenum_result_format::PublicKey;
use plenum_verify::read_keys;

use super::{CommandError, record_earlier};
use crate::config::evidence_key as key_file;
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
}

/// Shows the keys, or makes a new one.
pub(super) fn run(config: &Config, command: Option<EvidenceKeyCommand>) -> Result<(), CommandError> {
    let file = key_file::path(config);
    match command {
        None => show(&load(&file)?, &file),
        Some(EvidenceKeyCommand::Rotate) => {
            let present = load(&file)?;
            let next = present.rotated(SystemClock.now());
            key_file::store(&file, &next)?;
            show(&next, &file);
            print_line("Restart every instance with this file. Keep a copy apart from the backups.");
        }
        Some(EvidenceKeyCommand::RecordEarlier { yes }) => record_earlier::run(config, yes)?,
        Some(EvidenceKeyCommand::Replace { keys }) => replace(config, &file, keys.as_deref())?,
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
        None => key_file::create(&file, EvidenceKeyRing::generate(SystemClock.now()))?,
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

fn load(file: &Path) -> Result<EvidenceKeyRing, CommandError> {
    let missing = || format!("there is no evidence key {} yet: the first `plenum serve` makes it", file.display());
    Ok(key_file::load(file)?.ok_or_else(missing)?)
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
    if let Ok(Some(_)) = key_file::load(file) {
        return Err(format!(
            "the evidence key {} can be used: `plenum evidence-key rotate` replaces it",
            file.display()
        )
        .into());
    }
    let lost = published.map(read_published).transpose()?.unwrap_or_default();
    let ring = EvidenceKeyRing::replacing(lost, SystemClock.now());
    let database = Database::open(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let expected = ExpectedKey::evidence(Db::new(&DbSettings::new(database.url().to_owned()))?);
        let before = expected.fingerprint().await?;
        keep_damaged(file)?;
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

/// Moves a damaged file aside, because it may still be repaired.
fn keep_damaged(file: &Path) -> std::io::Result<()> {
    if file.exists() { std::fs::rename(file, file.with_extension("damaged")) } else { Ok(()) }
}

/// The public keys of a file.
fn read_published(file: &Path) -> Result<Vec<EvidenceKey>, CommandError> {
    let content = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let keys = read_keys(&content).as_deref().and_then(keys_of);
    Ok(keys.ok_or_else(|| format!("{} contains no published keys", file.display()))?)
}
