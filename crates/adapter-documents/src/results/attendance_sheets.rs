//! Attendance in a workbook: the numbers over time and, in a meeting with check-in, who came and went.

use plenum_result_format::{AttendanceLogEntry, ResultsFile};
use rust_xlsxwriter::{Workbook, XlsxError};

use super::labels;
use super::sheet::{Cell, Formats, Sheet, time};
use super::stays::{Stay, stays_of};

pub(super) fn write(workbook: &mut Workbook, results: &ResultsFile, formats: &Formats) -> Result<(), XlsxError> {
    let widths = [22., 16., 16., 20., 20., 16., 16., 12.];
    write_numbers(&mut Sheet::add(workbook, "Attendance", &widths, formats)?, results)?;
    if results.check_ins.is_empty() {
        return Ok(());
    }
    let widths = [30., 22., 22., 22., 26., 26., 22.];
    write_list(&mut Sheet::add(workbook, "Attendance list", &widths, formats)?, &results.check_ins)
}

fn write_numbers(sheet: &mut Sheet<'_>, results: &ResultsFile) -> Result<(), XlsxError> {
    sheet.headings([
        "Time (UTC)",
        "Present, heads",
        "Present, weight",
        "Represented, heads",
        "Represented, weight",
        "May vote, heads",
        "May vote, weight",
        "Quorum",
    ])?;
    for entry in &results.attendance {
        let represented = entry.represented.unwrap_or_default();
        sheet.row([
            time(entry.at),
            entry.present.heads.into(),
            entry.present.weight.into(),
            represented.heads.into(),
            represented.weight.into(),
            entry.eligible.heads.into(),
            entry.eligible.weight.into(),
            labels::quorum_state(entry).into(),
        ])?;
    }
    Ok(())
}

fn write_list(sheet: &mut Sheet<'_>, log: &[AttendanceLogEntry]) -> Result<(), XlsxError> {
    sheet.headings([
        "Name",
        "Username",
        "Came (UTC)",
        "Went (UTC)",
        "Checked in by",
        "Checked out by",
        "Received later (UTC)",
    ])?;
    for Stay { person, came, went } in stays_of(log) {
        let mut late = [came, went].into_iter().flatten().filter(|entry| entry.noted_at > entry.at);
        sheet.row([
            person.name.as_str().into(),
            person.username.as_str().into(),
            came.map_or(Cell::None, |came| time(came.at)),
            went.map_or(Cell::None, |went| time(went.at)),
            came.map_or("", |came| came.by.as_str()).into(),
            went.map_or("", |went| went.by.as_str()).into(),
            late.next_back().map_or(Cell::None, |entry| time(entry.noted_at)),
        ])?;
    }
    Ok(())
}
