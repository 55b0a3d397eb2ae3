//! The contract of [`crate::AttendanceStore`], without rounds.

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{
    AtOpening, Attendance, ClientId, Clock, EndUserId, MeetingId, MeetingQuorum, Minimum, NotedQuorum, PlannedQuorum,
    Quorum, Threshold, Unit, VotingWeight,
};

use super::{MeetingsFixture, Scene};
use crate::{AttendanceNote, Invitees, Meeting, MeetingRule, MeetingStatus, Noted, Participant, People};

fn people(heads: u64, weight: &str) -> People {
    People { heads, weight: weight.parse().expect("a weight") }
}

/// A meeting that runs since the scene's time, people of weight 1, 0.25 and 33.3333, and an inactive person.
async fn running(fixture: &dyn MeetingsFixture, scene: &Scene) -> (MeetingId, Vec<EndUserId>) {
    let now = scene.clock.now();
    let draft = scene.draft("General assembly", 1);
    let meeting = Meeting { status: MeetingStatus::Active, started_at: Some(now), ..draft };
    let meeting = scene.add(fixture, meeting).await;
    let mut ids = Vec::new();
    for (name, weight, is_active) in
        [("Ada", "1", true), ("Ben", "0.25", true), ("Clara", "33.3333", true), ("Dora", "5", false)]
    {
        let weight = VotingWeight::new(weight.parse().expect("a number")).expect("a weight");
        let person = Participant { weight, ..scene.person(name, is_active) };
        ids.push(person.id);
        fixture.add_end_user(scene.client.id, person).await;
    }
    (meeting, ids)
}

fn after(scene: &Scene, seconds: i64) -> DateTime<Utc> {
    scene.clock.now() + TimeDelta::seconds(seconds)
}

async fn note(fixture: &dyn MeetingsFixture, meeting: MeetingId, connected: &[EndUserId], now: DateTime<Utc>) -> Noted {
    fixture.attendance().note(meeting, connected.to_vec(), now).await.expect("the store answers")
}

async fn notes(fixture: &dyn MeetingsFixture, scene: &Scene, meeting: MeetingId) -> Vec<AttendanceNote> {
    let notes = fixture.attendance().list(scene.client.id, meeting).await.expect("the store answers");
    notes.expect("the meeting is there")
}

/// Connected eligible people are counted once each, in heads and in weight.
pub async fn present_people_are_noted_in_heads_and_in_weight(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    let stranger = EndUserId::new(&scene.ids);
    let connected = [ids[0], ids[2], ids[2], ids[3], stranger];
    assert_eq!(note(fixture, meeting, &connected, after(&scene, 1)).await, Noted::Noted);
    let noted = AttendanceNote {
        noted_at: after(&scene, 1),
        present: people(2, "34.3333"),
        represented: People::default(),
        eligible: people(3, "34.5833"),
        quorum: NotedQuorum::Kept(None),
    };
    assert_eq!(notes(fixture, &scene, meeting).await, [noted]);
}

/// With a participant list, the people on it are eligible.
pub async fn people_on_the_list_are_eligible(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    let invitees = Invitees::These(vec![ids[1], ids[3]]);
    fixture.participants().invite(scene.client.id, meeting, invitees).await.expect("the store answers");
    assert_eq!(note(fixture, meeting, &ids, after(&scene, 1)).await, Noted::Noted);
    let noted = notes(fixture, &scene, meeting).await[0];
    assert_eq!((noted.present, noted.eligible), (people(1, "0.25"), people(1, "0.25")));
}

/// Without events, changes are noted once a minute.
pub async fn changes_are_noted_once_a_minute(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    for (seconds, connected, expected) in [
        (0, &ids[..1], Noted::Noted),
        (1, &ids[..2], Noted::NotYet),
        (59, &ids[..2], Noted::NotYet),
        (60, &ids[..1], Noted::Unchanged),
        (61, &ids[..2], Noted::Noted),
        (62, &ids[..1], Noted::NotYet),
        (300, &ids[..1], Noted::Noted),
        (400, &ids[..1], Noted::Unchanged),
    ] {
        assert_eq!(note(fixture, meeting, connected, after(&scene, seconds)).await, expected, "after {seconds} s");
    }
    let present: Vec<u64> = notes(fixture, &scene, meeting).await.iter().map(|note| note.present.heads).collect();
    assert_eq!(present, [1, 2, 1]);
}

/// The end is noted, and nothing after it.
pub async fn the_end_is_noted_and_nothing_after_it(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    assert_eq!(note(fixture, meeting, &ids, after(&scene, 1)).await, Noted::Noted);
    let ended_at = after(&scene, 2);
    let end = Box::new(move |meeting: &mut Meeting| meeting.end(ended_at));
    fixture.meetings().update(scene.client.id, meeting, None, end).await.expect("the meeting can be ended");
    assert_eq!(note(fixture, meeting, &ids, after(&scene, 3)).await, Noted::Noted);
    assert_eq!(note(fixture, meeting, &[], after(&scene, 4)).await, Noted::Over);
    assert_eq!(note(fixture, meeting, &[], after(&scene, 400)).await, Noted::Over);
    assert_eq!(notes(fixture, &scene, meeting).await.len(), 2);
}

/// Each note keeps the meeting's quorum of its moment, on the first or on a second call. Later changes do not reach it.
pub async fn notes_keep_the_quorum_of_their_moment(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    let minimum = Minimum::Share(Threshold::AT_LEAST_HALF);
    let half = Quorum { minimum, unit: Unit::Heads, attendance: Attendance::Present };
    let second = Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_TWO_THIRDS), unit: Unit::Weight, ..half };
    let planned = PlannedQuorum { quorum: half, second_call: Some(second) };
    let both = Some(MeetingQuorum { planned, at_opening: AtOpening::Warn });
    for (seconds, people, quorum, is_second_call) in
        [(0, 1, None, false), (100, 2, both, false), (200, 1, both, true), (300, 2, None, true)]
    {
        let change = Box::new(move |meeting: &mut Meeting| -> Result<(), MeetingRule> {
            (meeting.quorum, meeting.is_second_call) = (quorum, is_second_call);
            Ok(())
        });
        fixture.meetings().update(scene.client.id, meeting, None, change).await.expect("a quorum can be changed");
        // With other numbers each time, because equal ones are not noted again.
        let noted = note(fixture, meeting, &ids[..people], after(&scene, seconds)).await;
        assert_eq!(noted, Noted::Noted, "after {seconds} s");
    }
    let kept: Vec<_> = notes(fixture, &scene, meeting).await.iter().map(|note| note.quorum).collect();
    assert_eq!(kept, [None, Some(half), Some(second), None].map(NotedQuorum::Kept));
}

/// Nothing is noted in a meeting that is not running, or that does not exist.
pub async fn a_meeting_that_is_not_running_has_no_notes(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let draft = scene.add_draft(fixture).await;
    assert_eq!(note(fixture, draft, &[], after(&scene, 1)).await, Noted::Over);
    assert_eq!(notes(fixture, &scene, draft).await, []);
    let unknown = MeetingId::new(&scene.ids);
    assert_eq!(note(fixture, unknown, &[], after(&scene, 1)).await, Noted::Over);
}

/// Another client's meeting looks missing, and its people do not count here.
pub async fn another_clients_meeting_is_not_found(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    assert_eq!(note(fixture, meeting, &ids, after(&scene, 1)).await, Noted::Noted);
    let other = Scene {
        client: crate::MeetingClient {
            id: ClientId::new(&scene.ids),
            code: "other".to_owned(),
            ..scene.client.clone()
        },
        ids: scene.ids,
        clock: scene.clock,
    };
    fixture.add_client(other.client.clone()).await;
    let looked = fixture.attendance().list(other.client.id, meeting).await.expect("the store answers");
    assert_eq!(looked, None);
    let (foreign, _) = running(fixture, &other).await;
    assert_eq!(note(fixture, foreign, &ids, after(&other, 1)).await, Noted::Noted);
    let noted = notes(fixture, &other, foreign).await[0];
    assert_eq!((noted.present, noted.eligible), (People::default(), people(3, "34.5833")));
}

/// Of two checks at the same moment one writes a note, and notes are deleted with their meeting.
pub async fn notes_go_with_their_meeting(fixture: &dyn MeetingsFixture) {
    let scene = Scene::set(fixture).await;
    let (meeting, ids) = running(fixture, &scene).await;
    let now = after(&scene, 1);
    let store = fixture.attendance();
    let (one, other) = tokio::join!(store.note(meeting, ids.clone(), now), store.note(meeting, ids, now));
    assert!(one.is_ok() && other.is_ok());
    assert_eq!(notes(fixture, &scene, meeting).await.len(), 1);
    let ended_at = after(&scene, 2);
    let end = Box::new(move |meeting: &mut Meeting| meeting.end(ended_at));
    fixture.meetings().update(scene.client.id, meeting, None, end).await.expect("the meeting can be ended");
    fixture.meetings().remove(scene.client.id, meeting).await.expect("it can be removed");
    let looked = store.list(scene.client.id, meeting).await.expect("the store answers");
    assert_eq!(looked, None);
}
