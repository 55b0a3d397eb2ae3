//! Counts and declarations that meet other transactions, in windows that the test holds open.

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use plenum_kernel::{RoundId, Step};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{
    Counting, LogKind, OpenRoundError, OpeningRule, ResultStep, ResultStepError, ResultStepRule, RoundStatus,
};
use tokio::task::JoinHandle;

use crate::voting_contract::fixture::PostgresVoting;
use crate::voting_contract::held_transaction::HeldTransaction;

/// A scene with an ended round with one vote.
async fn ended() -> (PostgresVoting, Scene, RoundId) {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(&fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    (fixture, scene, round)
}

async fn status(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> RoundStatus {
    scene.find(fixture, round).await.round.status
}

/// The number of log entries of this kind.
async fn logged(fixture: &PostgresVoting, scene: &Scene, round: RoundId, kind: LogKind) -> usize {
    let found = scene.find(fixture, round).await;
    found.log.iter().filter(|entry| entry.kind == kind).count()
}

type Declaration = JoinHandle<Result<bool, ResultStepError>>;

/// Starts the declaration; returns whether this call made it.
fn declare(fixture: &PostgresVoting, scene: &Scene, round: RoundId, seen: Option<Step>) -> Declaration {
    let (results, declaring) = (fixture.results(), ResultStep { seen, ..scene.result_step(round) });
    tokio::spawn(async move { results.declare(declaring).await.map(|question| question.is_some()) })
}

/// Starts the count of the round; returns whether this call counted it.
fn count(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> JoinHandle<Result<Counting, ResultStepError>> {
    let (results, counting) = (fixture.results(), scene.result_step(round));
    tokio::spawn(async move { results.mark_counted(counting).await })
}

/// An organizer who has counted the round and not committed.
fn held_count(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> HeldTransaction {
    let count = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         UPDATE rounds SET counted_at = now() WHERE id = '{round}';
         INSERT INTO round_log (id, round_id, logged_at, kind, done_by)
         VALUES (gen_random_uuid(), '{round}', now(), 'COUNTED', 'Ada Young')",
        scene.meeting
    );
    HeldTransaction::begin(fixture.database(), &count)
}

/// Starts the opening of the scene's question.
fn open(fixture: &PostgresVoting, scene: &Scene) -> JoinHandle<Result<(), OpenRoundError>> {
    let (rounds, opening) = (fixture.rounds(), scene.opening(scene.question));
    tokio::spawn(async move { rounds.open(opening).await })
}

/// An organizer who has reopened the round and not committed.
fn held_reopening(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> HeldTransaction {
    let reopen = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         UPDATE rounds SET status = 'OPEN', ended_at = NULL WHERE id = '{round}'",
        scene.meeting
    );
    HeldTransaction::begin(fixture.database(), &reopen)
}

/// An organizer who has declared the result and not committed.
fn held_declaration(fixture: &PostgresVoting, scene: &Scene, round: RoundId) -> HeldTransaction {
    let declare = format!(
        "UPDATE meetings SET step = step + 1 WHERE id = '{}';
         UPDATE rounds SET status = 'DECLARED', declared_at = now(), declared_by = 'Ada Young' WHERE id = '{round}'",
        scene.meeting
    );
    HeldTransaction::begin(fixture.database(), &declare)
}

#[tokio::test]
async fn the_second_of_two_concurrent_declarations_finds_it_declared() {
    let (fixture, scene, round) = ended().await;
    let seen = Some(scene.step(&fixture).await);
    let first = held_declaration(&fixture, &scene, round);
    let second = declare(&fixture, &scene, round, seen);
    first.until_blocking(&fixture, 1).await;
    assert!(!second.is_finished());
    first.commit();
    assert!(!second.await.unwrap().unwrap());
    let found = scene.find(&fixture, round).await.round;
    assert_eq!(found.declared.unwrap().by, "Ada Young");
    assert_eq!(Some(scene.step(&fixture).await), seen.map(Step::next));
}

#[tokio::test]
async fn a_second_declaration_succeeds_while_the_first_gives_up() {
    let (fixture, scene, round) = ended().await;
    let seen = Some(scene.step(&fixture).await);
    let first = held_declaration(&fixture, &scene, round);
    let second = declare(&fixture, &scene, round, seen);
    first.until_blocking(&fixture, 1).await;
    first.roll_back();
    assert!(second.await.unwrap().unwrap());
}

#[tokio::test]
async fn a_declaration_that_meets_a_reopening_is_refused() {
    for is_seen in [true, false] {
        let (fixture, scene, round) = ended().await;
        let seen = Some(scene.step(&fixture).await).filter(|_| is_seen);
        let reopening = held_reopening(&fixture, &scene, round);
        let declaration = declare(&fixture, &scene, round, seen);
        reopening.until_blocking(&fixture, 1).await;
        reopening.commit();
        let expected = if is_seen { ResultStepRule::StaleStep } else { ResultStepRule::StillOpen };
        let refused = declaration.await.unwrap();
        assert!(matches!(&refused, Err(ResultStepError::Rule(rule)) if *rule == expected), "{refused:?}");
        assert_eq!(status(&fixture, &scene, round).await, RoundStatus::Open);
    }
}

#[tokio::test]
async fn a_reopening_that_meets_a_declaration_is_refused() {
    let (fixture, scene, round) = ended().await;
    let declaration = held_declaration(&fixture, &scene, round);
    let reopening = open(&fixture, &scene);
    declaration.until_blocking(&fixture, 1).await;
    declaration.commit();
    let refused = reopening.await.unwrap();
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::AlreadyDeclared))), "{refused:?}");
    assert_eq!(status(&fixture, &scene, round).await, RoundStatus::Declared);
}

#[tokio::test]
async fn a_count_that_meets_a_reopening_is_refused() {
    let (fixture, scene, round) = ended().await;
    let reopening = held_reopening(&fixture, &scene, round);
    let counting = count(&fixture, &scene, round);
    reopening.until_blocking(&fixture, 1).await;
    assert!(!counting.is_finished());
    reopening.commit();
    let refused = counting.await.unwrap();
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StillOpen))), "{refused:?}");
    assert_eq!(logged(&fixture, &scene, round, LogKind::Counted).await, 0);
}

#[tokio::test]
async fn a_count_that_meets_a_reopening_that_gives_up_succeeds() {
    let (fixture, scene, round) = ended().await;
    let reopening = held_reopening(&fixture, &scene, round);
    let counting = count(&fixture, &scene, round);
    reopening.until_blocking(&fixture, 1).await;
    reopening.roll_back();
    assert_eq!(counting.await.unwrap().unwrap(), Counting::Counted);
    assert_eq!(logged(&fixture, &scene, round, LogKind::Counted).await, 1);
}

#[tokio::test]
async fn a_reopening_that_meets_a_count_is_refused() {
    let (fixture, scene, round) = ended().await;
    let counting = held_count(&fixture, &scene, round);
    let reopening = open(&fixture, &scene);
    counting.until_blocking(&fixture, 1).await;
    assert!(!reopening.is_finished());
    counting.commit();
    let refused = reopening.await.unwrap();
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::AlreadyCounted))), "{refused:?}");
    assert_eq!(status(&fixture, &scene, round).await, RoundStatus::Ended);
}

#[tokio::test]
async fn one_of_two_concurrent_counts_is_logged() {
    let (fixture, scene, round) = ended().await;
    let first = held_count(&fixture, &scene, round);
    let second = count(&fixture, &scene, round);
    first.until_blocking(&fixture, 1).await;
    first.commit();
    assert_eq!(second.await.unwrap().unwrap(), Counting::CountedBefore);
    assert_eq!(logged(&fixture, &scene, round, LogKind::Counted).await, 1);
}

#[tokio::test]
async fn the_database_refuses_to_reopen_a_counted_round() {
    let (fixture, scene, round) = ended().await;
    scene.count(&fixture, round).await;
    for change in ["status = 'OPEN', ended_at = NULL", "counted_at = NULL"] {
        let change = format!("UPDATE rounds SET {change} WHERE id = '{round}'");
        let refused = fixture.database().connection().batch_execute(&change).unwrap_err();
        assert!(refused.to_string().contains("never reopens"), "{change}: {refused}");
    }
}

#[tokio::test]
async fn an_opening_without_its_quorum_lets_the_ballots_of_the_running_round_go_on() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let other = scene.add_question(&fixture, 2, scene_wording(&scene)).await;
    let running = scene.open_question(&fixture, other).await;
    let bar = format!(
        "UPDATE meetings SET quorum = '{{\"comparison\": \"at_least\", \"numerator\": 1, \"denominator\": 1, \
                                         \"unit\": \"heads\", \"attendance\": \"present\"}}', \
                             quorum_at_opening = 'BAR' WHERE id = '{}'",
        scene.meeting
    );
    HeldTransaction::begin(fixture.database(), &bar).commit();
    // The ballot in progress would hold up an opening that is about to end its round.
    let ballot = crate::voting_contract::held_windows::held_ballot(&fixture, &scene, running, scene.voters[0]);
    let refused = open(&fixture, &scene).await.unwrap();
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::QuorumMissed(_)))), "{refused:?}");
    ballot.commit();
    assert_eq!(status(&fixture, &scene, running).await, RoundStatus::Open);
}

fn scene_wording(scene: &Scene) -> plenum_voting::Wording {
    plenum_voting::Wording {
        options: Vec::new(),
        question_type: plenum_kernel::QuestionType::OpenText,
        ..scene.wording.clone()
    }
}

#[tokio::test]
async fn a_record_holds_attendance_and_remarks_of_its_own_meeting() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, other) = (Scene::with_voters(&fixture, 1).await, Scene::with_voters(&fixture, 1).await);
    for scene in [&scene, &other] {
        let (client, meeting) = (scene.client, scene.meeting);
        let rows = format!(
            "INSERT INTO attendance VALUES ('{client}', '{meeting}', '2026-11-21 18:05Z', 1, 1.5, 4, 6),
                                           ('{client}', '{meeting}', '2026-11-21 18:00Z', 2, 3.0, 4, 6);
             INSERT INTO remarks VALUES
                 (gen_random_uuid(), '{client}', '{meeting}', 'INCIDENT', 'No light.', '2026-11-21 18:09Z', 'Ada Young'),
                 (gen_random_uuid(), '{client}', '{meeting}', 'REMARK', 'A guest speaks.', '2026-11-21 18:01Z', 'Ada Young');
             UPDATE meetings SET quorum_at_opening = 'WARN',
                 quorum = '{{\"comparison\": \"at_least\", \"numerator\": 1, \"denominator\": 2, \"unit\": \"heads\", \
                             \"attendance\": \"present\"}}' WHERE id = '{meeting}'"
        );
        HeldTransaction::begin(fixture.database(), &rows).commit();
    }
    let records = fixture.records();
    let record = records.record(scene.client, scene.meeting).await.unwrap().unwrap();
    assert_eq!((record.title.as_str(), record.organization.as_str()), ("General assembly", "Rowing club"));
    assert_eq!(record.status, "ACTIVE");
    let present: Vec<_> = record
        .attendance
        .iter()
        .map(|noted| (noted.present.heads, noted.eligible.weight.to_string(), record.is_quorate(noted)))
        .collect();
    assert_eq!(present, [(2, "6".to_owned(), Some(true)), (1, "6".to_owned(), Some(false))]);
    // Notes that keep a quorum, or none, are not measured by that of the meeting. JSON's null is none.
    let kept = format!(
        "UPDATE attendance SET quorum = '{{\"minimum\": 1, \"unit\": \"heads\", \"attendance\": \"present\"}}'
             WHERE present_heads = 1 AND meeting_id = '{0}';
         UPDATE attendance SET quorum = 'null' WHERE present_heads = 2 AND meeting_id = '{0}'",
        scene.meeting
    );
    HeldTransaction::begin(fixture.database(), &kept).commit();
    let of_kept = records.record(scene.client, scene.meeting).await.unwrap().unwrap();
    let met: Vec<_> = of_kept.attendance.iter().map(|noted| of_kept.is_quorate(noted)).collect();
    assert_eq!(met, [None, Some(true)]);
    let remarks: Vec<_> = record.remarks.iter().map(|noted| (noted.text.as_str(), noted.is_incident)).collect();
    assert_eq!(remarks, [("A guest speaks.", false), ("No light.", true)]);
    assert_eq!(records.record(other.client, scene.meeting).await.unwrap(), None);
}
