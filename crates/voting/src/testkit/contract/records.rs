//! The contract of [`crate::ResultRecords`], and of the records that declarations write.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock, RoundId};

use super::{Scene, VotingFixture};
use crate::{RecordHead, RecordStub, RecordTimes, Standing, Standings, StoredRecord};

async fn declare(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) {
    scene.clock.advance(TimeDelta::seconds(1));
    fixture.results().declare(scene.result_step(round)).await.expect("the round has ended");
}

/// A declared round in which the first voter said yes.
async fn declared(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    declare(fixture, scene, round).await;
    round
}

async fn heads(fixture: &dyn VotingFixture, scene: &Scene) -> Vec<RecordHead> {
    fixture.result_records().heads(scene.client, scene.meeting).await.expect("the store answers")
}

async fn load(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Option<StoredRecord> {
    let records = fixture.result_records().load(scene.client, scene.meeting, vec![round]).await;
    records.expect("the store answers").pop()
}

pub async fn a_declaration_writes_one_record(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    assert_eq!(heads(fixture, &scene).await, []);
    let round = declared(fixture, &scene).await;
    let record = load(fixture, &scene, round).await.expect("it is recorded");
    assert_eq!((record.client, record.meeting, record.round), (scene.client, scene.meeting, round));
    assert!(record.sealed.document.contains("is_later: false"), "{}", record.sealed.document);
    assert!(record.sealed.document.contains("kind: Declared"), "{}", record.sealed.document);
    declare(fixture, &scene, round).await;
    assert_eq!(heads(fixture, &scene).await, [RecordHead { round, number: 1, hash: record.sealed.hash.clone() }]);
    assert_eq!(load(fixture, &scene, round).await, Some(record));
}

pub async fn another_clients_record_looks_missing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = declared(fixture, &scene).await;
    let (other, records) = (ClientId::new(&scene.ids), fixture.result_records());
    assert_eq!(records.heads(other, scene.meeting).await.expect("the store answers"), []);
    assert_eq!(records.load(other, scene.meeting, vec![round]).await.expect("the store answers"), []);
}

pub async fn each_record_is_linked_to_the_one_before_it(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let first = declared(fixture, &scene).await;
    let second = scene.revote(fixture, scene.question).await.expect("a re-vote is possible");
    scene.end(fixture).await;
    declare(fixture, &scene, second).await;
    let heads = heads(fixture, &scene).await;
    assert_eq!(heads.iter().map(|head| (head.round, head.number)).collect::<Vec<_>>(), [(first, 1), (second, 2)]);
    let record = load(fixture, &scene, second).await.expect("it is recorded");
    assert!(record.sealed.document.contains(&format!("previous_hash: Some(\"{}\")", heads[0].hash)));
}

pub async fn a_result_from_before_is_recorded_later_once(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = declared(fixture, &scene).await;
    fixture.forget_record(round).await;
    let records = fixture.result_records();
    let declared_at = scene.clock.now();
    assert_eq!(records.unrecorded(declared_at).await.expect("the store answers"), [], "it was declared at that moment");
    let later = declared_at + TimeDelta::seconds(1);
    let found = records.unrecorded(later).await.expect("the store answers");
    assert_eq!(found.iter().map(|found| found.round).collect::<Vec<_>>(), [round]);
    for _ in 0..2 {
        records.record_later(found[0], later).await.expect("the store answers");
    }
    assert_eq!(records.unrecorded(later).await.expect("the store answers"), []);
    let record = load(fixture, &scene, round).await.expect("it is recorded");
    assert!(record.sealed.document.contains("is_later: true"), "{}", record.sealed.document);
    assert_eq!(heads(fixture, &scene).await.len(), 1);
}

pub async fn meetings_with_records_come_the_latest_first(fixture: &dyn VotingFixture) {
    let (first, second) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let records = fixture.result_records();
    declared(fixture, &first).await;
    second.clock.advance(TimeDelta::minutes(1));
    declared(fixture, &second).await;
    let meetings = async |owner, limit| records.meetings(owner, limit).await.expect("the store answers");
    let (of_first, of_second) = ((first.client, first.meeting), (second.client, second.meeting));
    assert_eq!(meetings(None, 5).await, [of_second, of_first]);
    assert_eq!(meetings(None, 1).await, [of_second]);
    assert_eq!(meetings(Some(first.client), 5).await, [of_first]);
    assert_eq!(records.audit_hash(first.client, 1_000_000).await.expect("the store answers"), None);
    let standings = async |client, meeting| records.standings(client, meeting).await.expect("the store answers");
    let there = Standings { client: Standing::Present, meeting: Standing::Present };
    assert_eq!(standings(first.client, first.meeting).await, there);
    assert_eq!(standings(first.client, second.meeting).await, Standings { meeting: Standing::Missing, ..there });
    assert_eq!(records.contradictions(first.client, first.meeting).await.expect("the store answers"), []);
    assert_eq!(records.orphans(first.client, first.meeting).await.expect("the store answers"), []);
    assert_eq!(records.lost(Some(first.client)).await.expect("the store answers"), []);
}

pub async fn a_record_is_found_by_its_hash_whoever_owns_it(fixture: &dyn VotingFixture) {
    let (first, second) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let (of_first, _) = (declared(fixture, &first).await, declared(fixture, &second).await);
    let hash = load(fixture, &first, of_first).await.expect("it is recorded").sealed.hash;
    let records = fixture.result_records();
    assert_eq!(records.find(&hash).await.expect("the store answers"), Some((first.client, first.meeting)));
    assert_eq!(records.find(&"0".repeat(64)).await.expect("the store answers"), None);
    let times = async |owner, meeting| records.times(owner, meeting).await.expect("the store answers");
    let of_record = RecordTimes { results: vec![(of_first, first.clock.now())], closings: Vec::new() };
    assert_eq!(times(first.client, first.meeting).await, of_record);
    assert_eq!(times(second.client, first.meeting).await, RecordTimes::default());
}

pub async fn a_record_of_any_client_is_found_by_its_hash(fixture: &dyn VotingFixture) {
    let (first, second) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 2).await);
    let mut expected = Vec::new();
    for scene in [&first, &second] {
        let round = declared(fixture, scene).await;
        let sealed = load(fixture, scene, round).await.expect("it is recorded").sealed;
        let (hash, key, signature) = (sealed.hash, sealed.key, sealed.signature);
        expected.push(RecordStub { hash, number: 1, recorded_at: scene.clock.now(), key, signature });
    }
    let by_hashes = async |hashes: &[&str]| {
        let hashes = hashes.iter().map(|hash| (*hash).to_owned()).collect();
        fixture.result_records().by_hashes(hashes).await.expect("the store answers")
    };
    assert_eq!(by_hashes(&[]).await, []);
    assert_eq!(by_hashes(&[&"0".repeat(64), &expected[1].hash]).await, expected[1..]);
    let mut found = by_hashes(&[&expected[0].hash, &expected[1].hash]).await;
    found.sort_by_key(|stub| stub.hash != expected[0].hash);
    assert_eq!(found, expected);
}
