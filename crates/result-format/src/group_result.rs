use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Count, exact};

/// The counts among the members of a group in which the rule must be met as well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "name": "Owners", "register": { "heads": 40, "weight": 40 }, "present": { "heads": 31, "weight": 31 },
    "votesCast": { "heads": 30, "weight": 30 },
    "options": [{ "id": "019a9d5e-0000-7000-8000-000000000008", "heads": 21, "weight": 21 }],
}))]
pub struct GroupResult {
    /// The name at opening.
    pub name: String,
    /// The voters who belong to it.
    pub register: Count,
    /// The present voters among them.
    pub present: Count,
    /// The votes that they cast.
    pub votes_cast: Count,
    /// The count of each option, in order.
    pub options: Vec<GroupOption>,
}

/// The count of an option among the members of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({ "id": "019a9d5e-0000-7000-8000-000000000008", "heads": 21, "weight": 21 }))]
pub struct GroupOption {
    /// Its id.
    pub id: Uuid,
    /// The number of members who chose it.
    pub heads: u64,
    /// Their total weight.
    #[serde(with = "exact")]
    #[schema(value_type = f64)]
    pub weight: Decimal,
}
