use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::kind::Kind;
use super::plan::Fault;
use super::round::PlayedRound;
use super::urns::UrnCounts;
use crate::fixture::Secrecy;
use crate::latencies::Latencies;
use crate::outcome::JournalCounts;

/// Results of a fault run. In JSON it is one object.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Command that repeats the run.
    pub command: String,
    /// Seed of all random choices.
    pub seed: u64,
    /// Day in UTC.
    pub day: String,
    /// Description of the machine.
    pub machine: String,
    /// Program under test.
    pub program: String,
    /// Number of voters in each round.
    pub voters: usize,
    /// Number of screens that watched.
    pub screens: usize,
    /// Number of streams that broke and were opened again.
    pub broken_streams: u64,
    /// Duration of the run.
    #[serde(serialize_with = "in_seconds")]
    pub took: Duration,
    /// Counts of all rounds together.
    pub counts: JournalCounts,
    /// Ballots of people who had already voted. All of them were refused.
    pub second_ballots: u64,
    /// Ballots that were submitted again because no response arrived.
    pub repeats_without_answer: u64,
    /// Ballots that were submitted again because the server asked for it.
    pub repeats_as_asked: u64,
    /// Counts of the urns, if there are secret rounds.
    pub urns: Option<UrnCounts>,
    /// Everything that is wrong.
    pub problems: Vec<String>,
    /// Kinds of faults that are not possible here, with the reasons.
    pub not_possible: BTreeMap<Kind, String>,
    /// Results by secrecy and kind.
    pub kinds: Vec<Row>,
    /// Results by fault.
    pub faults: Vec<FaultResult>,
}

/// All faults of one kind in rounds of one secrecy.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The secrecy.
    pub secrecy: Secrecy,
    /// The kind.
    pub kind: Kind,
    /// Number of faults.
    pub faults: usize,
    /// Votes acknowledged during the faults.
    #[serde(rename = "meanwhile")]
    pub votes_during: usize,
    /// Counts of their rounds.
    pub counts: JournalCounts,
    /// Time until votes were acknowledged again; null if no votes were missing after any of the faults.
    pub votes_again: Option<Times>,
    /// Time until all screens were correct again.
    pub screens_again: Times,
    /// Longest time that a voter waited for a response.
    #[serde(serialize_with = "in_seconds")]
    pub longest_wait: Duration,
}

/// Statistics of a duration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// Median.
    #[serde(serialize_with = "in_seconds")]
    pub median: Duration,
    /// Maximum.
    #[serde(serialize_with = "in_seconds")]
    pub longest: Duration,
}

/// Result of one fault.
#[derive(Clone, Debug, Serialize)]
pub struct FaultResult {
    /// The planned fault.
    #[serde(flatten)]
    pub fault: Fault,
    /// Real duration.
    #[serde(serialize_with = "in_seconds")]
    pub lasted: Duration,
    /// Votes acknowledged during the fault.
    #[serde(rename = "meanwhile")]
    pub votes_during: usize,
    /// Counts of its round.
    pub counts: JournalCounts,
    /// Time until a vote was acknowledged again; null if no votes were missing.
    #[serde(serialize_with = "in_seconds_if_any")]
    pub votes_again: Option<Duration>,
    /// Time until all screens were correct again.
    #[serde(serialize_with = "in_seconds")]
    pub screens_again: Duration,
    /// Longest time that a voter waited for a response.
    #[serde(serialize_with = "in_seconds")]
    pub longest_wait: Duration,
    /// Ballots of people who had already voted. All of them were refused.
    pub second_ballots: u64,
    /// Ballots that were submitted again because no response arrived.
    pub repeats_without_answer: u64,
    /// Ballots that were submitted again because the server asked for it.
    pub repeats_as_asked: u64,
}

impl Report {
    /// Whether every vote is stored correctly, and everything recovered.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.counts.is_clean()
    }
}

/// Result of one fault.
pub(super) fn fault_result(fault: &Fault, played: &PlayedRound, counts: JournalCounts) -> FaultResult {
    FaultResult {
        fault: fault.clone(),
        lasted: played.injected.ended - played.injected.began,
        votes_during: played.votes_during,
        counts,
        votes_again: played.votes_again,
        screens_again: played.screens_again,
        longest_wait: played.outcome.longest_wait,
        second_ballots: played.outcome.second_ballots,
        repeats_without_answer: played.outcome.retries.without_answer,
        repeats_as_asked: played.outcome.retries.as_requested,
    }
}

/// Groups the faults by secrecy and kind, in the order of the kinds.
pub(super) fn rows(faults: &[FaultResult]) -> Vec<Row> {
    let of_secrecy = |secrecy: Secrecy| {
        Kind::every().filter_map(move |kind| {
            let is_of = |result: &&FaultResult| (result.fault.secrecy, result.fault.kind) == (secrecy, kind);
            row(secrecy, kind, &faults.iter().filter(is_of).collect::<Vec<_>>())
        })
    };
    [Secrecy::Named, Secrecy::Secret].into_iter().flat_map(of_secrecy).collect()
}

/// `None` without faults.
fn row(secrecy: Secrecy, kind: Kind, faults: &[&FaultResult]) -> Option<Row> {
    let votes_again: Vec<_> = faults.iter().filter_map(|result| result.votes_again).collect();
    (!faults.is_empty()).then(|| Row {
        secrecy,
        kind,
        faults: faults.len(),
        votes_during: faults.iter().map(|result| result.votes_during).sum(),
        counts: sum(faults.iter().map(|result| result.counts)),
        votes_again: (!votes_again.is_empty()).then(|| Times::of(votes_again)),
        screens_again: Times::of(faults.iter().map(|result| result.screens_again).collect()),
        longest_wait: faults.iter().map(|result| result.longest_wait).max().unwrap_or_default(),
    })
}

/// Adds the counts.
pub(super) fn sum(counts: impl Iterator<Item = JournalCounts>) -> JournalCounts {
    counts.fold(JournalCounts::default(), |all, more| JournalCounts {
        acknowledged: all.acknowledged + more.acknowledged,
        refused: all.refused + more.refused,
        too_late: all.too_late + more.too_late,
        unknown: all.unknown + more.unknown,
        lost: all.lost + more.lost,
        doubled: all.doubled + more.doubled,
        changed: all.changed + more.changed,
        smuggled: all.smuggled + more.smuggled,
    })
}

impl Times {
    fn of(times: Vec<Duration>) -> Self {
        let times = Latencies::of(times);
        Self { median: times.median(), longest: times.longest() }
    }
}

fn in_seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((time.as_secs_f64() * 1000.0).round() / 1000.0)
}

fn in_seconds_if_any<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => in_seconds(time, serializer),
        None => serializer.serialize_none(),
    }
}
