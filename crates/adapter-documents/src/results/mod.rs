//! Documents of results: a table, a workbook, and the minutes. They show the content of the results file, and compute
//! nothing but shares in percent.

mod attendance_sheets;
pub(crate) mod csv;
mod election_labels;
mod labels;
pub(crate) mod minutes;
mod seat_labels;
mod shares;
mod sheet;
mod stays;
pub(crate) mod xlsx;

use plenum_result_format::{DocumentSeal, QuestionPlaces, ResultsFile, TableSeal};

use crate::sealing::Sealing;

/// The results with one agenda item for all rounds of a question: the place by which the rounds are sorted. Each record has the
/// position at its declaration, which may have changed before a re-vote.
pub(crate) fn with_agenda_items(mut results: ResultsFile) -> ResultsFile {
    let places = QuestionPlaces::of(results.rounds.iter().map(|round| &round.result));
    for round in &mut results.rounds {
        round.result.position = places.place(&round.result);
    }
    results
}

/// The data for the signature of a table of these results.
fn sealing<'a>(results: &ResultsFile, seal: &'a DocumentSeal) -> Sealing<'a> {
    let says = TableSeal {
        content: TableSeal::RESULTS.to_owned(),
        title: results.meeting.title.clone(),
        organization: results.meeting.organization.clone(),
        exported_at: results.exported_at.format("%Y-%m-%d %H:%M:%S").to_string(),
        records: record_hashes(results),
        audit_head: None,
        verify_at: seal.verify_at.clone(),
        signature: seal.unsigned.clone(),
    };
    Sealing { lines: says.lines(), keys: &*seal.keys }
}

/// The hashes of the records of declared results, in the order of the agenda.
fn record_hashes(results: &ResultsFile) -> Vec<String> {
    let marks = results.rounds.iter().filter_map(|round| round.result.record.as_ref());
    marks.map(|mark| mark.hash.clone()).collect()
}
