//! Latencies as figures.

use std::time::Duration;

use crate::outcome::{Figure, Series};

/// The percentiles of a series.
const PERCENTILES: [f64; 12] = [0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99, 100.0];

/// A set of latencies.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    sorted: Vec<Duration>,
}

impl Latencies {
    /// Creates a set of these latencies.
    pub fn of(mut measured: Vec<Duration>) -> Self {
        measured.sort_unstable();
        Self { sorted: measured }
    }

    /// The number of latencies.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// A percentile by the nearest rank: the least value that this percentage of measurements does not exceed. Zero
    /// without measurements.
    pub fn percentile(&self, percent: f64) -> Duration {
        let rank = (percent / 100.0 * self.sorted.len() as f64).ceil() as usize;
        self.sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
    }

    /// The median.
    pub fn median(&self) -> Duration {
        self.percentile(50.0)
    }

    /// The maximum.
    pub fn longest(&self) -> Duration {
        self.percentile(100.0)
    }

    /// `<name>_median`, `_p95`, `_p99` and `_max`, in milliseconds.
    pub fn figures(&self, name: &str) -> Vec<Figure> {
        let named = [("median", 50.0), ("p95", 95.0), ("p99", 99.0), ("max", 100.0)];
        let figure = |(which, percent)| milliseconds(&format!("{name}_{which}"), self.percentile(percent));
        if self.sorted.is_empty() { Vec::new() } else { named.into_iter().map(figure).collect() }
    }

    /// The whole distribution.
    pub fn series(&self, name: &str) -> Series {
        let percentiles =
            PERCENTILES.iter().map(|percent| (*percent, in_milliseconds(self.percentile(*percent)))).collect();
        Series { name: name.to_owned(), unit: "ms".to_owned(), percentiles }
    }
}

/// A figure in milliseconds.
pub fn milliseconds(name: &str, value: Duration) -> Figure {
    figure(name, "ms", in_milliseconds(value))
}

/// A figure in seconds.
pub fn seconds(name: &str, value: Duration) -> Figure {
    figure(name, "s", value.as_secs_f64())
}

/// A count.
pub fn number(name: &str, value: u64) -> Figure {
    figure(name, "1", value as f64)
}

/// A figure.
pub fn figure(name: &str, unit: &str, value: f64) -> Figure {
    Figure { name: name.to_owned(), unit: unit.to_owned(), value }
}

fn in_milliseconds(value: Duration) -> f64 {
    value.as_nanos() as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Latencies {
        Latencies::of(values.into_iter().map(Duration::from_millis).collect())
    }

    #[test]
    fn percentiles_are_by_the_nearest_rank_in_any_order() {
        let latencies = of((1..=100).rev());
        for (percent, expected) in [(0.0, 1), (1.0, 1), (50.0, 50), (95.0, 95), (99.0, 99), (99.5, 100), (100.0, 100)] {
            assert_eq!(latencies.percentile(percent), Duration::from_millis(expected), "{percent}");
        }
        assert_eq!(of([7]).median(), Duration::from_millis(7));
        assert_eq!(of([7, 9, 8]).median(), Duration::from_millis(8));
        assert_eq!(of([1, 2, 3]).percentile(99.0), Duration::from_millis(3));
    }

    #[test]
    fn an_empty_set_has_no_figures() {
        assert_eq!(of([]).longest(), Duration::ZERO);
        assert!(of([]).figures("latency").is_empty());
    }

    #[test]
    fn figures_and_series_are_in_milliseconds() {
        let latencies = of([2, 4]);
        assert_eq!(latencies.figures("latency")[2], figure("latency_p99", "ms", 4.0));
        let series = latencies.series("latency");
        assert_eq!(series.percentiles[3], (50.0, 2.0));
        assert_eq!(series.percentiles.last(), Some(&(100.0, 4.0)));
    }
}
