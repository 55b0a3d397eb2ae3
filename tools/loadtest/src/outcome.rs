//! What a run leaves behind for machines: the contract between the scenarios and whatever reads their figures.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One run of one scenario. In JSON it is one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The subcommand: `ballots`, `fan-out`, `watch`, `sign_in_burst`, `assembly`, `growth`.
    pub scenario: String,
    /// Which way of it: `closed-64`, `open-10000-within-10s`, `bare-64`, …
    pub variant: String,
    /// What every random choice came from.
    pub seed: u64,
    /// When the run began, set-up included.
    pub started: DateTime<Utc>,
    /// What was asked for, by name, distributions included.
    pub settings: Map<String, Value>,
    /// Single figures.
    pub figures: Vec<Figure>,
    /// Distributions.
    pub series: Vec<Series>,
    /// Figures that this run could not give, by name, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, String>,
    /// What the journal's check found; none where nothing was voted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalCounts>,
}

/// A single figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is: `ballots_per_second`, `latency_p99`, …
    pub name: String,
    /// `ms`, `s`, `1/s`, `B`, `1` (a number of something).
    pub unit: String,
    /// How much.
    pub value: f64,
}

/// A distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What it is: `latency`, `receipt`, …
    pub name: String,
    /// As that of a figure.
    pub unit: String,
    /// Pairs of a percentile (0 to 100) and its value, ascending; by the nearest rank, so each value was measured.
    pub percentiles: Vec<(f64, f64)>,
}

/// What the journal holds, and what its check against the server's own record found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalCounts {
    /// Ballots that the server said are stored.
    pub acknowledged: u64,
    /// Ballots that the server said are not counted.
    pub refused: u64,
    /// Of these, the ones that were handed in too late on purpose.
    #[serde(default)]
    pub too_late: u64,
    /// Ballots to which no answer ever came, also after they were handed in again.
    pub unknown: u64,
    /// Acknowledged, and not in the record.
    pub lost: u64,
    /// In the record more than once, or counted beyond those who handed one in.
    pub doubled: u64,
    /// In the record with another content than was handed in.
    pub changed: u64,
    /// In the record although they were refused, or although nobody handed them in.
    pub smuggled: u64,
}

impl JournalCounts {
    /// How many votes are not where they belong.
    pub fn faults(&self) -> u64 {
        self.lost + self.doubled + self.changed + self.smuggled
    }

    /// How many ballots were refused though they came in time, or never got an answer.
    pub fn not_accepted(&self) -> u64 {
        self.refused.saturating_sub(self.too_late) + self.unknown
    }

    /// Whether every vote was taken that should have been, of which there must be some, and is where it belongs. Where
    /// nobody's vote is taken none gets lost either, and this proves nothing.
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
    fn the_form_that_is_agreed_upon_is_read_and_written() {
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
