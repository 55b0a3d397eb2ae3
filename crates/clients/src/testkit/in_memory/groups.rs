use async_trait::async_trait;
use plenum_kernel::{ClientId, GroupId, NamedGroup, PortFailure, folded_name, lower_case};

use super::{InMemoryClients, State};
use crate::{
    AddGroupError, ChangeMembersError, EndUser, Group, GroupName, GroupOverview, GroupStore, MAX_GROUPS,
    MAX_GROUPS_OF_PERSON, MemberChanges, MembersChanged, RemoveGroupError, RenameGroupError, sort_groups,
};

impl State {
    /// Whether another group of the client has this one's name.
    pub(super) fn is_group_name_taken(&self, group: &Group) -> bool {
        let name = folded_name(group.name.as_str());
        self.groups.iter().any(|other| {
            other.id != group.id && other.client_id == group.client_id && folded_name(other.name.as_str()) == name
        })
    }

    fn group_place(&self, owner: ClientId, id: GroupId) -> Option<usize> {
        self.groups.iter().position(|group| group.client_id == owner && group.id == id)
    }

    fn members(&self, id: GroupId) -> u64 {
        self.end_users.iter().filter(|(end_user, _)| end_user.groups.iter().any(|group| group.id == id)).count() as u64
    }

    fn group_overview(&self, group: &Group) -> GroupOverview {
        GroupOverview { group: group.clone(), members: self.members(group.id) }
    }
}

#[async_trait]
impl GroupStore for InMemoryClients {
    async fn list(&self, owner: ClientId) -> Result<Vec<GroupOverview>, PortFailure> {
        let state = self.state();
        let of_client = state.groups.iter().filter(|group| group.client_id == owner);
        let mut groups: Vec<GroupOverview> = of_client.map(|group| state.group_overview(group)).collect();
        groups.sort_by_cached_key(|known| (folded_name(known.group.name.as_str()), known.group.id));
        Ok(groups)
    }

    async fn find(&self, owner: ClientId, id: GroupId) -> Result<Option<GroupOverview>, PortFailure> {
        let state = self.state();
        Ok(state.group_place(owner, id).map(|place| state.group_overview(&state.groups[place])))
    }

    async fn add(&self, group: Group) -> Result<(), AddGroupError> {
        let mut state = self.state();
        if state.is_group_name_taken(&group) {
            return Err(AddGroupError::NameTaken);
        }
        if state.groups.iter().filter(|known| known.client_id == group.client_id).count() >= MAX_GROUPS {
            return Err(AddGroupError::TooMany);
        }
        state.groups.push(group);
        Ok(())
    }

    async fn rename(&self, owner: ClientId, id: GroupId, name: GroupName) -> Result<GroupOverview, RenameGroupError> {
        let mut state = self.state();
        let place = state.group_place(owner, id).ok_or(RenameGroupError::NotFound)?;
        let renamed = Group { name, ..state.groups[place].clone() };
        if state.is_group_name_taken(&renamed) {
            return Err(RenameGroupError::NameTaken);
        }
        for (end_user, _) in &mut state.end_users {
            for own in end_user.groups.iter_mut().filter(|own| own.id == id) {
                own.name = renamed.name.to_string();
            }
            sort_groups(&mut end_user.groups);
        }
        state.groups[place] = renamed.clone();
        Ok(state.group_overview(&renamed))
    }

    /// Never `InUse`: this fake has no meetings.
    async fn remove(&self, owner: ClientId, id: GroupId) -> Result<(), RemoveGroupError> {
        let mut state = self.state();
        let place = state.group_place(owner, id).ok_or(RemoveGroupError::NotFound)?;
        state.groups.remove(place);
        for (end_user, _) in &mut state.end_users {
            end_user.groups.retain(|own| own.id != id);
        }
        Ok(())
    }

    async fn change_members(
        &self,
        owner: ClientId,
        id: GroupId,
        changes: MemberChanges,
    ) -> Result<MembersChanged, ChangeMembersError> {
        let mut state = self.state();
        let place = state.group_place(owner, id).ok_or(ChangeMembersError::NotFound)?;
        let group = NamedGroup::from(&state.groups[place]);
        let is_known = |id| state.end_user(owner, id).is_some_and(|end_user| !end_user.is_erased);
        if !changes.add.iter().all(|id| is_known(*id)) {
            return Err(ChangeMembersError::UnknownEndUsers);
        }
        let is_full =
            |end_user: &EndUser| end_user.groups.len() >= MAX_GROUPS_OF_PERSON && !end_user.groups.contains(&group);
        let added = state.end_users.iter().filter(|(end_user, _)| changes.add.contains(&end_user.id));
        let mut full: Vec<String> = added
            .filter(|(end_user, _)| is_full(end_user))
            .map(|(end_user, _)| format!("{} ({})", end_user.name, end_user.username))
            .collect();
        full.sort_by_cached_key(|person| lower_case(person));
        if let [person, more @ ..] = full.as_slice() {
            let (person, more) = (person.clone(), more.len() as u64);
            return Err(ChangeMembersError::TooManyGroups { person, more });
        }
        let mut changed = MembersChanged::default();
        for (end_user, _) in state.end_users.iter_mut().filter(|(end_user, _)| end_user.client_id == owner) {
            if changes.add.contains(&end_user.id) && !end_user.groups.contains(&group) {
                end_user.groups.push(group.clone());
                sort_groups(&mut end_user.groups);
                changed.added += 1;
            }
            if changes.remove.contains(&end_user.id) && end_user.groups.contains(&group) {
                end_user.groups.retain(|own| own.id != id);
                changed.removed += 1;
            }
        }
        changed.members = state.members(id);
        Ok(changed)
    }
}
