//! The contract of [`crate::RemarkStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{AccountId, Clock, MeetingId, RemarkId};

use super::{MeetingsFixture, Scene};
use crate::{MAX_REMARKS, NewRemark, Remark, RemarkKind, RemarkText, WriteRemarkError};

async fn account(fixture: &dyn MeetingsFixture, scene: &Scene, first_name: &str, last_name: &str) -> AccountId {
    let id = AccountId::new(&scene.ids);
    fixture.add_account(scene.client.id, id, first_name, last_name).await;
    id
}

fn new(scene: &Scene, meeting: MeetingId, by: AccountId, text: &str) -> NewRemark {
    NewRemark {
        id: RemarkId::new(&scene.ids),
        client_id: scene.client.id,
        meeting_id: meeting,
        at: scene.clock.now(),
        by,
        kind: RemarkKind::Remark,
        text: RemarkText::parse(text).expect("a remark"),
    }
}

async fn list(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Vec<Remark> {
    let remarks = fixture.remarks().list(scene.client.id, meeting).await.expect("the store answers");
    remarks.expect("the meeting is there")
}

pub async fn remarks_come_the_earliest_first_with_the_name_of_who_wrote_them(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let (maria, nobody) = (account(fixture, &scene, "Maria", "Keller").await, account(fixture, &scene, "", "").await);
    assert_eq!(list(fixture, &scene, meeting).await, []);
    let later =
        NewRemark { at: scene.clock.now() + TimeDelta::minutes(5), ..new(&scene, meeting, maria, "Two\nlines") };
    let incident = NewRemark { kind: RemarkKind::Incident, ..new(&scene, meeting, nobody, "The light went out.") };
    let store = fixture.remarks();
    let second = store.add(later.clone()).await.expect("the meeting is there");
    assert_eq!((second.by.as_str(), second.kind, second.at), ("Maria Keller", RemarkKind::Remark, later.at));
    let first = store.add(incident).await.expect("the meeting is there");
    assert!(first.by.ends_with("@example.org"), "an address stands for a name that is empty: {}", first.by);
    store.add(new(&scene, other, maria, "Elsewhere")).await.expect("the meeting is there");
    assert_eq!(list(fixture, &scene, meeting).await, [first, second]);
}

pub async fn a_struck_remark_is_gone(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let maria = account(fixture, &scene, "Maria", "Keller").await;
    let store = fixture.remarks();
    let first = store.add(new(&scene, meeting, maria, "One")).await.expect("the meeting is there");
    let second = store.add(new(&scene, meeting, maria, "Two")).await.expect("the meeting is there");
    assert!(!store.remove(scene.client.id, other, first.id).await.expect("the store answers"));
    assert!(store.remove(scene.client.id, meeting, first.id).await.expect("the store answers"));
    assert!(!store.remove(scene.client.id, meeting, first.id).await.expect("the store answers"));
    assert_eq!(list(fixture, &scene, meeting).await, [second]);
}

pub async fn a_meeting_holds_so_many_remarks_and_no_more(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let maria = account(fixture, &scene, "Maria", "Keller").await;
    for _ in 2..MAX_REMARKS {
        fixture.remarks().add(new(&scene, meeting, maria, "Again")).await.expect("there is room");
    }
    let racers: Vec<_> = (0..6)
        .map(|_| {
            let (store, new) = (fixture.remarks(), new(&scene, meeting, maria, "The last one"));
            tokio::spawn(async move { store.add(new).await })
        })
        .collect();
    let mut written = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(_) => written += 1,
            Err(refused) => assert!(matches!(refused, WriteRemarkError::TooMany), "{refused:?}"),
        }
    }
    assert_eq!((written, list(fixture, &scene, meeting).await.len()), (2, MAX_REMARKS));
}

pub async fn another_clients_remarks_are_not_found(fixture: &dyn MeetingsFixture) {
    let (scene, stranger) = (Scene::set(fixture).await, Scene::set(fixture).await);
    let meeting = scene.add_draft(fixture).await;
    let (maria, foreign) =
        (account(fixture, &scene, "Maria", "Keller").await, account(fixture, &stranger, "Otto", "Other").await);
    let store = fixture.remarks();
    let remark = store.add(new(&scene, meeting, maria, "Ours")).await.expect("the meeting is there");
    assert_eq!(store.list(stranger.client.id, meeting).await.expect("the store answers"), None);
    let refused = store.add(new(&stranger, meeting, foreign, "Mine")).await;
    assert!(matches!(refused, Err(WriteRemarkError::MeetingNotFound)), "{refused:?}");
    assert!(!store.remove(stranger.client.id, meeting, remark.id).await.expect("the store answers"));
    assert_eq!(list(fixture, &scene, meeting).await, [remark]);
}

pub async fn remarks_go_with_their_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let maria = account(fixture, &scene, "Maria", "Keller").await;
    let store = fixture.remarks();
    store.add(new(&scene, meeting, maria, "One")).await.expect("the meeting is there");
    let kept = store.add(new(&scene, other, maria, "Two")).await.expect("the meeting is there");
    fixture.meetings().remove(scene.client.id, meeting).await.expect("it is a draft");
    assert_eq!(store.list(scene.client.id, meeting).await.expect("the store answers"), None);
    assert_eq!(list(fixture, &scene, other).await, [kept]);
}
