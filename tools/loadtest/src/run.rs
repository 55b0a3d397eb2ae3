//! The set-up and the end of a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::failure::LoadFailure;
use crate::fixture::{Fixture, FixtureContent, FixtureSettings};
use crate::http::Target;
use crate::journal::{Entry, Findings, check};
use crate::latencies::number;
use crate::options::{Common, Server};
use crate::outcome::{Figure, Outcome, Series};
use crate::output::{print, progress};

/// The results of a run so far.
#[derive(Debug)]
pub struct RunResult {
    outcome: Outcome,
    faults: Vec<String>,
}

impl RunResult {
    /// Begins a run.
    pub fn begin(scenario: &str, variant: impl Into<String>, seed: u64) -> Self {
        let started = DateTime::<Utc>::from(SystemTime::now());
        let outcome = Outcome {
            scenario: scenario.to_owned(),
            variant: variant.into(),
            seed,
            started,
            settings: Map::new(),
            figures: Vec::new(),
            series: Vec::new(),
            left_out: BTreeMap::new(),
            journal: None,
        };
        Self { outcome, faults: Vec::new() }
    }

    /// Records a setting.
    pub fn setting(&mut self, name: &str, value: impl Into<Value>) {
        self.outcome.settings.insert(name.to_owned(), value.into());
    }

    /// Records figures.
    pub fn figures(&mut self, figures: impl IntoIterator<Item = Figure>) {
        self.outcome.figures.extend(figures);
    }

    /// Records the reason for a missing figure.
    pub fn leave_out(&mut self, name: &str, reason: &str) {
        self.outcome.left_out.insert(name.to_owned(), reason.to_owned());
    }

    /// Records a distribution.
    pub fn series(&mut self, series: Series) {
        self.outcome.series.push(series);
    }

    /// Records the findings of the journal's check.
    pub fn journal(&mut self, findings: Findings) {
        self.figures([number("refused", findings.counts.refused), number("unknown", findings.counts.unknown)]);
        self.outcome.journal = Some(findings.counts);
        self.faults.extend(findings.examples);
        if findings.counts.acknowledged == 0 {
            self.faults.push("no vote was acknowledged".to_owned());
        }
    }

    /// Records a fault that makes the figures meaningless.
    pub fn fail(&mut self, fault: String) {
        self.faults.push(fault);
    }

    /// The outcome so far.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether every sign-in succeeded, and every vote was acknowledged and recorded correctly.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.outcome.journal.is_none_or(|counts| counts.is_clean())
    }

    /// Prints the figures as a table, and writes them as JSON if requested.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn print(&self, json: Option<&Path>) -> Result<(), LoadFailure> {
        for fault in &self.faults {
            progress(&format!("FAULT: {fault}"));
        }
        let failed = |source: serde_json::Error| LoadFailure::Write { file: "JSON".to_owned(), source: source.into() };
        let text = serde_json::to_string(&self.outcome).map_err(failed)?;
        match json {
            Some(file) if file == Path::new("-") => {
                progress(&table(&self.outcome));
                print(&text);
            }
            Some(file) => {
                print(&table(&self.outcome));
                let failed = |source| LoadFailure::Write { file: file.display().to_string(), source };
                fs::write(file, text + "\n").map_err(failed)?;
            }
            None => print(&table(&self.outcome)),
        }
        Ok(())
    }
}

fn table(outcome: &Outcome) -> String {
    let width = outcome.figures.iter().map(|figure| figure.name.len()).max().unwrap_or_default();
    let mut lines = vec![format!("{} {} (seed {})", outcome.scenario, outcome.variant, outcome.seed)];
    for Figure { name, unit, value } in &outcome.figures {
        let unit = if unit == "1" { "" } else { unit };
        let value = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") };
        lines.push(format!("  {name:<width$}  {value:>12} {unit}").trim_end().to_owned());
    }
    if let Some(counts) = outcome.journal {
        lines.push(format!(
            "  journal: {} acknowledged, {} refused ({} as too late), {} unknown; \
             {} lost, {} doubled, {} changed, {} smuggled",
            counts.acknowledged,
            counts.refused,
            counts.too_late,
            counts.unknown,
            counts.lost,
            counts.doubled,
            counts.changed,
            counts.smuggled
        ));
    }
    lines.join("\n")
}

/// Creates the organization of a run.
///
/// # Errors
/// Fails when the server cannot be reached or refuses a call.
pub async fn set_up(common: &Common, server: &Server, content: FixtureContent) -> Result<Fixture, LoadFailure> {
    if server.admin_email.is_empty() || server.admin_password.is_empty() {
        let text = "name the super administrator by --admin-email and --admin-password, or in the environment";
        return Err(LoadFailure::Settings(text.to_owned()));
    }
    let target = Arc::new(Target::find_all(&server.urls).await?);
    let fixture_settings = FixtureSettings {
        seed: common.seed,
        admin_email: server.admin_email.clone(),
        admin_password: server.admin_password.clone(),
        content,
    };
    Fixture::set_up(&target, &fixture_settings).await
}

/// Deletes the organization of a run, also after a failure.
pub async fn clean_up(fixture: &mut Fixture, server: &Server) {
    if server.keep {
        progress(&format!("kept the organization {} ({})", fixture.client_code, fixture.client_id));
    } else {
        fixture.tear_down().await;
    }
}

/// Compares the journal with the server's record. Every round must have ended.
///
/// # Errors
/// Fails when the record cannot be fetched.
pub async fn check_journal(fixture: &mut Fixture, journal: &[Entry], run: &mut RunResult) -> Result<(), LoadFailure> {
    let record = fixture.record().await?;
    run.journal(check(journal, &record));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::JournalCounts;

    #[test]
    fn the_table_has_every_figure_and_the_journal() {
        let mut run = RunResult::begin("ballots", "closed-64", 7);
        run.figures([crate::latencies::number("ballots", 100), crate::latencies::figure("rate", "1/s", 12.5)]);
        run.journal(Findings {
            counts: JournalCounts { acknowledged: 100, lost: 1, ..JournalCounts::default() },
            examples: vec!["the vote of anna is gone".to_owned()],
        });
        let table = table(run.outcome());
        assert!(table.contains("ballots           100\n") && table.contains("12.50 1/s"), "{table}");
        assert!(table.contains("100 acknowledged") && table.contains("1 lost"), "{table}");
        assert!(!run.is_clean());
        assert!(RunResult::begin("watch", "nchan", 7).is_clean());
    }

    #[test]
    fn refused_ballots_are_reported_and_a_run_without_sign_ins_is_not_clean() {
        let mut run = RunResult::begin("ballots", "closed-64", 7);
        let counts = JournalCounts { acknowledged: 9, refused: 2, unknown: 1, ..JournalCounts::default() };
        run.journal(Findings { counts, examples: Vec::new() });
        assert_eq!((run.outcome().figure("refused"), run.outcome().figure("unknown")), (Some(2.0), Some(1.0)));
        assert!(!run.is_clean());
        let mut run = RunResult::begin("assembly", "500", 7);
        run.fail("3 voters could not sign in".to_owned());
        assert!(!run.is_clean());
    }
}
