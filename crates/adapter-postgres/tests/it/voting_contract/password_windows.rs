//! Somebody sets a voter's password while a question opens or ends, or a meeting starts. Each test holds the window open.

use plenum_adapter_postgres::PostgresEndUsers;
use plenum_clients::{
    ChangeEndUserError, EndUser, EndUserChanges, EndUserStore as _, EndUserUpdate, PasswordHash, SetPassword,
};
use plenum_kernel::{Clock, EndUserId, PasswordReason, PasswordSetter, RoundId};
use plenum_meetings::MeetingStore as _;
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{LogKind, ScreenChange};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

type Setting = JoinHandle<Result<EndUser, ChangeEndUserError>>;

/// Starts to set a password.
fn set(fixture: &PostgresVoting, scene: &Scene, voter: EndUserId, reason: Option<&str>) -> Setting {
    let (end_users, client, now) = (PostgresEndUsers::new(fixture.database().db()), scene.client, scene.clock.now());
    let reason = reason.map(|reason| PasswordReason::from_stored(reason.to_owned()));
    let update = EndUserUpdate {
        id: voter,
        changes: EndUserChanges::default(),
        password: Some(SetPassword {
            hash: PasswordHash::new("new".to_owned()),
            setter: PasswordSetter { by: scene.organizer, reason },
        }),
    };
    tokio::spawn(async move { end_users.update(client, update, now).await })
}

/// Lets the setting of passwords proceed to the end users, and no further.
fn hold_people(fixture: &PostgresVoting) -> HeldTransaction {
    HeldTransaction::begin(fixture.database(), "SELECT FROM end_users FOR UPDATE")
}

async fn kinds(fixture: &PostgresVoting, round: RoundId) -> Vec<LogKind> {
    fixture.log_of(round).await.into_iter().map(|entry| entry.kind).collect()
}

#[tokio::test]
async fn a_password_waits_for_the_opening_and_needs_a_reason() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    scene.end(&fixture).await;
    let reopen = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         UPDATE rounds SET status = 'OPEN', ended_at = NULL WHERE id = '{round}'",
        scene.meeting
    );
    let opening = HeldTransaction::begin(fixture.database(), &reopen);
    let setting = set(&fixture, &scene, scene.voters[0], None);
    opening.until_blocking(&fixture, 1).await;
    opening.commit();
    let refused = setting.await.unwrap();
    assert!(matches!(refused, Err(ChangeEndUserError::ReasonNeeded(_))), "{refused:?}");
    assert_eq!(fixture.count("SELECT count(*) FROM end_users WHERE password_hash = 'new'"), 0);
}

#[tokio::test]
async fn the_end_waits_for_a_password_that_is_logged_before_it() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let window = hold_people(&fixture);
    let settings = [0, 1].map(|voter| set(&fixture, &scene, scene.voters[voter], Some("Lost the letter")));
    window.until_blocking(&fixture, 2).await;
    let (rounds, change) = (fixture.rounds(), scene.screen_change(None));
    let ending = tokio::spawn(async move { rounds.show(ScreenChange { ..change }).await });
    window.until_blocking(&fixture, 3).await;
    assert!(!ending.is_finished());
    window.commit();
    for setting in settings {
        setting.await.unwrap().unwrap();
    }
    ending.await.unwrap().unwrap();
    let expected = [LogKind::Opened, LogKind::PasswordSet, LogKind::PasswordSet, LogKind::Ended];
    assert_eq!(kinds(&fixture, round).await, expected);
}

#[tokio::test]
async fn an_opening_waits_for_a_password_that_needs_no_reason_and_no_entry() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let window = hold_people(&fixture);
    let setting = set(&fixture, &scene, scene.voters[0], None);
    window.until_blocking(&fixture, 1).await;
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    let round = opening.new_round;
    let opening = tokio::spawn(async move { rounds.open(opening).await });
    window.until_blocking(&fixture, 2).await;
    assert!(!opening.is_finished());
    window.commit();
    setting.await.unwrap().unwrap();
    opening.await.unwrap().unwrap();
    assert_eq!(kinds(&fixture, round).await, [LogKind::Opened]);
}

/// Otherwise a meeting could start, and a question open, between the look at the running meetings and the new password.
#[tokio::test]
async fn the_start_of_a_meeting_waits_for_a_password() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    fixture.set_meeting_active(scene.meeting, false).await;
    let window = hold_people(&fixture);
    let setting = set(&fixture, &scene, scene.voters[0], None);
    window.until_blocking(&fixture, 1).await;
    let (meetings, client, meeting, now) = (fixture.meetings(), scene.client, scene.meeting, scene.clock.now());
    let start = Box::new(move |meeting: &mut plenum_meetings::Meeting| meeting.start(now, true));
    let starting = tokio::spawn(async move { meetings.update(client, meeting, None, start).await });
    window.until_blocking(&fixture, 2).await;
    assert!(!starting.is_finished());
    window.commit();
    setting.await.unwrap().unwrap();
    starting.await.unwrap().unwrap();
}
