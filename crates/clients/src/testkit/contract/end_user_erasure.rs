//! The contract of erasures in every [`EndUserStore`](crate::EndUserStore).

use chrono::DateTime;
use plenum_kernel::EmailAddress;

use super::end_user_store::{found, password_of};
use super::{Stores, person, search};
use crate::testkit::Samples;
use crate::{
    Address, ChangeEndUserError, ERASED_NAME, EndUser, EndUserChanges, EndUserFilter, EndUserUpdate, EraseEndUserError,
    Erasure, ImportError, ImportedPeople, PasswordHash, Username,
};

fn erasure(end_user: &EndUser, typed: &str) -> Erasure {
    let confirmed = Username::parse(typed).ok();
    Erasure { id: end_user.id, confirmed, password: PasswordHash::new("nobody knows it".to_owned()) }
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
    assert!(left.is_erased() && !bert.is_erased());
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
        let changes = EndUserChanges { is_active: Some(false), ..EndUserChanges::default() };
        let update = EndUserUpdate { id: end_user.id, changes, password: None };
        stores.end_users.update(client.id, update, samples.now()).await.unwrap();
        inactive.push((client.id, end_user.id));
    }
    stores.with_end_user(&samples, &client, "dora").await;
    inactive.sort();
    let far = "2200-01-01T00:00:00Z".parse().expect("it is a time");
    let since = async |before, behind, limit| stores.end_users.inactive_since(before, behind, limit).await.unwrap();
    assert_eq!(since(far, None, 10).await, inactive);
    assert_eq!(since(far, None, 2).await, inactive[..2]);
    assert_eq!(since(far, Some(inactive[0].1), 10).await, inactive[1..]);
    assert_eq!(since(DateTime::UNIX_EPOCH, None, 10).await, []);
    let first = EndUser { id: inactive[0].1, ..samples.end_user(&client, "any") };
    let by_rule = Erasure { confirmed: None, ..erasure(&first, "any") };
    stores.end_users.erase(client.id, by_rule).await.unwrap();
    assert_eq!(since(far, None, 10).await, inactive[1..]);
}
