use async_trait::async_trait;
use plenum_kernel::{ClientId, GroupId, PortFailure};

use crate::{
    Group, GroupName, GroupOverview, MAX_GROUPS, MAX_GROUPS_OF_PERSON, MemberChanges, MembersChanged, PlaceOfUse,
};

/// The reason why a group was not created.
#[derive(Debug, thiserror::Error)]
pub enum AddGroupError {
    /// Another group of the client has this name.
    #[error("another group has this name")]
    NameTaken,
    /// The client has the highest number of groups.
    #[error("there are {MAX_GROUPS} groups already; delete one first")]
    TooMany,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a group was not renamed.
#[derive(Debug, thiserror::Error)]
pub enum RenameGroupError {
    /// The client has no such group.
    #[error("the group does not exist")]
    NotFound,
    /// Another group of the client has this name.
    #[error("another group has this name")]
    NameTaken,
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why a group was not deleted.
#[derive(Debug, thiserror::Error)]
pub enum RemoveGroupError {
    /// The client has no such group.
    #[error("the group does not exist")]
    NotFound,
    /// Meetings or questions are for it.
    #[error("this group is used by {}; change that first", PlaceOfUse::in_words(.places, *.more))]
    InUse {
        /// A few of the places.
        places: Vec<PlaceOfUse>,
        /// The number of further ones.
        more: u64,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

/// The reason why the members of a group were not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeMembersError {
    /// The client has no such group.
    #[error("the group does not exist")]
    NotFound,
    /// One of the people to add is not an end user of this client, or the personal data was erased.
    #[error("one of the end users does not exist")]
    UnknownEndUsers,
    /// People to add are in the highest number of other groups.
    #[error("a person can be in at most {MAX_GROUPS_OF_PERSON} groups, and {} in as many already", who_is(.person, *.more))]
    TooManyGroups {
        /// The name and the username of one of them.
        person: String,
        /// The number of further ones.
        more: u64,
    },
    /// A dependency did not answer.
    #[error(transparent)]
    Port(#[from] PortFailure),
}

fn who_is(person: &str, more: u64) -> String {
    if more == 0 { format!("{person} is") } else { format!("{person} and {more} more are") }
}

/// Stores groups. Each call is one transaction and sees one client's rows only.
#[cfg_attr(any(test, feature = "testkit"), mockall::automock)]
#[async_trait]
pub trait GroupStore: Send + Sync {
    /// The groups of the client, by name, with the numbers of their members.
    async fn list(&self, owner: ClientId) -> Result<Vec<GroupOverview>, PortFailure>;

    /// One group of the client. MUST return `None` for a group of another client.
    async fn find(&self, owner: ClientId, id: GroupId) -> Result<Option<GroupOverview>, PortFailure>;

    /// Stores a group without members.
    ///
    /// # Errors
    /// MUST return `NameTaken` also when a concurrent call took the name, in any case of letters and with any number of blanks,
    /// and `TooMany` when the client has [`MAX_GROUPS`].
    async fn add(&self, group: Group) -> Result<(), AddGroupError>;

    /// Renames a group.
    ///
    /// # Errors
    /// `NotFound` also for a group of another client, and `NameTaken` as in [`Self::add`].
    async fn rename(&self, owner: ClientId, id: GroupId, name: GroupName) -> Result<GroupOverview, RenameGroupError>;

    /// Removes a group with its memberships.
    ///
    /// # Errors
    /// `NotFound` also for a group of another client. A store with meetings MUST return `InUse` while a meeting or a question is
    /// for the group or a decision rule names it, also when that is being stored at this moment.
    async fn remove(&self, owner: ClientId, id: GroupId) -> Result<(), RemoveGroupError>;

    /// Makes people members, and then ends other memberships, or changes nothing. People who are on neither side of a change are
    /// ignored. In a constant number of statements.
    ///
    /// # Errors
    /// `NotFound` also for a group of another client; `UnknownEndUsers` when one of the people to add is not of this client or
    /// erased. MUST return `TooManyGroups` when one of them would be in more than [`MAX_GROUPS_OF_PERSON`], also after concurrent
    /// calls.
    async fn change_members(
        &self,
        owner: ClientId,
        id: GroupId,
        changes: MemberChanges,
    ) -> Result<MembersChanged, ChangeMembersError>;
}
