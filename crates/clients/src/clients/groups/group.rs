use plenum_kernel::{ClientId, EndUserId, GroupId, NamedGroup, folded_name};

plenum_kernel::text_value!(
    /// The name of a group, unique in its client regardless of case. Between words it has one blank.
    GroupName, check_group_name, 100
);

/// The highest number of groups of a client.
pub const MAX_GROUPS: usize = 200;

/// The highest number of groups of a person.
pub const MAX_GROUPS_OF_PERSON: usize = 50;

/// The highest number of people whom one request adds to a group, and of those whom it removes.
pub const MAX_MEMBER_CHANGES: usize = 20_000;

/// A group of end users of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The id.
    pub id: GroupId,
    /// The client that owns it.
    pub client_id: ClientId,
    /// The name.
    pub name: GroupName,
}

impl From<&Group> for NamedGroup {
    fn from(group: &Group) -> Self {
        Self { id: group.id, name: group.name.to_string() }
    }
}

/// A group with the number of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupOverview {
    /// The group.
    pub group: Group,
    /// The number of its members.
    pub members: u64,
}

/// The people to add to a group and to remove from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberChanges {
    /// People who become members. Those who are members already stay.
    pub add: Vec<EndUserId>,
    /// People who are no longer members.
    pub remove: Vec<EndUserId>,
}

/// The effect of a change of members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MembersChanged {
    /// The number of new members.
    pub added: u64,
    /// The number of former members.
    pub removed: u64,
    /// The number of members afterwards.
    pub members: u64,
}

/// Groups in the order in which they are shown: by name.
pub fn sort_groups(groups: &mut [NamedGroup]) {
    groups.sort_by_cached_key(|group| (folded_name(&group.name), group.id));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_semicolon_and_no_invisible_characters() {
        assert!(GroupName::parse(" Delegates, 1st class ").is_ok_and(|name| name.as_str() == "Delegates, 1st class"));
        assert!(GroupName::parse("A;B").is_err());
        assert!(GroupName::parse("A\u{3164}").is_err(), "it looks like another name");
        assert!(GroupName::parse(" ").is_err());
    }
}
