//! A chapter of the page: its table and charts.

use super::bars::{Bar, bars};
use super::curves::{Curve, curves};
use super::measured::{Measured, Quantity};
use super::numbers;
use super::spread::Spread;
use super::target::Measure;

/// A chapter of the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chapter {
    /// The name of the hand-written part.
    pub(crate) name: &'static str,
    /// The heading.
    pub(crate) title: &'static str,
    /// The measurement and its method.
    pub(crate) about: &'static str,
    /// The lines of the table.
    pub(crate) lines: &'static [Lines],
    /// The charts.
    pub(crate) charts: &'static [Chart],
}

/// Lines of a chapter's table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lines {
    /// One figure, with this label.
    One(&'static str, Quantity),
    /// A measure, with this label.
    By(&'static str, Measure),
    /// All figures of a row with unknown names: `votes_per_counter` becomes "votes per counter".
    Every(&'static str),
}

/// The charts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chart {
    /// A bar for each quantity: the label, the shade, the quantity.
    Bars { file: &'static str, title: &'static str, bars: &'static [(&'static str, usize, Quantity)] },
    /// A bar for each ratio of two quantities, with a line at the limit.
    Ratios {
        file: &'static str,
        title: &'static str,
        ratios: &'static [(&'static str, Quantity, Quantity)],
        limit: f64,
    },
    /// A curve for each distribution: the label, and the row with its series.
    Curves { file: &'static str, title: &'static str, curves: &'static [(&'static str, Quantity)], limit: Option<f64> },
}

impl Chapter {
    /// The table: name, median, smallest and largest.
    pub(crate) fn table(&self, measured: &Measured) -> String {
        let lines = self.lines.iter().flat_map(|lines| lines.rows(measured));
        let table: String = lines.collect();
        format!("| what | median | smallest – largest |\n| --- | --: | --: |\n{table}")
    }

    /// The charts with the names of their files.
    pub(crate) fn drawings(&self, measured: &Measured) -> Vec<(&'static str, String)> {
        self.charts.iter().map(|snapshot| (snapshot.file(), snapshot.draw(measured))).collect()
    }
}

impl Lines {
    fn rows(&self, measured: &Measured) -> Vec<String> {
        match self {
            Self::One(label, quantity) => {
                let spread = measured.spread(*quantity);
                let unit = measured.unit(*quantity).unwrap_or_default();
                let some = measured.partial_runs_note(measured.count(*quantity), || measured.reason(*quantity));
                let rows = |spread| line(label, spread, &some, unit);
                vec![spread.map_or_else(|| missing(label, &measured.reason(*quantity)), rows)]
            }
            Self::By(label, measure) => {
                let spread = measure.spread(measured);
                let some = measure.partial_runs_note(measured);
                let rows = |spread| format_line(label, spread, &some, |value| measure.number(measured, value));
                vec![spread.map_or_else(|| missing(label, &measure.reason(measured)), rows)]
            }
            Self::Every(row) => every_line(measured, row),
        }
    }
}

fn every_line(measured: &Measured, row: &'static str) -> Vec<String> {
    let Some(first) = measured.outcomes(row).next() else {
        return vec![missing(row, &measured.reason(Quantity { row, figure: "" }))];
    };
    let is_in_all = measured.outcomes(row).count() == measured.runs.len();
    let reason =
        || if is_in_all { "others have none".to_owned() } else { measured.reason(Quantity { row, figure: "" }) };
    let rows = first.figures.iter().filter_map(|figure| {
        let values: Vec<_> = measured.outcomes(row).filter_map(|outcome| outcome.figure(&figure.name)).collect();
        let some = measured.partial_runs_note(values.len(), reason);
        Some(line(&in_words(&figure.name), Spread::of(values)?, &some, &figure.unit))
    });
    rows.collect()
}

/// A name with spaces is in words already.
fn in_words(name: &str) -> String {
    if name.contains(' ') { name.to_owned() } else { name.replace('_', " ") }
}

fn line(label: &str, spread: Spread, some: &str, unit: &str) -> String {
    format_line(label, spread, some, |value| numbers::format_value(value, unit))
}

/// `some` marks figures that only some runs have.
fn format_line(label: &str, spread: Spread, some: &str, rows: impl Fn(f64) -> String) -> String {
    let [median, min, max] = [spread.median, spread.min, spread.max].map(rows);
    let range = if spread.min == spread.max { String::new() } else { format!("{min} – {max}") };
    format!("| {label} | {} | {range} |\n", format!("{median} {some}").trim_end())
}

fn missing(label: &str, reason: &str) -> String {
    format!("| {label} | not measured: {reason} | |\n")
}

impl Chart {
    /// The name of the file.
    pub(crate) fn file(&self) -> &'static str {
        match self {
            Self::Bars { file, .. } | Self::Ratios { file, .. } | Self::Curves { file, .. } => file,
        }
    }

    /// The title.
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::Bars { title, .. } | Self::Ratios { title, .. } | Self::Curves { title, .. } => title,
        }
    }

    fn draw(&self, measured: &Measured) -> String {
        match self {
            Self::Bars { title, bars: wanted, .. } => {
                let unit = wanted.iter().find_map(|(_, _, quantity)| measured.unit(*quantity)).unwrap_or_default();
                let of = |(label, shade, quantity): &(&str, usize, Quantity)| Bar {
                    label: (*label).to_owned(),
                    shade: *shade,
                    spread: measured.spread(*quantity),
                };
                bars(title, unit, &wanted.iter().map(of).collect::<Vec<_>>(), None)
            }
            Self::Ratios { title, ratios, limit, .. } => {
                let of = |(label, ours, theirs): &(&str, Quantity, Quantity)| Bar {
                    label: (*label).to_owned(),
                    shade: 0,
                    spread: measured.combined(*ours, *theirs, |ours, theirs| ours / theirs),
                };
                bars(title, "times", &ratios.iter().map(of).collect::<Vec<_>>(), Some(*limit))
            }
            Self::Curves { title, curves: wanted, limit, .. } => {
                let of = |(label, quantity): &(&str, Quantity)| curve(measured, label, *quantity);
                curves(title, "ms", &wanted.iter().map(of).collect::<Vec<_>>(), *limit)
            }
        }
    }
}

/// The distribution of a row: the spread of each percentile over the runs.
fn curve(measured: &Measured, label: &str, quantity: Quantity) -> Curve {
    let in_runs: Vec<_> = measured
        .outcomes(quantity.row)
        .filter_map(|outcome| outcome.series.iter().find(|series| series.name == quantity.figure))
        .collect();
    let percents = in_runs.first().map(|series| series.percentiles.as_slice()).unwrap_or_default();
    let spread_at = |percent: f64| {
        let of_run = |series: &&crate::outcome::Series| {
            series.percentiles.iter().find(|(one, _)| *one == percent).map(|(_, value)| *value)
        };
        Spread::of(in_runs.iter().filter_map(of_run))
    };
    // The faster half is left out.
    let slower = percents.iter().filter(|(percent, _)| *percent >= 50.0);
    let percentiles = slower.filter_map(|(percent, _)| Some((*percent, spread_at(*percent)?))).collect();
    Curve { label: label.to_owned(), percentiles }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::tests::is_well_formed;
    use super::super::measured::tests::{OURS, THEIRS, measured, run};
    use super::*;

    const CHAPTER: Chapter = Chapter {
        name: "a",
        title: "A",
        about: "How fast it is.",
        lines: &[
            Lines::One("ours", OURS),
            Lines::One("theirs", THEIRS),
            Lines::By("to itself", Measure::Ratio(OURS, OURS)),
            Lines::By("to theirs", Measure::Ratio(OURS, THEIRS)),
            Lines::Every("a.ours"),
            Lines::Every("b"),
        ],
        charts: &[
            Chart::Bars { file: "bars.svg", title: "Bars", bars: &[("ours", 0, OURS), ("theirs", 1, THEIRS)] },
            Chart::Ratios { file: "ratios.svg", title: "Ratios", ratios: &[("twice", OURS, OURS)], limit: 1.1 },
            Chart::Curves {
                file: "curves.svg",
                title: "Curves",
                curves: &[("ours", Quantity { row: "a.ours", figure: "latency" })],
                limit: Some(2.0),
            },
        ],
    };

    #[test]
    fn a_table_has_each_figure_or_the_reason_for_its_absence() {
        let measured = measured(vec![run(&[("a.ours", 10.0)]), run(&[("a.ours", 20.0)])]);
        let table = CHAPTER.table(&measured);
        for line in [
            "| ours | 15/s | 10/s – 20/s |",
            "| theirs | not measured: a.theirs was left out | |",
            "| to itself | 1.00 times |  |",
            "| to theirs | not measured: a.theirs was left out | |",
            "| rate | 15/s | 10/s – 20/s |",
            "| b | not measured: b was left out | |",
        ] {
            assert!(table.contains(line), "{line}\n{table}");
        }
    }

    #[test]
    fn a_row_that_failed_in_some_runs_is_marked() {
        let mut measured = measured(vec![run(&[("a.ours", 10.0)]), run(&[])]);
        measured.missing.insert("a.ours".to_owned(), "it fell over".to_owned());
        let table = CHAPTER.table(&measured);
        for line in [
            "| ours | 10/s (1 of 2 runs: it fell over) |  |",
            "| to itself | 1.00 times (1 of 2 runs: it fell over) |  |",
            "| rate | 10/s (1 of 2 runs: it fell over) |  |",
        ] {
            assert!(table.contains(line), "{line}\n{table}");
        }
        let mut without = run(&[("a.ours", 10.0)]);
        without.get_mut("a.ours").unwrap().figures.clear();
        measured.runs[1] = without;
        let table = CHAPTER.table(&measured);
        assert!(table.contains("| rate | 10/s (1 of 2 runs: others have none) |  |"), "{table}");
    }

    #[test]
    fn every_chart_is_drawn_from_the_runs() {
        let measured = measured(vec![run(&[("a.ours", 10.0)]), run(&[("a.ours", 20.0)])]);
        let drawings = CHAPTER.drawings(&measured);
        assert!(drawings.iter().all(|(_, svg)| is_well_formed(svg)));
        let [(_, bars), (_, ratios), (_, curves)] = drawings.as_slice() else { panic!("three charts") };
        assert!(bars.contains("15/s") && bars.contains("not measured"), "{bars}");
        assert!(ratios.contains("1 times") && ratios.contains("limit"), "{ratios}");
        assert!(curves.contains("40 ms") && curves.contains("99 %"), "{curves}");
    }
}
