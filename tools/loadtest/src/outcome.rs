//! The outcome of a run as JSON: the contract between scenarios and readers of their figures.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One run of one scenario. In JSON it is one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The subcommand: `ballots`, `fan-out`, `watch`, `sign-in-burst`, `assembly`, `growth`.
    pub scenario: String,
    /// The variant: `closed-64`, `open-10000-within-10s`, `bare-64`, …
    pub variant: String,
    /// The seed of every random choice.
    pub seed: u64,
    /// The start of the run, before the set-up.
    pub started: DateTime<Utc>,
    /// The settings by name, with distributions.
    pub settings: Map<String, Value>,
    /// Single figures.
    pub figures: Vec<Figure>,
    /// Distributions.
    pub series: Vec<Series>,
    /// Missing figures by name, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, String>,
    /// The findings of the journal's check. `None` without votes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalCounts>,
}

/// A single figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The name: `ballots_per_second`, `latency_p99`, …
    pub name: String,
    /// The unit: `ms`, `s`, `1/s`, `B`, `1` (a count).
    pub unit: String,
    /// The value.
    pub value: f64,
}

/// A distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The name: `latency`, `receipt`, …
    pub name: String,
    /// The unit, as of a figure.
    pub unit: String,
    /// Pairs of a percentile (0 to 100) and its value, ascending, by the nearest rank. So each value was measured.
    pub percentiles: Vec<(f64, f64)>,
}

/// The counts of the journal, and of its comparison with the server's record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalCounts {
    /// Ballots that the server acknowledged.
    pub acknowledged: u64,
    /// Ballots that the server refused.
    pub refused: u64,
    /// Refused ballots that were deliberately late.
    #[serde(default)]
    pub too_late: u64,
    /// Ballots without a response, also after repeats.
    pub unknown: u64,
    /// Ballots that were acknowledged and are missing in the record.
    pub lost: u64,
    /// Ballots that are in the record more than once, or count beyond the voters.
    pub doubled: u64,
    /// Ballots with other answers in the record than were sent.
    pub changed: u64,
    /// Ballots in the record that were refused or never sent.
    pub smuggled: u64,
}

impl JournalCounts {
    /// The number of lost, doubled, changed and smuggled votes.
    pub fn faults(&self) -> u64 {
        self.lost + self.doubled + self.changed + self.smuggled
    }

    /// The number of timely ballots that were refused or got no response.
    pub fn not_accepted(&self) -> u64 {
        self.refused.saturating_sub(self.too_late) + self.unknown
    }

    /// Whether every timely vote was acknowledged and recorded correctly. Requires at least one, because a run without
    /// acknowledged votes proves nothing.
    pub fn is_clean(&self) -> bool {
        self.faults() == 0 && self.not_accepted() == 0 && self.acknowledged > 0
    }
}

impl Outcome {
    /// The figure with this name.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"{
        "scenario": "ballots", "variant": "closed-64", "seed": 7, "started": "2026-11-22T04:00:00Z",
        "settings": {"connections": 64},
        "figures": [{"name": "ballots_per_second", "unit": "1/s", "value": 12345.5}],
        "series": [{"name": "latency", "unit": "ms", "percentiles": [[50, 1.25], [99, 3.5]]}],
        "journal": {"acknowledged": 2, "refused": 0, "too_late": 0, "unknown": 0, "lost": 0, "doubled": 0, "changed": 0, "smuggled": 0}
    }"#;

    #[test]
    fn the_agreed_form_is_read_and_written() {
        let outcome: Outcome = serde_json::from_str(SAMPLE).unwrap();
        assert_eq!(outcome.figure("ballots_per_second"), Some(12_345.5));
        assert_eq!(outcome.figure("latency"), None);
        assert_eq!(outcome.series[0].percentiles, [(50.0, 1.25), (99.0, 3.5)]);
        let again: Outcome = serde_json::from_str(&serde_json::to_string(&outcome).unwrap()).unwrap();
        assert_eq!(again, outcome);
    }

    #[test]
    fn a_run_without_votes_has_no_journal() {
        let mut outcome: Outcome = serde_json::from_str(SAMPLE).unwrap();
        outcome.journal = None;
        let text = serde_json::to_string(&outcome).unwrap();
        assert!(!text.contains("journal"));
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
    }

    #[test]
    fn every_kind_of_fault_makes_a_journal_unclean() {
        let clean = JournalCounts { acknowledged: 5, refused: 2, too_late: 2, ..JournalCounts::default() };
        assert!(clean.is_clean());
        for faulty in [
            JournalCounts { lost: 1, ..clean },
            JournalCounts { doubled: 1, ..clean },
            JournalCounts { changed: 1, ..clean },
            JournalCounts { smuggled: 1, ..clean },
            JournalCounts { refused: 3, ..clean },
            JournalCounts { unknown: 1, ..clean },
            JournalCounts { acknowledged: 0, ..clean },
        ] {
            assert!(!faulty.is_clean());
        }
    }
}
