//! The contract of closing records and amendments, in [`crate::MeetingStore`] and the stores of a meeting's parts.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{AccountId, Clock, MeetingId, QuestionType, RemarkId};

use super::{Amended, MeetingsFixture, Scene};
use crate::{
    Meeting, MeetingChanges, MeetingRule, MeetingStatus, MeetingTitle, NewRemark, QuestionText, RemarkKind, RemarkText,
    RemarkToStrike, UpdateMeetingError,
};

/// Stores a running meeting.
async fn running(fixture: &dyn MeetingsFixture, scene: &Scene, title: &str) -> MeetingId {
    let meeting = Meeting { status: MeetingStatus::Active, ..scene.draft(title, 1) };
    scene.add(fixture, meeting).await
}

async fn change(
    fixture: &dyn MeetingsFixture,
    scene: &Scene,
    id: MeetingId,
    changes: MeetingChanges,
) -> Result<Meeting, UpdateMeetingError> {
    let now = scene.clock.now();
    let decide = Box::new(move |meeting: &mut Meeting| meeting.change(changes, now));
    fixture.meetings().update(scene.client.id, id, None, decide).await
}

async fn set(fixture: &dyn MeetingsFixture, scene: &Scene, id: MeetingId, status: MeetingStatus) -> Meeting {
    let changes = MeetingChanges { status: Some(status), confirms_restart: true, ..MeetingChanges::default() };
    change(fixture, scene, id, changes).await.expect("nothing forbids it")
}

fn retitled(title: &str) -> MeetingChanges {
    MeetingChanges { title: Some(MeetingTitle::parse(title).expect("a title")), ..MeetingChanges::default() }
}

/// Subject, field and texts of each amendment.
async fn told(fixture: &dyn MeetingsFixture, id: MeetingId) -> Vec<(&'static str, &'static str, String, String)> {
    let text = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let line = |amended: Amended| (amended.about, amended.field, text(amended.was), text(amended.became));
    fixture.amendments(id).await.into_iter().map(line).collect()
}

pub async fn a_meeting_that_ends_gets_a_closing_record(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for status in [MeetingStatus::Completed, MeetingStatus::Cancelled] {
        let id = running(fixture, &scene, "General assembly").await;
        assert_eq!(scene.find(fixture, id).await.meeting.closing_hash, None);
        let ended = set(fixture, &scene, id, status).await;
        let hash = ended.closing_hash.clone().expect("it is closed");
        assert_eq!(fixture.closings(id).await, [hash]);
        assert_eq!(scene.find(fixture, id).await.meeting, ended);
    }
    // Without ever running.
    let id = scene.add_draft(fixture).await;
    set(fixture, &scene, id, MeetingStatus::Cancelled).await;
    assert_eq!(fixture.closings(id).await, [] as [String; 0]);
    assert!(set(fixture, &scene, id, MeetingStatus::Completed).await.closing_hash.is_some());
    let id = scene.add(fixture, Meeting { status: MeetingStatus::Completed, ..scene.draft("Over", 1) }).await;
    assert_eq!(fixture.closings(id).await, [scene.find(fixture, id).await.meeting.closing_hash.expect("it is closed")]);
}

pub async fn a_second_end_writes_a_second_closing_record(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = running(fixture, &scene, "General assembly").await;
    let first = set(fixture, &scene, id, MeetingStatus::Completed).await.closing_hash.expect("it is closed");
    let again = MeetingChanges { status: Some(MeetingStatus::Active), ..MeetingChanges::default() };
    let refused = change(fixture, &scene, id, again).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::RestartUnconfirmed))), "{refused:?}");
    assert_eq!(told(fixture, id).await, []);
    set(fixture, &scene, id, MeetingStatus::Active).await;
    let second = set(fixture, &scene, id, MeetingStatus::Completed).await.closing_hash.expect("it is closed");
    assert_ne!(first, second);
    assert_eq!(fixture.closings(id).await, [first, second]);
    // The restart is an amendment; the second end is in the second record.
    let restart = ("MEETING", "status", "COMPLETED".to_owned(), "ACTIVE".to_owned());
    assert_eq!(told(fixture, id).await, [restart]);
}

pub async fn one_of_many_racers_closes_the_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = running(fixture, &scene, "General assembly").await;
    let racers: Vec<_> = (0..6)
        .map(|_| {
            let (meetings, owner, now) = (fixture.meetings(), scene.client.id, scene.clock.now());
            let decide = Box::new(move |meeting: &mut Meeting| meeting.end(now));
            tokio::spawn(async move { meetings.update(owner, id, None, decide).await })
        })
        .collect();
    let mut ended = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(_) => ended += 1,
            Err(refused) => {
                assert!(matches!(refused, UpdateMeetingError::Rule(MeetingRule::NotActive)), "{refused:?}");
            }
        }
    }
    assert_eq!((ended, fixture.closings(id).await.len()), (1, 1));
}

pub async fn a_change_after_the_end_is_told(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = running(fixture, &scene, "Assembly").await;
    change(fixture, &scene, id, retitled("General assembly")).await.expect("nothing forbids it");
    let closed = set(fixture, &scene, id, MeetingStatus::Completed).await;
    assert_eq!(told(fixture, id).await, []);
    change(fixture, &scene, id, retitled("Annual assembly")).await.expect("nothing forbids it");
    let end = closed.schedule.end() + TimeDelta::hours(1);
    let later = MeetingChanges { scheduled_end: Some(end), ..MeetingChanges::default() };
    change(fixture, &scene, id, later.clone()).await.expect("nothing forbids it");
    // Nothing changes.
    change(fixture, &scene, id, later).await.expect("nothing forbids it");
    let told = told(fixture, id).await;
    let title = ("MEETING", "title", "General assembly".to_owned(), "Annual assembly".to_owned());
    assert_eq!(told[0], title);
    assert_eq!((told[1].0, told[1].1, told.len()), ("MEETING", "scheduledEnd", 2));
    assert_eq!(told[1].3.parse::<chrono::DateTime<chrono::Utc>>(), Ok(end));
    assert_eq!(fixture.closings(id).await.len(), 1);
}

pub async fn remarks_and_questions_after_the_end_are_told(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let id = running(fixture, &scene, "General assembly").await;
    let maria = AccountId::new(&scene.ids);
    fixture.add_account(scene.client.id, maria, "Maria", "Keller").await;
    let new = |text: &str| NewRemark {
        id: RemarkId::new(&scene.ids),
        client_id: scene.client.id,
        meeting_id: id,
        at: scene.clock.now(),
        by: maria,
        kind: RemarkKind::Remark,
        text: RemarkText::parse(text).expect("a remark"),
    };
    fixture.remarks().add(new("It rained.")).await.expect("the meeting is there");
    let question = scene.question(id, QuestionType::OpenText, &[]);
    let question = fixture.questions().add(question).await.expect("the meeting is there");
    set(fixture, &scene, id, MeetingStatus::Completed).await;
    assert_eq!(told(fixture, id).await, []);
    let remark = fixture.remarks().add(new("The roof held.")).await.expect("the meeting is there");
    let (client_id, at) = (scene.client.id, scene.clock.now());
    let strike = RemarkToStrike { client_id, meeting_id: id, id: remark.id, at, by: maria };
    for _ in 0..2 {
        assert!(fixture.remarks().strike(strike).await.expect("the store answers"));
    }
    let reword = Box::new(|question: &mut crate::Question, _| {
        question.text = QuestionText::parse("What now?").expect("a question's text");
        Ok(())
    });
    fixture.questions().update(client_id, question.id, reword).await.expect("nobody has voted");
    fixture.questions().remove(client_id, question.id).await.expect("nobody has voted");
    let told = told(fixture, id).await;
    let (text, none) = (|text: &str| text.to_owned(), "-".to_owned());
    assert_eq!(told[0], ("REMARK", "text", none.clone(), text("The roof held.")));
    assert_eq!((told[1].0, told[1].1), ("REMARK", "struck"));
    let reworded = ("QUESTION", "text", text("What shall we do?"), text("What now?"));
    assert_eq!(told[2..], [reworded, ("QUESTION", "text", text("What now?"), none)]);
    // While it runs again, changes go into the next closing record.
    set(fixture, &scene, id, MeetingStatus::Active).await;
    fixture.remarks().add(new("We go on.")).await.expect("the meeting is there");
    assert_eq!(fixture.amendments(id).await.len(), 5);
}

pub async fn a_meeting_that_ended_earlier_is_closed_later(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let meetings = fixture.meetings();
    let (ended, runs) = (running(fixture, &scene, "Earlier").await, running(fixture, &scene, "Now").await);
    set(fixture, &scene, ended, MeetingStatus::Completed).await;
    fixture.forget_closings(ended).await;
    assert_eq!(scene.find(fixture, ended).await.meeting.closing_hash, None);
    assert_eq!(meetings.unclosed().await.expect("the store answers"), [(scene.client.id, ended)]);
    let stranger = Scene::set(fixture).await;
    for (owner, id) in [(stranger.client.id, ended), (scene.client.id, runs)] {
        meetings.close_later(owner, id, scene.clock.now()).await.expect("the store answers");
        assert_eq!(fixture.closings(id).await, [] as [String; 0]);
    }
    for _ in 0..2 {
        meetings.close_later(scene.client.id, ended, scene.clock.now()).await.expect("the store answers");
        let hash = scene.find(fixture, ended).await.meeting.closing_hash.expect("it is closed");
        assert_eq!(fixture.closings(ended).await, [hash]);
    }
    assert_eq!(meetings.unclosed().await.expect("the store answers"), []);
    assert_eq!(told(fixture, ended).await, []);
}

pub async fn closing_records_outlive_their_meeting_unless_it_is_test_data(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    for (title, other, left) in [("Assembly", "Annual assembly", 1), ("TEST_one", "TEST_two", 0)] {
        let id = running(fixture, &scene, title).await;
        set(fixture, &scene, id, MeetingStatus::Completed).await;
        change(fixture, &scene, id, retitled(other)).await.expect("nothing forbids it");
        assert_eq!((fixture.closings(id).await.len(), fixture.amendments(id).await.len()), (1, 1));
        fixture.meetings().remove(scene.client.id, id).await.expect("it is over");
        assert_eq!((fixture.closings(id).await.len(), fixture.amendments(id).await.len()), (left, left), "{title}");
    }
}
