//! Checks the audit log and the records in the database.

use std::process::ExitCode;
use std::sync::Arc;

use plenum_adapter_postgres::{AuditChains, Db, DbSettings, PostgresClients, PostgresPurgeDocuments};
use plenum_clients::{ClientCode, ClientStore as _};
use plenum_kernel::{ClientId, EvidenceKeys};
use plenum_timestamp_format::Authorities;
use uuid::Uuid;

use super::verify::DIFFERS;
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
    let keys = evidence_key::load(&evidence_key::path(config))?;
    let keys = keys.map(|ring| Arc::new(ring) as Arc<dyn EvidenceKeys>);
    let outcome = runtime()?.block_on(check(database.url(), code, keys, authorities));
    database.close()?;
    let is_whole = outcome?;
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) })
}

async fn check(
    url: &str,
    code: Option<&str>,
    keys: Option<Arc<dyn EvidenceKeys>>,
    authorities: Option<Arc<Authorities>>,
) -> Result<bool, CommandError> {
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
    // Without a key here the signatures of purge documents are not checked.
    let purges = PurgeCheck::new(Arc::new(PostgresPurgeDocuments::new(db.clone())), keys.clone());
    let mut are_whole = true;
    for chain in wanted {
        let checked = check_chain(&chains, chain, &purges).await?;
        print_chain(chain, &checked);
        are_whole &= checked.faults.is_empty();
    }
    print_line(if are_whole { "The audit log is intact." } else { "The audit log was tampered with." });
    let Some(keys) = keys else {
        print_line("The records were not checked: there is no evidence key here.");
        return Ok(are_whole);
    };
    let are_recorded = verify_records::check(&db, keys, authorities, owner).await?;
    print_line(if are_recorded { "The records are intact." } else { "Declared results were tampered with." });
    Ok(are_whole && are_recorded)
}

async fn client_of(db: &Db, code: &str) -> Result<ClientId, CommandError> {
    let client = match ClientCode::parse(code) {
        Ok(code) => PostgresClients::new(db.clone()).find_by_code(&code).await?,
        Err(_) => None,
    };
    Ok(client.ok_or_else(|| format!("there is no organization with the code {code}"))?.id)
}

fn print_chain(chain: Uuid, checked: &CheckedChain) {
    let CheckedChain { head, purged, waiting, faults } = checked;
    let name = if chain.is_nil() { "platform".to_owned() } else { chain.to_string() };
    let outcome = if faults.is_empty() { "intact " } else { "BROKEN " };
    let (number, hash) = head.as_ref().map_or((0, "-"), |head| (head.number, head.hash.as_str()));
    print_line(&format!("{outcome}  {name}: {number} entries, {waiting} not linked yet, last hash {hash}"));
    if *purged > 0 {
        print_line(&format!("         entries 1 to {purged} were purged, and a purge document says so"));
    }
    for fault in faults {
        print_line(&format!("         {}", one_line(&fault.to_string())));
    }
}
