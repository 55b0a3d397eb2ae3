//! Numbers for people.

/// A value with its unit, in three significant digits: `12,300/s`, `3.21 ms`, `20.5 kB`.
pub(crate) fn format_value(value: f64, unit: &str) -> String {
    match unit {
        "1" | "" => number(value),
        "1/s" => format!("{}/s", number(value)),
        "B" if value.abs() >= 1_000_000.0 => format!("{} MB", number(value / 1_000_000.0)),
        "B" if value.abs() >= 1_000.0 => format!("{} kB", number(value / 1_000.0)),
        "ms" if value.abs() >= 10_000.0 => format!("{} s", number(value / 1_000.0)),
        _ => format!("{} {unit}", number(value)),
    }
}

/// Three significant digits, and all digits before the point.
fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 1_000.0 {
        grouped(rounded(value, size))
    } else if size >= 100.0 || size.fract() == 0.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else if size >= 1.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

/// 12,345.6 becomes 12,300.
fn rounded(value: f64, size: f64) -> f64 {
    let step = 10_f64.powf(size.log10().floor() - 2.0);
    (value / step).round() * step
}

fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::from(if value < 0.0 { "-" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_significant_digits() {
        for (value, unit, text) in [
            (12_345.6, "1/s", "12,300/s"),
            (1_234_567.0, "1", "1,230,000"),
            (999.6, "1", "1000"),
            (10_000.0, "1", "10,000"),
            (64.0, "1", "64"),
            (3.214, "ms", "3.21 ms"),
            (54.26, "ms", "54.3 ms"),
            (0.0123, "ms", "0.012 ms"),
            (0.0, "1", "0"),
            (12_500.0, "ms", "12.5 s"),
            (20_512.0, "B", "20.5 kB"),
            (3_200_000.0, "B", "3.20 MB"),
            (512.0, "B", "512 B"),
            (-1_234.0, "1", "-1,230"),
        ] {
            assert_eq!(format_value(value, unit), text);
        }
    }
}
