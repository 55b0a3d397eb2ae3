//! A bar for each row, with a whisker from the smallest run to the largest.

use super::drawing::{Anchor, Drawing, SHADES, WIDTH};
use super::numbers;
use super::spread::Spread;

/// One bar.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// The name.
    pub(crate) label: String,
    /// The index of its color.
    pub(crate) shade: usize,
    /// The length. `None` without a measurement.
    pub(crate) spread: Option<Spread>,
}

const LABELS: f64 = 230.0;
const NUMBERS: f64 = 110.0;
const TOP: f64 = 36.0;
const STEP: f64 = 34.0;
const THICKNESS: f64 = 18.0;

/// The chart, with a dashed line at `limit`.
pub(crate) fn bars(title: &str, unit: &str, bars: &[Bar], limit: Option<f64>) -> String {
    let mut drawing = Drawing::default();
    let longest = bars.iter().filter_map(|bar| Some(bar.spread?.max)).chain(limit).fold(0.0, f64::max);
    let scale = if longest > 0.0 { (WIDTH - LABELS - NUMBERS) / longest } else { 0.0 };
    for (place, bar) in bars.iter().enumerate() {
        draw(&mut drawing, bar, TOP + STEP * place as f64, &Scale { length: scale, unit });
    }
    let height = TOP + STEP * bars.len() as f64 + 8.0;
    drawing.line((LABELS, TOP - 4.0), (LABELS, height - 10.0), "rule");
    if let Some(limit) = limit {
        let x = LABELS + limit * scale;
        drawing.line((x, TOP - 4.0), (x, height - 10.0), "limit");
    }
    drawing.finish(title, height)
}

/// The scale of a chart.
struct Scale<'a> {
    /// The length of one unit in the drawing.
    length: f64,
    unit: &'a str,
}

fn draw(drawing: &mut Drawing, bar: &Bar, top: f64, scale: &Scale<'_>) {
    let Scale { length: scale, unit } = *scale;
    let baseline = top + THICKNESS - 4.0;
    drawing.text((LABELS - 10.0, baseline), Anchor::End, "", &bar.label);
    let Some(Spread { median, min, max }) = bar.spread else {
        drawing.text((LABELS + 8.0, baseline), Anchor::Start, "faint", "not measured");
        return;
    };
    drawing.bar((LABELS, top), (median * scale, THICKNESS), &format!("fill{}", bar.shade.min(SHADES - 1)));
    let middle = top + THICKNESS / 2.0;
    if min < max {
        let (left, right) = (LABELS + min * scale, LABELS + max * scale);
        drawing.line((left, middle), (right, middle), "whisker");
        for end in [left, right] {
            drawing.line((end, middle - 4.0), (end, middle + 4.0), "whisker");
        }
    }
    drawing.text((LABELS + max * scale + 8.0, baseline), Anchor::Start, "", &numbers::format_value(median, unit));
}

#[cfg(test)]
mod tests {
    use super::super::drawing::tests::is_well_formed;
    use super::*;

    fn bar(label: &str, values: &[f64]) -> Bar {
        Bar { label: label.to_owned(), shade: 0, spread: Spread::of(values.iter().copied()) }
    }

    #[test]
    fn each_row_is_drawn_with_its_number_also_without_a_measurement() {
        let svg = bars("Ballots", "1/s", &[bar("Plenum", &[9_000.0, 12_000.0]), bar("pgbench", &[])], Some(1.0));
        assert!(is_well_formed(&svg), "{svg}");
        for text in ["Plenum", "10,500/s", "pgbench", "not measured", "class=\"limit\""] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn whiskers_show_differing_runs() {
        assert!(!bars("One", "ms", &[bar("a", &[1.0])], None).contains("class=\"whisker\""));
        assert!(bars("Two", "ms", &[bar("a", &[1.0, 2.0])], None).contains("class=\"whisker\""));
    }

    #[test]
    fn a_chart_without_values_has_no_scale() {
        let svg = bars("None", "ms", &[bar("a", &[0.0])], None);
        assert!(is_well_formed(&svg) && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
