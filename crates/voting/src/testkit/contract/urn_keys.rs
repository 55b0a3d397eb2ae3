//! The contract of [`crate::UrnKeys`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{EndUserId, RoundId};

use crate::{CastEnvelope, Envelope, KeyShare, OpenedBallot, PreparedKey, Sealing, UnlockError, UrnKeys};

const SIZE: usize = 256;

async fn prepared(keys: &dyn UrnKeys, ids: &CountingIds) -> PreparedKey {
    let key = keys.prepare(RoundId::new(ids)).await.expect("the folder can be written");
    assert_eq!(key.public_key.len(), 65);
    assert!(key.holders >= 1);
    key
}

fn text(text: &str) -> OpenedBallot {
    OpenedBallot::Text(text.to_owned())
}

fn sealing(key: &PreparedKey, voter: EndUserId) -> Sealing {
    Sealing { round: key.round, public_key: key.public_key.clone(), voter }
}

fn cast(keys: &dyn UrnKeys, key: &PreparedKey, voter: EndUserId, ballot: &OpenedBallot) -> CastEnvelope {
    let envelope = keys.seal(ballot, SIZE, sealing(key, voter)).expect("it fits");
    CastEnvelope { voter, envelope }
}

fn open(keys: &dyn UrnKeys, key: &PreparedKey, envelopes: &[CastEnvelope]) -> Vec<Option<OpenedBallot>> {
    keys.unlock(key.round, &key.public_key, &key.database_share, envelopes).expect("the share is there")
}

pub async fn a_key_opens_what_was_sealed_for_it_in_its_order(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let key = prepared(keys, &ids).await;
    let mut envelopes: Vec<_> =
        (0..9).map(|number| cast(keys, &key, EndUserId::new(&ids), &text(&"é".repeat(number)))).collect();
    let damaged = &mut envelopes[4].envelope.0;
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    envelopes[7].envelope = Envelope(b"no envelope".to_vec());
    envelopes[8].envelope.0.pop();
    keys.fetch(key.round).await.expect("the share is there");
    for _ in 0..2 {
        let opened = open(keys, &key, &envelopes);
        let expected: Vec<_> =
            (0..9).map(|number| (!matches!(number, 4 | 7 | 8)).then(|| text(&"é".repeat(number)))).collect();
        assert_eq!(opened, expected, "it destroys nothing");
    }
    assert_eq!(open(keys, &key, &[]), [] as [Option<OpenedBallot>; 0]);
}

pub async fn an_envelope_opens_for_its_round_and_voter_only(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let (key, other) = (prepared(keys, &ids).await, prepared(keys, &ids).await);
    assert_ne!(key.public_key, other.public_key);
    let (voter, neighbor) = (EndUserId::new(&ids), EndUserId::new(&ids));
    let envelope = cast(keys, &key, voter, &text("yes"));
    let copied = CastEnvelope { voter: neighbor, envelope: envelope.envelope.clone() };
    assert_eq!(open(keys, &key, &[envelope.clone(), copied]), [Some(text("yes")), None]);
    assert_eq!(open(keys, &other, &[envelope]), [None]);
    // Sealed with this key, and for another round.
    let astray =
        keys.seal(&text("yes"), SIZE, Sealing { round: other.round, ..sealing(&key, voter) }).expect("it fits");
    assert_eq!(open(keys, &key, &[CastEnvelope { voter, envelope: astray }]), [None]);
}

pub async fn envelopes_of_a_question_have_one_size_and_are_never_the_same(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let key = prepared(keys, &ids).await;
    let voter = EndUserId::new(&ids);
    for size in [256, 512, 8_192] {
        let seal = |ballot: &str| keys.seal(&text(ballot), size, sealing(&key, voter)).expect("it fits").0;
        let (one, other, long) = (seal("yes"), seal("yes"), seal(&"x".repeat(size - 20)));
        assert_ne!(one, other);
        for envelope in [one, other, long] {
            assert_eq!(envelope.len(), 1 + 65 + size + 16);
        }
    }
}

pub async fn what_cannot_be_sealed_is_refused(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let key = prepared(keys, &ids).await;
    let voter = EndUserId::new(&ids);
    assert!(keys.seal(&text(&"x".repeat(SIZE)), SIZE, sealing(&key, voter)).is_err(), "too long");
    for public_key in [&[][..], &[4; 10], &[1; 65], &key.public_key[1..]] {
        let sealing = Sealing { public_key: public_key.to_vec(), ..sealing(&key, voter) };
        assert!(keys.seal(&text("yes"), SIZE, sealing).is_err(), "{public_key:?}");
    }
}

pub async fn a_share_of_the_database_that_does_not_fit_is_refused(keys: &dyn UrnKeys) {
    let key = prepared(keys, &CountingIds::new()).await;
    let mut share = key.database_share.clone();
    share.0[31] ^= 1;
    let refused = keys.unlock(key.round, &key.public_key, &share, &[]);
    assert!(matches!(refused, Err(UnlockError::Port(_))), "{refused:?}");
    let refused = keys.unlock(key.round, &[4; 65], &key.database_share, &[]);
    assert!(matches!(refused, Err(UnlockError::Port(_))), "{refused:?}");
}

pub async fn the_public_key_follows_from_both_shares(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let (key, other) = (prepared(keys, &ids).await, prepared(keys, &ids).await);
    let derived = async |round, share| keys.public_key(round, share).await.expect("the share is there");
    assert_eq!(derived(key.round, &key.database_share).await, key.public_key);
    assert_ne!(derived(key.round, &other.database_share).await, key.public_key);
    assert_ne!(derived(other.round, &key.database_share).await, key.public_key);
    keys.destroy(key.round).await.expect("the folder can be changed");
    let lost = keys.public_key(key.round, &key.database_share).await;
    assert!(matches!(lost, Err(UnlockError::ShareLost)), "{lost:?}");
}

pub async fn a_destroyed_share_is_lost_and_others_stay(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let (key, other) = (prepared(keys, &ids).await, prepared(keys, &ids).await);
    let envelope = cast(keys, &key, EndUserId::new(&ids), &text("yes"));
    for _ in 0..2 {
        keys.destroy(key.round).await.expect("a repeat succeeds");
        let opened = keys.unlock(key.round, &key.public_key, &key.database_share, std::slice::from_ref(&envelope));
        assert!(matches!(opened, Err(UnlockError::ShareLost)), "{opened:?}");
        assert!(matches!(keys.fetch(key.round).await, Err(UnlockError::ShareLost)));
    }
    keys.fetch(other.round).await.expect("the other share stays");
    keys.destroy(RoundId::new(&ids)).await.expect("there is none");
}

pub async fn held_shares_are_listed(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let rounds = async || {
        let mut rounds: Vec<_> = keys.held().await.expect("it can be read").iter().map(|held| held.round).collect();
        rounds.sort();
        rounds
    };
    assert_eq!(rounds().await, []);
    let (first, second) = (prepared(keys, &ids).await.round, prepared(keys, &ids).await.round);
    assert_eq!(rounds().await, [first, second]);
    keys.destroy(first).await.expect("the folder can be changed");
    assert_eq!(rounds().await, [second]);
}

pub async fn a_key_that_is_prepared_again_replaces_nothing(keys: &dyn UrnKeys) {
    let ids = CountingIds::new();
    let first = prepared(keys, &ids).await;
    let second = keys.prepare(first.round).await.expect("the folder can be written");
    assert_ne!(first.database_share, KeyShare(second.database_share.0));
    assert_ne!(first.public_key, second.public_key);
    for key in [first, second] {
        let envelope = cast(keys, &key, EndUserId::new(&ids), &text("yes"));
        assert_eq!(open(keys, &key, &[envelope]), [Some(text("yes"))]);
    }
    assert_eq!(keys.held().await.expect("it can be read").len(), 1);
}
