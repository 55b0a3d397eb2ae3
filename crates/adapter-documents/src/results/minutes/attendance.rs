//! Attendance and quorum, in a chart and a table.

use plenum_result_format::{AttendanceEntry, ResultsFile, UnitName};
use rust_decimal::Decimal;

use super::page::{Pages, Row, numbers, texts};
use super::text::Style;
use super::{Times, chart, quorum, second_call};
use crate::results::labels::{self, grouped};

/// The share of the people who may vote, as 1 in this many, by which the attendance varies within one row of the table.
/// The notes are written whenever a phone loses its connection, and most of them differ by one person.
const VARIATION: u64 = 100;

pub(super) fn write(pages: &mut Pages, results: &ResultsFile, times: Times) {
    pages.heading(2, "Attendance and quorum");
    pages.paragraph(&format!("Quorum of the meeting: {}.", quorum(&results.meeting)), Style::BODY);
    write_second_call(pages, results, times);
    pages.space(6.);
    if results.attendance.is_empty() {
        pages.paragraph("No attendance was recorded.", Style::BODY);
        pages.space(10.);
        return;
    }
    let unit = results.meeting.quorum.map_or(UnitName::Heads, |quorum| quorum.unit);
    chart::draw(pages, &results.attendance, unit, |time| times.short(time));
    let stretches = stretches(&results.attendance);
    if results.attendance.iter().any(|note| note.represented.is_some()) {
        let columns = [0.1, 0.12, 0.13, 0.14, 0.1, 0.12, 0.1].map(numbers);
        let [heads, weight, represented, their_weight, eligible, all_weight, quorum] = columns;
        let columns = [texts(0.19), heads, weight, represented, their_weight, eligible, all_weight, quorum];
        let headings = [
            "Time",
            "Present, heads",
            "Present, weight",
            "Represented, heads",
            "Represented, weight",
            "May vote, heads",
            "May vote, weight",
            "Quorum",
        ];
        pages.table(columns, headings, stretches.iter().map(|stretch| Row::of(stretch.cells_with_proxies(times))));
    } else {
        let columns = [texts(0.28), numbers(0.14), numbers(0.16), numbers(0.13), numbers(0.16), numbers(0.13)];
        let headings = ["Time", "Present, heads", "Present, weight", "May vote, heads", "May vote, weight", "Quorum"];
        pages.table(columns, headings, stretches.iter().map(|stretch| Row::of(stretch.cells(times))));
    }
    if stretches.len() < results.attendance.len() {
        pages.paragraph(
            "A row with two times sums up notes that differ by at most one in a hundred of those who may vote.",
            Style::SMALL,
        );
    }
    pages.space(10.);
}

/// Writes the quorum on a second call, and the time of the notes to which it applied.
fn write_second_call(pages: &mut Pages, results: &ResultsFile, times: Times) {
    if let Some(quorum) = second_call(&results.meeting) {
        pages.paragraph(&format!("On a second call: {quorum}."), Style::BODY);
    }
    let mut called = results.attendance.iter().filter(|note| note.is_second_call).map(|note| note.at);
    if let Some(first) = called.next() {
        let period = times.short_period(first, called.next_back().unwrap_or(first));
        pages.paragraph(&format!("Second call of the meeting: noted {period}."), Style::BODY);
    }
}

/// Successive notes with almost the same attendance.
struct Stretch<'a> {
    notes: Vec<&'a AttendanceEntry>,
}

/// The notes in rows: each row has one quorum state, the same people who may vote, and nearly the same people present.
fn stretches(notes: &[AttendanceEntry]) -> Vec<Stretch<'_>> {
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for note in notes {
        match stretches.last_mut() {
            Some(stretch) if stretch.takes(note) => stretch.notes.push(note),
            _ => stretches.push(Stretch { notes: vec![note] }),
        }
    }
    stretches
}

impl Stretch<'_> {
    fn takes(&self, note: &AttendanceEntry) -> bool {
        let is_alike = |first: &AttendanceEntry| {
            first.is_quorate == note.is_quorate
                && first.is_second_call == note.is_second_call
                && first.eligible.heads == note.eligible.heads
                && first.eligible.weight == note.eligible.weight
        };
        let varies_little = |heads: &dyn Fn(&AttendanceEntry) -> u64| {
            let (least, most) = self.range(heads);
            let variation = most.max(heads(note)) - least.min(heads(note));
            variation <= note.eligible.heads / VARIATION
        };
        self.notes.first().is_some_and(|first| is_alike(first))
            && varies_little(&|note| note.present.heads)
            && varies_little(&|note| note.represented.unwrap_or_default().heads)
    }

    /// The smallest and the largest value among the notes.
    fn range<T: Ord + Default>(&self, value: impl Fn(&AttendanceEntry) -> T) -> (T, T) {
        let least = self.notes.iter().map(|note| value(note)).min();
        let most = self.notes.iter().map(|note| value(note)).max();
        (least.unwrap_or_default(), most.unwrap_or_default())
    }

    /// The same cells, with the represented people after the present ones.
    fn cells_with_proxies(&self, times: Times) -> [String; 8] {
        let (least_heads, most_heads) = self.range(|note| note.represented.unwrap_or_default().heads);
        let (least_weight, most_weight) = self.range(|note| note.represented.unwrap_or_default().weight);
        let [time, heads, weight, eligible, all_weight, quorum] = self.cells(times);
        let represented = either(least_heads.into(), most_heads.into());
        let their_weight = either(least_weight, most_weight);
        [time, heads, weight, represented, their_weight, eligible, all_weight, quorum]
    }

    fn cells(&self, times: Times) -> [String; 6] {
        let (from, to) = self.range(|note| note.at);
        let (least_heads, most_heads) = self.range(|note| note.present.heads);
        let (least_weight, most_weight) = self.range(|note| note.present.weight);
        let last = self.notes.last();
        [
            times.short_period(from, to),
            either(least_heads.into(), most_heads.into()),
            either(least_weight, most_weight),
            grouped(last.map_or(0, |note| note.eligible.heads)),
            grouped(last.map_or(Decimal::ZERO, |note| note.eligible.weight)),
            last.and_then(|note| note.is_quorate).map_or("–", labels::met).to_owned(),
        ]
    }
}

fn either(least: Decimal, most: Decimal) -> String {
    if least == most { grouped(most) } else { format!("{} to {}", grouped(least), grouped(most)) }
}
