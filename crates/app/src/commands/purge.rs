//! Removes old evidence under a signed document.

use std::io::{BufRead as _, IsTerminal as _};
use std::process::ExitCode;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::Args;
use plenum_adapter_postgres::{Db, DbSettings, ExpectedKey, PostgresClients, PostgresPurges, migrate};
use plenum_adapter_security::SystemClock;
use plenum_clients::{ClientCode, ClientStore as _};
use plenum_kernel::{ClientId, Clock as _, EvidenceKeys, MeetingId};
use plenum_records::CanonicalRecords;
use plenum_voting::{
    DueMeeting, DuePurge, PurgeOrder, PurgeScope, PurgeStore, PurgedBy, RefusedMeeting, check_clock, purge_all,
};
use uuid::Uuid;

use super::CommandError;
use super::verify::{DIFFERS, counted};
use crate::config::evidence_key;
use crate::output::{one_line, print_line};
use crate::runtime::runtime;
use crate::{Config, Database};

/// The most meetings that are listed before a purge.
const MOST: u32 = 10_000;

/// The scope of a purge.
#[derive(Debug, Args)]
pub(super) struct PurgeArguments {
    /// Remove everything before this date, such as 2016-12-31. Default: everything older than the retention time.
    #[arg(long, value_name = "DATE")]
    before: Option<NaiveDate>,
    /// Only the data of this organization: its code, or its id (also of a deleted organization).
    #[arg(long, value_name = "CODE_OR_ID")]
    organization: Option<String>,
    /// Only this meeting. The audit log stays.
    #[arg(long, value_name = "ID")]
    meeting: Option<Uuid>,
    /// Also purge data within the retention time.
    #[arg(long, requires = "before")]
    within_retention: bool,
    /// Purge although the clock is in doubt: it differs from that of the database, or is more than 400 days ahead of the audit
    /// log, as after a long time without use.
    #[arg(long)]
    clock_is_right: bool,
    /// The name of the person who orders the purge, for its document and the audit log.
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// Do not ask for confirmation.
    #[arg(long)]
    yes: bool,
}

/// Shows what a purge removes, and removes it.
pub(super) fn run(config: &Config, arguments: &PurgeArguments) -> Result<ExitCode, CommandError> {
    let now = SystemClock.now();
    let before = match arguments.before {
        Some(date) => date.and_time(NaiveTime::MIN).and_utc(),
        None => config.retention.cutoff(now),
    };
    config.retention.check(before, now, arguments.within_retention).map_err(|reason| format!("--before: {reason}"))?;
    let operator = arguments.operator.as_deref().map(one_line).filter(|name| !name.trim().is_empty());
    let ring = evidence_key::load(&evidence_key::path(config))?;
    let keys: Arc<dyn EvidenceKeys> = Arc::new(ring.ok_or("there is no evidence key here: it signs the purge")?);
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(async {
        migrate(database.url()).await?;
        let db = Db::new(&DbSettings::new(database.url().to_owned()))?;
        check_key(&db, &*keys).await?;
        let client = match &arguments.organization {
            Some(given) => Some(organization(&db, given).await?),
            None => None,
        };
        let scope = PurgeScope { before, client, meeting: arguments.meeting.map(MeetingId::from_uuid) };
        let store = PostgresPurges::new(db, Arc::new(CanonicalRecords::new(keys)));
        let doubt = check_clock(&store, now).await?.filter(|_| !arguments.clock_is_right);
        if let Some(doubt) = doubt {
            let advice = "nothing was removed. Set the clock, or add --clock-is-right if it is right";
            return Err(format!("{doubt}: {advice}").into());
        }
        let order = PurgeOrder { scope, by: PurgedBy::Command(operator), at: now };
        purge(&store, order, arguments.yes).await
    });
    database.close()?;
    outcome
}

/// A document that another key signs would not cover anything.
async fn check_key(db: &Db, keys: &dyn EvidenceKeys) -> Result<(), CommandError> {
    match ExpectedKey::evidence(db.clone()).fingerprint().await? {
        Some(registered) if registered != keys.fingerprint() => {
            Err("the evidence key here is not the one of this database: nothing was removed".into())
        }
        _ => Ok(()),
    }
}

async fn organization(db: &Db, given: &str) -> Result<ClientId, CommandError> {
    if let Ok(id) = given.parse::<Uuid>() {
        return Ok(ClientId::from_uuid(id));
    }
    let client = match ClientCode::parse(given) {
        Ok(code) => PostgresClients::new(db.clone()).find_by_code(&code).await?,
        Err(_) => None,
    };
    Ok(client.ok_or_else(|| format!("--organization: there is none with the code {}", one_line(given)))?.id)
}

async fn purge(store: &dyn PurgeStore, order: PurgeOrder, is_confirmed: bool) -> Result<ExitCode, CommandError> {
    let due = store.due(order.scope, MOST).await?;
    show_refused(&due.refused);
    let code = if due.refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERS) };
    if due.chains().is_empty() {
        let nothing = if due.refused.is_empty() { "Nothing" } else { "Nothing else" };
        print_line(&format!("{nothing} is older than {}.", date(order.scope.before)));
        return Ok(code);
    }
    show(&due, order.scope.before);
    if !is_confirmed && !is_wanted()? {
        print_line("Nothing was removed. Run the command again with --yes to remove these records.");
        return Ok(code);
    }
    let purged = purge_all(store, order).await?;
    let sum = [
        counted(usize::try_from(purged.meetings)?, "meeting"),
        counted(usize::try_from(purged.records)?, "record"),
        counted(usize::try_from(purged.entries)?, "audit entry"),
    ];
    print_line(&format!("Removed: {}. Last purge document: {}", sum.join(", "), purged.document));
    Ok(code)
}

/// Prints the meetings that stay although their rows say that they are old.
fn show_refused(refused: &[RefusedMeeting]) {
    for RefusedMeeting { client, meeting, title, reason } in refused {
        let title = title.as_deref().map_or_else(|| "deleted".to_owned(), one_line);
        print_line(&format!("REFUSED  meeting {meeting} ({title}) of organization {client}: {reason}."));
    }
    if !refused.is_empty() {
        print_line("These meetings stay: what their rows say is not what was signed. Run `plenum verify --database`.");
    }
}

/// Prints what is removed, by organization and meeting.
fn show(due: &DuePurge, before: DateTime<Utc>) {
    print_line(&format!("To be removed, because it is older than {}:", date(before)));
    for chain in due.chains() {
        let of_chain = |due: &&DueMeeting| due.client.as_uuid() == chain;
        print_line(&if chain.is_nil() { "Platform".to_owned() } else { format!("Organization {chain}") });
        for meeting in due.meetings.iter().filter(of_chain) {
            let title = meeting.title.as_deref().map_or_else(|| "deleted".to_owned(), one_line);
            print_line(&format!(
                "  {}  {title} ({}): {} of results, {}, {}",
                meeting.meeting,
                date(meeting.at),
                counted(meeting.records as usize, "record"),
                counted(meeting.closings as usize, "closing record"),
                counted(meeting.amendments as usize, "amendment"),
            ));
        }
        for entries in due.entries.iter().filter(|entries| entries.chain == chain) {
            print_line(&format!("  Audit log: entries {} to {}", entries.first, entries.last));
        }
    }
    print_line(
        "Meetings go with their rounds, votes and registers. Entries of the audit log that only these records need go, too.",
    );
}

/// Asks on a terminal. Elsewhere nobody can answer.
fn is_wanted() -> Result<bool, CommandError> {
    if !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    print_line("This cannot be undone. Type purge to go on:");
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim() == "purge")
}

fn date(time: DateTime<Utc>) -> String {
    time.format("%Y-%m-%d").to_string()
}
