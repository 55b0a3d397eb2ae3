use chrono::TimeDelta;
use plenum_adapter_postgres::{
    DatabaseFitness, Db, DbSettings, ExpectedFingerprints, MigrationError, ServingInstance, check_row_security,
    known_times, pending, read_all, serving_instances,
};
use plenum_adapter_security::{BcryptHasher, BcryptSettings, SystemClock};
use plenum_kernel::Clock as _;
use plenum_voting::{ClockDoubt, SETTLED_DAYS};

use super::CheckError;
use super::finding::Finding;
use super::{database_fitness, keys};
use crate::demonstration::DemonstrationCheck;
use crate::runtime::runtime;
use crate::{Config, Database, whole_chain};

/// What was read from the database.
struct Seen {
    fitness: DatabaseFitness,
    serving: Vec<ServingInstance>,
    /// The names of missing migrations.
    pending: Vec<String>,
    /// Whether the rows of organizations are separate. Not checked while migrations are missing.
    row_security: Result<(), MigrationError>,
    demonstration: DemonstrationCheck,
    /// What cannot be read, as sentences.
    damages: Vec<String>,
    /// The keys with which it was used. None are read from a damaged database.
    keys: ExpectedFingerprints,
    /// Whether the clock is plausible. Not checked while migrations are missing, nor by a damaged database.
    clock: Result<Option<ClockDoubt>, CheckError>,
}

/// Checks that the database responds, is whole and up to date, is not a demonstration, and fits the keys.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    let kind = if config.database_url.is_some() { "DATABASE_URL" } else { "the embedded PostgreSQL" };
    let seen = match see(config) {
        Ok(seen) => seen,
        Err(reason) => return vec![unusable(kind, &*reason)],
    };
    let mut findings = vec![Finding::well(format!("{kind} responds."))];
    if !seen.damages.is_empty() {
        let damage = Finding::failure(format!("{kind} is damaged: {}.", seen.damages.join("; ")))
            .because("Votes and results in the damaged part cannot be read, and each further write may damage more.")
            .so("Stop the server, keep a copy of its files, and restore the last backup on another disk.");
        findings.push(damage);
        return findings;
    }
    findings.push(Finding::well("Every table can be read."));
    findings.extend(database_fitness::check(kind, &seen.fitness, !seen.pending.is_empty()));
    findings.extend(database_fitness::check_instances(config, &seen.serving));
    if seen.pending.is_empty() {
        findings.push(Finding::well("The database is up to date."));
        findings.push(match seen.row_security {
            Ok(()) => Finding::well("The database separates the rows of organizations."),
            Err(error) => Finding::failure(format!(
                "{kind} does not separate the rows of organizations: {}.",
                whole_chain(&error)
            ))
            .because("A fault in the program could show the data of one organization to another one.")
            .so("Run `plenum migrate` as the owner of the tables."),
        });
        findings.push(check_clock(&seen.clock));
    } else {
        let names = seen.pending.join(", ");
        findings.push(Finding::known(format!("`plenum serve` or `plenum migrate` will apply: {names}.")));
    }
    findings.push(check_demonstration(&seen.demonstration));
    findings.extend(keys::check_expected(config, &seen.keys));
    findings
}

fn see(config: &Config) -> Result<Seen, CheckError> {
    let database = Database::open_beside(config)?;
    let outcome = runtime()?.block_on(async {
        let fitness = DatabaseFitness::of(database.url()).await?;
        let serving = serving_instances(database.url()).await?;
        let pending = pending(database.url()).await?;
        let row_security = if pending.is_empty() { check_row_security(database.url()).await } else { Ok(()) };
        let demonstration = DemonstrationCheck::of(database.url()).await?;
        let damages = read_all(database.url()).await?;
        let keys = match damages.is_empty() {
            true => ExpectedFingerprints::of(database.url()).await?,
            false => ExpectedFingerprints::default(),
        };
        let clock = match pending.is_empty() && damages.is_empty() {
            true => clock_doubt(database.url()).await,
            false => Ok(None),
        };
        Ok::<_, MigrationError>(Seen { fitness, serving, pending, row_security, demonstration, damages, keys, clock })
    });
    database.close()?;
    Ok(outcome?)
}

/// The doubt about the clock here, by the times in a database.
async fn clock_doubt(url: &str) -> Result<Option<ClockDoubt>, CheckError> {
    let now = SystemClock.now();
    let db = Db::new(&DbSettings::new(url.to_owned()))?;
    Ok(known_times(&db, now - TimeDelta::days(SETTLED_DAYS)).await?.doubt(now))
}

fn check_clock(clock: &Result<Option<ClockDoubt>, CheckError>) -> Finding {
    match clock {
        Ok(None) => Finding::well("The clock fits the times in the database."),
        Ok(Some(doubt)) => Finding::warning(format!("The clock is in doubt: {doubt}."))
            .because("What a wrong clock purges or erases never comes back, so nothing is purged or erased by rule.")
            .so(
                "Set the clock. If it is right, and Plenum was not used for long, see `plenum purge --clock-is-right`.",
            ),
        Err(error) => Finding::warning(format!("The clock could not be compared: {}.", whole_chain(&**error))),
    }
}

fn unusable(kind: &str, reason: &(dyn std::error::Error + 'static)) -> Finding {
    let chain = whole_chain(reason);
    match reason.downcast_ref::<MigrationError>() {
        Some(MigrationError::Newer { .. }) => Finding::failure(format!("{kind} cannot be used: {chain}.")),
        Some(_) => Finding::failure(format!("{kind} does not respond: {chain}."))
            .because("Nothing works without the database.")
            .so("Check the address, and that the server runs and lets Plenum in."),
        None => {
            Finding::failure(format!("{kind} does not start: {chain}.")).because("Nothing works without the database.")
        }
    }
}

fn check_demonstration(demonstration: &DemonstrationCheck) -> Finding {
    let checked = || -> Result<Result<(), String>, CheckError> {
        let hasher = BcryptHasher::start(BcryptSettings::default())?;
        Ok(runtime()?.block_on(demonstration.check_real(&hasher)))
    };
    match checked() {
        Ok(Ok(())) => Finding::well("No account has the password of the demonstration."),
        Ok(Err(reason)) => Finding::failure(format!("`plenum serve` refuses to start: {reason}")),
        Err(error) => Finding::failure(format!("Passwords cannot be checked: {}.", whole_chain(&*error))),
    }
}
