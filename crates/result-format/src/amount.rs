use rust_decimal::Decimal;
/// An exact decimal as a JSON number, with all digits.
pub use rust_decimal::serde::arbitrary_precision as exact;
/// An exact decimal or null.
pub use rust_decimal::serde::arbitrary_precision_option as exact_option;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A number of votes or people, in heads and in weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "heads": 164, "weight": 183.25 }))]
pub struct Count {
    /// The number of people.
    pub heads: u64,
    /// The exact sum of the weights.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}
