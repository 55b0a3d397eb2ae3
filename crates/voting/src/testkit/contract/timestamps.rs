//! The contract of [`crate::RecordTimestamps`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock as _, MeetingId};

use super::{Scene, VotingFixture};
use crate::{NewTimestamp, RecordTimestamps, StoredTimestamp, UnstampedRecord};

/// A record of a declared result.
async fn record(fixture: &dyn VotingFixture, scene: &Scene) -> UnstampedRecord {
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    fixture.results().declare(scene.result_step(round)).await.expect("the round has ended");
    let heads = fixture.result_records().heads(scene.client, scene.meeting).await.expect("the store answers");
    let head = heads.into_iter().find(|head| head.round == round).expect("it is recorded");
    UnstampedRecord { client: scene.client, meeting: scene.meeting, hash: head.hash }
}

fn timestamp(scene: &Scene, record: &UnstampedRecord, token: &[u8]) -> NewTimestamp {
    let at = scene.clock.now();
    NewTimestamp {
        client: record.client,
        meeting: record.meeting,
        timestamp: StoredTimestamp {
            hash: record.hash.clone(),
            token: token.to_vec(),
            authority: "Test Timestamps".to_owned(),
            at,
        },
        requested_at: at - TimeDelta::seconds(1),
        received_at: at,
    }
}

async fn waiting(store: &dyn RecordTimestamps, limit: u32) -> Vec<UnstampedRecord> {
    store.waiting(limit).await.expect("the store answers")
}

async fn of_meeting(store: &dyn RecordTimestamps, client: ClientId, meeting: MeetingId) -> Vec<StoredTimestamp> {
    store.of_meeting(client, meeting).await.expect("the store answers")
}

pub async fn records_without_a_timestamp_wait_the_oldest_first(fixture: &dyn VotingFixture) {
    let (first, second) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let store = fixture.timestamps();
    assert_eq!(waiting(&*store, 10).await, []);
    let older = record(fixture, &first).await;
    second.clock.advance(TimeDelta::minutes(1));
    let newer = record(fixture, &second).await;
    assert_eq!(waiting(&*store, 10).await, [older.clone(), newer.clone()]);
    assert_eq!(waiting(&*store, 1).await, vec![older.clone()]);
    assert_eq!(store.count_waiting().await.expect("the store answers"), 2);
    assert!(store.keep(timestamp(&first, &older, b"token")).await.expect("the store answers"));
    assert_eq!(waiting(&*store, 10).await, [newer]);
    assert_eq!(store.count_waiting().await.expect("the store answers"), 1);
}

pub async fn the_first_timestamp_of_a_record_stays(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let record = record(fixture, &scene).await;
    let store = fixture.timestamps();
    let new = timestamp(&scene, &record, b"first");
    assert!(store.keep(new.clone()).await.expect("the store answers"));
    assert!(!store.keep(timestamp(&scene, &record, b"second")).await.expect("the store answers"));
    assert_eq!(of_meeting(&*store, scene.client, scene.meeting).await, [new.timestamp]);
}

pub async fn a_timestamp_of_a_record_that_is_gone_is_dropped(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let record = record(fixture, &scene).await;
    let store = fixture.timestamps();
    let gone = UnstampedRecord { hash: "0".repeat(64), ..record };
    assert!(!store.keep(timestamp(&scene, &gone, b"token")).await.expect("the store answers"));
    assert_eq!(of_meeting(&*store, scene.client, scene.meeting).await, []);
}

pub async fn another_clients_timestamps_look_missing(fixture: &dyn VotingFixture) {
    let (scene, other) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let record = record(fixture, &scene).await;
    let store = fixture.timestamps();
    assert!(store.keep(timestamp(&scene, &record, b"token")).await.expect("the store answers"));
    assert_eq!(of_meeting(&*store, other.client, scene.meeting).await, []);
    assert_eq!(of_meeting(&*store, scene.client, other.meeting).await, []);
}
