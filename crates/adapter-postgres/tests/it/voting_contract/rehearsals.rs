//! A rehearsal and an open round never coexist, and neither waits for many answers.

use chrono::TimeDelta;
use plenum_adapter_postgres::PostgresRehearsals;
use plenum_kernel::{Clock, EndUserId, PageRequest, PortFailure, RehearsalId};
use plenum_meetings::live::LiveSource;
use plenum_meetings::{
    NewRehearsal, Rehearsal, RehearsalAnswer, RehearsalFilter, RehearsalRule, RehearsalStatus, RehearsalStep,
    RehearsalStore, StartRehearsalError,
};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{CastOutcome, OpenRoundError};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

fn store(fixture: &PostgresVoting) -> PostgresRehearsals {
    PostgresRehearsals::new(fixture.database().db())
}

/// Starts a rehearsal in the background.
fn start(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<Result<Rehearsal, StartRehearsalError>> {
    let new = NewRehearsal {
        id: RehearsalId::new(&scene.ids),
        client_id: scene.client,
        meeting_id: scene.meeting,
        at: scene.clock.now(),
        by: scene.organizer,
    };
    let rehearsals = store(fixture);
    tokio::spawn(async move { rehearsals.start(new).await })
}

/// Starts the opening of the scene's question.
fn open(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<Result<(), OpenRoundError>> {
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    tokio::spawn(async move { rounds.open(opening).await })
}

/// Starts a voter's answer.
fn tap(
    fixture: &PostgresVoting,
    scene: &Scene,
    rehearsal: &Rehearsal,
    voter: EndUserId,
) -> JoinHandle<Result<bool, PortFailure>> {
    let answer = RehearsalAnswer {
        client_id: scene.client,
        meeting_id: scene.meeting,
        rehearsal_id: rehearsal.id,
        voter,
        step: RehearsalStep::Answered,
        can_seal: None,
        at: scene.clock.now(),
    };
    let rehearsals = store(fixture);
    tokio::spawn(async move { rehearsals.answer(answer).await })
}

/// The last rehearsal, and the number of its answers.
async fn seen(fixture: &PostgresVoting, scene: &Scene) -> (Rehearsal, u64) {
    let filter = RehearsalFilter {
        search: None,
        statuses: &RehearsalStatus::ALL,
        can_seal: None,
        page: PageRequest { page: 1, page_size: 1 },
    };
    let report = store(fixture).report(scene.client, scene.meeting, Vec::new(), &filter).await;
    let report = report.expect("the store answers").expect("the meeting is there");
    (report.rehearsal.expect("there is one"), report.counts.answered)
}

fn hold_meeting(fixture: &PostgresVoting, scene: &Scene) -> HeldTransaction {
    let lock = format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting);
    HeldTransaction::begin(fixture.database(), &lock)
}

#[tokio::test]
async fn whichever_way_a_round_is_opened_the_rehearsal_ends() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    for way in ["opened", "opened again", "voted on once more"] {
        start(&fixture, &scene).await.unwrap().unwrap();
        scene.clock.advance(TimeDelta::seconds(1));
        if way == "voted on once more" {
            scene.revote(&fixture, scene.question).await.unwrap();
        } else {
            let round = scene.open(&fixture).await;
            let cast = scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
            assert!(matches!(cast, CastOutcome::Counted | CastOutcome::VotedBefore(_)), "{cast:?}");
        }
        let (rehearsal, _) = seen(&fixture, &scene).await;
        assert!(rehearsal.ended_at.is_some_and(|ended_at| ended_at > rehearsal.started_at), "{way}");
        let refused = start(&fixture, &scene).await.unwrap();
        assert!(matches!(refused, Err(StartRehearsalError::Rule(RehearsalRule::RoundOpen))), "{way}: {refused:?}");
        scene.end(&fixture).await;
    }
}

#[tokio::test]
async fn an_opening_that_is_refused_ends_no_rehearsal() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    scene.end(&fixture).await;
    fixture.declare(round).await;
    start(&fixture, &scene).await.unwrap().unwrap();
    assert!(matches!(open(&fixture, &scene).await.unwrap(), Err(OpenRoundError::Rule(_))));
    assert!(seen(&fixture, &scene).await.0.is_running());
}

#[tokio::test]
async fn a_rehearsal_that_came_first_is_ended_by_the_opening_that_waited() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let held = hold_meeting(&fixture, &scene);
    let starting = start(&fixture, &scene);
    held.until_blocking(&fixture, 1).await;
    let opening = open(&fixture, &scene);
    held.until_blocking(&fixture, 2).await;
    assert!(!starting.is_finished() && !opening.is_finished());
    held.commit();
    starting.await.unwrap().unwrap();
    opening.await.unwrap().unwrap();
    assert!(!seen(&fixture, &scene).await.0.is_running());
}

#[tokio::test]
async fn a_rehearsal_that_waited_for_an_opening_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let held = hold_meeting(&fixture, &scene);
    let opening = open(&fixture, &scene);
    held.until_blocking(&fixture, 1).await;
    let starting = start(&fixture, &scene);
    held.until_blocking(&fixture, 2).await;
    assert!(!starting.is_finished() && !opening.is_finished());
    held.commit();
    opening.await.unwrap().unwrap();
    let refused = starting.await.unwrap();
    assert!(matches!(refused, Err(StartRehearsalError::Rule(RehearsalRule::RoundOpen))), "{refused:?}");
    assert_eq!(fixture.count("SELECT count(*) FROM rehearsals"), 0);
}

/// Five hundred answer in the same second.
#[tokio::test]
async fn an_opening_waits_for_no_answer_and_no_answer_for_an_opening() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let rehearsal = start(&fixture, &scene).await.unwrap().unwrap();
    let organizer = hold_meeting(&fixture, &scene);
    assert!(tap(&fixture, &scene, &rehearsal, scene.voters[0]).await.unwrap().unwrap(), "the meeting is locked");
    organizer.roll_back();

    let answer = format!(
        "SELECT FROM rehearsals WHERE id = '{id}' FOR KEY SHARE;
         INSERT INTO rehearsal_answers VALUES ('{id}', '{}', now(), now())",
        scene.voters[1],
        id = rehearsal.id,
    );
    let answer = HeldTransaction::begin(fixture.database(), &answer);
    open(&fixture, &scene).await.unwrap().unwrap();
    assert!(!seen(&fixture, &scene).await.0.is_running());
    answer.commit();
    assert_eq!(seen(&fixture, &scene).await.1, 2, "it was in time");
    assert!(!tap(&fixture, &scene, &rehearsal, scene.voters[1]).await.unwrap().unwrap(), "it is over");
}

#[tokio::test]
async fn an_answer_to_a_rehearsal_that_is_being_discarded_is_not_noted() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let rehearsal = start(&fixture, &scene).await.unwrap().unwrap();
    let discarding = HeldTransaction::begin(fixture.database(), "DELETE FROM rehearsals");
    let answer = tap(&fixture, &scene, &rehearsal, scene.voters[0]);
    discarding.until_blocking(&fixture, 1).await;
    discarding.commit();
    assert!(!answer.await.unwrap().unwrap());
}

#[tokio::test]
async fn the_picture_shows_a_rehearsal_while_it_runs() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let shown = async || {
        let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
        facts.rehearsal.map(|rehearsal| (rehearsal.id, rehearsal.started_at))
    };
    assert_eq!(shown().await, None);
    let rehearsal = start(&fixture, &scene).await.unwrap().unwrap();
    assert_eq!(shown().await, Some((rehearsal.id, rehearsal.started_at)));
    scene.open(&fixture).await;
    assert_eq!(shown().await, None);
}

/// In another order of locks this would be a deadlock.
#[tokio::test]
async fn an_answer_waits_for_the_removal_of_its_client_without_being_in_its_way() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let rehearsal = start(&fixture, &scene).await.unwrap().unwrap();
    let end_users = format!("DELETE FROM end_users WHERE client_id = '{}'", scene.client);
    let mut removal = HeldTransaction::begin(fixture.database(), &end_users);
    let answer = tap(&fixture, &scene, &rehearsal, scene.voters[0]);
    removal.until_blocking(&fixture, 1).await;
    removal.run(&format!("DELETE FROM clients WHERE id = '{}'", scene.client));
    removal.commit();
    assert!(!answer.await.unwrap().unwrap(), "there is nobody to note it for");
}
