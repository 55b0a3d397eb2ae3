use plenum_clients::GroupOverview;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// A group of voters.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Group, example = example_group)]
pub(crate) struct GroupView {
    id: Uuid,
    name: String,
    /// The number of its members, inactive ones included.
    members: u64,
}

/// An example for the OpenAPI document.
pub(super) fn example_group() -> Value {
    json!({ "id": "019a9d5e-0000-7000-8000-000000000020", "name": "Delegates", "members": 40 })
}

impl From<&GroupOverview> for GroupView {
    fn from(known: &GroupOverview) -> Self {
        Self { id: known.group.id.as_uuid(), name: known.group.name.to_string(), members: known.members }
    }
}

/// One group in the envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "success": true, "data": example_group() }))]
pub(crate) struct GroupAnswer {
    pub(super) success: bool,
    pub(super) data: GroupView,
}

impl GroupAnswer {
    pub(super) fn of(known: &GroupOverview) -> Self {
        Self { success: true, data: known.into() }
    }
}
