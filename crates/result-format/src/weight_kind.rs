use plenum_kernel::WeightKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Count, GroupOption, GroupResult};

/// A kind of voting weight beside the ordinary one, as of the opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = NamedWeightKind, example = json!({
    "id": "019a9d5e-0000-7000-8000-000000000030", "name": "Co-ownership shares", "unit": null, "decimals": 2,
}))]
pub struct WeightKindFormat {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The unit after a number. Null for numbers without a unit.
    #[schema(required)]
    pub unit: Option<String>,
    /// The largest number of decimals of a value, 0 to 6.
    #[schema(maximum = 6)]
    pub decimals: u8,
}

impl WeightKindFormat {
    /// "Living area (m²)", or the name alone without a unit.
    pub fn words(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.name),
            None => self.name.clone(),
        }
    }
}

impl From<&WeightKind> for WeightKindFormat {
    fn from(kind: &WeightKind) -> Self {
        let WeightKind { id, name, unit, decimals } = kind;
        Self { id: id.as_uuid(), name: name.clone(), unit: unit.clone(), decimals: decimals.get() }
    }
}

/// The counts by the second weight of a question. `weight` of its members is the second weight.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "kind": { "id": "019a9d5e-0000-7000-8000-000000000030", "name": "Co-ownership shares", "unit": null, "decimals": 2 },
    "register": { "heads": 40, "weight": 1000 }, "present": { "heads": 31, "weight": 812.5 },
    "votesCast": { "heads": 30, "weight": 790 },
    "options": [{ "id": "019a9d5e-0000-7000-8000-000000000008", "heads": 21, "weight": 560.25 }],
}))]
pub struct SecondWeightResult {
    /// The kind.
    pub kind: WeightKindFormat,
    /// The voters.
    pub register: Count,
    /// The people who could vote and are not in the register, because they were not checked in. Left out without check-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<Count>,
    /// The attending voters: present or represented.
    pub present: Count,
    /// All votes cast that count.
    pub votes_cast: Count,
    /// The count of each option, in order.
    pub options: Vec<GroupOption>,
    /// The counts in each group, if the rule must be met in each of several groups. Left out otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub in_each: Vec<GroupResult>,
}
