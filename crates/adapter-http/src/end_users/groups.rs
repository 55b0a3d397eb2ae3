use std::collections::HashSet;

use plenum_clients::{GroupService, MAX_GROUPS_OF_PERSON};
use plenum_kernel::{ClientId, GroupId, NamedGroup};

use crate::error::ApiError;
use crate::views::WANTED_GROUPS;

/// The groups with these ids, by name.
///
/// # Errors
/// Names the field when one of them is not a group of the client, or there are too many.
pub(super) async fn read_groups(
    groups: &GroupService,
    owner: ClientId,
    ids: &[String],
) -> Result<Vec<NamedGroup>, ApiError> {
    let refuse = |requirement: &str| ApiError::invalid_field("groupIds", requirement);
    if ids.len() > MAX_GROUPS_OF_PERSON {
        return Err(refuse(&format!("Must be at most {MAX_GROUPS_OF_PERSON} groups.")));
    }
    let ids: HashSet<GroupId> =
        ids.iter().map(|id| id.parse()).collect::<Result<_, _>>().map_err(|_| refuse(WANTED_GROUPS))?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let known = groups.list(owner).await?;
    let chosen = known.iter().map(|known| &known.group).filter(|group| ids.contains(&group.id));
    let chosen: Vec<NamedGroup> = chosen.map(NamedGroup::from).collect();
    if chosen.len() < ids.len() { Err(refuse(WANTED_GROUPS)) } else { Ok(chosen) }
}
