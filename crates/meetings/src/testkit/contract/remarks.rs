//! The contract of [`crate::RemarkStore`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{AccountId, Clock, MeetingId, QuestionType, RemarkId};

use super::{MeetingsFixture, Scene};
use crate::{
    MAX_REMARKS, NewRemark, QuestionUse, Remark, RemarkKind, RemarkText, RemarkToStrike, Struck, WriteRemarkError,
};

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

fn strike(scene: &Scene, meeting: MeetingId, id: RemarkId, by: AccountId) -> RemarkToStrike {
    RemarkToStrike { client_id: scene.client.id, meeting_id: meeting, id, at: scene.clock.now(), by }
}

pub async fn from_the_first_opening_on_a_struck_remark_stays(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meeting = scene.add_draft(fixture).await;
    let (maria, otto) =
        (account(fixture, &scene, "Maria", "Keller").await, account(fixture, &scene, "Otto", "Other").await);
    let store = fixture.remarks();
    let remark = store.add(new(&scene, meeting, maria, "One")).await.expect("the meeting is there");
    let question = scene.question(meeting, QuestionType::OpenText, &[]);
    let question = fixture.questions().add(question).await.expect("the meeting is there");
    fixture.mark_used(question.id, QuestionUse::Unused).await;
    // The first one counts.
    for by in [otto, maria] {
        assert!(store.strike(strike(&scene, meeting, remark.id, by)).await.expect("the store answers"));
    }
    let struck = Some(Struck { at: scene.clock.now(), by: "Otto Other".to_owned() });
    assert_eq!(list(fixture, &scene, meeting).await, [Remark { struck, ..remark }]);
    let unknown = strike(&scene, meeting, RemarkId::new(&scene.ids), maria);
    assert!(!store.strike(unknown).await.expect("the store answers"));
}

pub async fn before_the_first_opening_a_struck_remark_is_gone(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, other) = (scene.add_draft(fixture).await, scene.add_draft(fixture).await);
    let maria = account(fixture, &scene, "Maria", "Keller").await;
    let store = fixture.remarks();
    let first = store.add(new(&scene, meeting, maria, "One")).await.expect("the meeting is there");
    let second = store.add(new(&scene, meeting, maria, "Two")).await.expect("the meeting is there");
    let strike = |meeting| strike(&scene, meeting, first.id, maria);
    assert!(!store.strike(strike(other)).await.expect("the store answers"));
    assert!(store.strike(strike(meeting)).await.expect("the store answers"));
    assert!(!store.strike(strike(meeting)).await.expect("the store answers"));
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
    let foreign = strike(&stranger, meeting, remark.id, foreign);
    assert!(!store.strike(foreign).await.expect("the store answers"));
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
