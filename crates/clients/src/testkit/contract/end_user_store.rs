//! The contract of every [`EndUserStore`](crate::EndUserStore).

use std::sync::Arc;

use plenum_kernel::{EmailAddress, PageRequest, VotingWeight, lower_case};

use super::{Stores, person, race, search};
use crate::EndUserUpdate;
use crate::testkit::{InstantHasher, Samples};
use crate::{
    AddEndUserError, Address, ChangeEndUserError, Client, ClientKey, EndUser, EndUserChanges, EndUserFilter,
    EndUserSort, EndUserStats, NewSession, PasswordHash, PersonName, RemoveEndUserError, Username,
};

pub(super) fn weight(text: &str) -> VotingWeight {
    VotingWeight::new(text.parse().expect("a number")).expect("a weight")
}

pub(super) async fn found(stores: &Stores, client: &Client, filter: EndUserFilter) -> Vec<String> {
    let page = stores.end_users.list(client.id, &filter).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64);
    page.rows.into_iter().map(|end_user| end_user.username.as_str().to_owned()).collect()
}

/// With and without optional fields.
pub async fn all_fields_are_returned_as_stored(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let plain = stores.with_end_user(&samples, &client, "plain").await;
    let mut full = samples.end_user(&client, "Frau Müller");
    full.name = PersonName::parse("Erika Müller-Lüdenscheid 🗳").unwrap();
    full.email = Some(EmailAddress::parse("erika@example.org").unwrap());
    full.address = Some(Address::parse("Hauptstraße 1\n8000 Zürich").unwrap());
    full.weight = weight("12.3456");
    full.is_active = false;
    full.last_login_at = Some(samples.now());
    stores.add_end_user(full.clone()).await;

    for end_user in [plain, full] {
        assert_eq!(stores.end_users.find(client.id, end_user.id).await.unwrap(), Some(end_user));
    }
}

/// 0.1 stays 0.1, also in a sum.
pub async fn weights_are_exact_decimals(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    for (number, text) in ["0", "0.0001", "0.1", "0.2", "33.3333", "99.9999", "100"].into_iter().enumerate() {
        let mut end_user = samples.end_user(&client, &format!("voter-{number}"));
        end_user.weight = weight(text);
        stores.add_end_user(end_user.clone()).await;
        let stored = stores.end_users.find(client.id, end_user.id).await.unwrap().unwrap();
        assert_eq!(stored.weight.to_string(), text);
    }
    let total = stores.end_users.stats(client.id).await.unwrap().total_weight;
    assert_eq!(total.to_string(), "233.6333");
}

/// It is not found, listed or counted.
pub async fn another_clients_end_user_is_not_found(stores: &Stores) {
    let samples = Samples::new();
    let owner = stores.with_client(&samples, "owner").await;
    let other = stores.with_client(&samples, "other").await;
    let end_user = stores.with_end_user(&samples, &owner, "anna").await;

    assert_eq!(stores.end_users.find(other.id, end_user.id).await.unwrap(), None);
    assert!(found(stores, &other, EndUserFilter::default()).await.is_empty());
    assert!(
        found(stores, &other, EndUserFilter { search: search("anna"), ..EndUserFilter::default() }).await.is_empty()
    );
    assert_eq!(stores.end_users.stats(other.id).await.unwrap(), EndUserStats::default());
    assert_eq!(stores.end_users.find(owner.id, end_user.id).await.unwrap(), Some(end_user));
}

/// Phone keyboards capitalize the first letter.
pub async fn a_username_is_taken_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "änna").await;
    for username in ["änna", "Änna", "ÄNNA"] {
        let second = samples.end_user(&client, username);
        let refused = stores.end_users.add(second.clone(), InstantHasher::hash_of("other password")).await;
        assert!(matches!(refused, Err(AddEndUserError::UsernameTaken)), "{username}: {refused:?}");
        assert_eq!(stores.end_users.find(client.id, second.id).await.unwrap(), None);
    }
}

/// The import and the throttle of sign-ins compare usernames by [`lower_case`].
pub async fn a_username_is_taken_in_the_lower_case_of_the_program(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    for username in ["\u{130}PEK", "ΣΑΣ", "ÄRGER"] {
        stores.with_end_user(&samples, &client, username).await;
        let second = samples.end_user(&client, &lower_case(username));
        let refused = stores.end_users.add(second, InstantHasher::hash_of("other password")).await;
        assert!(matches!(refused, Err(AddEndUserError::UsernameTaken)), "{username}: {refused:?}");
    }
}

/// Each client has its own usernames.
pub async fn a_username_may_be_used_in_another_client(stores: &Stores) {
    let samples = Samples::new();
    for code in ["one", "two"] {
        let client = stores.with_client(&samples, code).await;
        stores.with_end_user(&samples, &client, "anna").await;
        assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["anna"]);
    }
}

/// The losers get an error.
pub async fn one_of_many_concurrent_calls_gets_a_username(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let racers = (0..8)
        .map(|number| {
            let end_user = samples.end_user(&client, if number % 2 == 0 { "anna" } else { "ANNA" });
            let end_users = Arc::clone(&stores.end_users);
            async move { end_users.add(end_user, InstantHasher::hash_of(Samples::PASSWORD)).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(AddEndUserError::UsernameTaken))),
        "{outcomes:?}"
    );
    assert_eq!(stores.end_users.stats(client.id).await.unwrap().total, 1);
}

/// Such a call is an error of the program.
pub async fn an_end_user_needs_a_client(stores: &Stores) {
    let samples = Samples::new();
    let nowhere = samples.client("nowhere");
    let end_user = samples.end_user(&nowhere, "anna");
    let refused = stores.end_users.add(end_user, InstantHasher::hash_of(Samples::PASSWORD)).await;
    assert!(matches!(refused, Err(AddEndUserError::Port(_))), "{refused:?}");
}

/// In each of the three, at any position. A missing address is no obstacle.
pub async fn the_search_covers_name_username_and_address_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "someone-else").await;
    let mut end_user = samples.end_user(&client, "voter7");
    end_user.name = PersonName::parse("Jürgen Östlund").unwrap();
    stores.add_end_user(end_user).await;
    let mut end_user = samples.end_user(&client, "voter8");
    end_user.email = Some(EmailAddress::parse("mail@example.net").unwrap());
    stores.add_end_user(end_user).await;

    for (text, username) in
        [("JÜRGEN", "voter7"), ("öst", "voter7"), ("TER7", "voter7"), ("MAIL@", "voter8"), ("example.net", "voter8")]
    {
        let filter = EndUserFilter { search: search(text), ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await, [username], "{text}");
    }
}

/// A percent sign does not match everyone.
pub async fn percent_and_underscore_are_ordinary_characters(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    for username in ["per%cent", "under_score", "back\\slash", "plain"] {
        stores.with_end_user(&samples, &client, username).await;
    }
    for (text, username) in [("%", "per%cent"), ("_", "under_score"), ("\\", "back\\slash"), ("r%c", "per%cent")] {
        let filter = EndUserFilter { search: search(text), ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await, [username], "{text}");
    }
}

/// Active end users only, or inactive ones only.
pub async fn end_users_are_filtered_by_activity(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "active").await;
    let mut inactive = samples.end_user(&client, "inactive");
    inactive.is_active = false;
    stores.add_end_user(inactive).await;
    for (is_active, expected) in
        [(Some(true), vec!["active"]), (Some(false), vec!["inactive"]), (None, vec!["active", "inactive"])]
    {
        let filter = EndUserFilter { is_active, ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await, expected);
    }
}

/// Case does not matter, and people with the same name have a fixed order.
pub async fn end_users_are_sorted_by_name(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    for (username, name) in [("1", "beta"), ("2", "Alpha"), ("3", "Gamma"), ("4", "BETA")] {
        let mut end_user = samples.end_user(&client, username);
        end_user.name = PersonName::parse(name).unwrap();
        stores.add_end_user(end_user).await;
    }
    for (sort, expected) in
        [(EndUserSort::NameAscending, ["2", "1", "4", "3"]), (EndUserSort::NameDescending, ["3", "4", "1", "2"])]
    {
        let filter = EndUserFilter { sort, ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await, expected, "{sort:?}");
    }
}

/// Of all matches, on each page.
pub async fn pages_carry_the_total_of_all_matches(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let other = stores.with_client(&samples, "other").await;
    for number in 1..=5 {
        stores.with_end_user(&samples, &client, &format!("voter-{number}")).await;
        stores.with_end_user(&samples, &other, &format!("voter-{number}")).await;
    }
    stores.with_end_user(&samples, &client, "guest").await;
    for (page, expected) in
        [(1, vec!["voter-1", "voter-2"]), (2, vec!["voter-3", "voter-4"]), (3, vec!["voter-5"]), (9, vec![])]
    {
        let filter = EndUserFilter {
            group: None,
            search: search("voter"),
            is_active: Some(true),
            counted_only: false,
            sort: EndUserSort::NameAscending,
            page: Some(PageRequest { page, page_size: 2 }),
        };
        let listed = stores.end_users.list(client.id, &filter).await.unwrap();
        let usernames: Vec<&str> = listed.rows.iter().map(|end_user| end_user.username.as_str()).collect();
        assert_eq!(usernames, expected);
        assert_eq!(listed.total, 5);
    }
}

/// Inactive end users add no weight.
pub async fn stats_sum_the_weights_of_active_end_users(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    assert_eq!(stores.end_users.stats(client.id).await.unwrap(), EndUserStats::default());
    for (username, text, is_active) in [("a", "1.5", true), ("b", "2.25", true), ("c", "50", false)] {
        let mut end_user = samples.end_user(&client, username);
        end_user.username = Username::parse(username).unwrap();
        end_user.weight = weight(text);
        end_user.is_active = is_active;
        stores.add_end_user(end_user).await;
    }
    let expected = EndUserStats { total: 3, active: 2, inactive: 1, total_weight: "3.75".parse().unwrap() };
    assert_eq!(stores.end_users.stats(client.id).await.unwrap(), expected);
}

/// A match is within the name, the username or the address.
pub async fn a_search_matches_within_one_field(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut end_user = samples.end_user(&client, "beta");
    end_user.name = PersonName::parse("Alpha").unwrap();
    end_user.email = Some(EmailAddress::parse("gamma@example.org").unwrap());
    stores.add_end_user(end_user).await;
    for text in ["alphabeta", "alpha beta", "betagamma", "alpha\u{1f}beta", "beta\u{1f}gamma"] {
        let filter = EndUserFilter { search: search(text), ..EndUserFilter::default() };
        assert!(found(stores, &client, filter).await.is_empty(), "{text:?}");
    }
}

fn new_username(username: &str) -> EndUserChanges {
    EndUserChanges { username: Some(Username::parse(username).expect("a username")), ..EndUserChanges::default() }
}

/// In each of the three.
pub async fn a_search_finds_new_values_and_not_old_ones(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut end_user = samples.end_user(&client, "voter-before");
    end_user.name = PersonName::parse("Name Before").unwrap();
    end_user.email = Some(EmailAddress::parse("before@example.org").unwrap());
    stores.add_end_user(end_user.clone()).await;
    let changes = EndUserChanges {
        name: Some(PersonName::parse("Name ÄFTER").unwrap()),
        email: Some(Some(EmailAddress::parse("after@example.org").unwrap())),
        ..new_username("voter-after")
    };
    stores
        .end_users
        .update(client.id, EndUserUpdate { id: end_user.id, changes, password: None }, samples.now())
        .await
        .unwrap();
    for (text, number) in [("before", 0), ("name äfter", 1), ("VOTER-AFTER", 1), ("after@", 1)] {
        let filter = EndUserFilter { search: search(text), ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await.len(), number, "{text}");
    }
}

/// The password hash of the end user, found by username.
pub(super) async fn password_of(stores: &Stores, end_user: &EndUser) -> PasswordHash {
    let key = ClientKey::Id(end_user.client_id);
    let found = stores.accounts.end_user_credentials(&key, &end_user.username).await.unwrap();
    found.expect("the end user is there").password_hash
}

/// Each field in turn.
pub async fn a_change_of_an_end_user_leaves_all_other_fields(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let bystander = stores.with_end_user(&samples, &client, "bystander").await;
    let mut expected = samples.end_user(&client, "anna");
    expected.email = Some(EmailAddress::parse("anna@example.org").unwrap());
    expected.address = Some(Address::parse("Hauptstraße 1").unwrap());
    expected.last_login_at = Some(samples.now());
    stores.add_end_user(expected.clone()).await;
    let hash = password_of(stores, &expected).await;

    let steps = [
        EndUserChanges::default(),
        new_username("änna"),
        EndUserChanges { name: Some(PersonName::parse("Änna Voter").unwrap()), ..EndUserChanges::default() },
        EndUserChanges { email: Some(EmailAddress::parse("new@example.org").ok()), ..EndUserChanges::default() },
        EndUserChanges { address: Some(Address::parse("Nebengasse 2").ok()), ..EndUserChanges::default() },
        EndUserChanges { weight: Some(weight("0.0001")), ..EndUserChanges::default() },
        EndUserChanges { is_active: Some(false), ..EndUserChanges::default() },
        EndUserChanges { is_active: Some(true), ..EndUserChanges::default() },
    ];
    for changes in steps {
        changes.clone().apply_to(&mut expected);
        let changed = stores
            .end_users
            .update(client.id, EndUserUpdate { id: expected.id, changes, password: None }, samples.now())
            .await
            .unwrap();
        assert_eq!(changed, expected);
        assert_eq!(stores.end_users.find(client.id, expected.id).await.unwrap().as_ref(), Some(&expected));
    }
    assert_eq!(password_of(stores, &expected).await, hash);
    assert_eq!(stores.end_users.find(client.id, bystander.id).await.unwrap(), Some(bystander));
}

/// The email address and the postal address, separately.
pub async fn optional_fields_can_be_cleared(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut expected = samples.end_user(&client, "anna");
    expected.email = Some(EmailAddress::parse("anna@example.org").unwrap());
    expected.address = Some(Address::parse("Hauptstraße 1").unwrap());
    stores.add_end_user(expected.clone()).await;
    for changes in [
        EndUserChanges { email: Some(None), ..EndUserChanges::default() },
        EndUserChanges { address: Some(None), ..EndUserChanges::default() },
    ] {
        changes.clone().apply_to(&mut expected);
        stores
            .end_users
            .update(client.id, EndUserUpdate { id: expected.id, changes, password: None }, samples.now())
            .await
            .unwrap();
        assert_eq!(stores.end_users.find(client.id, expected.id).await.unwrap().as_ref(), Some(&expected));
    }
    assert_eq!((expected.email, expected.address), (None, None));
    let filter = EndUserFilter { search: search("example.org"), ..EndUserFilter::default() };
    assert!(found(stores, &client, filter).await.is_empty());
}

/// The fields, the password and the sessions stay.
pub async fn another_end_users_username_is_refused_in_any_case_and_nothing_is_changed(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "änna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let session = stores.with_session(&samples, person(&bert), "first").await;
    let before = stores.end_users.find(client.id, bert.id).await.unwrap();
    for username in ["änna", "Änna", "ÄNNA"] {
        let changes = EndUserChanges { weight: Some(weight("50")), is_active: Some(false), ..new_username(username) };
        let password = Some(samples.set_password(InstantHasher::hash_of("a new password")));
        let refused =
            stores.end_users.update(client.id, EndUserUpdate { id: bert.id, changes, password }, samples.now()).await;
        assert!(matches!(refused, Err(ChangeEndUserError::UsernameTaken)), "{username}: {refused:?}");
        assert_eq!(stores.end_users.find(client.id, bert.id).await.unwrap(), before);
        assert_eq!(password_of(stores, &bert).await, InstantHasher::hash_of(Samples::PASSWORD));
        assert!(stores.is_active(session).await);
    }
}

/// No other end user has it.
pub async fn the_case_of_ones_own_username_may_change(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let end_user = stores.with_end_user(&samples, &client, "änna").await;
    for username in ["Änna", "ÄNNA", "änna", "änna"] {
        let changed = stores
            .end_users
            .update(
                client.id,
                EndUserUpdate { id: end_user.id, changes: new_username(username), password: None },
                samples.now(),
            )
            .await
            .unwrap();
        assert_eq!(changed.username.as_str(), username);
        assert_eq!(stores.end_users.find(client.id, end_user.id).await.unwrap(), Some(changed));
    }
}

/// Each client has its own usernames.
pub async fn a_username_of_another_client_may_be_taken(stores: &Stores) {
    let samples = Samples::new();
    let (one, two) = (stores.with_client(&samples, "one").await, stores.with_client(&samples, "two").await);
    stores.with_end_user(&samples, &one, "anna").await;
    let bert = stores.with_end_user(&samples, &two, "bert").await;
    stores
        .end_users
        .update(two.id, EndUserUpdate { id: bert.id, changes: new_username("anna"), password: None }, samples.now())
        .await
        .unwrap();
    assert_eq!(found(stores, &two, EndUserFilter::default()).await, ["anna"]);
}

/// The losers keep the old username.
pub async fn one_of_many_end_users_gets_one_new_username_by_concurrent_changes(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut racers = Vec::new();
    for number in 0..8 {
        let end_user = stores.with_end_user(&samples, &client, &format!("voter-{number}")).await;
        let changes = new_username(if number % 2 == 0 { "best" } else { "BEST" });
        let (end_users, client, now) = (Arc::clone(&stores.end_users), client.id, samples.now());
        racers.push(async move {
            end_users.update(client, EndUserUpdate { id: end_user.id, changes, password: None }, now).await
        });
    }
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(
        outcomes.iter().all(|outcome| matches!(outcome, Ok(_) | Err(ChangeEndUserError::UsernameTaken))),
        "{outcomes:?}"
    );
    let kept = found(stores, &client, EndUserFilter::default()).await;
    assert_eq!(kept.iter().filter(|username| username.starts_with("voter-")).count(), 7);
}

/// It is not found, and nothing changes.
pub async fn another_clients_end_user_is_neither_changed_nor_removed(stores: &Stores) {
    let samples = Samples::new();
    let owner = stores.with_client(&samples, "owner").await;
    let other = stores.with_client(&samples, "other").await;
    let end_user = stores.with_end_user(&samples, &owner, "anna").await;
    let session = stores.with_session(&samples, person(&end_user), "first").await;
    let before = stores.end_users.find(owner.id, end_user.id).await.unwrap();

    let unknown = samples.end_user(&owner, "never-stored").id;
    for (client, id) in [(other.id, end_user.id), (owner.id, unknown), (samples.client("nowhere").id, end_user.id)] {
        let changes = EndUserChanges { is_active: Some(false), ..new_username("mine-now") };
        let password = Some(samples.set_password(InstantHasher::hash_of("a new password")));
        let refused = stores.end_users.update(client, EndUserUpdate { id, changes, password }, samples.now()).await;
        assert!(matches!(refused, Err(ChangeEndUserError::NotFound)), "{refused:?}");
        let refused = stores.end_users.remove(client, id).await;
        assert!(matches!(refused, Err(RemoveEndUserError::NotFound)), "{refused:?}");
    }
    assert_eq!(stores.end_users.find(owner.id, end_user.id).await.unwrap(), before);
    assert_eq!(password_of(stores, &end_user).await, InstantHasher::hash_of(Samples::PASSWORD));
    assert!(stores.is_active(session).await);
}

/// On all devices, and no other end user.
pub async fn a_new_password_signs_the_end_user_out(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let first = stores.with_session(&samples, person(&anna), "first").await;
    let second = stores.with_session(&samples, person(&anna), "second").await;
    let of_bert = stores.with_session(&samples, person(&bert), "of bert").await;

    let password = InstantHasher::hash_of("a new password");
    let update = EndUserUpdate {
        id: anna.id,
        changes: EndUserChanges::default(),
        password: Some(samples.set_password(password.clone())),
    };
    stores.end_users.update(client.id, update, samples.now()).await.unwrap();
    assert!(!stores.is_active(first).await && !stores.is_active(second).await);
    assert!(stores.is_active(of_bert).await);
    assert_eq!(password_of(stores, &anna).await, password);
    assert_eq!(password_of(stores, &bert).await, InstantHasher::hash_of(Samples::PASSWORD));
    let again = NewSession { password_hash: password, ..samples.session(person(&anna), "again") };
    assert!(stores.sessions.open(again.clone()).await.unwrap());
    assert!(stores.is_active(again.id).await, "with the new password they sign in");
}

/// The edit form sends an empty password to keep it.
pub async fn a_change_without_a_password_keeps_it_and_the_sessions(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let session = stores.with_session(&samples, person(&anna), "first").await;
    for changes in [new_username("annika"), EndUserChanges { is_active: Some(true), ..EndUserChanges::default() }] {
        let anna = stores
            .end_users
            .update(client.id, EndUserUpdate { id: anna.id, changes, password: None }, samples.now())
            .await
            .unwrap();
        assert!(stores.is_active(session).await);
        assert_eq!(password_of(stores, &anna).await, InstantHasher::hash_of(Samples::PASSWORD));
    }
}

/// After a new activation, the end user must sign in again.
pub async fn deactivation_signs_the_end_user_out_for_good(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let session = stores.with_session(&samples, person(&anna), "first").await;
    let of_bert = stores.with_session(&samples, person(&bert), "of bert").await;
    for is_active in [false, true] {
        let changes = EndUserChanges { is_active: Some(is_active), ..EndUserChanges::default() };
        stores
            .end_users
            .update(client.id, EndUserUpdate { id: anna.id, changes, password: None }, samples.now())
            .await
            .unwrap();
        assert!(!stores.is_active(session).await, "{is_active}");
        assert!(stores.is_active(of_bert).await);
    }
    let again = stores.with_session(&samples, person(&anna), "again").await;
    assert!(stores.is_active(again).await);
}

/// Other end users stay.
pub async fn an_end_user_is_removed_with_their_sessions(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let session = stores.with_session(&samples, person(&anna), "first").await;
    let of_bert = stores.with_session(&samples, person(&bert), "of bert").await;

    stores.end_users.remove(client.id, anna.id).await.unwrap();
    assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap(), None);
    assert_eq!(stores.accounts.profile(person(&anna)).await.unwrap(), None);
    assert_eq!(stores.sessions.session_state(session).await.unwrap(), None);
    assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["bert"]);
    assert!(stores.is_active(of_bert).await);
    let refused = stores.end_users.remove(client.id, anna.id).await;
    assert!(matches!(refused, Err(RemoveEndUserError::NotFound)), "they are already removed: {refused:?}");
}

/// An end user of another client with the same username stays.
pub async fn the_username_of_a_removed_end_user_is_free_again(stores: &Stores) {
    let samples = Samples::new();
    let (one, two) = (stores.with_client(&samples, "one").await, stores.with_client(&samples, "two").await);
    let first = stores.with_end_user(&samples, &one, "anna").await;
    let namesake = stores.with_end_user(&samples, &two, "anna").await;
    stores.end_users.remove(one.id, first.id).await.unwrap();
    let second = stores.with_end_user(&samples, &one, "Anna").await;
    assert_eq!(found(stores, &one, EndUserFilter::default()).await, ["Anna"]);
    assert_eq!(stores.end_users.find(one.id, second.id).await.unwrap(), Some(second));
    assert_eq!(stores.end_users.find(two.id, namesake.id).await.unwrap(), Some(namesake));
}
