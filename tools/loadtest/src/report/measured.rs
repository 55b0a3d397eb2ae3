//! The driver's output: one outcome for each row and run, and the reasons for missing rows.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::spread::Spread;
use super::{ReportError, file_error};
use crate::outcome::Outcome;

/// The machine, as the driver describes it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Machine {
    /// The day of the measurement.
    pub(crate) day: String,
    /// Processor, memory and system, in one sentence without a full stop.
    pub(crate) description: String,
    /// The programs with their versions.
    pub(crate) programs: Vec<String>,
    /// Whether the run was a reduced one, which judges no target.
    pub(crate) short: bool,
}

/// One figure of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quantity {
    /// The row: `ballots.plenum-64`.
    pub(crate) row: &'static str,
    /// The figure: `ballots_per_second`.
    pub(crate) figure: &'static str,
}

/// All measurements.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// The machine.
    pub(crate) machine: Machine,
    /// The outcomes of each run, by row.
    pub(crate) runs: Vec<BTreeMap<String, Outcome>>,
    /// The reasons for missing rows.
    pub(crate) missing: BTreeMap<String, String>,
}

impl Measured {
    /// Reads the driver's folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, ReportError> {
        let machine = read_json(&folder.join("machine.json"))?;
        let missing = read_json(&folder.join("missing.json"))?;
        let runs: Vec<_> = run_folders(folder)?.iter().map(|run| read_run(run)).collect::<Result<_, _>>()?;
        if runs.is_empty() {
            return Err(ReportError::NoRuns(folder.to_owned()));
        }
        Ok(Self { machine, runs, missing })
    }

    /// The figure in each run that has it.
    pub(crate) fn spread(&self, quantity: Quantity) -> Option<Spread> {
        Spread::of(self.runs.iter().filter_map(|run| value(run, quantity)))
    }

    /// Combines two figures in each run that has both, because a disturbance of a busy machine affects both figures of
    /// a run.
    pub(crate) fn combined(
        &self,
        ours: Quantity,
        theirs: Quantity,
        combine: impl Fn(f64, f64) -> f64,
    ) -> Option<Spread> {
        let of_run = |run| Some(combine(value(run, ours)?, value(run, theirs)?));
        Spread::of(self.runs.iter().filter_map(of_run))
    }

    /// The unit of a figure.
    pub(crate) fn unit(&self, quantity: Quantity) -> Option<&str> {
        let figures = self.outcomes(quantity.row).flat_map(|outcome| &outcome.figures);
        figures.into_iter().find(|figure| figure.name == quantity.figure).map(|figure| figure.unit.as_str())
    }

    /// The outcome of the row in each run that has it.
    pub(crate) fn outcomes(&self, row: &str) -> impl Iterator<Item = &Outcome> {
        self.runs.iter().filter_map(move |run| run.get(row))
    }

    /// The number of runs with a figure.
    pub(crate) fn count(&self, quantity: Quantity) -> usize {
        self.runs.iter().filter(|run| value(run, quantity).is_some()).count()
    }

    /// The reason why a row or figure is missing in some or all runs.
    pub(crate) fn reason(&self, quantity: Quantity) -> String {
        if let Some(reason) = self.missing.get(quantity.row) {
            return reason.clone();
        }
        if let Some(reason) = self.outcomes(quantity.row).find_map(|outcome| outcome.left_out.get(quantity.figure)) {
            return reason.clone();
        }
        if self.outcomes(quantity.row).next().is_none() {
            return format!("{} was left out", quantity.row);
        }
        format!("{} has no {}", quantity.row, quantity.figure)
    }

    /// A note about missing runs: their number and the reason. Empty if all runs have the figure. It makes frequent
    /// failures visible.
    pub(crate) fn partial_runs_note(&self, count: usize, reason: impl FnOnce() -> String) -> String {
        let all = self.runs.len();
        if count < all { format!("({count} of {all} runs: {})", reason()) } else { String::new() }
    }
}

fn value(run: &BTreeMap<String, Outcome>, quantity: Quantity) -> Option<f64> {
    run.get(quantity.row)?.figure(quantity.figure)
}

fn run_folders(folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let mut runs = entries(folder)?;
    runs.retain(|path| path.is_dir() && stem(path).starts_with("run-"));
    Ok(runs)
}

fn read_run(folder: &Path) -> Result<BTreeMap<String, Outcome>, ReportError> {
    let mut files = entries(folder)?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.iter().map(|path| Ok((stem(path), read_json(path)?))).collect()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    entries.map_err(|source| file_error(folder, source))
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ReportError> {
    let text = fs::read(path).map_err(|source| file_error(path, source))?;
    serde_json::from_slice(&text).map_err(|source| ReportError::Form { path: path.to_owned(), source })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::outcome::{Figure, JournalCounts, Series};

    /// A run with these rows, each with one figure `rate` and a distribution `latency`.
    pub(crate) fn run(rows: &[(&str, f64)]) -> BTreeMap<String, Outcome> {
        rows.iter().map(|(row, value)| ((*row).to_owned(), outcome(*value))).collect()
    }

    /// An outcome with one figure `rate` and a distribution `latency`.
    pub(crate) fn outcome(value: f64) -> Outcome {
        let text = r#"{"scenario": "s", "variant": "v", "seed": 1, "started": "2026-11-22T04:00:00Z", "settings": {},
                       "figures": [], "series": []}"#;
        let mut outcome: Outcome = serde_json::from_str(text).unwrap();
        outcome.figures.push(Figure { name: "rate".to_owned(), unit: "1/s".to_owned(), value });
        let percentiles = vec![(50.0, value), (99.0, value * 2.0)];
        outcome.series.push(Series { name: "latency".to_owned(), unit: "ms".to_owned(), percentiles });
        outcome.journal = Some(JournalCounts { acknowledged: 5, ..JournalCounts::default() });
        outcome
    }

    /// Measurements of these runs on an unnamed machine.
    pub(crate) fn measured(runs: Vec<BTreeMap<String, Outcome>>) -> Measured {
        Measured { runs, ..Measured::default() }
    }

    pub(crate) const OURS: Quantity = Quantity { row: "a.ours", figure: "rate" };
    pub(crate) const THEIRS: Quantity = Quantity { row: "a.theirs", figure: "rate" };

    #[test]
    fn a_ratio_is_taken_within_each_run() {
        let runs = vec![
            run(&[("a.ours", 10.0), ("a.theirs", 5.0)]),
            run(&[("a.ours", 3.0), ("a.theirs", 1.0)]),
            run(&[("a.ours", 100.0)]),
        ];
        let ratio = measured(runs).combined(OURS, THEIRS, |ours, theirs| ours / theirs);
        assert_eq!(ratio, Spread::of([2.0, 3.0]));
    }

    #[test]
    fn a_missing_row_has_its_reason() {
        let mut measured = measured(vec![run(&[("a.ours", 1.0)])]);
        measured.missing.insert("a.theirs".to_owned(), "it is not installed".to_owned());
        assert_eq!(measured.reason(THEIRS), "it is not installed");
        assert_eq!(measured.reason(Quantity { row: "b", figure: "rate" }), "b was left out");
        assert_eq!(measured.reason(Quantity { figure: "speed", ..OURS }), "a.ours has no speed");
        let left_out = &mut measured.runs[0].get_mut("a.ours").unwrap().left_out;
        left_out.insert("speed".to_owned(), "it stood still".to_owned());
        assert_eq!(measured.reason(Quantity { figure: "speed", ..OURS }), "it stood still");
    }

    #[test]
    fn a_folder_of_runs_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("machine.json", r#"{"day": "2026-11-22", "description": "d", "programs": [], "short": false}"#);
        write("missing.json", r#"{"a.theirs": "gone"}"#);
        assert!(matches!(Measured::read(folder.path()), Err(ReportError::NoRuns(_))));
        for (number, value) in [(1, 4.0), (2, 6.0)] {
            let text = serde_json::to_string(&outcome(value)).unwrap();
            write(&format!("run-{number}/a.ours.json"), &text);
        }
        let measured = Measured::read(folder.path()).unwrap();
        assert_eq!(measured.spread(OURS), Spread::of([4.0, 6.0]));
        assert_eq!(measured.unit(OURS), Some("1/s"));
        assert_eq!(measured.reason(THEIRS), "gone");
        write("run-2/a.ours.json", "{}");
        assert!(matches!(Measured::read(folder.path()), Err(ReportError::Form { .. })));
    }
}
