//! Declared results from their records: cached, checked, and never counted again.

use std::sync::Arc;

use plenum_adapter_security::EvidenceKeyRing;
use plenum_kernel::testkit::StillClock;
use plenum_kernel::{Clock, EvidenceKeys, MeetingId, PageRequest, PortFailure, RoundId};
use plenum_records::{
    CanonicalRecords, ReceiptFilter, RecordDamage, RecordedResultPorts, RecordedResults, ShowResultError, read_record,
};
use plenum_result_format::{record_message, sha256};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{
    InMemoryVoting, MockRecordTimestamps, MockResultRecords, MockResultStore, MockUrnKeys, MockUrnStore,
    MockVotingSignals,
};
use plenum_voting::{
    DeclaredOnScreen, ResultPorts, ResultRecords, ResultService, ResultStep, StoredRecord, UrnKeyService,
};

type Change = fn(&mut StoredRecord);

pub(super) fn keys() -> Arc<dyn EvidenceKeys> {
    Arc::new(EvidenceKeyRing::generate(StillClock::new().now()))
}

/// A scene with a declared round, in which one of two voters said yes.
pub(super) async fn declared(keys: &Arc<dyn EvidenceKeys>) -> (InMemoryVoting, Scene, StoredRecord) {
    let store = InMemoryVoting::with_writer(Arc::new(CanonicalRecords::new(Arc::clone(keys))));
    let scene = Scene::with_voters(&store, 2).await;
    let round = scene.open(&store).await;
    scene.cast(&store, round, scene.voters[0], scene.yes()).await;
    scene.end(&store).await;
    let (owner, meeting, by, now) = (scene.client, scene.meeting, scene.organizer, scene.clock.now());
    store
        .results()
        .declare(ResultStep { owner, meeting, round, by, now, seen: None, accepts_risk: false })
        .await
        .unwrap();
    let record = store.result_records().load(owner, meeting, vec![round]).await.unwrap().remove(0);
    (store, scene, record)
}

/// Results by these records. Nothing is counted.
fn results(records: MockResultRecords, declared: MockResultStore, keys: &Arc<dyn EvidenceKeys>) -> RecordedResults {
    results_beside(MockResultStore::new(), records, declared, keys)
}

/// Results by these records, and of these rounds.
pub(super) fn results_beside(
    rounds: MockResultStore,
    mut records: MockResultRecords,
    declared: MockResultStore,
    keys: &Arc<dyn EvidenceKeys>,
) -> RecordedResults {
    records.expect_orphans().returning(|_, _| Ok(Vec::new()));
    let records: Arc<dyn ResultRecords> = Arc::new(records);
    let rounds = Arc::new(rounds);
    let signals = Arc::new(MockVotingSignals::new());
    let clock: Arc<dyn Clock> = Arc::new(StillClock::new());
    let mut timestamps = MockRecordTimestamps::new();
    timestamps.expect_of_meeting().returning(|_, _| Ok(Vec::new()));
    let (keys_of_urns, urns) = (Arc::new(MockUrnKeys::new()), Arc::new(MockUrnStore::new()));
    let urns = UrnKeyService::new(keys_of_urns, urns, Arc::clone(&clock));
    RecordedResults::new(RecordedResultPorts {
        results: Arc::new(ResultService::new(ResultPorts {
            results: Arc::clone(&rounds) as _,
            declarations: rounds,
            urns: Arc::new(urns),
            signals,
            clock,
        })),
        records: Arc::clone(&records),
        live_records: records,
        declared: Arc::new(declared),
        timestamps: Arc::new(timestamps),
        keys: Arc::clone(keys),
    })
}

fn on_screen(scene: &Scene, round: RoundId) -> MockResultStore {
    let shown = DeclaredOnScreen { client: scene.client, round, position: 1 };
    let mut store = MockResultStore::new();
    store.expect_declared_on_screen().returning(move |_| Ok(Some(shown)));
    store
}

#[tokio::test]
async fn a_record_is_read_once_for_concurrent_callers() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let mut records = MockResultRecords::new();
    let stored = record.clone();
    records.expect_load().times(1).returning(move |_, _, _| Ok(vec![stored.clone()]));
    let results = Arc::new(results(records, on_screen(&scene, record.round), &keys));
    let asking: Vec<_> = (0..50)
        .map(|_| (Arc::clone(&results), scene.meeting))
        .map(|(results, meeting)| tokio::spawn(async move { results.on_screen(meeting).await.unwrap().unwrap() }))
        .collect();
    for one in asking {
        let shown = one.await.unwrap();
        assert_eq!((shown.votes_cast.heads, shown.log.len()), (1, 0));
        assert_eq!(shown.record.unwrap().hash, record.sealed.hash);
    }
}

#[tokio::test]
async fn a_failure_or_a_damaged_record_is_not_cached() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let mut changed = record.clone();
    changed.sealed.document = changed.sealed.document.replace("Yes", "No");
    let round = record.round;
    let mut loads = vec![Ok(vec![record]), Ok(vec![changed]), Err(PortFailure::busy("the store"))];
    let mut records = MockResultRecords::new();
    records.expect_load().times(3).returning(move |_, _, _| loads.pop().unwrap());
    let results = results(records, on_screen(&scene, round), &keys);
    assert!(matches!(results.on_screen(scene.meeting).await, Err(ShowResultError::Count(_))));
    assert!(matches!(results.on_screen(scene.meeting).await, Err(ShowResultError::Damaged(RecordDamage::Changed))));
    for _ in 0..3 {
        assert!(results.on_screen(scene.meeting).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_result_that_is_declared_during_a_request_for_its_receipts_is_not_called_damaged() {
    let keys = keys();
    let (store, scene, record) = declared(&keys).await;
    let round = record.round;
    let found = store.results().find(scene.client, scene.meeting, round).await.unwrap();
    let mut rounds = MockResultStore::new();
    rounds.expect_find().returning(move |_, _, _| Ok(found.clone()));
    let mut loads = vec![vec![record], Vec::new()];
    let mut records = MockResultRecords::new();
    records.expect_load().times(2).returning(move |_, _, _| Ok(loads.pop().unwrap()));
    let results = results_beside(rounds, records, MockResultStore::new(), &keys);
    let filter = ReceiptFilter { starts_with: String::new(), page: PageRequest { page: 1, page_size: 10 } };
    let page = results.receipts(scene.client, scene.meeting, round, &filter).await.unwrap();
    assert_eq!(page.total, 0, "the round is not secret");
}

#[tokio::test]
async fn the_least_recently_used_results_are_evicted() {
    const MANY: usize = 65;
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let mut records = MockResultRecords::new();
    let signer = Arc::clone(&keys);
    // The first of them again, because of the last one.
    records
        .expect_load()
        .times(MANY + 1)
        .returning(move |_, _, rounds| Ok(vec![of_round(&record, rounds[0], &*signer)]));
    let results = results(records, MockResultStore::new(), &keys);
    let rounds: Vec<RoundId> = (0..MANY).map(|_| RoundId::new(&scene.ids)).collect();
    for round in rounds.iter().chain([&rounds[MANY - 1], &rounds[1], &rounds[0]]) {
        let shown = results.result(scene.client, scene.meeting, *round).await.unwrap();
        assert_eq!(shown.round_id, round.as_uuid());
    }
}

/// The same record of another round.
fn of_round(record: &StoredRecord, round: RoundId, keys: &dyn EvidenceKeys) -> StoredRecord {
    let mut other = StoredRecord { round, ..record.clone() };
    other.sealed.document = other.sealed.document.replace(&record.round.to_string(), &round.to_string());
    other.sealed.hash = sha256(other.sealed.document.as_bytes());
    other.sealed.signature = keys.sign(&record_message(&other.sealed.hash));
    other
}

#[tokio::test]
async fn a_cached_result_belongs_to_its_meeting() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let round = record.round;
    let mut records = MockResultRecords::new();
    records.expect_load().times(1).returning(move |_, _, _| Ok(vec![record.clone()]));
    let mut store = MockResultStore::new();
    store.expect_declared_on_screen().returning({
        let client = scene.client;
        move |_| Ok(Some(DeclaredOnScreen { client, round, position: 1 }))
    });
    let results = results(records, store, &keys);
    assert!(results.on_screen(scene.meeting).await.unwrap().is_some());
    let elsewhere = MeetingId::new(&scene.ids);
    assert!(matches!(results.on_screen(elsewhere).await, Err(ShowResultError::Damaged(RecordDamage::Missing))));
}

#[tokio::test]
async fn a_record_is_read_as_it_was_written_and_not_otherwise() {
    let keys = keys();
    let (_, scene, record) = declared(&keys).await;
    let read = read_record(&record, &*keys).unwrap();
    assert_eq!(String::from_utf8(read.document()).unwrap(), record.sealed.document);
    assert_eq!((read.number, read.previous_hash, read.is_recorded_later), (1, None, false));
    let other: Arc<dyn EvidenceKeys> = Arc::new(EvidenceKeyRing::generate(scene.clock.now()));
    assert_eq!(read_record(&record, &*other), Err(RecordDamage::Forged));
    let changes: [(Change, RecordDamage); 4] = [
        (|stored| stored.sealed.document.push(' '), RecordDamage::Changed),
        (|stored| stored.sealed.signature[0] ^= 1, RecordDamage::Forged),
        (|stored| stored.number = 2, RecordDamage::Misplaced),
        (|stored| stored.sealed.key = "0".repeat(64), RecordDamage::Forged),
    ];
    for (change, damage) in changes {
        let mut changed = record.clone();
        change(&mut changed);
        assert_eq!(read_record(&changed, &*keys), Err(damage));
    }
}
