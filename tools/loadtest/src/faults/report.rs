use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::kind::Kind;
use super::plan::Fault;
use super::round::PlayedRound;
use crate::latencies::Latencies;
use crate::outcome::JournalCounts;

/// What a run of faults has come to. In JSON it is one object.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How it can be run again.
    pub command: String,
    /// From which every random choice comes.
    pub seed: u64,
    /// The day, in UTC.
    pub day: String,
    /// What it ran on.
    pub machine: String,
    /// Which program was broken.
    pub program: String,
    /// How many voters each round has.
    pub voters: usize,
    /// How many screens watched.
    pub screens: usize,
    /// How often a stream broke, and was opened again.
    pub broken_streams: u64,
    /// How long all of it took.
    #[serde(serialize_with = "in_seconds")]
    pub took: Duration,
    /// Of all rounds together.
    pub counts: JournalCounts,
    /// Ballots of people who had voted already, all of them refused.
    pub second_ballots: u64,
    /// Ballots that had to be handed in again because no answer came.
    pub repeats_without_answer: u64,
    /// Because the server asked to come again.
    pub repeats_as_asked: u64,
    /// Everything that is not as it should be.
    pub problems: Vec<String>,
    /// Kinds of faults that could not be played here, and why.
    pub not_possible: BTreeMap<Kind, String>,
    /// For each kind.
    pub kinds: Vec<Row>,
    /// Each fault.
    pub faults: Vec<FaultResult>,
}

/// All faults of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which.
    pub kind: Kind,
    /// How many there were.
    pub faults: usize,
    /// Votes that were acknowledged while they lasted.
    #[serde(rename = "meanwhile")]
    pub votes_during: usize,
    /// Of their rounds.
    pub counts: JournalCounts,
    /// How long it took until votes were acknowledged again.
    pub votes_again: Times,
    /// How long it took until all screens were right again.
    pub screens_again: Times,
    /// The longest that a voter had to wait for an answer.
    #[serde(serialize_with = "in_seconds")]
    pub longest_wait: Duration,
}

/// How long something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Times {
    /// In the middle.
    #[serde(serialize_with = "in_seconds")]
    pub median: Duration,
    /// At most.
    #[serde(serialize_with = "in_seconds")]
    pub longest: Duration,
}

/// One fault.
#[derive(Clone, Debug, Serialize)]
pub struct FaultResult {
    /// What was planned.
    #[serde(flatten)]
    pub fault: Fault,
    /// How long it really lasted.
    #[serde(serialize_with = "in_seconds")]
    pub lasted: Duration,
    /// Votes that were acknowledged meanwhile.
    #[serde(rename = "meanwhile")]
    pub votes_during: usize,
    /// Of its round.
    pub counts: JournalCounts,
    /// How long it took until a vote was acknowledged again; null where nobody had to vote any more.
    #[serde(serialize_with = "in_seconds_if_any")]
    pub votes_again: Option<Duration>,
    /// How long it took until all screens were right again.
    #[serde(serialize_with = "in_seconds")]
    pub screens_again: Duration,
    /// The longest that a voter had to wait for an answer.
    #[serde(serialize_with = "in_seconds")]
    pub longest_wait: Duration,
}

impl Report {
    /// Whether every vote is where it belongs, and everything came back.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.counts.is_clean()
    }
}

/// One fault, as it is told.
pub(super) fn fault_result(fault: &Fault, played: &PlayedRound, counts: JournalCounts) -> FaultResult {
    FaultResult {
        fault: fault.clone(),
        lasted: played.injected.ended - played.injected.began,
        votes_during: played.votes_during,
        counts,
        votes_again: played.votes_again,
        screens_again: played.screens_again,
        longest_wait: played.outcome.longest_wait,
    }
}

/// The faults by their kinds, in the order in which kinds are listed.
pub(super) fn rows(faults: &[FaultResult]) -> Vec<Row> {
    let of_kind = |kind: Kind| faults.iter().filter(move |result| result.fault.kind == kind);
    Kind::ALL
        .into_iter()
        .filter(|kind| of_kind(*kind).next().is_some())
        .map(|kind| Row {
            kind,
            faults: of_kind(kind).count(),
            votes_during: of_kind(kind).map(|result| result.votes_during).sum(),
            counts: sum(of_kind(kind).map(|result| result.counts)),
            votes_again: Times::of(of_kind(kind).filter_map(|result| result.votes_again).collect()),
            screens_again: Times::of(of_kind(kind).map(|result| result.screens_again).collect()),
            longest_wait: of_kind(kind).map(|result| result.longest_wait).max().unwrap_or_default(),
        })
        .collect()
}

/// All of them together.
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
