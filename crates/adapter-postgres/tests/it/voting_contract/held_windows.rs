//! Races whose window the test holds open: a transaction has done its part and not yet committed.

use chrono::TimeDelta;
use plenum_kernel::{Clock, EndUserId, RoundId};
use plenum_meetings::{MeetingStatus, MeetingStore};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{Ballot, CastOutcome, LogKind, RoundStatus};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

pub(crate) type Answer = JoinHandle<CastOutcome>;

/// Starts to send a ballot.
pub(crate) fn hand_in(fixture: &PostgresVoting, ballot: Ballot) -> Answer {
    let ballot_box = fixture.ballot_box();
    tokio::spawn(async move { ballot_box.cast(ballot).await.expect("the box answers") })
}

/// Starts to end the round, as an organizer does.
fn end(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<()> {
    let (rounds, change) = (fixture.rounds(), scene.screen_change(None));
    tokio::spawn(async move { rounds.show(change).await.expect("the round ends") })
}

/// A transaction that has ended the round and not committed.
fn held_end(fixture: &PostgresVoting, round: RoundId) -> HeldTransaction {
    let end = format!("UPDATE rounds SET status = 'ENDED', ended_at = now() WHERE id = '{round}'");
    HeldTransaction::begin(fixture.database(), &end)
}

/// A ballot in progress: the round is locked, the vote and its count are written, and nothing is committed.
pub(crate) fn held_ballot(
    fixture: &PostgresVoting,
    scene: &Scene,
    round: RoundId,
    voter: EndUserId,
) -> HeldTransaction {
    let (ballot, option) = (scene.ballot(round, voter, scene.yes()), scene.wording.options[0].id);
    let write = format!(
        "SELECT FROM rounds WHERE id = '{round}' AND status = 'OPEN' FOR SHARE;
         INSERT INTO votes VALUES ('{}', '{round}', '{voter}', ARRAY['{option}'::uuid], NULL, NULL, now());
         INSERT INTO round_counters VALUES ('{round}', 32767, 1)
             ON CONFLICT ON CONSTRAINT round_counters_pkey DO UPDATE SET votes_cast = round_counters.votes_cast + 1;",
        ballot.vote_id
    );
    HeldTransaction::begin(fixture.database(), &write)
}

/// The number of votes in the ended round, which must agree with the counters.
async fn tally(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> u64 {
    let votes = scene.votes_of(fixture, round).await.len() as u64;
    assert_eq!(votes, scene.votes_cast(fixture, round).await);
    votes
}

#[tokio::test]
async fn a_ballot_that_meets_an_ender_waits_and_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let ender = held_end(&fixture, round);
    let answer = hand_in(&fixture, scene.ballot(round, scene.voters[0], scene.yes()));
    ender.until_blocking(&fixture, 1).await;
    assert!(!answer.is_finished());
    ender.commit();
    assert_eq!(answer.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(tally(&fixture, &scene, round).await, 0);
}

#[tokio::test]
async fn a_ballot_that_meets_an_ender_who_gives_up_is_counted() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let ender = held_end(&fixture, round);
    let answer = hand_in(&fixture, scene.ballot(round, scene.voters[0], scene.yes()));
    ender.until_blocking(&fixture, 1).await;
    ender.roll_back();
    assert_eq!(answer.await.unwrap(), CastOutcome::Counted);
}

#[tokio::test]
async fn a_ballot_that_meets_the_deletion_of_its_round_is_refused() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let deletion = format!("DELETE FROM rounds WHERE id = '{round}'");
    let deletion = HeldTransaction::begin(fixture.database(), &deletion);
    let answer = hand_in(&fixture, scene.ballot(round, scene.voters[0], scene.yes()));
    deletion.until_blocking(&fixture, 1).await;
    deletion.commit();
    assert_eq!(answer.await.unwrap(), CastOutcome::NotOpen);
}

/// PostgreSQL alone would let late ballots share the row's lock and pass the end, which would then wait as long as ballots
/// arrive.
#[tokio::test]
async fn an_ender_waits_for_the_ballot_that_is_being_written_and_later_ballots_wait_behind_the_ender() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let ender = end(&fixture, &scene);
    ballot.until_blocking(&fixture, 1).await;
    let late = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    ballot.until_blocking(&fixture, 2).await;
    assert!(!ender.is_finished() && !late.is_finished());
    ballot.commit();
    ender.await.unwrap();
    assert_eq!(late.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(tally(&fixture, &scene, round).await, 1);
}

#[tokio::test]
async fn the_end_of_the_meeting_waits_for_the_ballot_that_is_being_written() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    scene.clock.advance(TimeDelta::seconds(1));
    let (meetings, client, meeting, now) = (fixture.meetings(), scene.client, scene.meeting, scene.clock.now());
    let by = Some(scene.organizer);
    let ender = tokio::spawn(async move {
        meetings.update(client, meeting, by, Box::new(move |meeting| meeting.end(now))).await.unwrap()
    });
    ballot.until_blocking(&fixture, 1).await;
    assert!(!ender.is_finished());
    ballot.commit();
    assert_eq!(ender.await.unwrap().status, MeetingStatus::Completed);
    let found = fixture.results().find(client, meeting, round).await.unwrap().unwrap();
    assert_eq!((found.round.status, found.round.ended_at), (RoundStatus::Ended, Some(now)));
    let logged: Vec<_> = found.log.iter().map(|entry| (entry.kind, entry.by.as_deref())).collect();
    assert_eq!(logged, [(LogKind::Opened, Some("Anna Berg")), (LogKind::Ended, Some("Anna Berg"))]);
    assert_eq!(fixture.rounds().screen(client, meeting).await.unwrap().unwrap().question, None);
    assert_eq!(tally(&fixture, &scene, round).await, 1);
}

#[tokio::test]
async fn a_change_that_leaves_the_meeting_active_leaves_its_round_open() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let now = scene.clock.now();
    let changed = fixture
        .meetings()
        .update(scene.client, scene.meeting, None, Box::new(move |meeting| meeting.start(now, false)))
        .await;
    assert_eq!(changed.unwrap().status, MeetingStatus::Active);
    assert_eq!(scene.cast(&fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.unwrap().unwrap();
    assert_eq!(screen.question.unwrap().question_id, scene.question);
}

#[tokio::test]
async fn two_ballots_of_one_voter_on_two_connections_are_one_vote() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    let first = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let second = hand_in(&fixture, scene.ballot(round, scene.voters[0], scene.no()));
    first.until_blocking(&fixture, 1).await;
    first.commit();
    let CastOutcome::VotedBefore(before) = second.await.unwrap() else { panic!("the first vote stands") };
    assert_eq!(before.answer, scene.yes());
    assert_eq!(tally_of_open(&fixture, &scene, round).await, 1);
}

async fn tally_of_open(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> u64 {
    scene.end(fixture).await;
    tally(fixture, scene, round).await
}

#[tokio::test]
async fn an_ending_in_the_middle_of_a_crowd_counts_exactly_the_accepted_votes() {
    const CROWD: usize = 300;
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, CROWD + 1).await;
    let round = scene.open(&fixture).await;
    let (held, crowd) = scene.voters.split_first().unwrap();
    let (early, late) = crowd.split_at(CROWD / 2);
    let mut answers: Vec<Answer> =
        early.iter().map(|voter| hand_in(&fixture, scene.ballot(round, *voter, scene.yes()))).collect();
    let window = held_ballot(&fixture, &scene, round, *held);
    let ender = end(&fixture, &scene);
    window.until_blocking(&fixture, 1).await;
    // Some of the early ones may still be in the queue: they are either before or after the end.
    answers.extend(late.iter().map(|voter| hand_in(&fixture, scene.ballot(round, *voter, scene.no()))));
    window.until_blocking(&fixture, 2).await;
    window.commit();
    ender.await.unwrap();
    let mut accepted = 1;
    for (place, answer) in answers.into_iter().enumerate() {
        match answer.await.unwrap() {
            CastOutcome::Counted => accepted += 1,
            CastOutcome::NotOpen => {}
            other => panic!("{other:?} for ballot {place}"),
        }
    }
    assert!(accepted <= 1 + early.len() as u64, "who came while the ender waited is too late");
    assert_eq!(tally(&fixture, &scene, round).await, accepted);
    let counters = format!("SELECT sum(votes_cast)::bigint AS count FROM round_counters WHERE round_id = '{round}'");
    assert_eq!(fixture.count(&counters), accepted as i64);
    assert_eq!(fixture.count(&format!("SELECT count(*) FROM votes WHERE round_id = '{round}'")), accepted as i64);
}

/// Sets a closing time in the past for the scene's round.
async fn let_close(fixture: &PostgresVoting, scene: &Scene) {
    let set = fixture.rounds().set_closing(scene.client, scene.meeting, Some(scene.clock.now()), None).await;
    set.expect("a round is open");
}

/// Starts to end due rounds in the scene's meeting.
fn close(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<bool> {
    let (rounds, client, meeting, now) = (fixture.rounds(), scene.client, scene.meeting, scene.clock.now());
    tokio::spawn(async move { rounds.end_due(client, meeting, now).await.expect("the store answers") })
}

#[tokio::test]
async fn a_round_that_ends_by_itself_waits_for_the_ballot_that_is_being_written() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let_close(&fixture, &scene).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let closing = close(&fixture, &scene);
    ballot.until_blocking(&fixture, 1).await;
    let late = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    ballot.until_blocking(&fixture, 2).await;
    assert!(!closing.is_finished() && !late.is_finished());
    ballot.commit();
    assert!(closing.await.unwrap());
    assert_eq!(late.await.unwrap(), CastOutcome::NotOpen);
    assert_eq!(tally(&fixture, &scene, round).await, 1);
}

#[tokio::test]
async fn a_meeting_that_somebody_has_locked_is_passed_over_and_ended_the_next_time() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    scene.open(&fixture).await;
    let_close(&fixture, &scene).await;
    let organizer = format!("SELECT FROM meetings WHERE id = '{}' FOR UPDATE", scene.meeting);
    let organizer = HeldTransaction::begin(fixture.database(), &organizer);
    assert!(!close(&fixture, &scene).await.unwrap());
    organizer.roll_back();
    assert!(close(&fixture, &scene).await.unwrap());
}

#[tokio::test]
async fn a_countdown_is_set_behind_the_ballot_that_is_being_written_and_refuses_none() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    let ballot = held_ballot(&fixture, &scene, round, scene.voters[0]);
    let (rounds, client, meeting) = (fixture.rounds(), scene.client, scene.meeting);
    let closes_at = Some(scene.clock.now() + TimeDelta::minutes(1));
    let setting = tokio::spawn(async move { rounds.set_closing(client, meeting, closes_at, None).await });
    ballot.until_blocking(&fixture, 1).await;
    let later = hand_in(&fixture, scene.ballot(round, scene.voters[1], scene.yes()));
    // Behind the countdown: ballots without a pause must not block it.
    ballot.until_blocking(&fixture, 2).await;
    ballot.commit();
    setting.await.unwrap().unwrap();
    assert_eq!(later.await.unwrap(), CastOutcome::Counted);
    assert_eq!(tally_of_open(&fixture, &scene, round).await, 2);
}
