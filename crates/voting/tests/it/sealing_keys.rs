//! Confirming the keys of secret rounds before ballots are sealed for them.

use std::sync::Arc;

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{PortFailure, RoundId};
use plenum_voting::testkit::{InMemoryUrnKeys, MockUrnKeys, MockUrnStore};
use plenum_voting::{KeyShare, PreparedKey, SealingError, SealingKeys, UnlockError, UrnKeys as _};

/// A prepared key, with the folder in which its other share is.
async fn prepared() -> (InMemoryUrnKeys, PreparedKey) {
    let keys = InMemoryUrnKeys::new();
    let key = keys.prepare(RoundId::new(&CountingIds::new())).await.unwrap();
    (keys, key)
}

/// A store that is asked so often, and has these shares in turn.
fn urns(shares: Vec<Option<KeyShare>>) -> Arc<MockUrnStore> {
    let mut urns = MockUrnStore::new();
    let times = shares.len();
    let mut shares = shares.into_iter();
    urns.expect_database_share().times(times).returning(move |_| Ok(shares.next().unwrap()));
    Arc::new(urns)
}

#[tokio::test]
async fn a_key_that_follows_from_its_shares_is_confirmed_and_then_remembered() {
    let (keys, key) = prepared().await;
    let sealing = SealingKeys::new(Arc::new(keys), urns(vec![Some(key.database_share)]));
    for _ in 0..3 {
        sealing.confirm(key.round, &key.public_key).await.unwrap();
    }
}

#[tokio::test]
async fn another_key_is_refused_also_in_place_of_a_confirmed_one() {
    let (keys, key) = prepared().await;
    let share = || Some(key.database_share.clone());
    let sealing = SealingKeys::new(Arc::new(keys), urns(vec![share(), share(), share()]));
    let refused = sealing.confirm(key.round, &[4; 65]).await;
    assert!(matches!(refused, Err(SealingError::Unconfirmed(_))), "{refused:?}");
    sealing.confirm(key.round, &key.public_key).await.unwrap();
    let refused = sealing.confirm(key.round, &[4; 65]).await;
    assert!(matches!(refused, Err(SealingError::Unconfirmed(_))), "{refused:?}");
    sealing.confirm(key.round, &key.public_key).await.unwrap();
}

#[tokio::test]
async fn another_share_in_the_database_is_refused_and_forgotten_once_it_is_put_back() {
    let (keys, key) = prepared().await;
    let shares = vec![Some(KeyShare([7; 32])), None, Some(key.database_share)];
    let sealing = SealingKeys::new(Arc::new(keys), urns(shares));
    for _ in 0..2 {
        let refused = sealing.confirm(key.round, &key.public_key).await;
        assert!(matches!(refused, Err(SealingError::Unconfirmed(_))), "{refused:?}");
    }
    sealing.confirm(key.round, &key.public_key).await.unwrap();
}

#[tokio::test]
async fn without_the_share_outside_of_the_database_no_key_is_confirmed() {
    let (keys, key) = prepared().await;
    keys.lose(key.round);
    let sealing = SealingKeys::new(Arc::new(keys), urns(vec![Some(key.database_share)]));
    let refused = sealing.confirm(key.round, &key.public_key).await;
    assert!(matches!(refused, Err(SealingError::Unconfirmed(_))), "{refused:?}");
}

#[tokio::test]
async fn a_failed_folder_is_reported() {
    let mut keys = MockUrnKeys::new();
    let failure = || UnlockError::Port(PortFailure::new("the folder of vote keys", "it is gone"));
    keys.expect_public_key().returning(move |_, _| Err(failure()));
    let sealing = SealingKeys::new(Arc::new(keys), urns(vec![Some(KeyShare([1; 32]))]));
    let refused = sealing.confirm(RoundId::new(&CountingIds::new()), &[4; 65]).await;
    assert!(matches!(refused, Err(SealingError::Port(_))), "{refused:?}");
}
