//! Checks the audit log and the records in the database.

use std::process::ExitCode;
use std::sync::Arc;

use plenum_adapter_postgres::{AuditChains, Db, DbSettings, PostgresClients, PostgresPurgeDocuments};
use plenum_clients::{ClientCode, ClientStore as _};
use plenum_kernel::{ClientId, EvidenceKeys};
use plenum_timestamp_format::Authorities;
use plenum_verify::set_back_sentence;
use uuid::Uuid;

use super::verify::{DIFFERS, ORIGIN_UNKNOWN, UNREADABLE};
use super::{CommandError, verify_records};
use crate::config::{evidence_key, timestamp_certificates};
use crate::evidence::{CheckedChain, check_chain};
use crate::output::{one_line, print_line, print_to_stderr};
use crate::purges::PurgeCheck;
use crate::runtime::runtime;
use crate::{Config, Database, EvidenceCheck, whole_chain};

/// Checks every chain of the audit log and the records, or those of one client, and prints the faults. What cannot be checked is
/// no fault, so it has an exit code of its own.
pub(super) fn run(config: &Config, code: Option<&str>) -> ExitCode {
    let mut is_broken = false;
    let otherwise = match verify(config, code, &mut is_broken) {
        Ok(true) => 0,
        Ok(false) => ORIGIN_UNKNOWN,
        Err(error) => {
            print_to_stderr(&format!("plenum: the database cannot be verified: {}", whole_chain(&*error)));
            UNREADABLE
        }
    };
    ExitCode::from(if is_broken { DIFFERS } else { otherwise })
}

/// Returns whether the records were checked, for which a key is needed. Sets `is_broken` for a fault, also one before an error.
fn verify(config: &Config, code: Option<&str>, is_broken: &mut bool) -> Result<bool, CommandError> {
    let authorities = timestamp_certificates::load(config)?.map(Arc::new);
    let database = Database::open_beside(config)?;
    let key_file = evidence_key::path(config);
    let keys = evidence_key::load(&key_file)?;
    let keys = keys.map(|ring| Arc::new(ring) as Arc<dyn EvidenceKeys>);
    let has_keys = keys.is_some();
    let input = CheckInput { url: database.url(), code, keys, authorities };
    let outcome = runtime()?.block_on(check(input, is_broken));
    database.close()?;
    outcome?;
    if !has_keys {
        print_line(&format!(
            "The records and the signatures of purges could not be checked: there is no evidence key {}. Set \
             PLENUM_EVIDENCE_KEY_FILE to the key of this installation, and repeat.",
            key_file.display()
        ));
    }
    Ok(has_keys)
}

/// What to check, and with what.
struct CheckInput<'a> {
    /// The address of the database.
    url: &'a str,
    /// The code of the only client to check.
    code: Option<&'a str>,
    /// The keys that must have signed the records. Without them, only the audit log is checked.
    keys: Option<Arc<dyn EvidenceKeys>>,
    /// The authorities that must vouch for timestamps.
    authorities: Option<Arc<Authorities>>,
}

async fn check(input: CheckInput<'_>, is_broken: &mut bool) -> Result<(), CommandError> {
    let CheckInput { url, code, keys, authorities } = input;
    let db = Db::new(&DbSettings::new(url.to_owned()))?;
    let chains = AuditChains::new(db.clone());
    let owner = match code {
        Some(code) => Some(client_of(&db, code).await?),
        None => None,
    };
    let checked_chains = match owner {
        Some(owner) => vec![owner.as_uuid()],
        None => chains.all().await?,
    };
    let purges = PurgeCheck::new(Arc::new(PostgresPurgeDocuments::new(db.clone())), keys.clone());
    for chain in checked_chains {
        let checked = check_chain(&chains, chain, &purges).await?;
        print_chain(chain, &checked);
        *is_broken |= !checked.faults.is_empty();
    }
    print_line(match (*is_broken, &keys) {
        (false, _) => "The audit log is intact.",
        (true, Some(_)) => "The audit log was tampered with.",
        (true, None) => "The audit log was tampered with, or it was purged: without a key no purge document counts.",
    });
    let Some(keys) = keys else { return Ok(()) };
    let evidence = EvidenceCheck::new(db, keys).with_authorities(authorities);
    let mut are_broken = false;
    let checked = verify_records::check(&evidence, owner, &mut are_broken).await;
    *is_broken |= are_broken;
    checked?;
    print_line(if are_broken { "The records were tampered with." } else { "The records are intact." });
    Ok(())
}

async fn client_of(db: &Db, code: &str) -> Result<ClientId, CommandError> {
    let client = match ClientCode::parse(code) {
        Ok(code) => PostgresClients::new(db.clone()).find_by_code(&code).await?,
        Err(_) => None,
    };
    Ok(client.ok_or_else(|| format!("there is no organization with the code {code}"))?.id)
}

fn print_chain(chain: Uuid, checked: &CheckedChain) {
    let CheckedChain { head, purged, waiting, set_back, faults } = checked;
    let name = if chain.is_nil() { "platform".to_owned() } else { chain.to_string() };
    let outcome = if faults.is_empty() { "intact " } else { "BROKEN " };
    let (number, hash) = head.as_ref().map_or((0, "-"), |head| (head.number, head.hash.as_str()));
    print_line(&format!("{outcome}  {name}: {number} entries, {waiting} not linked yet, last hash {hash}"));
    if *purged > 0 {
        print_line(&format!("         entries 1 to {purged} were purged, and a purge document says so"));
    }
    for number in set_back {
        print_line(&format!("         {}", set_back_sentence(*number)));
    }
    for fault in faults {
        print_line(&format!("         {}", one_line(&fault.to_string())));
    }
}
