use plenum_result_format::{AttendanceEntry, Count, UnitName};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::page::{INNER, LineBox, MARGIN, Pages, Shape};
use super::text::{Ink, Side, Style};
use crate::results::labels::grouped;

const HEIGHT: f32 = 120.;
const LABELS: f32 = 46.;

/// A line for the people present and one for those who may vote, over time. The table next to it has the figures.
pub(super) fn draw(
    pages: &mut Pages,
    entries: &[AttendanceEntry],
    unit: UnitName,
    time: impl Fn(chrono::DateTime<chrono::Utc>) -> String,
) {
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return };
    let length = (last.at - first.at).num_milliseconds() as f32;
    let in_unit = |count: Count| match unit {
        UnitName::Heads => Decimal::from(count.heads),
        UnitName::Weight => count.weight,
    };
    let top = entries.iter().map(|entry| in_unit(entry.eligible).max(in_unit(entry.present))).max().unwrap_or_default();
    let size = |amount: Decimal| amount.to_f32().unwrap_or_default();
    if length <= 0. || top.is_zero() {
        return;
    }
    let description = format!(
        "Present by {} over time: {} at {}, {} at {}. The table below has all figures.",
        unit.words(),
        grouped(in_unit(first.present)),
        time(first.at),
        grouped(in_unit(last.present)),
        time(last.at)
    );
    let (part, above) = pages.figure(HEIGHT + 34., description);
    let (left, right, upper) = (MARGIN + LABELS, MARGIN + INNER, above + 16.);
    let lower = upper + HEIGHT - 16.;
    let place = |entry: &AttendanceEntry, amount: Decimal| {
        let x = left + (right - left) * ((entry.at - first.at).num_milliseconds() as f32 / length);
        (x, lower - (lower - upper) * size(amount) / size(top))
    };
    for y in [upper, (upper + lower) / 2., lower] {
        let points = vec![(left, y), (right, y)];
        pages.draw_of(part, Shape::Stroke { points, width: 0.4, ink: Ink::Pale, is_dashed: false });
    }
    let lines = [(true, Ink::Gray, 0.9), (false, Ink::Black, 1.6)];
    for (is_dashed, ink, width) in lines {
        let amount = |entry: &AttendanceEntry| in_unit(if is_dashed { entry.eligible } else { entry.present });
        let mut points: Vec<(f32, f32)> = Vec::new();
        for entry in entries {
            let (x, y) = place(entry, amount(entry));
            // A recorded value holds until the next one.
            if let Some((_, before)) = points.last().copied() {
                points.push((x, before));
            }
            points.push((x, y));
        }
        pages.draw_of(part, Shape::Stroke { points, width, ink, is_dashed });
    }
    let small = Style::SMALL.sized(7.5);
    let labels = LABELS - 6.;
    pages.write_of(part, &grouped(top), small.on(Side::Right), LineBox { x: MARGIN, y: upper - 5., width: labels });
    pages.write_of(part, "0", small.on(Side::Right), LineBox { x: MARGIN, y: lower - 5., width: labels });
    pages.write_of(part, &time(first.at), small, LineBox { x: left, y: lower + 4., width: 160. });
    pages.write_of(
        part,
        &time(last.at),
        small.on(Side::Right),
        LineBox { x: right - 160., y: lower + 4., width: 160. },
    );
    let key = format!("Present by {} (solid line), may vote (dashed line)", unit.words());
    pages.write_of(part, &key, small, LineBox { x: left, y: above, width: right - left });
}
