//! The closing records of a meeting and its amendments, in the minutes.

use plenum_result_format::{Amendment, ResultsFile, SealedClosing};

use super::page::Pages;
use super::sentences::groups;
use super::text::Style;
use super::{Times, labels, sentences};
use crate::results::labels::counted;

pub(super) fn write(pages: &mut Pages, results: &ResultsFile, times: Times) {
    let closings = results.closings.as_deref().unwrap_or_default();
    if closings.is_empty() && results.closing_damage.is_empty() {
        return;
    }
    pages.heading(2, "Closing record");
    for damage in &results.closing_damage {
        pages.paragraph(damage, Style::BODY.bold());
    }
    for closing in closings {
        pages.keep(50.);
        pages.paragraph(&sentence(closing, times), Style::BODY);
        let (hash, key) = (groups(&closing.hash), groups(&closing.key));
        let timestamp = sentences::timestamp(closing.timestamp.as_ref(), times);
        pages.paragraph(&format!("Record {hash}. Signed with the key {key}.{timestamp}"), Style::SMALL);
        pages.space(5.);
    }
    if !results.amendments.is_empty() {
        pages.heading(3, "Changes after the end");
    }
    for amendment in &results.amendments {
        pages.keep(36.);
        pages.paragraph(&head(amendment, times), Style::SMALL.bold());
        pages.paragraph(&labels::change(amendment, |at| times.second(at)), Style::BODY);
        pages.space(5.);
    }
    pages.space(10.);
}

/// The content of the record, as a sentence.
fn sentence(closing: &SealedClosing, times: Times) -> String {
    let record = &closing.record;
    let ended = record.ended_at.map(|at| format!(" The meeting ended on {}.", times.second(at))).unwrap_or_default();
    let later = if record.is_recorded_later { " It was recorded later." } else { "" };
    format!(
        "Closing record {}: \u{2068}{}\u{2069}, with {}, {} and {}.{ended}{later}",
        record.number,
        record.meeting.title,
        counted(record.records.len() as u64, "result"),
        counted(record.remarks.len() as u64, "remark"),
        counted(record.attendance.len() as u64, "attendance note"),
    )
}

fn head(amendment: &Amendment, times: Times) -> String {
    let by = amendment.by.as_deref().unwrap_or("nobody signed in");
    format!("{}, {}, \u{2068}{by}\u{2069}", labels::amended(amendment), times.second(amendment.at))
}
