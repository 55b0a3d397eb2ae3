//! Who was there, with the times of coming and going, in a meeting with check-in.

use plenum_result_format::{AttendanceLogEntry, ResultsFile};

use super::Times;
use super::page::{Pages, Row, texts};
use super::text::Style;
use crate::results::stays::stays_of;

pub(super) fn write(pages: &mut Pages, results: &ResultsFile, times: Times) {
    if results.check_ins.is_empty() {
        return;
    }
    pages.heading(3, "Attendance list");
    let stays = stays_of(&results.check_ins);
    let rows = stays.iter().map(|stay| {
        let time = |entry: Option<&AttendanceLogEntry>| {
            entry.map_or_else(|| "\u{2013}".to_owned(), |entry| times.short(entry.at))
        };
        Row::of([
            stay.person.name.clone(),
            stay.person.username.clone(),
            time(stay.came),
            time(stay.went),
            stay.came.map_or_else(String::new, |came| came.by.clone()),
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
