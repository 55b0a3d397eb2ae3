//! Compares the results of a run: the journals, the exported results, the recount by `plenum verify`, the product's own
//! data integrity check, and the database itself.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::installation::{Installation, cannot};
use super::retry::{get, retry};
use super::round::PlayedRound;
use super::urns::{UrnCounts, check_urns};
use crate::failure::LoadFailure;
use crate::fixture::{Fixture, Secrecy};
use crate::journal::{Record, check};
use crate::outcome::JournalCounts;

/// Number of examples of each round in the report.
const MAX_EXAMPLES: usize = 5;

/// Results of the comparison.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Counts of each round, in order.
    pub(super) counts: Vec<JournalCounts>,
    /// Counts of the urns, if there are secret rounds.
    pub(super) urns: Option<UrnCounts>,
    /// Everything that is wrong, as text.
    pub(super) problems: Vec<String>,
}

pub(super) async fn verify(
    installation: &mut Installation,
    fixture: &mut Fixture,
    binary: &Path,
    played: &[PlayedRound],
) -> Result<Verdict, LoadFailure> {
    let mut verdict = Verdict::default();
    if played.iter().any(|round| round.fault.secrecy == Secrecy::Secret) {
        let (counts, problems) = check_urns(installation, played).await?;
        verdict.urns = Some(counts);
        verdict.problems.extend(problems);
    }
    let path = format!("/client/meetings/{}/results/export?format=json", fixture.meeting);
    let file = retry(fixture, async |fixture| fixture.organizer.ask("GET", &path, None).await).await?.body;
    compare_rounds(played, &Record::read(&file)?, &mut verdict);
    recount(installation, binary, &file, &mut verdict).await?;
    check_data_integrity(fixture, &mut verdict).await?;
    check_database(installation, played, &mut verdict).await?;
    Ok(verdict)
}

/// Compares each round by itself, so that every error can be attributed to its fault.
fn compare_rounds(played: &[PlayedRound], record: &Record, verdict: &mut Verdict) {
    for round in played {
        let only = record.rounds.get(&round.round).cloned().map(|found| (round.round.clone(), found));
        let findings = check(&round.entries, &Record { rounds: only.into_iter().collect() });
        verdict.counts.push(findings.counts);
        verdict.problems.extend(findings.examples.into_iter().take(MAX_EXAMPLES));
    }
    for id in record.rounds.keys().filter(|id| played.iter().all(|round| round.round != **id)) {
        verdict.problems.push(format!("the record has an unknown round {id}"));
    }
}

async fn recount(
    installation: &Installation,
    binary: &Path,
    file: &[u8],
    verdict: &mut Verdict,
) -> Result<(), LoadFailure> {
    let path = installation.folder.path().join("results.json");
    std::fs::write(&path, file).map_err(cannot("write the results"))?;
    let mut command = Command::new(binary);
    let output = command
        .arg("verify")
        .arg(&path)
        .env("PLENUM_EVIDENCE_KEY_FILE", installation.evidence_key())
        .stdin(Stdio::null())
        .output()
        .await;
    let output = output.map_err(cannot("run plenum verify"))?;
    if !output.status.success() {
        let output_text = String::from_utf8_lossy(&output.stdout);
        let differing = output_text.lines().filter(|line| !line.starts_with("agrees")).take(MAX_EXAMPLES);
        verdict.problems.push(format!("plenum verify: {}", differing.collect::<Vec<_>>().join(" / ")));
    }
    Ok(())
}

/// Runs the product's own data integrity check.
async fn check_data_integrity(fixture: &mut Fixture, verdict: &mut Verdict) -> Result<(), LoadFailure> {
    let found = get(fixture, "/test/data-integrity").await?;
    if found["isValid"] != true {
        let issues = found["details"]["issues"].as_array().map_or(&[][..], Vec::as_slice);
        let examples: Vec<_> = issues.iter().take(MAX_EXAMPLES).map(|issue| issue["message"].to_string()).collect();
        verdict.problems.push(format!(
            "the data integrity check failed: {} {}",
            found["message"],
            examples.join(" / ")
        ));
    }
    Ok(())
}

/// Checks the tables of the database, bypassing the product.
async fn check_database(
    installation: &Installation,
    played: &[PlayedRound],
    verdict: &mut Verdict,
) -> Result<(), LoadFailure> {
    let facts = [
        ("SELECT count(*) FROM rounds", played.len() as u64, "rounds"),
        ("SELECT count(*) FROM rounds WHERE status = 'OPEN'", 0, "open rounds"),
        (
            "SELECT count(*) FROM rounds WHERE (SELECT count(*) FROM votes WHERE round_id = rounds.id)
                 <> (SELECT coalesce(sum(votes_cast), 0) FROM round_counters WHERE round_id = rounds.id)",
            0,
            "rounds whose counter differs from the number of their votes",
        ),
    ];
    for (statement, expected, what) in facts {
        let found = installation.number(statement).await?;
        if found != expected {
            verdict.problems.push(format!("the database has {found} {what} instead of {expected}"));
        }
    }
    for (round, counts) in played.iter().zip(&mut verdict.counts) {
        // The results contain one ballot of each voter, even if several are stored.
        let several = "SELECT count(*) - count(DISTINCT end_user_id) FROM votes WHERE round_id";
        let doubled = installation.number(&format!("{several} = '{}'", round.round)).await?;
        if doubled > 0 {
            verdict.problems.push(format!(
                "the database has {doubled} votes too many, of people who voted before in the same round"
            ));
            counts.doubled = counts.doubled.max(doubled);
        }
    }
    Ok(())
}
