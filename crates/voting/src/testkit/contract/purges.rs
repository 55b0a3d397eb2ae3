//! The contract of [`crate::PurgeStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::{DateTime, TimeDelta, TimeZone as _, Utc};
use futures_util::future::join_all;
use plenum_kernel::{Clock as _, RoundId};

use super::{Scene, VotingFixture};
use crate::{DuePurge, PurgeOrder, PurgeScope, Purged, PurgedBy, RecordHead, StoredPurge, purge_all};

/// A time after everything, also after the planned end of a meeting.
fn far_away() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2200, 1, 1, 0, 0, 0).single().expect("it is a time")
}

/// Everything before this time.
const fn scope(before: DateTime<Utc>) -> PurgeScope {
    PurgeScope { before, client: None, meeting: None }
}

fn order(scope: PurgeScope) -> PurgeOrder {
    PurgeOrder { scope, by: PurgedBy::Rule, at: far_away() }
}

/// A completed meeting with a declared result.
async fn completed(fixture: &dyn VotingFixture) -> (Scene, RoundId) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    fixture.results().declare(scene.result_step(round)).await.expect("the round has ended");
    fixture.set_meeting_active(scene.meeting, false).await;
    (scene, round)
}

async fn heads(fixture: &dyn VotingFixture, scene: &Scene) -> Vec<RecordHead> {
    fixture.result_records().heads(scene.client, scene.meeting).await.expect("the store answers")
}

async fn due(fixture: &dyn VotingFixture, scope: PurgeScope) -> DuePurge {
    fixture.purges().due(scope, 100).await.expect("the store answers")
}

async fn purge(fixture: &dyn VotingFixture, scene: &Scene, scope: PurgeScope) -> Option<Purged> {
    fixture.purges().purge(scene.client.as_uuid(), order(scope), Vec::new()).await.expect("the store answers")
}

async fn documents(fixture: &dyn VotingFixture, scene: &Scene) -> Vec<StoredPurge> {
    fixture.purge_documents().documents(Some(scene.client.as_uuid())).await.expect("the store answers")
}

pub async fn a_purge_removes_a_completed_meeting_under_a_document_that_names_its_records(fixture: &dyn VotingFixture) {
    let (scene, round) = completed(fixture).await;
    let hash = heads(fixture, &scene).await.remove(0).hash;
    let found = due(fixture, scope(far_away())).await.meetings;
    let [only] = &found[..] else { panic!("{found:?}") };
    assert_eq!((only.client, only.meeting, only.records), (scene.client, scene.meeting, 1));
    assert_eq!(only.title.as_deref(), Some("General assembly"));
    let purged = purge(fixture, &scene, scope(far_away())).await.expect("it is due");
    assert_eq!((purged.meetings, purged.records), (1, 1));
    assert_eq!(heads(fixture, &scene).await, []);
    assert_eq!(fixture.results().find(scene.client, scene.meeting, round).await.expect("the store answers"), None);
    let stored = documents(fixture, &scene).await;
    let [document] = &stored[..] else { panic!("{stored:?}") };
    assert_eq!((document.chain, document.number), (scene.client.as_uuid(), 1));
    assert_eq!(document.sealed.hash, purged.document);
    for named in [&hash, &round.to_string(), &scene.meeting.to_string()] {
        assert!(document.sealed.document.contains(named), "{named} is not in {}", document.sealed.document);
    }
}

pub async fn a_purge_leaves_everything_else(fixture: &dyn VotingFixture) {
    let (old, _) = completed(fixture).await;
    let (other, _) = completed(fixture).await;
    let of_client = PurgeScope { client: Some(old.client), ..scope(far_away()) };
    assert_eq!(due(fixture, of_client).await.meetings.len(), 1);
    let of_no_meeting = PurgeScope { meeting: Some(other.meeting), ..of_client };
    assert_eq!(due(fixture, of_no_meeting).await.meetings, []);
    assert_eq!(purge(fixture, &old, of_no_meeting).await, None);
    let store = fixture.purges();
    let left_out = store.purge(old.client.as_uuid(), order(of_client), vec![old.meeting]).await;
    assert_eq!(left_out.expect("the store answers"), None);
    assert!(purge(fixture, &old, of_client).await.is_some());
    assert_eq!(heads(fixture, &old).await, []);
    assert_eq!(heads(fixture, &other).await.len(), 1);
    assert_eq!(documents(fixture, &other).await, []);
    assert_eq!(
        fixture.purge_documents().documents(None).await.expect("the store answers"),
        documents(fixture, &old).await
    );
}

pub async fn a_running_meeting_is_never_due(fixture: &dyn VotingFixture) {
    let (scene, _) = completed(fixture).await;
    fixture.set_meeting_active(scene.meeting, true).await;
    assert_eq!(due(fixture, scope(far_away())).await.meetings, []);
    assert_eq!(purge(fixture, &scene, scope(far_away())).await, None);
    assert_eq!(heads(fixture, &scene).await.len(), 1);
}

pub async fn a_meeting_with_a_younger_record_is_not_due(fixture: &dyn VotingFixture) {
    let (scene, _) = completed(fixture).await;
    let recorded = scene.clock.now();
    for before in [recorded, recorded - TimeDelta::days(1)] {
        assert_eq!(due(fixture, scope(before)).await.meetings, [], "{before}");
        assert_eq!(purge(fixture, &scene, scope(before)).await, None, "{before}");
    }
    assert_eq!(heads(fixture, &scene).await.len(), 1);
}

pub async fn a_repeated_purge_finds_nothing(fixture: &dyn VotingFixture) {
    let (first, _) = completed(fixture).await;
    let all = order(scope(far_away()));
    let store = fixture.purges();
    let purged = purge_all(&*store, all.clone()).await.expect("the store answers");
    assert_eq!((purged.meetings, purged.records), (1, 1));
    assert_eq!(purge_all(&*store, all.clone()).await.expect("the store answers").meetings, 0);
    let (second, _) = completed(fixture).await;
    purge_all(&*store, all).await.expect("the store answers");
    assert_eq!((documents(fixture, &first).await.len(), documents(fixture, &second).await.len()), (1, 1));
}

pub async fn one_of_many_purges_at_once_removes_it(fixture: &dyn VotingFixture) {
    let (scene, _) = completed(fixture).await;
    let purges = (0..8).map(|_| purge(fixture, &scene, scope(far_away())));
    let removed: Vec<Purged> = join_all(purges).await.into_iter().flatten().collect();
    assert_eq!(removed.len(), 1);
    assert_eq!(documents(fixture, &scene).await.len(), 1);
}
