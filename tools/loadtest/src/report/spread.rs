//! The median and the range of several runs.

use std::fmt;

/// The values of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    /// The median. For an even number of values, the mean of the middle two.
    pub(crate) median: f64,
    /// The smallest.
    pub(crate) min: f64,
    /// The largest.
    pub(crate) max: f64,
}

impl Spread {
    /// `None` without values. Values that are not numbers, such as a ratio to zero, are left out.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let above = sorted[sorted.len() / 2];
        let below = sorted[(sorted.len() - 1) / 2];
        Some(Self { median: below.midpoint(above), min, max })
    }

    /// In words: the median, and the range if there is one.
    pub(crate) fn describe(self, number: impl Fn(f64) -> String) -> String {
        let (median, min, max) = (number(self.median), number(self.min), number(self.max));
        if min == max { median } else { format!("{median} ({min} – {max})") }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.describe(|value| format!("{value:.2}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(values: &[f64]) -> Option<Spread> {
        Spread::of(values.iter().copied())
    }

    #[test]
    fn the_median_is_independent_of_the_order() {
        assert_eq!(spread(&[3.0, 1.0, 2.0]), Some(Spread { median: 2.0, min: 1.0, max: 3.0 }));
        assert_eq!(spread(&[4.0, 1.0, 2.0, 3.0]), Some(Spread { median: 2.5, min: 1.0, max: 4.0 }));
        assert_eq!(spread(&[7.0]), Some(Spread { median: 7.0, min: 7.0, max: 7.0 }));
    }

    #[test]
    fn no_values_have_no_spread_and_values_that_are_not_numbers_are_left_out() {
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[f64::NAN, f64::INFINITY]), None);
        assert_eq!(spread(&[f64::NAN, 2.0]).map(|spread| spread.max), Some(2.0));
    }

    #[test]
    fn a_range_is_written_only_for_differing_values() {
        assert_eq!(spread(&[1.0, 1.5, 2.0]).unwrap().to_string(), "1.50 (1.00 – 2.00)");
        assert_eq!(spread(&[1.5, 1.5]).unwrap().to_string(), "1.50");
    }
}
