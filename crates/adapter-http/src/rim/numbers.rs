//! How numbers and absent values stand in JSON.

/// An exact decimal as a JSON number, digit for digit.
pub(crate) use rust_decimal::serde::arbitrary_precision as exact;
/// An exact decimal or null.
pub(crate) use rust_decimal::serde::arbitrary_precision_option as exact_option;
use serde::{Deserialize, Deserializer};

/// Tells a field that is `null` (clear it) from one that is missing (leave it): `#[serde(default, deserialize_with)]`.
pub(crate) fn cleared<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
