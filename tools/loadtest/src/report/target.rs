//! Targets and their outcomes.

use super::measured::{Measured, Quantity};
use super::numbers;
use super::spread::Spread;
use crate::outcome::JournalCounts;

/// A target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The target in words.
    pub(crate) name: &'static str,
    /// The measured quantity.
    pub(crate) measure: Measure,
    /// The limit.
    pub(crate) required: Requirement,
}

/// A measured quantity.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measure {
    /// A figure by itself.
    Figure(Quantity),
    /// The ratio of the first to the second.
    Ratio(Quantity, Quantity),
    /// The difference of the first and the second.
    Difference(Quantity, Quantity),
    /// The number of lost, doubled, changed and smuggled votes of this row, in all runs together.
    Faults(&'static str),
    /// The number of timely ballots of this row that were refused or got no response, in all runs together.
    NotAccepted(&'static str),
}

/// The limit of a measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Requirement {
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
}

/// The outcome of a target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The target is met.
    Met,
    /// The target is missed.
    Missed,
    /// A reduced run judges no target.
    NotJudged,
    /// Unknown, for this reason.
    NotMeasured(String),
}

impl Target {
    /// The measurement in words. Empty without a measurement.
    pub(crate) fn measured(&self, measured: &Measured) -> String {
        let Some(spread) = self.measure.spread(measured) else { return String::new() };
        let describe = self.measure.describe(measured, spread);
        format!("{describe} {}", self.measure.partial_runs_note(measured)).trim_end().to_owned()
    }

    /// The limit in words.
    pub(crate) fn required(&self, measured: &Measured) -> String {
        let (word, bound) = match self.required {
            Requirement::AtMost(0.0) => return "none".to_owned(),
            Requirement::AtLeast(bound) => ("at least", bound),
            Requirement::AtMost(bound) => ("at most", bound),
        };
        format!("{word} {}", self.measure.number(measured, bound))
    }

    /// Judges the median of the runs with the quantity, if these are more than half of all. Counts of faulty votes are
    /// judged over all runs.
    pub(crate) fn verdict(&self, measured: &Measured) -> Verdict {
        let Some(spread) = self.measure.spread(measured) else {
            return Verdict::NotMeasured(self.measure.reason(measured));
        };
        let is_met = match self.required {
            Requirement::AtLeast(bound) => spread.median >= bound,
            Requirement::AtMost(0.0) => spread.max <= 0.0,
            Requirement::AtMost(bound) => spread.median <= bound,
        };
        if measured.machine.short && !self.measure.is_from_journal() {
            return Verdict::NotJudged;
        }
        if self.required == Requirement::AtMost(0.0) && !is_met {
            return Verdict::Missed;
        }
        if self.measure.count(measured) * 2 <= measured.runs.len() {
            return Verdict::NotMeasured("in at most half of the runs".to_owned());
        }
        if is_met { Verdict::Met } else { Verdict::Missed }
    }
}

impl Measure {
    pub(super) fn spread(self, measured: &Measured) -> Option<Spread> {
        match self {
            Self::Figure(quantity) => measured.spread(quantity),
            Self::Ratio(ours, theirs) => measured.combined(ours, theirs, |ours, theirs| ours / theirs),
            Self::Difference(ours, theirs) => measured.combined(ours, theirs, |ours, theirs| ours - theirs),
            Self::Faults(row) => in_journals(measured, row, JournalCounts::faults),
            Self::NotAccepted(row) => in_journals(measured, row, JournalCounts::not_accepted),
        }
    }

    /// The number of runs with the quantity.
    fn count(self, measured: &Measured) -> usize {
        match self {
            Self::Figure(quantity) => measured.count(quantity),
            Self::Ratio(ours, theirs) | Self::Difference(ours, theirs) => {
                measured.count(ours).min(measured.count(theirs))
            }
            Self::Faults(row) | Self::NotAccepted(row) => journals(measured, row).count(),
        }
    }

    /// A note about missing runs: their number and the reason. Empty if all runs have the quantity.
    pub(super) fn partial_runs_note(self, measured: &Measured) -> String {
        measured.partial_runs_note(self.count(measured), || self.reason(measured))
    }

    fn describe(self, measured: &Measured, spread: Spread) -> String {
        spread.describe(|value| self.number(measured, value))
    }

    pub(super) fn number(self, measured: &Measured, value: f64) -> String {
        match self {
            Self::Figure(quantity) | Self::Difference(quantity, _) => {
                numbers::format_value(value, measured.unit(quantity).unwrap_or_default())
            }
            Self::Ratio(..) => format!("{value:.2} times"),
            Self::Faults(_) | Self::NotAccepted(_) => format!("{value:.0}"),
        }
    }

    /// Names the quantity that is missing more often.
    pub(super) fn reason(self, measured: &Measured) -> String {
        match self {
            Self::Figure(quantity) => measured.reason(quantity),
            Self::Ratio(ours, theirs) | Self::Difference(ours, theirs) => {
                let fewer = if measured.count(ours) <= measured.count(theirs) { ours } else { theirs };
                measured.reason(fewer)
            }
            Self::Faults(row) | Self::NotAccepted(row)
                if journals(measured, row).any(|journal| journal.acknowledged == 0) =>
            {
                "no vote was acknowledged".to_owned()
            }
            Self::Faults(row) | Self::NotAccepted(row) => measured.reason(Quantity { row, figure: "journal" }),
        }
    }

    fn is_from_journal(self) -> bool {
        matches!(self, Self::Faults(_) | Self::NotAccepted(_))
    }
}

/// The counts of the journals of all runs. A run without acknowledged votes shows nothing.
fn in_journals(measured: &Measured, row: &str, count: fn(&JournalCounts) -> u64) -> Option<Spread> {
    let sum: u64 = journals(measured, row).map(|journal| count(&journal)).sum();
    let taken = journals(measured, row).map(|journal| journal.acknowledged).min().unwrap_or_default();
    if sum == 0 && taken == 0 { None } else { Spread::of([sum as f64]) }
}

fn journals(measured: &Measured, row: &str) -> impl Iterator<Item = JournalCounts> {
    measured.outcomes(row).filter_map(|outcome| outcome.journal)
}

#[cfg(test)]
mod tests {
    use super::super::measured::tests::{OURS, THEIRS, measured, run};
    use super::*;

    fn target(measure: Measure, required: Requirement) -> Target {
        Target { name: "it is fast", measure, required }
    }

    #[test]
    fn a_target_is_judged_by_the_median() {
        let runs = [1.0, 4.0, 9.0].map(|ours| run(&[("a.ours", ours), ("a.theirs", 2.0)])).to_vec();
        let measured = measured(runs);
        let ratio = Measure::Ratio(OURS, THEIRS);
        for (required, verdict) in [
            (Requirement::AtLeast(2.0), Verdict::Met),
            (Requirement::AtLeast(2.1), Verdict::Missed),
            (Requirement::AtMost(2.0), Verdict::Met),
            (Requirement::AtMost(1.9), Verdict::Missed),
        ] {
            assert_eq!(target(ratio, required).verdict(&measured), verdict, "{required:?}");
        }
        assert_eq!(
            target(ratio, Requirement::AtLeast(2.0)).measured(&measured),
            "2.00 times (0.50 times – 4.50 times)"
        );
        assert_eq!(target(ratio, Requirement::AtLeast(2.0)).required(&measured), "at least 2.00 times");
    }

    #[test]
    fn a_figure_and_a_difference_have_their_unit() {
        let measured = measured(vec![run(&[("a.ours", 1_500.0), ("a.theirs", 500.0)])]);
        let figure = target(Measure::Figure(OURS), Requirement::AtMost(2_000.0));
        assert_eq!(
            (figure.measured(&measured), figure.required(&measured)),
            ("1,500/s".into(), "at most 2,000/s".into())
        );
        let difference = target(Measure::Difference(OURS, THEIRS), Requirement::AtMost(5.0));
        assert_eq!(difference.measured(&measured), "1,000/s");
        assert_eq!(difference.verdict(&measured), Verdict::Missed);
    }

    #[test]
    fn one_lost_vote_in_one_of_many_runs_is_a_miss() {
        let mut runs = vec![run(&[("a.ours", 1.0)]); 3];
        let faults = target(Measure::Faults("a.ours"), Requirement::AtMost(0.0));
        assert_eq!(faults.verdict(&measured(runs.clone())), Verdict::Met);
        if let Some(journal) = runs[1].get_mut("a.ours").and_then(|outcome| outcome.journal.as_mut()) {
            journal.lost = 1;
        }
        let mut faulty = measured(runs);
        assert_eq!(faults.verdict(&faulty), Verdict::Missed);
        faulty.machine.short = true;
        assert_eq!(faults.verdict(&faulty), Verdict::Missed, "journals are judged in short runs, too");
        assert_eq!((faults.measured(&faulty), faults.required(&faulty)), ("1".into(), "none".into()));
    }

    #[test]
    fn an_unacknowledged_ballot_misses_the_target_and_a_late_one_does_not() {
        let not_accepted = target(Measure::NotAccepted("a.ours"), Requirement::AtMost(0.0));
        let with = |counts: JournalCounts| {
            let mut run = run(&[("a.ours", 1.0)]);
            run.get_mut("a.ours").unwrap().journal = Some(counts);
            measured(vec![run])
        };
        let late = JournalCounts { acknowledged: 3, refused: 2, too_late: 2, ..JournalCounts::default() };
        assert_eq!(not_accepted.verdict(&with(late)), Verdict::Met);
        assert_eq!(not_accepted.verdict(&with(JournalCounts { refused: 3, ..late })), Verdict::Missed);
        assert_eq!(not_accepted.verdict(&with(JournalCounts { unknown: 1, ..late })), Verdict::Missed);
    }

    #[test]
    fn a_run_without_acknowledged_votes_judges_no_loss() {
        let mut runs = vec![run(&[("a.ours", 1.0)]); 2];
        runs[1].get_mut("a.ours").unwrap().journal = Some(JournalCounts { refused: 9, ..JournalCounts::default() });
        let verdict = |measure| target(measure, Requirement::AtMost(0.0)).verdict(&measured(runs.clone()));
        let unknown = Verdict::NotMeasured("no vote was acknowledged".to_owned());
        assert_eq!(verdict(Measure::Faults("a.ours")), unknown);
        assert_eq!(verdict(Measure::NotAccepted("a.ours")), Verdict::Missed);
    }

    #[test]
    fn a_single_fault_in_any_run_misses_the_target() {
        let none = target(Measure::Figure(OURS), Requirement::AtMost(0.0));
        let runs = |values: [f64; 3]| measured(values.map(|value| run(&[("a.ours", value)])).to_vec());
        assert_eq!(none.verdict(&runs([0.0, 0.0, 0.0])), Verdict::Met);
        assert_eq!(none.verdict(&runs([0.0, 1.0, 0.0])), Verdict::Missed);
    }

    #[test]
    fn a_target_without_a_measurement_is_neither_met_nor_missed() {
        let mut measured = measured(vec![run(&[("a.ours", 1.0)])]);
        measured.missing.insert("a.theirs".to_owned(), "it is not installed".to_owned());
        let ratio = target(Measure::Ratio(OURS, THEIRS), Requirement::AtLeast(1.0));
        assert_eq!(ratio.verdict(&measured), Verdict::NotMeasured("it is not installed".to_owned()));
        assert_eq!(ratio.measured(&measured), "");
    }

    #[test]
    fn a_quantity_of_some_runs_is_marked_and_judged_if_most_runs_have_it() {
        let describe = |runs: &[Option<f64>], required| {
            let runs = runs.iter().map(|value| value.map(|value| run(&[("a.ours", value)])).unwrap_or_default());
            let mut measured = measured(runs.collect());
            measured.missing.insert("a.ours".to_owned(), "it fell over".to_owned());
            let target = target(Measure::Figure(OURS), required);
            (target.measured(&measured), target.verdict(&measured))
        };
        let half = Verdict::NotMeasured("in at most half of the runs".to_owned());
        let (two, one) = ([Some(4.0), None, Some(4.0)], [None, Some(4.0)]);
        assert_eq!(
            describe(&two, Requirement::AtLeast(4.0)),
            ("4/s (2 of 3 runs: it fell over)".to_owned(), Verdict::Met)
        );
        assert_eq!(describe(&one, Requirement::AtLeast(4.0)), ("4/s (1 of 2 runs: it fell over)".to_owned(), half));
        assert_eq!(describe(&one, Requirement::AtMost(0.0)).1, Verdict::Missed, "zero is exceeded");
    }

    #[test]
    fn a_reduced_run_judges_no_speed() {
        let mut measured = measured(vec![run(&[("a.ours", 1.0)])]);
        measured.machine.short = true;
        assert_eq!(target(Measure::Figure(OURS), Requirement::AtLeast(9.0)).verdict(&measured), Verdict::NotJudged);
    }
}
