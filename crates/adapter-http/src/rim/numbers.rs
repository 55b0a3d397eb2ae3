//! How numbers and absent values stand in JSON.

use rust_decimal::Decimal;
/// An exact decimal as a JSON number, digit for digit.
pub(crate) use rust_decimal::serde::arbitrary_precision as exact;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a JSON number or null exactly. A number in quotes is a text.
pub(crate) fn read_exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(deserializer)? else { return Ok(None) };
    let digits = number.to_string();
    Decimal::from_str_exact(&digits)
        .or_else(|_| Decimal::from_scientific(&digits))
        .map(Some)
        .map_err(|_| D::Error::custom("a number that can be stored"))
}

/// Tells a field that is `null` (clear it) from one that is missing (leave it): `#[serde(default, deserialize_with)]`.
pub(crate) fn cleared<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
