//! Who was there, with the times of coming and going, in a meeting with check-in.

use std::collections::BTreeMap;

use plenum_result_format::{AttendanceKind, AttendanceLogEntry, ResultsFile};

use super::Times;
use super::page::{Pages, Row, texts};
use super::text::Style;

/// A stay of a person.
struct Stay<'a> {
    came: &'a AttendanceLogEntry,
    went: Option<&'a AttendanceLogEntry>,
}

pub(super) fn write(pages: &mut Pages, results: &ResultsFile, times: Times) {
    if results.check_ins.is_empty() {
        return;
    }
    pages.heading(3, "Attendance list");
    let stays = stays_of(&results.check_ins);
    let rows = stays.iter().map(|stay| {
        let went = stay.went.map(|went| times.short(went.at)).unwrap_or_else(|| "\u{2013}".to_owned());
        Row::of([
            stay.came.name.clone(),
            stay.came.username.clone(),
            times.short(stay.came.at),
            went,
            stay.came.by.clone(),
        ])
    });
    let columns = [texts(0.26), texts(0.17), texts(0.22), texts(0.22), texts(0.13)];
    pages.table(columns, ["Name", "Username", "Came", "Went", "Checked in by"], rows);
    if results.check_ins.iter().any(|entry| entry.noted_at > entry.at) {
        let note = "Some entries were received later than they happened, because a desk had no network.";
        pages.paragraph(note, Style::SMALL);
    }
    pages.space(10.);
}

/// The stays by name, and each person's in order.
fn stays_of(log: &[AttendanceLogEntry]) -> Vec<Stay<'_>> {
    let mut people: BTreeMap<(String, &str), Vec<&AttendanceLogEntry>> = BTreeMap::new();
    for entry in log {
        people.entry((entry.name.to_lowercase(), &entry.username)).or_default().push(entry);
    }
    let mut stays: Vec<Stay<'_>> = Vec::new();
    for (_, mut entries) in people {
        entries.sort_by_key(|entry| entry.at);
        let mut of_person: Vec<Stay<'_>> = Vec::new();
        for entry in entries {
            match (entry.kind, of_person.last_mut()) {
                (AttendanceKind::In, _) => of_person.push(Stay { came: entry, went: None }),
                (AttendanceKind::Out, Some(stay)) => stay.went = Some(entry),
                // A person who was renamed in between.
                (AttendanceKind::Out, None) => {}
            }
        }
        stays.append(&mut of_person);
    }
    stays
}
