//! The page about a fault run.

use super::report::{FaultResult, Report, Row, Times, sum};
use super::urns::UrnCounts;
use crate::fixture::Secrecy;
use crate::outcome::JournalCounts;
use crate::report::handwritten::part;

const HEAD: &str = "| fault | faults | votes acknowledged | … during the fault | lost | doubled | changed | \
    refused but stored | votes again after (median / longest) | all screens again after (median / longest) | \
    longest wait for a response |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n";

/// The whole page. The handwritten parts of the page `before` stay.
pub(super) fn page(report: &Report, before: &str) -> String {
    format!(
        "# Reliability\n\nWritten by `just faults` (see [development](development.md#faults)), except for the parts that are marked \
         as written by hand.\n\n{}\n\n{}\n\n{}{}## Problems\n\n{}\n\n{}",
        about(report),
        verdict(report),
        tables(report),
        not_possible(report),
        problems(report),
        part(before, "reading"),
    )
}

fn about(report: &Report) -> String {
    format!(
        "Run on {}, on {}, with {}, for {:.0} minutes: `{}`. The seed is {}. Kinds, times and durations of the faults, and times and \
         contents of the votes are derived from it.",
        report.day,
        report.machine,
        report.program,
        report.took.as_secs_f64() / 60.0,
        report.command,
        report.seed,
    )
}

/// The result in a few sentences.
pub(super) fn verdict(report: &Report) -> String {
    let verdict = if report.is_clean() { "All votes are stored correctly" } else { "**There are problems**" };
    let lines: String = secrecies(report).map(|secrecy| verdict_of(secrecy, report)).collect();
    format!(
        "{verdict}. {} screens watched; {} times a stream broke and was opened again.\n\n{}",
        report.screens,
        report.broken_streams,
        lines.trim_end(),
    )
}

/// The secrecies of the run.
fn secrecies(report: &Report) -> impl Iterator<Item = Secrecy> {
    let is_played = |secrecy: &Secrecy| report.faults.iter().any(|result| result.fault.secrecy == *secrecy);
    [Secrecy::Named, Secrecy::Secret].into_iter().filter(is_played)
}

fn verdict_of(secrecy: Secrecy, report: &Report) -> String {
    let faults: Vec<_> = report.faults.iter().filter(|result| result.fault.secrecy == secrecy).collect();
    let total = |count: fn(&FaultResult) -> u64| -> u64 { faults.iter().map(|result| count(result)).sum() };
    let JournalCounts { acknowledged, refused, too_late, unknown, lost, doubled, changed, smuggled } =
        sum(faults.iter().map(|result| result.counts));
    let (name, urns) = match secrecy {
        Secrecy::Named => ("Named", String::new()),
        Secrecy::Secret => ("Secret", report.urns.map(urns).unwrap_or_default()),
    };
    format!(
        "- {name} votes: {} faults, {acknowledged} votes acknowledged, of which {lost} lost, {doubled} doubled and \
         {changed} changed; {refused} ballots refused ({too_late} of them because they came too late), of which \
         {smuggled} are stored nevertheless; {unknown} ballots without a response. {} second ballots of people who had \
         already voted were refused. {} ballots were submitted again because no response arrived, {} because the \
         server asked for it.{urns}\n",
        faults.len(),
        total(|result| result.second_ballots),
        total(|result| result.repeats_without_answer),
        total(|result| result.repeats_as_asked),
    )
}

fn urns(counts: UrnCounts) -> String {
    let UrnCounts { opened, opened_again, void, keys_destroyed_later, keys_left, envelopes_left } = counts;
    format!(
        " {opened} urns were opened, {opened_again} of them again; {void} rounds are void. Faults during the count left \
         {keys_destroyed_later} files of keys, which the server destroyed later; {keys_left} shares of keys and \
         {envelopes_left} envelopes are left."
    )
}

fn tables(report: &Report) -> String {
    secrecies(report).map(|secrecy| table(secrecy, report)).collect()
}

fn table(secrecy: Secrecy, report: &Report) -> String {
    let lines: String = report.kinds.iter().filter(|row| row.secrecy == secrecy).map(line).collect();
    let title = match secrecy {
        Secrecy::Named => "Named votes, by kind of fault",
        Secrecy::Secret => "Secret votes, by kind of fault",
    };
    format!("## {title}\n\n{HEAD}{lines}\n")
}

fn line(row: &Row) -> String {
    let JournalCounts { acknowledged, lost, doubled, changed, smuggled, .. } = row.counts;
    format!(
        "| {} | {} | {acknowledged} | {} | {lost} | {doubled} | {changed} | {smuggled} | {} | {} | {:.1} s |\n",
        row.kind.description(),
        row.faults,
        row.votes_during,
        row.votes_again.map_or_else(|| "–".to_owned(), times),
        times(row.screens_again),
        row.longest_wait.as_secs_f64(),
    )
}

fn times(times: Times) -> String {
    format!("{:.1} s / {:.1} s", times.median.as_secs_f64(), times.longest.as_secs_f64())
}

fn not_possible(report: &Report) -> String {
    let line =
        |(kind, reason): (&super::Kind, &String)| format!("Not possible here: {} ({reason}).\n", kind.description());
    let lines: String = report.not_possible.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("{lines}\n") }
}

fn problems(report: &Report) -> String {
    if report.problems.is_empty() {
        return "None.".to_owned();
    }
    report.problems.iter().map(|problem| format!("- {problem}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::plan::{Fault, Moment};
    use super::super::report::{FaultResult, rows, sum};
    use super::super::{Kind, Place};
    use super::*;

    fn fault(kind: Kind, seconds: u64, counts: JournalCounts) -> FaultResult {
        let (place, moment) = (Place::Embedded, Moment::Ending);
        FaultResult {
            fault: Fault { number: 1, secrecy: Secrecy::Named, kind, place, moment, lasts_ms: 1000, seed: 7 },
            lasted: Duration::from_secs(1),
            votes_during: 3,
            counts,
            votes_again: (seconds < 9).then_some(Duration::from_secs(seconds)),
            screens_again: Duration::from_secs(seconds),
            longest_wait: Duration::from_secs(seconds),
            second_ballots: 2,
            repeats_without_answer: 5,
            repeats_as_asked: 6,
        }
    }

    fn secret(mut result: FaultResult) -> FaultResult {
        result.fault.secrecy = Secrecy::Secret;
        result
    }

    fn report(faults: Vec<FaultResult>) -> Report {
        Report {
            command: "plenum-load faults --seed 7".to_owned(),
            seed: 7,
            day: "2026-11-22".to_owned(),
            machine: "two cores".to_owned(),
            program: "plenum 0.1.0".to_owned(),
            voters: 10,
            screens: 4,
            broken_streams: 9,
            took: Duration::from_secs(120),
            counts: sum(faults.iter().map(|fault| fault.counts)),
            second_ballots: 2,
            repeats_without_answer: 5,
            repeats_as_asked: 6,
            urns: None,
            problems: Vec::new(),
            not_possible: [(Kind::DiskFull, "permission denied".to_owned())].into(),
            kinds: rows(&faults),
            faults,
        }
    }

    fn clean_counts(acknowledged: u64) -> JournalCounts {
        JournalCounts { acknowledged, refused: 1, too_late: 1, ..JournalCounts::default() }
    }

    #[test]
    fn each_kind_has_a_line_with_its_results() {
        let faults = [
            fault(Kind::ServerKilled, 1, clean_counts(10)),
            fault(Kind::VotersCut, 2, clean_counts(5)),
            fault(Kind::ServerKilled, 9, clean_counts(20)),
        ];
        let text = page(&report(faults.to_vec()), "");
        let killed = "| server killed (`kill -9`), started again | 2 | 30 | 6 | 0 | 0 | 0 | 0 | 1.0 s / 1.0 s | 1.0 s / 9.0 s | 9.0 s |";
        for part in
            [killed, "| connections of voters and screens cut repeatedly | 1 | 5 |", "`plenum-load faults --seed 7`"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(text.contains("3 faults, 35 votes acknowledged, of which 0 lost") && text.contains("None."), "{text}");
        assert!(
            text.contains("Not possible here: the disk of the data directory is full (permission denied)."),
            "{text}"
        );
    }

    #[test]
    fn each_secrecy_has_its_sentence_and_its_table() {
        let faults = [
            fault(Kind::ServerKilled, 1, clean_counts(10)),
            secret(fault(Kind::ServerKilled, 2, clean_counts(20))),
            secret(fault(Kind::ServerKilledAtCount, 9, clean_counts(30))),
        ];
        let urns = UrnCounts { opened: 2, keys_destroyed_later: 1, ..UrnCounts::default() };
        let text = page(&Report { urns: Some(urns), ..report(faults.to_vec()) }, "");
        for part in [
            "- Named votes: 1 faults, 10 votes acknowledged, of which 0 lost",
            "- Secret votes: 2 faults, 50 votes acknowledged, of which 0 lost",
            "4 second ballots of people who had already voted were refused. 10 ballots were submitted again",
            "2 urns were opened, 0 of them again; 0 rounds are void. Faults during the count left 1 files of keys",
            "## Named votes, by kind of fault",
            "## Secret votes, by kind of fault",
            "while it opens an urn, started again | 1 | 30 | 3 | 0 | 0 | 0 | 0 | – | 9.0 s / 9.0 s |",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text.matches("| server killed (`kill -9`), started again | 1 |").count(), 2, "{text}");
    }

    #[test]
    fn a_problem_is_listed_and_makes_a_run_unclean() {
        assert!(report(vec![fault(Kind::ServerKilled, 1, clean_counts(10))]).is_clean());
        let lost = JournalCounts { lost: 1, ..clean_counts(10) };
        let unclean = report(vec![fault(Kind::ServerKilled, 1, lost)]);
        assert!(!unclean.is_clean() && page(&unclean, "").contains("**There are problems**"));
        let mut gone = report(vec![fault(Kind::ServerKilled, 1, clean_counts(10))]);
        gone.problems.push("screen 3 did not recover".to_owned());
        assert!(!gone.is_clean() && page(&gone, "").contains("- screen 3 did not recover"));
    }

    #[test]
    fn handwritten_parts_stay() {
        let report = report(vec![fault(Kind::ServerKilled, 1, clean_counts(10))]);
        let mark = "<!-- written by hand: reading -->\n";
        let by_hand = page(&report, "").replace(mark, &format!("{mark}How to read it.\n"));
        assert!(by_hand.contains("How to read it."));
        assert_eq!(page(&report, &by_hand), by_hand);
    }

    #[test]
    fn the_json_has_the_same_results() {
        let json = serde_json::to_value(report(vec![fault(Kind::ServerKilled, 9, clean_counts(10))])).unwrap();
        assert_eq!(json["kinds"][0]["kind"], "server-killed");
        assert_eq!(
            (&json["faults"][0]["number"], &json["faults"][0]["votes_again"]),
            (&1.into(), &serde_json::Value::Null)
        );
        assert_eq!(json["not_possible"]["disk-full"], "permission denied");
        assert_eq!(json["counts"]["acknowledged"], 10);
    }
}
