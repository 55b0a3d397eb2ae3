use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Count;

/// How many ballots came which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ways, example = json!({
    "device": { "heads": 120, "weight": 120 }, "paper": { "heads": 30, "weight": 30 }, "votingPlace": { "heads": 4, "weight": 4 },
}))]
pub struct WaysFormat {
    /// From devices of voters and holders of proxies.
    pub device: Count,
    /// On paper.
    pub paper: Count,
    /// At voting places.
    pub voting_place: Count,
}
