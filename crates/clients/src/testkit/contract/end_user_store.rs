//! What every [`EndUserStore`](crate::EndUserStore) must keep.

use std::sync::Arc;

use plenum_kernel::{EmailAddress, PageRequest, VotingWeight};

use super::{Stores, race, search};
use crate::testkit::{InstantHasher, Samples};
use crate::{AddEndUserError, Address, Client, EndUserFilter, EndUserSort, EndUserStats, PersonName, Username};

fn weight(text: &str) -> VotingWeight {
    VotingWeight::new(text.parse().expect("a number")).expect("a weight")
}

async fn found(stores: &Stores, client: &Client, filter: EndUserFilter) -> Vec<String> {
    let page = stores.end_users.list(client.id, &filter).await.unwrap();
    assert_eq!(page.total, page.rows.len() as u64);
    page.rows.into_iter().map(|end_user| end_user.username.as_str().to_owned()).collect()
}

/// With and without what may be missing.
pub async fn every_field_is_kept_as_it_was(stores: &Stores) {
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

/// What is written as 0.1 comes back as 0.1, also in a sum.
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

/// Neither found nor listed nor counted.
pub async fn another_clients_end_user_looks_missing(stores: &Stores) {
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

/// A phone's keyboard decides the first letter.
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

/// Usernames are a client's own.
pub async fn a_username_may_be_used_in_another_client(stores: &Stores) {
    let samples = Samples::new();
    for code in ["one", "two"] {
        let client = stores.with_client(&samples, code).await;
        stores.with_end_user(&samples, &client, "anna").await;
        assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["anna"]);
    }
}

/// Whoever loses is told so.
pub async fn of_many_racers_for_one_username_one_wins(stores: &Stores) {
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

/// Such a call is a fault of the program, not of a person.
pub async fn an_end_user_needs_a_client(stores: &Stores) {
    let samples = Samples::new();
    let nowhere = samples.client("nowhere");
    let end_user = samples.end_user(&nowhere, "anna");
    let refused = stores.end_users.add(end_user, InstantHasher::hash_of(Samples::PASSWORD)).await;
    assert!(matches!(refused, Err(AddEndUserError::Port(_))), "{refused:?}");
}

/// In any of the three, anywhere in it; a missing address is no obstacle.
pub async fn the_search_looks_at_name_username_and_address_in_any_case(stores: &Stores) {
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

/// Nobody finds everyone by a percent sign.
pub async fn percent_and_underscore_are_letters(stores: &Stores) {
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

/// Only those, or only the others.
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

/// Without regard to case; who has the same name stays in one order.
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

/// Of what fits the filter, whatever page is asked for.
pub async fn pages_carry_the_total_of_what_fits(stores: &Stores) {
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
            search: search("voter"),
            is_active: Some(true),
            sort: EndUserSort::NameAscending,
            page: Some(PageRequest { page, page_size: 2 }),
        };
        let listed = stores.end_users.list(client.id, &filter).await.unwrap();
        let usernames: Vec<&str> = listed.rows.iter().map(|end_user| end_user.username.as_str()).collect();
        assert_eq!(usernames, expected);
        assert_eq!(listed.total, 5);
    }
}

/// Who may not vote weighs nothing.
pub async fn stats_weigh_those_who_are_active(stores: &Stores) {
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
