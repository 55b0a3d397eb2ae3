//! The contract of every [`WeightKindStore`](crate::WeightKindStore), and of the values of end users.

use std::sync::Arc;

use plenum_kernel::{
    ClientId, KindWeight, KindWeights, MAX_WEIGHT_KINDS, PageRequest, WeightDecimals, WeightKind, WeightKindId,
};

use super::{Stores, race};
use crate::testkit::{InstantHasher, Samples};
use crate::{
    AddEndUserError, AddWeightKindError, ChangeEndUserError, ChangeWeightKindError, Client, EndUser, EndUserChanges,
    EndUserFilter, EndUserUpdate, ErasedBy, Erasure, ImportError, ImportedPeople, PasswordHash, RemoveWeightKindError,
    WeightChanges, WeightKindChanges, WeightKindName, WeightUnit,
};

async fn with_kind(stores: &Stores, samples: &Samples, client: &Client, name: &str) -> WeightKind {
    let kind = samples.weight_kind(name);
    stores.weight_kinds.add(client.id, kind.clone(), samples.now()).await.expect("the name is free");
    kind
}

fn value(text: &str) -> KindWeight {
    KindWeight::parse(text, WeightDecimals::new(6).expect("a number of decimals")).expect("a value")
}

fn weights(values: &[(&WeightKind, &str)]) -> KindWeights {
    values.iter().map(|(kind, text)| (kind.id, value(text))).collect()
}

fn renamed(name: &str) -> WeightKindChanges {
    WeightKindChanges { name: WeightKindName::parse(name).ok(), ..WeightKindChanges::default() }
}

fn update(end_user: &EndUser, changed: WeightChanges) -> EndUserUpdate {
    let changes = EndUserChanges { weights: Some(changed), ..EndUserChanges::default() };
    EndUserUpdate { id: end_user.id, changes, password: None }
}

async fn with_person(
    stores: &Stores,
    samples: &Samples,
    client: &Client,
    (name, values): (&str, &[(&WeightKind, &str)]),
) -> EndUser {
    let end_user = EndUser { weights: weights(values), ..samples.end_user(client, name) };
    stores.add_end_user(end_user.clone()).await;
    end_user
}

/// The names of the kinds with their sums.
async fn listed(stores: &Stores, owner: ClientId) -> Vec<(String, String)> {
    let kinds = stores.weight_kinds.list(owner).await.expect("the store answers");
    kinds.into_iter().map(|known| (known.kind.name, known.total.to_string())).collect()
}

async fn weights_of(stores: &Stores, end_user: &EndUser) -> KindWeights {
    let found = stores.end_users.find(end_user.client_id, end_user.id).await.expect("the store answers");
    found.expect("the end user is there").weights
}

/// Case does not matter for the order. Sums are exact, and count inactive people.
pub async fn kinds_are_listed_by_name_with_their_sums(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    assert_eq!(listed(stores, client.id).await, []);
    let shares = with_kind(stores, &samples, &client, "shares").await;
    let area = with_kind(stores, &samples, &client, "Area").await;
    let created_at = samples.now();
    let capital =
        WeightKind { unit: None, decimals: WeightDecimals::new(6).unwrap(), ..samples.weight_kind("Share capital") };
    stores.weight_kinds.add(client.id, capital.clone(), created_at).await.unwrap();
    let largest = "999999999999999999.999999";
    with_person(stores, &samples, &client, ("anna", &[(&shares, "0.1"), (&capital, largest)])).await;
    let asleep = EndUser {
        weights: weights(&[(&shares, "0.2"), (&capital, largest)]),
        is_active: false,
        ..samples.end_user(&client, "bert")
    };
    stores.add_end_user(asleep).await;
    let expected = [("Area", "0"), ("Share capital", "1999999999999999999.999998"), ("shares", "0.3")];
    assert_eq!(listed(stores, client.id).await, expected.map(|(name, sum)| (name.to_owned(), sum.to_owned())));
    assert_eq!(stores.weight_kinds.kinds(client.id).await.unwrap(), [area, capital.clone(), shares]);
    let found = stores.weight_kinds.find(client.id, capital.id).await.unwrap().expect("the kind is there");
    assert_eq!((found.kind, found.created_at), (capital, created_at));
    assert_eq!(found.total.to_string(), "1999999999999999999.999998");
}

/// Another client may use it.
pub async fn a_kind_name_is_taken_in_any_case(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    with_kind(stores, &samples, &club, "Fläche").await;
    let refused = stores.weight_kinds.add(club.id, samples.weight_kind("fLÄCHE"), samples.now()).await;
    assert!(matches!(refused, Err(AddWeightKindError::NameTaken)), "{refused:?}");
    with_kind(stores, &samples, &other, "Fläche").await;
    let second = with_kind(stores, &samples, &club, "Second").await;
    let refused = stores.weight_kinds.change(club.id, second.id, renamed("fläche")).await;
    assert!(matches!(refused, Err(ChangeWeightKindError::NameTaken)), "{refused:?}");
    let changed = stores.weight_kinds.change(club.id, second.id, renamed("SECOND")).await.unwrap();
    assert_eq!(changed.kind.name, "SECOND");
}

/// The others learn that the name is taken.
pub async fn one_of_many_concurrent_calls_gets_a_kind_name(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let racers = (0..4).map(|_| {
        let (kinds, kind) = (Arc::clone(&stores.weight_kinds), samples.weight_kind("Shares"));
        let (owner, now) = (client.id, samples.now());
        async move { kinds.add(owner, kind, now).await }
    });
    let outcomes = race(racers.collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let refusals = outcomes.iter().flat_map(|outcome| outcome.as_ref().err());
    assert!(refusals.into_iter().all(|refusal| matches!(refusal, AddWeightKindError::NameTaken)), "{outcomes:?}");
}

/// Concurrent calls do not exceed it, and other clients are not affected.
pub async fn no_client_has_more_kinds_than_the_limit(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    for number in 0..MAX_WEIGHT_KINDS - 2 {
        with_kind(stores, &samples, &club, &format!("Kind {number}")).await;
    }
    let racers = (0..5).map(|number| {
        let (kinds, kind) = (Arc::clone(&stores.weight_kinds), samples.weight_kind(&format!("Late {number}")));
        let (owner, now) = (club.id, samples.now());
        async move { kinds.add(owner, kind, now).await }
    });
    let outcomes = race(racers.collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 2, "{outcomes:?}");
    let refusals = outcomes.iter().flat_map(|outcome| outcome.as_ref().err());
    assert!(refusals.into_iter().all(|refusal| matches!(refusal, AddWeightKindError::TooMany)), "{outcomes:?}");
    assert_eq!(stores.weight_kinds.kinds(club.id).await.unwrap().len(), MAX_WEIGHT_KINDS);
    with_kind(stores, &samples, &other, "First").await;
}

/// A refused change changes nothing.
pub async fn a_changed_kind_keeps_its_values_and_never_has_fewer_decimals(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let kind = with_kind(stores, &samples, &client, "Area").await;
    let anna = with_person(stores, &samples, &client, ("anna", &[(&kind, "12.25")])).await;
    let decimals = |number| Some(WeightDecimals::new(number).unwrap());
    let fewer = WeightKindChanges { decimals: decimals(1), ..renamed("Other") };
    let refused = stores.weight_kinds.change(client.id, kind.id, fewer).await;
    assert!(matches!(refused, Err(ChangeWeightKindError::FewerDecimals)), "{refused:?}");
    assert_eq!(stores.weight_kinds.kinds(client.id).await.unwrap(), std::slice::from_ref(&kind));
    let unit = Some(WeightUnit::parse("ha").ok());
    let more = WeightKindChanges { unit, decimals: decimals(4), ..renamed("Land") };
    let changed = stores.weight_kinds.change(client.id, kind.id, more).await.unwrap();
    let expected = WeightKind {
        name: "Land".to_owned(),
        unit: Some("ha".to_owned()),
        decimals: decimals(4).unwrap(),
        ..kind.clone()
    };
    assert_eq!((changed.kind.clone(), changed.total.to_string().as_str()), (expected.clone(), "12.25"));
    let cleared = WeightKindChanges { unit: Some(None), ..WeightKindChanges::default() };
    let changed = stores.weight_kinds.change(client.id, kind.id, cleared).await.unwrap();
    assert_eq!(changed.kind, WeightKind { unit: None, ..expected });
    assert_eq!(weights_of(stores, &anna).await, anna.weights);
}

/// Other values stay, and so do people of other clients.
pub async fn a_removed_kind_takes_its_values_along(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let shares = with_kind(stores, &samples, &client, "Shares").await;
    let area = with_kind(stores, &samples, &client, "Area").await;
    let anna = with_person(stores, &samples, &client, ("anna", &[(&shares, "3"), (&area, "2.5")])).await;
    let bert = with_person(stores, &samples, &client, ("bert", &[(&shares, "1")])).await;
    stores.weight_kinds.remove(client.id, shares.id).await.unwrap();
    assert_eq!(weights_of(stores, &anna).await, weights(&[(&area, "2.5")]));
    assert!(weights_of(stores, &bert).await.is_empty());
    assert_eq!(listed(stores, client.id).await, [("Area".to_owned(), "2.5".to_owned())]);
    let again = stores.weight_kinds.remove(client.id, shares.id).await;
    assert!(matches!(again, Err(RemoveWeightKindError::NotFound)), "{again:?}");
    with_kind(stores, &samples, &client, "Shares").await;
}

/// Every call treats it as missing.
pub async fn another_clients_kind_is_neither_found_nor_changed(stores: &Stores) {
    let samples = Samples::new();
    let (club, other) = (stores.with_client(&samples, "club").await, stores.with_client(&samples, "other").await);
    let theirs = with_kind(stores, &samples, &other, "Theirs").await;
    with_person(stores, &samples, &other, ("stranger", &[(&theirs, "7")])).await;
    assert_eq!(stores.weight_kinds.find(club.id, theirs.id).await.unwrap(), None);
    assert_eq!(stores.weight_kinds.kinds(club.id).await.unwrap(), []);
    let changed = stores.weight_kinds.change(club.id, theirs.id, renamed("Mine")).await;
    assert!(matches!(changed, Err(ChangeWeightKindError::NotFound)), "{changed:?}");
    let removed = stores.weight_kinds.remove(club.id, theirs.id).await;
    assert!(matches!(removed, Err(RemoveWeightKindError::NotFound)), "{removed:?}");
    let anna = EndUser { weights: weights(&[(&theirs, "1")]), ..samples.end_user(&club, "anna") };
    let refused = stores.end_users.add(anna, InstantHasher::hash_of(Samples::PASSWORD)).await;
    assert!(matches!(&refused, Err(AddEndUserError::Port(failure)) if failure.is_outdated()), "{refused:?}");
    assert_eq!(listed(stores, other.id).await, [("Theirs".to_owned(), "7".to_owned())]);
}

/// A change without values leaves them, in lists and pages, too.
pub async fn end_users_are_stored_with_exact_values(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let shares = with_kind(stores, &samples, &client, "Shares").await;
    let area = with_kind(stores, &samples, &client, "Area").await;
    let largest = "999999999999999999.999999";
    let anna = with_person(stores, &samples, &client, ("anna", &[(&shares, largest), (&area, "0.000001")])).await;
    assert_eq!(stores.end_users.find(client.id, anna.id).await.unwrap(), Some(anna.clone()));
    let kept = EndUserChanges { is_active: Some(true), ..EndUserChanges::default() };
    let kept = EndUserUpdate { id: anna.id, changes: kept, password: None };
    assert_eq!(stores.end_users.update(client.id, kept, samples.now()).await.unwrap(), anna);
    let some = update(&anna, WeightChanges::Some(vec![(area.id, value("2")), (shares.id, value("0"))]));
    let changed = stores.end_users.update(client.id, some, samples.now()).await.unwrap();
    assert_eq!(changed.weights, weights(&[(&area, "2")]));
    let all = update(&anna, WeightChanges::All(weights(&[(&shares, "5")])));
    let changed = stores.end_users.update(client.id, all, samples.now()).await.unwrap();
    assert_eq!(changed, EndUser { weights: weights(&[(&shares, "5")]), ..anna });
    let page = EndUserFilter { page: Some(PageRequest { page: 1, page_size: 1 }), ..EndUserFilter::default() };
    for filter in [EndUserFilter::default(), page] {
        assert_eq!(stores.end_users.list(client.id, &filter).await.unwrap().rows, std::slice::from_ref(&changed));
    }
}

/// Nothing is changed.
pub async fn values_of_an_unknown_kind_are_refused(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let known = with_kind(stores, &samples, &client, "Shares").await;
    let unknown = samples.weight_kind("Never stored");
    let anna = with_person(stores, &samples, &client, ("anna", &[(&known, "1")])).await;
    let values = [(&known, "2"), (&unknown, "3")];
    let all = WeightChanges::All(weights(&values));
    let some = WeightChanges::Some(values.map(|(kind, text)| (kind.id, value(text))).to_vec());
    for changes in [all, some.clone()] {
        let refused = stores.end_users.update(client.id, update(&anna, changes), samples.now()).await;
        assert!(matches!(&refused, Err(ChangeEndUserError::Port(failure)) if failure.is_outdated()), "{refused:?}");
    }
    let imported = ImportedPeople { changed: vec![update(&anna, some)], ..ImportedPeople::default() };
    let refused = stores.end_users.import(client.id, imported, samples.now()).await;
    assert!(matches!(refused, Err(ImportError::Outdated)), "{refused:?}");
    assert_eq!(weights_of(stores, &anna).await, anna.weights);
}

/// The values of other kinds stay.
pub async fn an_import_sets_some_values_or_nothing(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let shares = with_kind(stores, &samples, &client, "Shares").await;
    let area = with_kind(stores, &samples, &client, "Area").await;
    let anna = with_person(stores, &samples, &client, ("anna", &[(&shares, "1"), (&area, "1.5")])).await;
    let bert = with_person(stores, &samples, &client, ("bert", &[(&shares, "4")])).await;
    let hash = InstantHasher::hash_of(Samples::PASSWORD);
    let cleo = EndUser { weights: weights(&[(&area, "33.25")]), ..samples.end_user(&client, "cleo") };
    let dora = samples.end_user(&client, "dora");
    let changed = vec![
        update(&anna, WeightChanges::Some(vec![(shares.id, KindWeight::default())])),
        update(&bert, WeightChanges::Some(vec![(area.id, value("0.01"))])),
    ];
    let new = vec![(cleo.clone(), hash.clone()), (dora.clone(), hash)];
    let people = ImportedPeople { new, changed, ..ImportedPeople::default() };
    stores.end_users.import(client.id, people, samples.now()).await.unwrap();
    assert_eq!(weights_of(stores, &anna).await, weights(&[(&area, "1.5")]));
    assert_eq!(weights_of(stores, &bert).await, weights(&[(&shares, "4"), (&area, "0.01")]));
    assert_eq!(weights_of(stores, &cleo).await, cleo.weights);
    assert!(weights_of(stores, &dora).await.is_empty());
    assert_eq!(
        listed(stores, client.id).await,
        [("Area", "34.76"), ("Shares", "4")].map(|(name, sum)| { (name.to_owned(), sum.to_owned()) })
    );
}

/// Nor does the sum count them.
pub async fn an_erased_end_user_has_no_values(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let shares = with_kind(stores, &samples, &client, "Shares").await;
    let anna = with_person(stores, &samples, &client, ("anna", &[(&shares, "12345")])).await;
    let password = PasswordHash::new("nobody knows it".to_owned());
    let by = ErasedBy::Organizer(anna.username.clone());
    stores.end_users.erase(client.id, Erasure { id: anna.id, by, password }).await.unwrap();
    assert!(weights_of(stores, &anna).await.is_empty());
    assert_eq!(listed(stores, client.id).await, [("Shares".to_owned(), "0".to_owned())]);
}

/// Writers and the removal wait for each other, without a deadlock.
pub async fn nobody_keeps_a_value_of_a_kind_that_is_removed_meanwhile(stores: &Stores) {
    let samples = Samples::new();
    let client = stores.with_client(&samples, "club").await;
    let kept = with_kind(stores, &samples, &client, "Kept").await;
    for round in 0..5 {
        let kind = with_kind(stores, &samples, &client, &format!("Removed {round}")).await;
        let anna = with_person(stores, &samples, &client, (&format!("anna-{round}"), &[(&kept, "1")])).await;
        let values = vec![(kind.id, value("7")), (kept.id, value("2"))];
        let racers: Vec<_> = (0..4_u32)
            .map(|racer| {
                let (end_users, kinds) = (Arc::clone(&stores.end_users), Arc::clone(&stores.weight_kinds));
                let (owner, now, kind) = (client.id, samples.now(), kind.id);
                let change = update(&anna, WeightChanges::Some(values.clone()));
                let new =
                    EndUser { weights: anna.weights.clone(), ..samples.end_user(&client, &format!("{round}-new")) };
                async move {
                    match racer {
                        0 => kinds.remove(owner, kind).await.map_err(|error| error.to_string()),
                        1 => {
                            let import = ImportedPeople { changed: vec![change], ..ImportedPeople::default() };
                            tolerate(end_users.import(owner, import, now).await, |error| {
                                matches!(error, ImportError::Outdated)
                            })
                        }
                        2 => tolerate(
                            end_users.update(owner, change, now).await,
                            |error| matches!(error, ChangeEndUserError::Port(failure) if failure.is_outdated()),
                        ),
                        _ => {
                            let hash = InstantHasher::hash_of(Samples::PASSWORD);
                            end_users.add(new, hash).await.map_err(|error| error.to_string())
                        }
                    }
                }
            })
            .collect();
        let outcomes = race(racers).await;
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
        assert_eq!(weights_of(stores, &anna).await.of(kind.id), KindWeight::default());
        let names: Vec<WeightKindId> =
            stores.weight_kinds.kinds(client.id).await.unwrap().into_iter().map(|kind| kind.id).collect();
        assert_eq!(names, [kept.id]);
    }
}

/// A refusal that the race explains is as good as a success.
fn tolerate<T, E: std::fmt::Display>(outcome: Result<T, E>, is_expected: impl Fn(&E) -> bool) -> Result<(), String> {
    match outcome {
        Ok(_) => Ok(()),
        Err(error) if is_expected(&error) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}
