use std::sync::Arc;

use plenum_kernel::{ClientId, GroupId, NewIds, PortFailure};

use crate::{
    AddGroupError, ChangeMembersError, Group, GroupName, GroupOverview, GroupStore, MemberChanges, MembersChanged,
    RemoveGroupError, RenameGroupError,
};

/// Creates, renames and deletes the groups of a client, and changes their members.
pub struct GroupService {
    groups: Arc<dyn GroupStore>,
    ids: Arc<dyn NewIds>,
}

impl GroupService {
    /// A service on this store.
    pub fn new(groups: Arc<dyn GroupStore>, ids: Arc<dyn NewIds>) -> Self {
        Self { groups, ids }
    }

    /// The groups of the client, by name.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn list(&self, owner: ClientId) -> Result<Vec<GroupOverview>, PortFailure> {
        self.groups.list(owner).await
    }

    /// One group of the client.
    ///
    /// # Errors
    /// Fails when the store does not answer.
    pub async fn find(&self, owner: ClientId, id: GroupId) -> Result<Option<GroupOverview>, PortFailure> {
        self.groups.find(owner, id).await
    }

    /// Creates a group without members.
    ///
    /// # Errors
    /// Fails when the name is taken, regardless of case, or the client has too many groups.
    pub async fn add(&self, owner: ClientId, name: GroupName) -> Result<GroupOverview, AddGroupError> {
        let group = Group { id: GroupId::new(&*self.ids), client_id: owner, name };
        self.groups.add(group.clone()).await?;
        Ok(GroupOverview { group, members: 0 })
    }

    /// Renames a group. Rounds keep the name of their opening.
    ///
    /// # Errors
    /// Fails when the client has no such group, or the name is taken.
    pub async fn rename(
        &self,
        owner: ClientId,
        id: GroupId,
        name: GroupName,
    ) -> Result<GroupOverview, RenameGroupError> {
        self.groups.rename(owner, id, name).await
    }

    /// Deletes a group. Its members stay.
    ///
    /// # Errors
    /// Fails when the client has no such group, or a meeting or a question uses it.
    pub async fn remove(&self, owner: ClientId, id: GroupId) -> Result<(), RemoveGroupError> {
        self.groups.remove(owner, id).await
    }

    /// Adds and removes members, all or none. Registers of open rounds stay as they are.
    ///
    /// # Errors
    /// Fails when the client has no such group, or one of the people to add is not of this client or in too many groups.
    pub async fn change_members(
        &self,
        owner: ClientId,
        id: GroupId,
        changes: MemberChanges,
    ) -> Result<MembersChanged, ChangeMembersError> {
        self.groups.change_members(owner, id, changes).await
    }
}
