//! Checks the audit log and the records in the database.

use std::process::ExitCode;
use std::sync::Arc;

use plenum_adapter_postgres::{AuditChains, Db, DbSettings, PostgresClients, PostgresPurgeDocuments};
use plenum_clients::{ClientCode, ClientStore as _};
use plenum_kernel::{ClientId, EvidenceKeys};
use plenum_timestamp_format::Authorities;
use plenum_verify::set_back_sentence;
use uuid::Uuid;

use super::verify::{DIFFERS, ORIGIN_UNKNOWN};
use super::{CommandError, verify_records};
use crate::config::{evidence_key, timestamp_certificates};
use crate::evidence::{CheckedChain, check_chain};
use crate::output::{one_line, print_line};
use crate::purges::PurgeCheck;
use crate::runtime::runtime;
use crate::{Config, Database};

/// Checks every chain of the audit log, or that of one client, and prints the faults.
pub(super) fn run(config: &Config, code: Option<&str>) -> Result<ExitCode, CommandError> {
    let authorities = timestamp_certificates::load(config)?.map(Arc::new);
    let database = Database::open_beside(config)?;
    let key_file = evidence_key::path(config);
    let keys = evidence_key::load(&key_file)?;
    let keys = keys.map(|ring| Arc::new(ring) as Arc<dyn EvidenceKeys>);
    let outcome = runtime()?.block_on(check(database.url(), code, keys, authorities));
    database.close()?;
    let outcome = outcome?;
    if outcome.are_recorded.is_none() {
        print_line(&format!(
            "The records and the signatures of purges could not be checked: there is no evidence key {}. Set \
             PLENUM_EVIDENCE_KEY_FILE to the key of this installation, and repeat.",
            key_file.display()
        ));
    }
    Ok(outcome.exit_code())
}

/// What was found.
struct Outcome {
    /// Whether every chain of the audit log is intact.
    are_whole: bool,
    /// Whether the records are intact. `None` without a key to check them.
    are_recorded: Option<bool>,
}

impl Outcome {
    fn exit_code(&self) -> ExitCode {
        match (self.are_whole, self.are_recorded) {
            (true, Some(true)) => ExitCode::SUCCESS,
            (true, None) => ExitCode::from(ORIGIN_UNKNOWN),
            _ => ExitCode::from(DIFFERS),
        }
    }
}

async fn check(
    url: &str,
    code: Option<&str>,
    keys: Option<Arc<dyn EvidenceKeys>>,
    authorities: Option<Arc<Authorities>>,
) -> Result<Outcome, CommandError> {
    let db = Db::new(&DbSettings::new(url.to_owned()))?;
    let chains = AuditChains::new(db.clone());
    let owner = match code {
        Some(code) => Some(client_of(&db, code).await?),
        None => None,
    };
    let wanted = match owner {
        Some(owner) => vec![owner.as_uuid()],
        None => chains.all().await?,
    };
    let purges = PurgeCheck::new(Arc::new(PostgresPurgeDocuments::new(db.clone())), keys.clone());
    let mut are_whole = true;
    for chain in wanted {
        let checked = check_chain(&chains, chain, &purges).await?;
        print_chain(chain, &checked);
        are_whole &= checked.faults.is_empty();
    }
    print_line(match (are_whole, &keys) {
        (true, _) => "The audit log is intact.",
        (false, Some(_)) => "The audit log was tampered with.",
        (false, None) => "The audit log was tampered with, or it was purged: without a key no purge document counts.",
    });
    let Some(keys) = keys else { return Ok(Outcome { are_whole, are_recorded: None }) };
    let are_recorded = verify_records::check(&db, keys, authorities, owner).await?;
    print_line(if are_recorded { "The records are intact." } else { "The records were tampered with." });
    Ok(Outcome { are_whole, are_recorded: Some(are_recorded) })
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
