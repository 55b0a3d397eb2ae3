//! The contract of erasures in every [`EndUserStore`](crate::EndUserStore).

use chrono::{DateTime, Utc};
use plenum_kernel::EmailAddress;

use super::end_user_store::{found, password_of};
use super::{Stores, person, search};
use crate::testkit::Samples;
use crate::{
    Address, ChangeEndUserError, ERASED_NAME, EndUser, EndUserChanges, EndUserFilter, EndUserUpdate, EraseEndUserError,
    ErasedBy, Erasure, ImportError, ImportedPeople, PasswordHash, Username,
};

fn erasure(end_user: &EndUser, typed: &str) -> Erasure {
    let typed = Username::from_stored(typed.to_owned());
    Erasure { id: end_user.id, by: ErasedBy::Organizer(typed), password: nobody_knows() }
}

fn by_rule(end_user: &EndUser, before: DateTime<Utc>) -> Erasure {
    Erasure { id: end_user.id, by: ErasedBy::Rule(before), password: nobody_knows() }
}

fn nobody_knows() -> PasswordHash {
    PasswordHash::new("nobody knows it".to_owned())
}

/// A time before which everybody of these tests was deactivated.
fn far() -> DateTime<Utc> {
    "2200-01-01T00:00:00Z".parse().expect("it is a time")
}

async fn set_active(stores: &Stores, samples: &Samples, end_user: &EndUser, is_active: bool) {
    let changes = EndUserChanges { is_active: Some(is_active), ..EndUserChanges::default() };
    let update = EndUserUpdate { id: end_user.id, changes, password: None };
    stores.end_users.update(end_user.client_id, update, samples.now()).await.expect("the end user is there");
}

/// The row stays with its weight, and nothing can be added to it again.
pub async fn an_erased_end_user_keeps_no_personal_data_and_no_session(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let email = EmailAddress::parse("anna@example.org").ok();
    let anna = EndUser { email, address: Address::parse("Main Street 1").ok(), ..samples.end_user(&client, "anna") };
    stores.add_end_user(anna.clone()).await;
    let bert = stores.with_end_user(&samples, &client, "bert").await;
    let session = stores.with_session(&samples, person(&anna), "first").await;
    stores.end_users.erase(client.id, erasure(&anna, "anna")).await.unwrap();
    let left = stores.end_users.find(client.id, anna.id).await.unwrap().expect("the row stays");
    assert!(left.is_erased && !bert.is_erased);
    assert_eq!(left, anna.erased());
    assert_eq!(password_of(stores, &left).await, PasswordHash::new("nobody knows it".to_owned()));
    assert_eq!((left.name.as_str(), left.email, left.address, left.is_active), (ERASED_NAME, None, None, false));
    assert_eq!(stores.sessions.session_state(session).await.unwrap(), None);
    for text in ["anna", "example.org"] {
        let filter = EndUserFilter { search: search(text), ..EndUserFilter::default() };
        assert_eq!(found(stores, &client, filter).await, [] as [String; 0], "{text}");
    }
    let changes = EndUserChanges { is_active: Some(true), ..EndUserChanges::default() };
    let update = EndUserUpdate { id: anna.id, changes, password: None };
    let refused = stores.end_users.update(client.id, update.clone(), samples.now()).await;
    assert!(matches!(refused, Err(ChangeEndUserError::Erased)), "{refused:?}");
    let refused = stores
        .end_users
        .import(client.id, ImportedPeople { changed: vec![update], ..Default::default() }, samples.now())
        .await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    // The username is free again, and the row can be deleted.
    stores.with_end_user(&samples, &client, "anna").await;
    stores.end_users.remove(client.id, anna.id).await.unwrap();
}

/// Another username, another client and a repeat change nothing.
pub async fn an_erasure_needs_the_own_username_and_happens_once(stores: &Stores) {
    let samples = Samples::new();
    let (one, two) = (stores.with_client(&samples, "one").await, stores.with_client(&samples, "two").await);
    let anna = stores.with_end_user(&samples, &one, "anna").await;
    let refused = stores.end_users.erase(one.id, erasure(&anna, "bert")).await;
    assert!(matches!(refused, Err(EraseEndUserError::OtherUsername)), "{refused:?}");
    let refused = stores.end_users.erase(two.id, erasure(&anna, "anna")).await;
    assert!(matches!(refused, Err(EraseEndUserError::NotFound)), "{refused:?}");
    assert_eq!(stores.end_users.find(one.id, anna.id).await.unwrap().as_ref(), Some(&anna));
    stores.end_users.erase(one.id, erasure(&anna, "anna")).await.unwrap();
    let refused = stores.end_users.erase(one.id, erasure(&anna, "anna")).await;
    assert!(matches!(refused, Err(EraseEndUserError::AlreadyErased)), "{refused:?}");
}

/// Active and erased people are left out.
pub async fn inactive_end_users_are_found_once_in_the_order_of_ids(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let mut inactive = Vec::new();
    for username in ["anna", "bert", "carl"] {
        let end_user = stores.with_end_user(&samples, &client, username).await;
        set_active(stores, &samples, &end_user, false).await;
        inactive.push((client.id, end_user.id));
    }
    stores.with_end_user(&samples, &client, "dora").await;
    inactive.sort();
    let far = far();
    let since = async |before, behind, limit| stores.end_users.inactive_since(before, behind, limit).await.unwrap();
    assert_eq!(since(far, None, 10).await, inactive);
    assert_eq!(since(far, None, 2).await, inactive[..2]);
    assert_eq!(since(far, Some(inactive[0].1), 10).await, inactive[1..]);
    assert_eq!(since(DateTime::UNIX_EPOCH, None, 10).await, []);
    let first = EndUser { id: inactive[0].1, ..samples.end_user(&client, "any") };
    stores.end_users.erase(client.id, by_rule(&first, far)).await.unwrap();
    assert_eq!(since(far, None, 10).await, inactive[1..]);
}

/// Although the rule found them before.
pub async fn the_rule_erases_nobody_who_came_back(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let (anna, bert) = (
        stores.with_end_user(&samples, &client, "anna").await,
        EndUser { is_active: false, last_login_at: Some(far()), ..samples.end_user(&client, "bert") },
    );
    stores.add_end_user(bert.clone()).await;
    set_active(stores, &samples, &anna, false).await;
    assert_eq!(stores.end_users.inactive_since(far(), None, 10).await.unwrap(), [(client.id, anna.id)]);
    set_active(stores, &samples, &anna, true).await;
    let of_rule = async |end_user: &EndUser, before| stores.end_users.erase(client.id, by_rule(end_user, before)).await;
    for came_back in [&anna, &bert] {
        let refused = of_rule(came_back, far()).await;
        assert!(matches!(refused, Err(EraseEndUserError::NotFound)), "{}: {refused:?}", came_back.username);
        assert_eq!(stores.end_users.find(client.id, came_back.id).await.unwrap().as_ref(), Some(came_back));
    }
    set_active(stores, &samples, &anna, false).await;
    let refused = of_rule(&anna, DateTime::UNIX_EPOCH).await;
    assert!(matches!(refused, Err(EraseEndUserError::NotFound)), "deactivated a moment ago: {refused:?}");
    of_rule(&anna, far()).await.unwrap();
}

/// Names like that of an erased person can be older than the rule that nobody chooses them.
pub async fn a_username_makes_nobody_erased(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let anna = stores.with_end_user(&samples, &client, "anna").await;
    let named = |end_user: EndUser| EndUser { username: end_user.erased().username, ..end_user };
    let own = named(samples.end_user(&client, "own"));
    let other = EndUser { username: anna.erased().username, ..samples.end_user(&client, "other") };
    for end_user in [&own, &other] {
        stores.add_end_user(end_user.clone()).await;
        let found = stores.end_users.find(client.id, end_user.id).await.unwrap();
        assert_eq!(found.as_ref(), Some(end_user));
        set_active(stores, &samples, end_user, true).await;
    }
    let refused = stores.end_users.erase(client.id, erasure(&anna, "anna")).await;
    assert!(matches!(refused, Err(EraseEndUserError::UsernameTaken)), "{refused:?}");
    assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap().as_ref(), Some(&anna));
    stores.end_users.erase(client.id, erasure(&other, other.username.as_str())).await.unwrap();
    stores.end_users.erase(client.id, erasure(&anna, "anna")).await.unwrap();
    stores.end_users.erase(client.id, erasure(&own, own.username.as_str())).await.unwrap();
    for end_user in [&anna, &own, &other] {
        let found = stores.end_users.find(client.id, end_user.id).await.unwrap();
        assert_eq!(found, Some(end_user.erased()));
    }
}
