//! Attendance at the opening and end of rounds.

use chrono::{DateTime, TimeDelta, Utc};
use diesel::connection::SimpleConnection;
use plenum_adapter_postgres::PostgresAttendance;
use plenum_kernel::{Clock, EndUserId};
use plenum_meetings::{AttendanceNote, AttendanceStore, MAX_ATTENDANCE_NOTES, Noted, People};
use plenum_voting::CastOutcome;
use plenum_voting::testkit::contract::Scene;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

fn people(heads: u64, weight: &str) -> People {
    People { heads, weight: weight.parse().expect("a weight") }
}

fn store(fixture: &PostgresVoting) -> PostgresAttendance {
    PostgresAttendance::new(fixture.database().db())
}

fn run(fixture: &PostgresVoting, statements: &str) {
    fixture.database().connection().batch_execute(statements).expect("the test server does it");
}

fn after(scene: &Scene, seconds: i64) -> DateTime<Utc> {
    scene.clock.now() + TimeDelta::seconds(seconds)
}

async fn note(fixture: &PostgresVoting, scene: &Scene, connected: &[EndUserId], seconds: i64) -> Noted {
    store(fixture).note(scene.meeting, connected.to_vec(), after(scene, seconds)).await.expect("the store answers")
}

async fn notes(fixture: &PostgresVoting, scene: &Scene) -> Vec<AttendanceNote> {
    store(fixture).list(scene.client, scene.meeting).await.expect("the store answers").expect("a meeting")
}

#[tokio::test]
async fn an_opening_and_an_end_are_noted_each_by_the_register_of_their_moment() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 3).await;
    let voters = &scene.voters;
    run(&fixture, "UPDATE end_users SET weight = 2.5");
    assert_eq!(note(&fixture, &scene, voters, 0).await, Noted::Noted);
    // A second after the last record, so it is recorded because of the event alone.
    scene.open(&fixture).await;
    run(&fixture, &format!("UPDATE end_users SET weight = 7, is_active = (id <> '{}')", voters[2]));
    assert_eq!(note(&fixture, &scene, voters, 1).await, Noted::Noted);
    assert_eq!(note(&fixture, &scene, &voters[..1], 2).await, Noted::NotYet);
    scene.clock.advance(TimeDelta::seconds(5));
    scene.end(&fixture).await;
    assert_eq!(note(&fixture, &scene, &voters[..1], 1).await, Noted::Noted);
    let noted: Vec<_> = notes(&fixture, &scene).await.iter().map(|note| (note.present, note.eligible)).collect();
    let expected =
        [(people(3, "7.5"), people(3, "7.5")), (people(3, "7.5"), people(3, "7.5")), (people(1, "7"), people(2, "14"))];
    assert_eq!(noted, expected);
}

#[tokio::test]
async fn a_round_that_is_opened_again_is_noted_by_its_log() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    assert_eq!(scene.cast(&fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    scene.end(&fixture).await;
    assert_eq!(note(&fixture, &scene, &scene.voters, 1).await, Noted::Noted);
    assert_eq!(note(&fixture, &scene, &scene.voters, 2).await, Noted::NotYet);
    scene.clock.advance(TimeDelta::seconds(2));
    assert_eq!(scene.open(&fixture).await, round);
    assert_eq!(note(&fixture, &scene, &scene.voters, 1).await, Noted::Noted);
}

#[tokio::test]
async fn an_event_is_noted_once_by_instances_whose_clocks_differ() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    // Opened by a clock that is a minute ahead of the recording one.
    scene.clock.advance(TimeDelta::seconds(60));
    scene.open(&fixture).await;
    assert_eq!(note(&fixture, &scene, &[], -60).await, Noted::Noted);
    assert_eq!(note(&fixture, &scene, &[], -1).await, Noted::NotYet);
    assert_eq!(note(&fixture, &scene, &[], 0).await, Noted::Unchanged);
    // Ended by a clock that is behind the recording one.
    assert_eq!(note(&fixture, &scene, &scene.voters, 30).await, Noted::Noted);
    scene.clock.advance(TimeDelta::seconds(5));
    scene.end(&fixture).await;
    assert_eq!(note(&fixture, &scene, &scene.voters, 0).await, Noted::Noted);
    assert_eq!(notes(&fixture, &scene).await.len(), 3);
}

#[tokio::test]
async fn a_record_of_the_previous_version_is_not_repeated() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    scene.open(&fixture).await;
    assert_eq!(note(&fixture, &scene, &[], 1).await, Noted::Noted);
    run(&fixture, "UPDATE attendance SET event_at = NULL");
    assert_eq!(note(&fixture, &scene, &[], 2).await, Noted::NotYet);
}

#[tokio::test]
async fn the_notes_of_a_meeting_are_bounded() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    run(
        &fixture,
        &format!(
            "INSERT INTO attendance SELECT '{}', '{}', '{}'::timestamptz - n * interval '1 minute', 1, 1, 1, 1 \
             FROM generate_series(1, {MAX_ATTENDANCE_NOTES}) AS n",
            scene.client,
            scene.meeting,
            scene.clock.now().to_rfc3339()
        ),
    );
    scene.open(&fixture).await;
    assert_eq!(note(&fixture, &scene, &[], 600).await, Noted::NotYet);
    assert_eq!(notes(&fixture, &scene).await.len() as u64, MAX_ATTENDANCE_NOTES);
}

#[tokio::test]
async fn a_note_does_not_wait_for_a_step_that_is_being_made() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let step = HeldTransaction::begin(
        fixture.database(),
        &format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting),
    );
    assert_eq!(note(&fixture, &scene, &[], 1).await, Noted::Busy);
    step.commit();
    assert_eq!(note(&fixture, &scene, &[], 1).await, Noted::Noted);
}

#[tokio::test]
async fn attendance_that_two_instances_see_is_recorded_once() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    scene.open(&fixture).await;
    // The first one has decided and counted, and is about to write.
    let window = HeldTransaction::begin(fixture.database(), "LOCK TABLE attendance IN SHARE ROW EXCLUSIVE MODE");
    let (store, meeting, now) = (store(&fixture), scene.meeting, after(&scene, 1));
    let first = tokio::spawn(async move { store.note(meeting, Vec::new(), now).await });
    window.until_blocking(&fixture, 1).await;
    assert_eq!(note(&fixture, &scene, &[], 2).await, Noted::Busy);
    window.commit();
    assert_eq!(first.await.expect("it ends").expect("the store answers"), Noted::Noted);
    // Its clock is ahead, or behind.
    for seconds in [2, 0] {
        assert_eq!(note(&fixture, &scene, &[], seconds).await, Noted::NotYet);
    }
    assert_eq!(notes(&fixture, &scene).await.len(), 1);
}
