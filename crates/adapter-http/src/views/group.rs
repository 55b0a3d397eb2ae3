use plenum_kernel::{GroupId, NamedGroup, audience};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::{ApiError, FieldCheck};

/// The requirement for ids of groups.
pub(crate) const WANTED_GROUPS: &str = "Must be ids of groups of your organization.";

/// A group of a voter.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GroupReference, example = json!({ "id": "019a9d5e-0000-7000-8000-000000000020", "name": "Delegates" }))]
pub(crate) struct GroupReferenceView {
    id: Uuid,
    name: String,
}

impl From<&NamedGroup> for GroupReferenceView {
    fn from(group: &NamedGroup) -> Self {
        Self { id: group.id.as_uuid(), name: group.name.clone() }
    }
}

/// Reads the groups that a meeting or a question is for.
pub(crate) fn read_audience(check: &mut FieldCheck, ids: &[String]) -> Option<Vec<GroupId>> {
    match ids.iter().map(|id| id.parse()).collect::<Result<Vec<GroupId>, _>>() {
        Ok(groups) => check.keep("groupIds", audience(groups)),
        Err(_) => {
            check.note("groupIds", WANTED_GROUPS.to_owned());
            None
        }
    }
}

/// Reads the id of a group in a query. Empty means missing.
///
/// # Errors
/// Names the field.
pub(crate) fn read_group_filter(id: Option<&str>) -> Result<Option<GroupId>, ApiError> {
    let id = id.map(str::trim).filter(|id| !id.is_empty());
    id.map(str::parse).transpose().map_err(|_| ApiError::invalid_field("groupId", "Must be the id of a group."))
}
