//! Percentiles as curves.

use super::drawing::{Anchor, Drawing, SHADES, WIDTH};
use super::numbers;
use super::spread::Spread;

/// One distribution: the percentiles, each with its spread over the runs.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    /// The name.
    pub(crate) label: String,
    /// The percentiles, ascending.
    pub(crate) percentiles: Vec<(f64, Spread)>,
}

const LEFT: f64 = 80.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 60.0;
const HEIGHT: f64 = 320.0;
const BOTTOM: f64 = HEIGHT - 36.0;
const RULES: u32 = 4;

/// The chart, with a dashed line at `limit`.
pub(crate) fn curves(title: &str, unit: &str, curves: &[Curve], limit: Option<f64>) -> String {
    let mut drawing = Drawing::default();
    let mut percents: Vec<f64> =
        curves.iter().flat_map(|curve| curve.percentiles.iter().map(|(percent, _)| *percent)).collect();
    percents.sort_by(f64::total_cmp);
    percents.dedup();
    let highest = curves.iter().flat_map(|curve| &curve.percentiles).map(|(_, spread)| spread.max);
    let frame = Frame { highest: highest.chain(limit).fold(0.0, f64::max), percents };
    frame.draw(&mut drawing, unit);
    for (place, curve) in curves.iter().enumerate() {
        frame.draw_curve(&mut drawing, curve, place.min(SHADES - 1), LEFT + 220.0 * place as f64);
    }
    if let Some(limit) = limit {
        drawing.line((LEFT, frame.y(limit)), (WIDTH - RIGHT, frame.y(limit)), "limit");
    }
    drawing.finish(title, HEIGHT)
}

/// The positions of values and percentiles. The percentiles are evenly spaced, because the last ones matter most.
struct Frame {
    highest: f64,
    percents: Vec<f64>,
}

impl Frame {
    fn y(&self, value: f64) -> f64 {
        if self.highest > 0.0 { BOTTOM - (BOTTOM - TOP) * value / self.highest } else { BOTTOM }
    }

    fn x(&self, percent: f64) -> f64 {
        let place = self.percents.iter().position(|one| *one >= percent).unwrap_or_default();
        let steps = self.percents.len().saturating_sub(1).max(1);
        LEFT + 20.0 + (WIDTH - LEFT - RIGHT - 40.0) * place as f64 / steps as f64
    }

    fn draw(&self, drawing: &mut Drawing, unit: &str) {
        for rule in 0..=RULES {
            let value = self.highest * f64::from(rule) / f64::from(RULES);
            let y = self.y(value);
            drawing.line((LEFT, y), (WIDTH - RIGHT, y), "rule");
            drawing.text((LEFT - 8.0, y + 4.0), Anchor::End, "faint", &numbers::format_value(value, unit));
            if self.highest <= 0.0 {
                break;
            }
        }
        for percent in &self.percents {
            let label = if *percent >= 100.0 { "last".to_owned() } else { format!("{percent} %") };
            drawing.text((self.x(*percent), BOTTOM + 20.0), Anchor::Middle, "faint", &label);
        }
    }

    fn draw_curve(&self, drawing: &mut Drawing, curve: &Curve, shade: usize, legend: f64) {
        let at = |value: fn(Spread) -> f64| {
            curve.percentiles.iter().map(move |(percent, spread)| (self.x(*percent), self.y(value(*spread))))
        };
        let upper = at(|spread| spread.max);
        let band: Vec<_> = upper.chain(at(|spread| spread.min).rev()).collect();
        drawing.area(&band, &format!("fill{shade}"));
        drawing.curve(&at(|spread| spread.median).collect::<Vec<_>>(), &format!("line{shade}"));
        drawing.bar((legend, 34.0), (12.0, 12.0), &format!("fill{shade}"));
        let label =
            if curve.percentiles.is_empty() { format!("{}: not measured", curve.label) } else { curve.label.clone() };
        drawing.text((legend + 18.0, 45.0), Anchor::Start, "", &label);
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::tests::is_well_formed;
    use super::*;

    fn curve(label: &str, values: &[(f64, f64)]) -> Curve {
        let of = |(percent, value): &(f64, f64)| Some((*percent, Spread::of([*value, value * 2.0])?));
        Curve { label: label.to_owned(), percentiles: values.iter().filter_map(of).collect() }
    }

    #[test]
    fn curves_have_their_names_their_band_and_the_limit() {
        let svg = curves(
            "Fan-out",
            "ms",
            &[curve("Plenum", &[(50.0, 10.0), (100.0, 90.0)]), curve("nchan", &[])],
            Some(50.0),
        );
        assert!(is_well_formed(&svg), "{svg}");
        for text in
            ["Plenum", "nchan: not measured", "last", "50 %", "180 ms", "class=\"limit\"", "class=\"band fill0\""]
        {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn a_chart_without_measurements_is_an_empty_frame() {
        let svg = curves("Fan-out", "ms", &[curve("Plenum", &[])], None);
        assert!(is_well_formed(&svg) && !svg.contains("NaN"), "{svg}");
    }
}
