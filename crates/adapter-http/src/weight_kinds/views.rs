use chrono::{DateTime, Utc};
use plenum_clients::WeightKindOverview;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// A kind of voting weight.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WeightKind, example = example_weight_kind)]
pub(crate) struct WeightKindView {
    id: Uuid,
    name: String,
    /// The unit of the values. Null for none.
    #[schema(required)]
    unit: Option<String>,
    /// The decimals that a value may have.
    #[schema(maximum = 6)]
    decimals: u8,
    /// The exact sum of the values of all voters, inactive ones included, as a text.
    total: String,
    created_at: DateTime<Utc>,
}

/// An example for the OpenAPI document.
pub(super) fn example_weight_kind() -> Value {
    json!({
        "id": "019a9d5e-0000-7000-8000-000000000030", "name": "Living area", "unit": "m²", "decimals": 2,
        "total": "12345.5", "createdAt": "2026-11-21T09:45:00Z",
    })
}

impl From<&WeightKindOverview> for WeightKindView {
    fn from(known: &WeightKindOverview) -> Self {
        Self {
            id: known.kind.id.as_uuid(),
            name: known.kind.name.clone(),
            unit: known.kind.unit.clone(),
            decimals: known.kind.decimals.get(),
            total: known.total.to_string(),
            created_at: known.created_at,
        }
    }
}

/// One kind of weight in the envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_weight_kind() }))]
pub(crate) struct WeightKindAnswer {
    pub(super) success: bool,
    pub(super) data: WeightKindView,
}

impl WeightKindAnswer {
    pub(super) fn of(known: &WeightKindOverview) -> Self {
        Self { success: true, data: known.into() }
    }
}
