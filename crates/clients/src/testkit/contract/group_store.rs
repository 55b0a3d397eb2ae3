//! The contract of every [`GroupStore`](crate::GroupStore), and of the groups of end users.

use std::sync::Arc;

use plenum_kernel::{ClientId, EndUserId, GroupId, NamedGroup, PageRequest, folded_name};

use super::{Stores, race};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    AddGroupError, ChangeEndUserError, ChangeMembersError, Client, EndUser, EndUserChanges, EndUserFilter,
    EndUserUpdate, ErasedBy, Erasure, Group, GroupName, ImportError, ImportedPeople, MAX_GROUPS, MAX_GROUPS_OF_PERSON,
    MemberChanges, MembersChanged, PasswordHash, RemoveGroupError, RenameGroupError,
};

fn name(name: &str) -> GroupName {
    GroupName::parse(name).expect("a name")
}

fn group(samples: &Samples, client: &Client, text: &str) -> Group {
    Group { id: GroupId::new(samples.ids()), client_id: client.id, name: name(text) }
}

async fn with_group(stores: &Stores, samples: &Samples, client: &Client, text: &str) -> Group {
    let group = group(samples, client, text);
    stores.groups.add(group.clone()).await.expect("the name is free");
    group
}

/// The names of the groups with their numbers of members.
async fn listed(stores: &Stores, owner: ClientId) -> Vec<(String, u64)> {
    let groups = stores.groups.list(owner).await.expect("the store answers");
    groups.into_iter().map(|known| (known.group.name.to_string(), known.members)).collect()
}

async fn add(stores: &Stores, group: &Group, people: &[EndUserId]) -> MembersChanged {
    let changes = MemberChanges { add: people.to_vec(), remove: Vec::new() };
    stores.groups.change_members(group.client_id, group.id, changes).await.expect("all are known")
}

async fn groups_of(stores: &Stores, owner: ClientId, id: EndUserId) -> Vec<String> {
    let found = stores.end_users.find(owner, id).await.expect("the store answers").expect("the end user is there");
    found.groups.into_iter().map(|group| group.name).collect()
}

/// Case does not matter for the order.
pub async fn groups_are_listed_by_name_with_their_numbers_of_members(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    assert_eq!(listed(stores, client.id).await, []);
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let members = with_group(stores, &samples, &client, "members").await;
    with_group(stores, &samples, &client, "Delegates").await;
    with_group(stores, &samples, &client, "Units").await;
    assert_eq!(add(stores, &members, &[anna.id, bert.id]).await.members, 2);
    let expected = [("Delegates", 0), ("members", 2), ("Units", 0)].map(|(name, number)| (name.to_owned(), number));
    assert_eq!(listed(stores, client.id).await, expected);
    let found = stores.groups.find(client.id, members.id).await.unwrap().expect("the group is there");
    assert_eq!((found.group, found.members), (members, 2));
}

/// Another client may use it.
pub async fn a_name_is_taken_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    with_group(stores, &samples, &club, "Äste").await;
    let refused = stores.groups.add(group(&samples, &club, "äSTE")).await;
    assert!(matches!(refused, Err(AddGroupError::NameTaken)), "{refused:?}");
    with_group(stores, &samples, &other, "Äste").await;
    let second = with_group(stores, &samples, &club, "Second").await;
    let refused = stores.groups.rename(club.id, second.id, name("äste")).await;
    assert!(matches!(refused, Err(RenameGroupError::NameTaken)), "{refused:?}");
    let renamed = stores.groups.rename(club.id, second.id, name("SECOND")).await.unwrap();
    assert_eq!(renamed.group.name, name("SECOND"));
}

/// Planned imports compare names by [`folded_name`].
pub async fn a_name_is_taken_in_the_lower_case_of_the_program(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    for text in ["\u{130}lk", "ΤΑΞΕΙΣ"] {
        with_group(stores, &samples, &client, text).await;
        let refused = stores.groups.add(group(&samples, &client, &folded_name(text))).await;
        assert!(matches!(refused, Err(AddGroupError::NameTaken)), "{text}: {refused:?}");
    }
}

/// An earlier version stored names with several blanks. They can be corrected.
pub async fn a_name_is_taken_with_any_number_of_blanks(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let stored = Group { name: GroupName::from_stored("Unit  2".to_owned()), ..group(&samples, &client, "Unit 2") };
    stores.groups.add(stored.clone()).await.unwrap();
    let refused = stores.groups.add(group(&samples, &client, "unit 2")).await;
    assert!(matches!(refused, Err(AddGroupError::NameTaken)), "{refused:?}");
    let third = with_group(stores, &samples, &client, "Unit 3").await;
    let refused = stores.groups.rename(client.id, third.id, name("Unit 2")).await;
    assert!(matches!(refused, Err(RenameGroupError::NameTaken)), "{refused:?}");
    let new = NamedGroup { id: GroupId::new(samples.ids()), name: "UNIT 2".to_owned() };
    let people = ImportedPeople { groups: vec![new], ..ImportedPeople::default() };
    let refused = stores.end_users.import(client.id, people, samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    let renamed = stores.groups.rename(client.id, stored.id, name("Unit 2")).await.unwrap();
    assert_eq!(renamed.group.name, name("Unit 2"));
    assert_eq!(listed(stores, client.id).await, [("Unit 2".to_owned(), 0), ("Unit 3".to_owned(), 0)]);
}

/// The others learn that the name is taken.
pub async fn one_of_many_concurrent_calls_gets_a_name(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let racers = (0..4).map(|_| {
        let (groups, group) = (Arc::clone(&stores.groups), group(&samples, &client, "Delegates"));
        async move { groups.add(group).await }
    });
    let outcomes = race(racers.collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().flat_map(|outcome| outcome.as_ref().err()).all(|e| matches!(e, AddGroupError::NameTaken)));
}

/// Also not by calls at the same time, or by an import. Other clients are not affected.
pub async fn no_client_has_more_groups_than_the_limit(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    for number in 0..MAX_GROUPS - 2 {
        with_group(stores, &samples, &club, &format!("Group {number}")).await;
    }
    let import = |new: &[&str]| {
        let named = |text: &&str| NamedGroup { id: GroupId::new(samples.ids()), name: (*text).to_owned() };
        ImportedPeople { groups: new.iter().map(named).collect(), new: Vec::new(), changed: Vec::new() }
    };
    let refused = stores.end_users.import(club.id, import(&["A", "B", "C"]), samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    let racers = (0..5).map(|number| {
        let (groups, group) = (Arc::clone(&stores.groups), group(&samples, &club, &format!("Late {number}")));
        async move { groups.add(group).await }
    });
    let outcomes = race(racers.collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 2, "{outcomes:?}");
    assert!(outcomes.iter().flat_map(|outcome| outcome.as_ref().err()).all(|e| matches!(e, AddGroupError::TooMany)));
    assert_eq!(listed(stores, club.id).await.len(), MAX_GROUPS);
    with_group(stores, &samples, &other, "First").await;
}

/// The name changes for the members, too.
pub async fn a_renamed_group_keeps_its_members(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let group = with_group(stores, &samples, &client, "Members").await;
    add(stores, &group, &[anna.id]).await;
    let renamed = stores.groups.rename(client.id, group.id, name("Delegates")).await.unwrap();
    assert_eq!((renamed.group.name, renamed.members), (name("Delegates"), 1));
    assert_eq!(groups_of(stores, client.id, anna.id).await, ["Delegates"]);
}

/// A repeat changes nothing, and one unknown person refuses all.
pub async fn members_are_added_and_removed_together_or_not_at_all(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let cleo = stores.with_end_user(&samples, &client, "cleo").await;
    let stranger = stores.with_end_user(&samples, &other, "stranger").await;
    let group = with_group(stores, &samples, &client, "Members").await;
    let changed = add(stores, &group, &[anna.id, bert.id, bert.id]).await;
    assert_eq!(changed, MembersChanged { added: 2, removed: 0, members: 2 });
    let changes = MemberChanges { add: vec![bert.id, cleo.id], remove: vec![anna.id, stranger.id] };
    let change = || stores.groups.change_members(client.id, group.id, changes.clone());
    assert_eq!(change().await.unwrap(), MembersChanged { added: 1, removed: 1, members: 2 });
    assert_eq!(change().await.unwrap(), MembersChanged { added: 0, removed: 0, members: 2 });
    let changes = MemberChanges { add: vec![anna.id, stranger.id], remove: vec![bert.id] };
    let refused = stores.groups.change_members(client.id, group.id, changes).await;
    assert!(matches!(refused, Err(ChangeMembersError::UnknownEndUsers)), "{refused:?}");
    assert_eq!(listed(stores, client.id).await, [("Members".to_owned(), 2)]);
    assert_eq!(groups_of(stores, client.id, anna.id).await, [""; 0]);
}

/// Also not by calls for several groups at the same time.
pub async fn no_person_is_in_more_groups_than_the_limit(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let mut groups = Vec::new();
    for number in 0..MAX_GROUPS_OF_PERSON + 3 {
        groups.push(with_group(stores, &samples, &client, &format!("Group {number}")).await);
    }
    let last = groups.split_off(MAX_GROUPS_OF_PERSON - 1);
    for group in &groups {
        add(stores, group, &[anna.id]).await;
    }
    let racers = last.iter().map(|group| {
        let (groups, group, person) = (Arc::clone(&stores.groups), group.clone(), anna.id);
        let changes = MemberChanges { add: vec![person], remove: Vec::new() };
        async move { groups.change_members(group.client_id, group.id, changes).await }
    });
    let outcomes = race(racers.collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let refusals = || outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(refusals().all(|error| matches!(error, ChangeMembersError::TooManyGroups { .. })), "{outcomes:?}");
    assert_eq!(groups_of(stores, client.id, anna.id).await.len(), MAX_GROUPS_OF_PERSON);
    // Members stay members.
    assert_eq!(add(stores, &groups[0], &[anna.id]).await.added, 0);
    let free = with_group(stores, &samples, &client, "Free").await;
    let changes = MemberChanges { add: vec![anna.id, bert.id], remove: Vec::new() };
    let refused = stores.groups.change_members(client.id, free.id, changes).await;
    let Err(ChangeMembersError::TooManyGroups { person, more }) = refused else { panic!("{refused:?}") };
    assert_eq!((person.as_str(), more), ("anna (anna)", 0));
    assert_eq!(groups_of(stores, client.id, bert.id).await, [""; 0]);
}

/// They stay end users.
pub async fn a_removed_group_leaves_its_members(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let members = with_group(stores, &samples, &client, "Members").await;
    let units = with_group(stores, &samples, &client, "Units").await;
    add(stores, &members, &[anna.id]).await;
    add(stores, &units, &[anna.id]).await;
    stores.groups.remove(client.id, members.id).await.unwrap();
    assert_eq!(groups_of(stores, client.id, anna.id).await, ["Units"]);
    let again = stores.groups.remove(client.id, members.id).await;
    assert!(matches!(again, Err(RemoveGroupError::NotFound)), "{again:?}");
}

/// Every call treats it as missing.
pub async fn another_clients_group_is_neither_found_nor_changed(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    let anna = stores.with_end_user(&samples, &club, "anna").await;
    let theirs = with_group(stores, &samples, &other, "Theirs").await;
    assert_eq!(stores.groups.find(club.id, theirs.id).await.unwrap(), None);
    let renamed = stores.groups.rename(club.id, theirs.id, name("Mine")).await;
    assert!(matches!(renamed, Err(RenameGroupError::NotFound)), "{renamed:?}");
    let removed = stores.groups.remove(club.id, theirs.id).await;
    assert!(matches!(removed, Err(RemoveGroupError::NotFound)), "{removed:?}");
    let changes = MemberChanges { add: vec![anna.id], remove: Vec::new() };
    let changed = stores.groups.change_members(club.id, theirs.id, changes).await;
    assert!(matches!(changed, Err(ChangeMembersError::NotFound)), "{changed:?}");
    let filter = EndUserFilter { group: Some(theirs.id), ..EndUserFilter::default() };
    assert_eq!(stores.end_users.list(club.id, &filter).await.unwrap().total, 0);
    assert_eq!(listed(stores, other.id).await, [("Theirs".to_owned(), 0)]);
}

/// A change without groups leaves them. The filter works on pages, too.
pub async fn end_users_are_stored_with_their_groups_and_filtered_by_one(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let members = with_group(stores, &samples, &client, "Members").await;
    let units = with_group(stores, &samples, &client, "Units").await;
    let anna = EndUser {
        groups: vec![NamedGroup::from(&members), NamedGroup::from(&units)],
        ..samples.end_user(&client, "anna")
    };
    stores.add_end_user(anna.clone()).await;
    stores.with_end_user(&samples, &client, "bert").await;
    assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap(), Some(anna.clone()));
    let change = |groups| EndUserUpdate {
        id: anna.id,
        changes: EndUserChanges { groups, ..EndUserChanges::default() },
        password: None,
    };
    let kept = stores.end_users.update(client.id, change(None), samples.now()).await.unwrap();
    assert_eq!(kept, anna);
    let changed =
        stores.end_users.update(client.id, change(Some(vec![NamedGroup::from(&units)])), samples.now()).await.unwrap();
    assert_eq!(changed.groups, [NamedGroup::from(&units)]);
    let whole = EndUserFilter { group: Some(units.id), ..EndUserFilter::default() };
    let page = EndUserFilter { page: Some(PageRequest { page: 1, page_size: 1 }), ..whole.clone() };
    for filter in [whole, page] {
        let found = stores.end_users.list(client.id, &filter).await.unwrap();
        assert_eq!((found.rows, found.total), (vec![changed.clone()], 1));
    }
    assert_eq!(listed(stores, client.id).await, [("Members".to_owned(), 0), ("Units".to_owned(), 1)]);
}

/// A taken name refuses the whole import.
pub async fn an_import_creates_groups_with_their_members_or_nothing(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let members = with_group(stores, &samples, &client, "Members").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    add(stores, &members, &[bert.id]).await;
    let import = |text: &str, username: &str| {
        let new = NamedGroup { id: GroupId::new(samples.ids()), name: text.to_owned() };
        let anna =
            EndUser { groups: vec![NamedGroup::from(&members), new.clone()], ..samples.end_user(&client, username) };
        let changes = EndUserChanges { groups: Some(vec![new.clone()]), ..EndUserChanges::default() };
        ImportedPeople {
            groups: vec![new],
            new: vec![(anna, InstantHasher::hash_of(Samples::PASSWORD))],
            changed: vec![EndUserUpdate { id: bert.id, changes, password: None }],
        }
    };
    let refused = stores.end_users.import(client.id, import("MEMBERS", "anna"), samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    assert_eq!(listed(stores, client.id).await, [("Members".to_owned(), 1)]);
    stores.end_users.import(client.id, import("Units", "anna"), samples.now()).await.unwrap();
    assert_eq!(listed(stores, client.id).await, [("Members".to_owned(), 1), ("Units".to_owned(), 2)]);
    assert_eq!(groups_of(stores, client.id, bert.id).await, ["Units"]);
}

/// Nothing is added to an erased end user.
pub async fn an_erased_or_removed_end_user_is_in_no_group(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let group = with_group(stores, &samples, &client, "Members").await;
    add(stores, &group, &[anna.id, bert.id]).await;
    let password = PasswordHash::new("nobody knows it".to_owned());
    let by = ErasedBy::Organizer(anna.username.clone());
    stores.end_users.erase(client.id, Erasure { id: anna.id, by, password }).await.unwrap();
    assert_eq!(groups_of(stores, client.id, anna.id).await, [""; 0]);
    stores.end_users.remove(client.id, bert.id).await.unwrap();
    assert_eq!(listed(stores, client.id).await, [("Members".to_owned(), 0)]);
    let changes = MemberChanges { add: vec![anna.id], remove: Vec::new() };
    let refused = stores.groups.change_members(client.id, group.id, changes).await;
    assert!(matches!(refused, Err(ChangeMembersError::UnknownEndUsers)), "{refused:?}");
    let changes = EndUserChanges { groups: Some(vec![NamedGroup::from(&group)]), ..EndUserChanges::default() };
    let update = EndUserUpdate { id: anna.id, changes, password: None };
    let refused = stores.end_users.update(client.id, update, samples.now()).await;
    assert!(matches!(refused, Err(ChangeEndUserError::Erased)), "{refused:?}");
}
