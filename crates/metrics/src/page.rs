use std::fmt::{self, Write as _};

use crate::figures::{Reading, Unit};

/// How a metric is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only rises, until the process ends.
    Counter,
    /// Rises and falls.
    Gauge,
    /// How many were how large.
    Histogram,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        })
    }
}

/// The name of something that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// As Prometheus stores it.
    pub name: &'static str,
    /// How it is to be read.
    pub kind: Kind,
    /// What it says, in one line.
    pub help: &'static str,
}

/// A page in the text format of Prometheus, version 0.0.4.
#[derive(Debug, Default)]
pub struct Page(String);

impl Page {
    /// The format, as an answer names it.
    pub const CONTENT_TYPE: &'static str = "text/plain; version=0.0.4; charset=utf-8";

    /// A page without anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// One number without labels.
    pub fn number(&mut self, metric: &Metric, value: u64) {
        self.numbers(metric, [(&[][..], value)]);
    }

    /// One number for each combination of labels.
    pub fn numbers<'a>(&mut self, metric: &Metric, values: impl IntoIterator<Item = (&'a [(&'a str, &'a str)], u64)>) {
        self.head(metric);
        for (labels, value) in values {
            self.line(metric.name, "", labels, None, &value.to_string());
        }
    }

    /// One histogram for each combination of labels.
    pub fn histograms<'a>(
        &mut self,
        metric: &Metric,
        readings: impl IntoIterator<Item = (&'a [(&'a str, &'a str)], Reading)>,
    ) {
        self.head(metric);
        for (labels, reading) in readings {
            for (bound, count) in &reading.up_to {
                let bound = in_base_unit(*bound, reading.unit);
                self.line(metric.name, "_bucket", labels, Some(&bound), &count.to_string());
            }
            let count = reading.count.to_string();
            self.line(metric.name, "_bucket", labels, Some("+Inf"), &count);
            self.line(metric.name, "_sum", labels, None, &in_base_unit(reading.sum, reading.unit));
            self.line(metric.name, "_count", labels, None, &count);
        }
    }

    /// What was written.
    pub fn into_text(self) -> String {
        self.0
    }

    fn head(&mut self, Metric { name, kind, help }: &Metric) {
        // Writing into a text cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, suffix: &str, labels: &[(&str, &str)], bound: Option<&str>, value: &str) {
        self.0.push_str(name);
        self.0.push_str(suffix);
        let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
        let mut separator = '{';
        for (label, text) in all {
            self.0.push(separator);
            let _ = write!(self.0, "{label}=\"");
            self.escape(text);
            self.0.push('"');
            separator = ',';
        }
        if separator == ',' {
            self.0.push('}');
        }
        let _ = writeln!(self.0, " {value}");
    }

    fn escape(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '\\' => self.0.push_str("\\\\"),
                '"' => self.0.push_str("\\\""),
                '\n' => self.0.push_str("\\n"),
                letter => self.0.push(letter),
            }
        }
    }
}

/// Exactly, without the detour of a binary fraction.
fn in_base_unit(value: u64, unit: Unit) -> String {
    match unit {
        Unit::Pieces => value.to_string(),
        Unit::Microseconds => {
            let text = format!("{}.{:06}", value / 1_000_000, value % 1_000_000);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Histogram;

    const OPEN: Metric = Metric { name: "doors_open", kind: Kind::Gauge, help: "Doors that are open." };
    const TIMES: Metric = Metric { name: "walk_seconds", kind: Kind::Histogram, help: "How long a walk takes." };

    #[test]
    fn numbers_stand_behind_their_labels() {
        let mut page = Page::new();
        page.number(&OPEN, 3);
        page.numbers(&OPEN, [(&[("floor", "1"), ("side", "a \"b\" \\ \n")][..], 2)]);
        assert_eq!(
            page.into_text(),
            "# HELP doors_open Doors that are open.\n# TYPE doors_open gauge\ndoors_open 3\n\
             # HELP doors_open Doors that are open.\n# TYPE doors_open gauge\n\
             doors_open{floor=\"1\",side=\"a \\\"b\\\" \\\\ \\n\"} 2\n"
        );
    }

    #[test]
    fn times_are_told_in_seconds() {
        let times = Histogram::of_times(&[2_500, 1_000_000]);
        times.note(2_500);
        times.note(10_000_001);
        let mut page = Page::new();
        page.histograms(&TIMES, [(&[("to", "park")][..], times.read())]);
        let text = page.into_text();
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "walk_seconds_bucket{to=\"park\",le=\"0.0025\"} 1",
                "walk_seconds_bucket{to=\"park\",le=\"1\"} 1",
                "walk_seconds_bucket{to=\"park\",le=\"+Inf\"} 2",
                "walk_seconds_sum{to=\"park\"} 10.002501",
                "walk_seconds_count{to=\"park\"} 2",
            ]
        );
    }

    #[test]
    fn what_is_a_multiple_of_ten_keeps_its_zeros() {
        assert_eq!(in_base_unit(10_000_000, Unit::Microseconds), "10");
        assert_eq!(in_base_unit(0, Unit::Microseconds), "0");
        assert_eq!(in_base_unit(500, Unit::Pieces), "500");
    }
}
