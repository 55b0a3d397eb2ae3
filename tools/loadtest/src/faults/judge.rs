//! What is held against one another when everything has been played: the journals, the exported results, the recount of
//! `plenum verify`, the product's own test of its data, and the database itself.

use std::path::Path;
use std::process::Stdio;

use tokio::process::Command;

use super::chair::{get, insist};
use super::round::Played;
use super::stage::{Stage, cannot};
use crate::failure::LoadFailure;
use crate::hall::Hall;
use crate::journal::{Record, check};
use crate::outcome::JournalCounts;

/// So many examples of each round are told in words.
const TOLD: usize = 5;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// For each round that was played, in their order.
    pub(super) counts: Vec<JournalCounts>,
    /// Everything that is not as it should be, for people.
    pub(super) problems: Vec<String>,
}

pub(super) async fn judge(
    stage: &Stage,
    hall: &mut Hall,
    binary: &Path,
    played: &[Played],
) -> Result<Verdict, LoadFailure> {
    let mut verdict = Verdict::default();
    let path = format!("/client/meetings/{}/results/export?format=json", hall.meeting);
    let file = insist(hall, async |hall| hall.organizer.ask("GET", &path, None).await).await?.body;
    compare(played, &Record::read(&file)?, &mut verdict);
    recount(stage, binary, &file, &mut verdict).await?;
    look_through(hall, &mut verdict).await?;
    look_behind(stage, played, &mut verdict).await?;
    Ok(verdict)
}

/// Each round by itself, so that its fault has its own line.
fn compare(played: &[Played], record: &Record, verdict: &mut Verdict) {
    for round in played {
        let only = record.rounds.get(&round.round).cloned().map(|found| (round.round.clone(), found));
        let findings = check(&round.entries, &Record { rounds: only.into_iter().collect() });
        verdict.counts.push(findings.counts);
        verdict.problems.extend(findings.examples.into_iter().take(TOLD));
    }
    for id in record.rounds.keys().filter(|id| played.iter().all(|round| round.round != **id)) {
        verdict.problems.push(format!("nobody knows of the round {id}"));
    }
}

async fn recount(stage: &Stage, binary: &Path, file: &[u8], verdict: &mut Verdict) -> Result<(), LoadFailure> {
    let path = stage.folder.path().join("results.json");
    std::fs::write(&path, file).map_err(cannot("write the results"))?;
    let mut command = Command::new(binary);
    let output = command.arg("verify").arg(&path).stdin(Stdio::null()).output().await;
    let output = output.map_err(cannot("run plenum verify"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        let differing = said.lines().filter(|line| !line.starts_with("agrees")).take(TOLD);
        verdict.problems.push(format!("plenum verify: {}", differing.collect::<Vec<_>>().join(" / ")));
    }
    Ok(())
}

/// The product's own tests of its data.
async fn look_through(hall: &mut Hall, verdict: &mut Verdict) -> Result<(), LoadFailure> {
    let found = get(hall, "/test/data-integrity").await?;
    if found["isValid"] != true {
        let issues = found["details"]["issues"].as_array().map_or(&[][..], Vec::as_slice);
        let told: Vec<_> = issues.iter().take(TOLD).map(|issue| issue["message"].to_string()).collect();
        verdict.problems.push(format!("the data are not sound: {} {}", found["message"], told.join(" / ")));
    }
    Ok(())
}

/// What stands in the database, past everything that is the product's.
async fn look_behind(stage: &Stage, played: &[Played], verdict: &mut Verdict) -> Result<(), LoadFailure> {
    let facts = [
        ("SELECT count(*) FROM rounds", played.len() as u64, "rounds"),
        ("SELECT count(*) FROM rounds WHERE status = 'OPEN'", 0, "rounds that are open"),
        (
            "SELECT count(*) FROM rounds WHERE (SELECT count(*) FROM votes WHERE round_id = rounds.id)
                 <> (SELECT coalesce(sum(votes_cast), 0) FROM round_counters WHERE round_id = rounds.id)",
            0,
            "rounds whose counter is not the number of their votes",
        ),
    ];
    for (statement, expected, what) in facts {
        let found = stage.number(statement).await?;
        if found != expected {
            verdict.problems.push(format!("the database has {found} {what}, and should have {expected}"));
        }
    }
    for (round, counts) in played.iter().zip(&mut verdict.counts) {
        // The results tell one ballot of each voter, however many are stored.
        let several = "SELECT count(*) - count(DISTINCT end_user_id) FROM votes WHERE round_id";
        let doubled = stage.number(&format!("{several} = '{}'", round.round)).await?;
        if doubled > 0 {
            verdict.problems.push(format!("the database has {doubled} votes too many of the same people in a round"));
            counts.doubled = counts.doubled.max(doubled);
        }
    }
    Ok(())
}
