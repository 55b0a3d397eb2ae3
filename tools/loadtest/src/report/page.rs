//! The page, in Markdown.

use super::chapter::Chapter;
use super::chapters::CHAPTERS;
use super::handwritten::part;
use super::measured::Measured;
use super::target::{Target, Verdict};
use super::targets::TARGETS;

/// The whole page. `charts` is the folder of its charts, `before` the previous page.
pub(crate) fn page(measured: &Measured, charts: &str, before: &str) -> String {
    let chapters: String = CHAPTERS.iter().map(|it| chapter(it, measured, charts, before)).collect();
    format!(
        "# Performance\n\n{}\n\n## Targets\n\n{}\n{}\n{chapters}## What was tried\n\n{}",
        about(measured),
        targets(measured),
        part(before, "targets"),
        part(before, "tried"),
    )
}

/// The table of the targets.
pub(crate) fn targets(measured: &Measured) -> String {
    let lines: String = TARGETS.iter().map(|target| line(target, measured)).collect();
    format!("| target | required | measured | |\n| --- | --: | --: | --- |\n{lines}")
}

fn about(measured: &Measured) -> String {
    let machine = &measured.machine;
    let runs = measured.runs.len();
    let times = if runs == 1 { "One run".to_owned() } else { format!("Medians of {runs} runs") };
    let short = if machine.short {
        " **This page is from a short run with smaller numbers. It shows that each row is measured, and says nothing about \
         speed.**"
    } else {
        ""
    };
    format!(
        "Written by `just bench` (see [development](development.md#benchmarks)), except for the parts that are marked as \
         written by hand.{short}\n\n{times} on {}, on {}. Programs: {}. The voters and watchers run on the same machine. \
         Each run measures Plenum and the other program in turn. A number is the median of the runs, followed by the \
         smallest and the largest. Ratios are computed within each run.",
        machine.day,
        machine.description,
        machine.programs.join("; "),
    )
}

fn line(target: &Target, measured: &Measured) -> String {
    let verdict = match target.verdict(measured) {
        Verdict::Met => "met".to_owned(),
        Verdict::Missed => "**missed**".to_owned(),
        Verdict::NotJudged => "not judged".to_owned(),
        Verdict::NotMeasured(reason) => format!("not measured: {reason}"),
    };
    format!("| {} | {} | {} | {verdict} |\n", target.name, target.required(measured), target.measured(measured))
}

fn chapter(chapter: &Chapter, measured: &Measured, charts: &str, before: &str) -> String {
    let shown = chapter.charts.iter().map(|it| format!("![{}]({charts}/{})\n\n", it.title(), it.file()));
    format!(
        "## {}\n\n{}\n\n{}{}\n{}\n",
        chapter.title,
        chapter.about,
        shown.collect::<String>(),
        chapter.table(measured),
        part(before, chapter.name),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::measured::tests::{measured, outcome};
    use super::super::{ReportArguments, write_report};
    use super::*;
    use crate::outcome::Figure;

    fn ballots(row: &str, rate: f64) -> (String, crate::outcome::Outcome) {
        let mut outcome = outcome(1.0);
        outcome.figures.push(Figure { name: "ballots_per_second".to_owned(), unit: "1/s".to_owned(), value: rate });
        (row.to_owned(), outcome)
    }

    fn runs() -> Measured {
        let run = |ours, theirs| [ballots("ballots.plenum-64", ours), ballots("ballots.pgbench-64", theirs)].into();
        let mut measured = measured(vec![run(9_000.0, 10_000.0), run(12_000.0, 10_000.0), run(8_000.0, 10_000.0)]);
        measured.machine.description = "two cores".to_owned();
        measured.missing.insert("fan-out.nchan".to_owned(), "nchan is not installed".to_owned());
        measured
    }

    #[test]
    fn each_target_is_listed_as_met_missed_or_not_measured() {
        let table = targets(&runs());
        for line in [
            "| at least 2.00 times | 0.90 times (0.80 times – 1.20 times) | **missed** |",
            "64 connections | none | 0 | met |",
            "| not measured: ballots.bare-64 was left out |",
        ] {
            assert!(table.contains(line), "{line}\n{table}");
        }
        assert_eq!(table.lines().count(), TARGETS.len() + 2);
    }

    #[test]
    fn the_page_marks_a_reduced_run_only() {
        let mut measured = runs();
        assert!(!page(&measured, "performance", "").contains("short run"));
        measured.machine.short = true;
        assert!(page(&measured, "performance", "").contains("This page is from a short run"));
    }

    #[test]
    fn the_page_names_the_machine_and_shows_each_chart() {
        let text = page(&runs(), "performance", "");
        assert!(text.contains("Medians of 3 runs") && text.contains("two cores"), "{text}");
        assert!(text.contains("| nchan: median | not measured: nchan is not installed | |"), "{text}");
        for snapshot in CHAPTERS.iter().flat_map(|chapter| chapter.charts) {
            assert!(text.contains(&format!("](performance/{})", snapshot.file())), "{text}");
        }
    }

    #[test]
    fn hand_written_parts_are_kept() {
        let written = page(&runs(), "performance", "");
        let names: Vec<_> = CHAPTERS.iter().map(|chapter| chapter.name).chain(["targets", "tried"]).collect();
        let mut by_hand = written;
        for name in &names {
            let mark = format!("<!-- written by hand: {name} -->\n");
            assert_eq!(by_hand.matches(&mark).count(), 1, "{name}");
            by_hand = by_hand.replace(&mark, &format!("{mark}About {name}.\n"));
        }
        assert_eq!(page(&runs(), "performance", &by_hand), by_hand);
    }

    #[test]
    fn a_folder_becomes_a_page_with_its_charts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).unwrap();
        fs::create_dir(folder.path().join("run-1")).unwrap();
        write("machine.json", r#"{"day": "2026-11-22", "description": "d", "programs": [], "short": true}"#);
        write("missing.json", "{}");
        let (row, outcome) = ballots("ballots.plenum-64", 5.0);
        write(&format!("run-1/{row}.json"), &serde_json::to_string(&outcome).unwrap());
        let to = folder.path().join("speed.md");

        let table = write_report(&ReportArguments { from: folder.path().to_owned(), to: to.clone() }).unwrap();

        let text = fs::read_to_string(to).unwrap();
        assert!(text.contains(&table) && text.contains("short run") && text.contains("](speed/ballots.svg)"), "{text}");
        for snapshot in CHAPTERS.iter().flat_map(|chapter| chapter.charts) {
            assert!(folder.path().join("speed").join(snapshot.file()).is_file(), "{}", snapshot.file());
        }
    }
}
