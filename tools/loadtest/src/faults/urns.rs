//! What is left of secret rounds: urns that were opened once, and neither keys nor envelopes.

use std::time::Duration;

use serde::Serialize;
use tokio::time::{Instant, sleep};

use super::installation::{Installation, cannot};
use super::plan::Moment;
use super::round::PlayedRound;
use crate::failure::LoadFailure;
use crate::fixture::Secrecy;

/// Time limit for the server to destroy keys that no round needs. It does so at its start, and then every minute.
const TIMEOUT: Duration = Duration::from_secs(90);

/// Opened urns whose key has no end yet.
const UNFINISHED: &str = "SELECT count(*) FROM urns WHERE opened_at IS NOT NULL AND key_destroyed_at IS NULL";

/// Counts of all secret rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UrnCounts {
    /// Opened urns.
    pub opened: u64,
    /// Further openings of urns that had been opened.
    pub opened_again: u64,
    /// Rounds that are void, because their key was lost.
    pub void: u64,
    /// Files of keys that a fault during a count left, and that the server destroyed later.
    pub keys_destroyed_later: u64,
    /// Shares of keys that are left, in the key folder or in the database.
    pub keys_left: u64,
    /// Envelopes that are left in the database.
    pub envelopes_left: u64,
}

/// Of each urn there is exactly one of these entries: in the audit log, and in the log of its round.
const LOGGED_ONCE: [(&str, &str); 4] = [
    ("urn_key_made", "audit_entries WHERE kind = 'urn_key_made' AND subject_id"),
    ("urn_opened", "audit_entries WHERE kind = 'urn_opened' AND subject_id"),
    ("urn_key_destroyed", "audit_entries WHERE kind = 'urn_key_destroyed' AND subject_id"),
    ("COUNTED", "round_log WHERE kind = 'COUNTED' AND round_id"),
];

/// Checks the urns of all secret rounds, and what is left of their keys. Returns what is wrong as text. Restarts the
/// server if a fault has prevented the end of a key.
pub(super) async fn check_urns(
    installation: &mut Installation,
    played: &[PlayedRound],
) -> Result<(UrnCounts, Vec<String>), LoadFailure> {
    let secret: Vec<_> = played.iter().filter(|round| round.fault.secrecy == Secrecy::Secret).collect();
    let (keys_destroyed_later, mut problems) = destroy_old_keys(installation, &secret).await?;
    let left = key_files(installation)?;
    problems.extend(left.iter().map(|key| format!("{}: its key is left, as {key}", name_of(key, &secret))));
    let count = async |statement: &str| installation.number(statement).await;
    let counts = UrnCounts {
        opened: count("SELECT count(*) FROM urns WHERE opened_at IS NOT NULL").await?,
        opened_again: count(
            "SELECT count(*) - count(DISTINCT subject_id) FROM audit_entries WHERE kind = 'urn_opened'",
        )
        .await?,
        void: count("SELECT count(*) FROM urns WHERE void_at IS NOT NULL").await?,
        keys_destroyed_later,
        keys_left: count("SELECT count(*) FROM urn_shares").await? + left.len() as u64,
        envelopes_left: count("SELECT count(*) FROM votes WHERE sealed IS NOT NULL").await?,
    };
    problems.extend(counts.problems(secret.len() as u64));
    for (kind, entries) in LOGGED_ONCE {
        let number = format!("SELECT count(*) FROM {entries} = urns.round_id");
        let statement = format!("SELECT round_id, ({number}) FROM urns WHERE ({number}) <> 1");
        for row in installation.rows(&statement).await? {
            let found = row.get(1).map_or("?", String::as_str);
            problems.push(format!("{}: its urn is logged as {kind} {found} times", name_of(&row[0], &secret)));
        }
    }
    Ok((counts, problems))
}

/// The fault of a round, in words.
fn name_of(round: &str, secret: &[&PlayedRound]) -> String {
    let found = secret.iter().find(|played| played.round == round);
    found.map_or_else(|| format!("round {round}"), |played| played.fault.name())
}

impl UrnCounts {
    /// The deviations of a run with this number of secret rounds.
    fn problems(&self, rounds: u64) -> Vec<String> {
        let Self { opened, opened_again, void, keys_left, envelopes_left, .. } = *self;
        let expected = [
            (opened, rounds, "opened urns"),
            (opened_again, 0, "urns that were opened again"),
            (void, 0, "void rounds"),
            (keys_left, 0, "shares of keys left"),
            (envelopes_left, 0, "envelopes left"),
        ];
        let wrong = expected.into_iter().filter(|(found, expected, _)| found != expected);
        wrong.map(|(found, expected, what)| format!("there are {found} {what} instead of {expected}")).collect()
    }
}

/// After a crash during a count, the server destroys the file of the key once it is old enough, and notes the end of the
/// key. Makes these files older, restarts the server, and returns their number. Files of other rounds are problems.
async fn destroy_old_keys(
    installation: &mut Installation,
    secret: &[&PlayedRound],
) -> Result<(u64, Vec<String>), LoadFailure> {
    let left = key_files(installation)?;
    if left.is_empty() && installation.number(UNFINISHED).await? == 0 {
        return Ok((0, Vec::new()));
    }
    let is_disturbed = |round: &&&PlayedRound| round.fault.moment == Moment::Counting;
    let is_explained = |key: &str| secret.iter().filter(is_disturbed).any(|played| played.round == key);
    let (explained, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|key| is_explained(key));
    let problems = others.iter().map(|key| format!("{}: its key was left, as {key}", name_of(key, secret))).collect();
    installation.folder.age_keys().map_err(cannot("change the times of the key files"))?;
    installation.stop_server().await;
    installation.start_server().await?;
    let deadline = Instant::now() + TIMEOUT;
    while !key_files(installation)?.is_empty() || installation.number(UNFINISHED).await? > 0 {
        if Instant::now() >= deadline {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    Ok((explained.len() as u64, problems))
}

fn key_files(installation: &Installation) -> Result<Vec<String>, LoadFailure> {
    installation.folder.key_files().map_err(cannot("read the key folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_urn_must_be_opened_once_and_leave_nothing() {
        let clean = UrnCounts { opened: 4, keys_destroyed_later: 1, ..UrnCounts::default() };
        assert_eq!(clean.problems(4), [""; 0]);
        for (wrong, problem) in [
            (UrnCounts { opened: 3, ..clean }, "there are 3 opened urns instead of 4"),
            (UrnCounts { opened_again: 1, ..clean }, "there are 1 urns that were opened again instead of 0"),
            (UrnCounts { void: 1, ..clean }, "there are 1 void rounds instead of 0"),
            (UrnCounts { keys_left: 2, ..clean }, "there are 2 shares of keys left instead of 0"),
            (UrnCounts { envelopes_left: 9, ..clean }, "there are 9 envelopes left instead of 0"),
        ] {
            assert_eq!(wrong.problems(4), [problem]);
        }
    }
}
