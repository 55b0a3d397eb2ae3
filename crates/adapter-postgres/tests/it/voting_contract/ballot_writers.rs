//! The queue and the threads of the ballot box.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use plenum_adapter_postgres::{BallotBoxSettings, Db, DbSettings, PostgresBallotBox};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{BallotBox, CastOutcome};
use tokio::time::timeout;

use crate::voting_contract::fixture::{PostgresVoting, start_box};
use crate::voting_contract::held_transaction::HeldTransaction;
use crate::voting_contract::queries::{count, ids};

/// Four writers that never wait for one another.
fn in_small_batches() -> BallotBoxSettings {
    BallotBoxSettings { writers: 4, batch: 7, patience: Duration::ZERO, ..BallotBoxSettings::default() }
}

mod in_small_batches_of_four_writers_after_preparations {
    use super::*;

    plenum_voting::voting_contract!(PostgresVoting::with(in_small_batches()).await.with_prepared_registers());
}

/// Locks the round, so that nothing can be written.
fn hold(fixture: &PostgresVoting, scene: &Scene) -> HeldTransaction {
    let lock = format!("SELECT FROM rounds WHERE meeting_id = '{}' FOR UPDATE", scene.meeting);
    HeldTransaction::begin(fixture.database(), &lock)
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let fixture =
        PostgresVoting::with(BallotBoxSettings { queue: 2, writers: 1, ..BallotBoxSettings::default() }).await;
    let scene = Scene::with_voters(&fixture, 4).await;
    let round = scene.open(&fixture).await;
    let window = hold(&fixture, &scene);
    let hand_in = |voter: usize| {
        let (ballot_box, ballot) = (fixture.ballot_box(), scene.ballot(round, scene.voters[voter], scene.yes()));
        tokio::spawn(async move { ballot_box.cast(ballot).await })
    };
    let first = hand_in(0);
    window.until_blocking(&fixture, 1).await;
    let waiting = [hand_in(1), hand_in(2)];
    tokio::task::yield_now().await;
    let refused = hand_in(3).await.unwrap().unwrap_err();
    assert_eq!(refused.to_string(), "the ballot queue is unavailable");
    window.commit();
    for answer in [first].into_iter().chain(waiting) {
        assert_eq!(answer.await.unwrap().unwrap(), CastOutcome::Counted);
    }
    assert_eq!(scene.cast(&fixture, round, scene.voters[3], scene.yes()).await, CastOutcome::Counted);
}

#[tokio::test]
async fn a_round_that_cannot_be_written_holds_up_no_ballot_of_another() {
    let fixture = PostgresVoting::fresh().await;
    let (held, other) = (Scene::with_voters(&fixture, 1).await, Scene::with_voters(&fixture, 3).await);
    let (held_round, other_round) = (held.open(&fixture).await, other.open(&fixture).await);
    let window = hold(&fixture, &held);
    let (ballot_box, ballot) = (fixture.ballot_box(), held.ballot(held_round, held.voters[0], held.yes()));
    let waiting = tokio::spawn(async move { ballot_box.cast(ballot).await });
    window.until_blocking(&fixture, 1).await;
    for voter in &other.voters {
        let cast = timeout(Duration::from_secs(30), other.cast(&fixture, other_round, *voter, other.yes()));
        assert_eq!(cast.await.expect("another writer takes the ballot"), CastOutcome::Counted);
    }
    assert!(!waiting.is_finished());
    window.commit();
    assert_eq!(waiting.await.unwrap().unwrap(), CastOutcome::Counted);
}

#[tokio::test]
async fn a_ballot_whose_voter_went_away_is_still_written_when_the_box_is_dropped() {
    let fixture = PostgresVoting::with(BallotBoxSettings { writers: 1, ..BallotBoxSettings::default() }).await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let window = hold(&fixture, &scene);
    for voter in &scene.voters {
        let (ballot_box, ballot) = (fixture.ballot_box(), scene.ballot(round, *voter, scene.yes()));
        let answer = tokio::spawn(async move { ballot_box.cast(ballot).await });
        window.until_blocking(&fixture, 1).await;
        tokio::task::yield_now().await;
        answer.abort();
        assert!(answer.await.unwrap_err().is_cancelled());
    }
    let (ballot_box, database) = fixture.into_parts();
    let ballot_box = Arc::into_inner(ballot_box).expect("nobody else has the box");
    let dropping = std::thread::spawn(move || drop(ballot_box));
    window.commit();
    dropping.join().unwrap();
    // No wait: when the box is dropped, its writers have finished.
    assert_eq!(count(&mut database.connection(), "SELECT count(*) FROM votes"), 2);
}

#[tokio::test]
async fn a_lost_connection_fails_the_ballot_and_is_made_anew() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let window = hold(&fixture, &scene);
    let (ballot_box, ballot) = (fixture.ballot_box(), scene.ballot(round, scene.voters[0], scene.yes()));
    let repeat = ballot.clone();
    let answer = tokio::spawn(async move { ballot_box.cast(ballot).await });
    window.until_blocking(&fixture, 1).await;
    window.terminate_waiting(&fixture);
    assert_eq!(answer.await.unwrap().unwrap_err().to_string(), "the ballot box is unavailable");
    window.commit();
    let answer = fixture.ballot_box().cast(repeat).await.unwrap();
    assert_eq!(answer, CastOutcome::Counted);
    assert_eq!(scene.cast(&fixture, round, scene.voters[1], scene.yes()).await, CastOutcome::Counted);
    assert_eq!(scene.votes_cast(&fixture, round).await, 2);
}

#[tokio::test]
async fn a_connection_that_died_while_it_lay_idle_costs_no_ballot() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let url = format!("{}&application_name=idle_writer", fixture.database().url());
    let settings = BallotBoxSettings { writers: 1, ..BallotBoxSettings::default() };
    let ballot_box = PostgresBallotBox::start(fixture.database().db(), &DbSettings::new(url), settings).unwrap();
    for voter in &scene.voters {
        assert_eq!(ballot_box.cast(scene.ballot(round, *voter, scene.yes())).await.unwrap(), CastOutcome::Counted);
        let ended = "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 30000)) FROM pg_stat_activity
                     WHERE application_name = 'idle_writer'";
        assert_eq!(fixture.count(ended), 1);
    }
    assert_eq!(scene.votes_cast(&fixture, round).await, 2);
}

#[tokio::test]
async fn a_database_that_is_down_refuses_ballots_soon() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let nowhere = DbSettings::new("postgresql://nobody@127.0.0.1:1/nothing");
    let ballot_box =
        PostgresBallotBox::start(Db::new(&nowhere).unwrap(), &nowhere, BallotBoxSettings::default()).unwrap();
    let started = Instant::now();
    let refused = ballot_box.cast(scene.ballot(round, scene.voters[0], scene.yes())).await.unwrap_err();
    assert_eq!(refused.to_string(), "the ballot box is unavailable");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_ballot_that_the_database_cannot_store_fails_and_the_next_is_counted() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let broken = plenum_voting::Answer::Text("\0".to_owned());
    let refused = fixture.ballot_box().cast(scene.ballot(round, scene.voters[0], broken)).await.unwrap_err();
    assert_eq!(refused.to_string(), "the ballot box is unavailable");
    for voter in &scene.voters {
        assert_eq!(scene.cast(&fixture, round, *voter, scene.yes()).await, CastOutcome::Counted);
    }
}

#[tokio::test]
async fn two_boxes_on_one_database_count_together() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 100).await;
    let round = scene.open(&fixture).await;
    let other: Arc<dyn BallotBox> = Arc::new(start_box(fixture.database(), in_small_batches()));
    let boxes = [fixture.ballot_box(), other];
    let tasks: Vec<_> = scene
        .voters
        .iter()
        .flat_map(|voter| boxes.iter().map(|ballot_box| (Arc::clone(ballot_box), *voter)))
        .map(|(ballot_box, voter)| {
            let ballot = scene.ballot(round, voter, scene.yes());
            tokio::spawn(async move { ballot_box.cast(ballot).await.unwrap() })
        })
        .collect();
    let mut counted = 0;
    for task in tasks {
        counted += u64::from(task.await.unwrap() == CastOutcome::Counted);
    }
    assert_eq!((counted, scene.votes_cast(&fixture, round).await), (100, 100));
}

#[tokio::test]
async fn the_crowd_of_a_full_hall_votes_in_a_moment() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let mut conn = fixture.database().connection();
    conn.batch_execute(&format!(
        "INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
         SELECT gen_random_uuid(), '{}', 'crowd-' || number, 'Crowd', 1, true, 'hash', now()
         FROM generate_series(1, 4000) AS number",
        scene.client
    ))
    .unwrap();
    let round = scene.open(&fixture).await;
    let voters = ids(&mut conn, "SELECT end_user_id AS id FROM register");
    let started = Instant::now();
    let tasks: Vec<_> = voters
        .into_iter()
        .map(|voter| {
            let ballot = scene.ballot(round, plenum_kernel::EndUserId::from_uuid(voter), scene.yes());
            let ballot_box = fixture.ballot_box();
            tokio::spawn(async move { ballot_box.cast(ballot).await.unwrap() })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), CastOutcome::Counted);
    }
    let elapsed = started.elapsed();
    println!("4,001 ballots in {elapsed:?}: {:.0} ballots/s", 4_001.0 / elapsed.as_secs_f64());
    assert_eq!(scene.votes_cast(&fixture, round).await, 4_001);
}
