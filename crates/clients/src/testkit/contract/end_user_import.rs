//! The contract of [`EndUserStore::import`](crate::EndUserStore::import).

use std::sync::Arc;

use plenum_kernel::EmailAddress;

use super::end_user_store::{found, password_of, weight};
use super::{Stores, person, race};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    Address, EndUser, EndUserChanges, EndUserFilter, EndUserUpdate, ImportError, ImportedPeople, PasswordHash,
    PersonName,
};

fn with_password(end_user: EndUser) -> (EndUser, PasswordHash) {
    (end_user, InstantHasher::hash_of(Samples::PASSWORD))
}

fn imported(new: Vec<(EndUser, PasswordHash)>, changed: Vec<EndUserUpdate>) -> ImportedPeople {
    ImportedPeople { groups: Vec::new(), new, changed }
}

fn change(end_user: &EndUser, changes: EndUserChanges) -> EndUserUpdate {
    EndUserUpdate { id: end_user.id, changes, password: None }
}

fn new_weight(text: &str) -> EndUserChanges {
    EndUserChanges { weight: Some(weight(text)), ..EndUserChanges::default() }
}

/// All values are stored as given, with and without optional fields, and other end users stay.
pub async fn an_import_adds_and_changes_many_at_once(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut anna = samples.end_user(&client, "anna");
    anna.email = Some(EmailAddress::parse("anna@example.org").unwrap());
    anna.address = Some(Address::parse("Hauptstraße 1").unwrap());
    anna.last_login_at = Some(samples.now());
    stores.add_end_user(anna.clone()).await;
    let mut bert = stores.with_end_user(&samples, &client, "bert").await;
    let bystander = stores.with_end_user(&samples, &client, "bystander").await;
    let of_anna = EndUserChanges {
        name: Some(PersonName::parse("Änna, \"Voter\" 🗳").unwrap()),
        address: Some(None),
        ..new_weight("0.0001")
    };
    let of_bert = EndUserChanges {
        email: Some(EmailAddress::parse("bert@example.org").ok()),
        address: Some(Address::parse("Nebengasse 2\n{\"a\"}, NULL").ok()),
        ..EndUserChanges::default()
    };
    let plain = samples.end_user(&client, "cleo");
    let mut full = samples.end_user(&client, "dora");
    full.name = PersonName::parse("NULL").unwrap();
    full.email = Some(EmailAddress::parse("dora@example.org").unwrap());
    full.address = Some(Address::parse("Hauptstraße 1\n8000 Zürich").unwrap());
    full.weight = weight("33.3333");
    full.is_active = false;
    let new = [plain.clone(), full.clone()].map(with_password).to_vec();
    let changed = vec![change(&anna, of_anna.clone()), change(&bert, of_bert.clone())];
    stores.end_users.import(client.id, imported(new, changed), samples.now()).await.unwrap();

    of_anna.apply_to(&mut anna);
    of_bert.apply_to(&mut bert);
    for end_user in [anna, bert, bystander, plain, full] {
        assert_eq!(stores.end_users.find(client.id, end_user.id).await.unwrap().as_ref(), Some(&end_user));
        assert_eq!(password_of(stores, &end_user).await, InstantHasher::hash_of(Samples::PASSWORD));
    }
    assert_eq!(stores.end_users.stats(client.id).await.unwrap().total, 5);
}

/// Other end users stay signed in.
pub async fn an_import_signs_out_end_users_with_a_deactivation_or_a_new_password(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let (mut people, mut sessions) = (Vec::new(), Vec::new());
    for username in ["anna", "bert", "cleo", "dora"] {
        let end_user = stores.with_end_user(&samples, &client, username).await;
        sessions.push(stores.with_session(&samples, person(&end_user), username).await);
        people.push(end_user);
    }
    let password = InstantHasher::hash_of("a new password");
    let asleep = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
    let renewed = EndUserUpdate {
        password: Some(samples.set_password(password.clone())),
        ..change(&people[1], EndUserChanges::default())
    };
    let changed = vec![change(&people[0], asleep), renewed, change(&people[2], new_weight("2"))];
    stores.end_users.import(client.id, imported(Vec::new(), changed), samples.now()).await.unwrap();

    for (session, is_active) in sessions.into_iter().zip([false, false, true, true]) {
        assert_eq!(stores.is_active(session).await, is_active);
    }
    assert_eq!(password_of(stores, &people[1]).await, password);
    assert_eq!(password_of(stores, &people[2]).await, InstantHasher::hash_of(Samples::PASSWORD));
}

/// In any case, whether the file or a stored end user has it.
pub async fn an_import_with_a_taken_username_stores_nothing(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "änna").await;
    let session = stores.with_session(&samples, person(&anna), "first").await;
    let anna = stores.end_users.find(client.id, anna.id).await.unwrap().unwrap();
    let asleep = EndUserChanges { is_active: Some(false), ..new_weight("7") };
    for usernames in [["bert", "ÄNNA"], ["bert", "Bert"]] {
        let new = usernames.map(|username| with_password(samples.end_user(&client, username))).to_vec();
        let changed = vec![change(&anna, asleep.clone())];
        let refused = stores.end_users.import(client.id, imported(new, changed), samples.now()).await;
        assert!(matches!(refused, Err(ImportError::Outdated)), "{usernames:?}: {refused:?}");
        assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["änna"]);
        assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap().as_ref(), Some(&anna));
        assert!(stores.is_active(session).await);
    }
}

/// The end user was removed after the import was planned.
pub async fn an_import_that_changes_a_missing_end_user_stores_nothing(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let gone = stores.with_end_user(&samples, &client, "gone").await;
    stores.end_users.remove(client.id, gone.id).await.unwrap();
    let new = vec![with_password(samples.end_user(&client, "bert"))];
    let changed = vec![change(&anna, new_weight("7")), change(&gone, new_weight("7"))];
    let refused = stores.end_users.import(client.id, imported(new, changed), samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["anna"]);
    assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap(), Some(anna));
}

/// Not even by id. The usernames of other clients do not matter.
pub async fn an_import_changes_no_end_user_of_another_client(stores: &Stores) {
    let samples = Samples::new();
    let (client, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    let stranger = stores.with_end_user(&samples, &other, "anna").await;
    let session = stores.with_session(&samples, person(&stranger), "first").await;
    let stranger = stores.end_users.find(other.id, stranger.id).await.unwrap().unwrap();
    let stolen = EndUserUpdate {
        password: Some(samples.set_password(InstantHasher::hash_of("a new password"))),
        ..change(&stranger, EndUserChanges { is_active: Some(false), ..new_weight("7") })
    };
    let refused = stores.end_users.import(client.id, imported(Vec::new(), vec![stolen]), samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    let namesake = vec![with_password(samples.end_user(&client, "anna"))];
    stores.end_users.import(client.id, imported(namesake, Vec::new()), samples.now()).await.unwrap();

    assert_eq!(stores.end_users.find(other.id, stranger.id).await.unwrap().as_ref(), Some(&stranger));
    assert_eq!(password_of(stores, &stranger).await, InstantHasher::hash_of(Samples::PASSWORD));
    assert!(stores.is_active(session).await);
    assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["anna"]);
}

/// In any order of their rows, without a deadlock.
pub async fn one_of_several_concurrent_imports_of_the_same_people_succeeds(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let racers = (0..4)
        .map(|racer| {
            let mut numbers: Vec<u32> = (0..50).collect();
            numbers.rotate_left(racer * 13);
            let new = numbers.into_iter().map(|number| samples.end_user(&client, &format!("voter-{number}")));
            let new = new.map(with_password).collect();
            let (end_users, owner, now) = (Arc::clone(&stores.end_users), client.id, samples.now());
            async move { end_users.import(owner, imported(new, Vec::new()), now).await }
        })
        .collect();
    let outcomes = race(racers).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Ok(()) | Err(ImportError::Outdated))), "{outcomes:?}");
    assert_eq!(stores.end_users.stats(client.id).await.unwrap().total, 50);
}

/// It succeeds.
pub async fn an_empty_import_changes_nothing(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    stores.with_end_user(&samples, &client, "anna").await;
    stores.end_users.import(client.id, ImportedPeople::default(), samples.now()).await.unwrap();
    assert_eq!(found(stores, &client, EndUserFilter::default()).await, ["anna"]);
}
