//! Exact numbers and absent values in JSON.

use rust_decimal::Decimal;
/// An exact decimal as a JSON number, digit for digit.
pub(crate) use rust_decimal::serde::arbitrary_precision as exact;
pub(crate) use rust_decimal::serde::arbitrary_precision_option as exact_option;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a JSON number or null exactly. Rejects a number in quotes.
pub(crate) fn read_exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(deserializer)? else { return Ok(None) };
    exactly(&number.to_string()).map(Some).ok_or_else(|| D::Error::custom("a number that can be stored"))
}

pub(super) fn exactly(digits: &str) -> Option<Decimal> {
    let Some((mantissa, _)) = digits.split_once(['e', 'E']) else { return Decimal::from_str_exact(digits).ok() };
    // Conversion through powers of ten would round the mantissa.
    Decimal::from_str_exact(mantissa).ok()?;
    Decimal::from_scientific(digits).ok()
}

/// Distinguishes a field that is `null` (clear it) from a missing field (no change): `#[serde(default,
/// deserialize_with)]`.
pub(crate) fn cleared<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_exactly_or_rejected() {
        for (digits, number) in [("1.5", "1.5"), ("15e-1", "1.5"), ("1.5e1", "15"), ("0.1E+1", "1"), ("1e1", "10")] {
            assert_eq!(
                exactly(digits).map(|number| number.normalize().to_string()).as_deref(),
                Some(number),
                "{digits}"
            );
        }
        let ones = format!("1.{}1", "0".repeat(35));
        for digits in [ones.as_str(), &format!("{ones}e0"), &format!("{ones}e1"), "1e400", "1e-400", "1e99999999999"] {
            assert_eq!(exactly(digits), None, "{digits}");
        }
    }
}
