//! The data of the quorum meter: the current quorum, and the people who may vote.

use std::collections::HashMap;

use diesel::connection::SimpleConnection;
use plenum_kernel::{AtOpening, Attendance, EndUserId, Minimum, Quorum, Threshold, Unit};
use plenum_meetings::People;
use plenum_meetings::live::{LiveFacts, LiveQuorum, LiveSource};
use plenum_voting::CastOutcome;
use plenum_voting::testkit::contract::{Scene, VotingFixture};

use crate::voting_contract::fixture::PostgresVoting;

const HALF: &str = r#"{"comparison":"at_least","numerator":1,"denominator":2,"unit":"heads","attendance":"present"}"#;
const VOTES: &str = r#"{"comparison":"more_than","numerator":1,"denominator":2,"unit":"weight","attendance":"voted"}"#;

fn half(unit: Unit, attendance: Attendance) -> Quorum {
    let threshold = match attendance {
        Attendance::Present => Threshold::AT_LEAST_HALF,
        Attendance::Voted => Threshold::MORE_THAN_HALF,
    };
    Quorum { minimum: Minimum::Share(threshold), unit, attendance }
}

fn people(heads: u64, weight: &str) -> People {
    People { heads, weight: weight.parse().expect("a weight") }
}

fn run(fixture: &PostgresVoting, statements: &str) {
    fixture.database().connection().batch_execute(statements).expect("the test server does it");
}

/// The snapshot, which is the same with and without the weights of the people who may vote.
async fn snapshot(fixture: &PostgresVoting, scene: &Scene) -> (LiveFacts, HashMap<EndUserId, String>) {
    let (facts, weights) =
        fixture.live().load_with_weights(scene.meeting).await.expect("the store answers").expect("a snapshot");
    assert_eq!(fixture.live().load(scene.meeting).await.expect("the store answers").expect("a snapshot"), facts);
    let weights = weights.into_iter().map(|(voter, weight)| (voter, weight.normalize().to_string())).collect();
    (facts, weights)
}

async fn quorum(fixture: &PostgresVoting, scene: &Scene) -> LiveQuorum {
    snapshot(fixture, scene).await.0.quorum.expect("there is a quorum")
}

/// A meeting of voters with the weights 1, 0.25 and 33.3333, with a quorum of half of the heads.
async fn meeting_with_quorum(fixture: &PostgresVoting) -> Scene {
    let scene = Scene::with_voters(fixture, 3).await;
    run(
        fixture,
        &format!(
            "UPDATE end_users SET weight = 1 WHERE id = '{}'; UPDATE end_users SET weight = 0.25 WHERE id = '{}';
             UPDATE end_users SET weight = 33.3333 WHERE id = '{}';
             UPDATE meetings SET quorum = '{HALF}', quorum_at_opening = 'BAR' WHERE id = '{}';",
            scene.voters[0], scene.voters[1], scene.voters[2], scene.meeting
        ),
    );
    scene
}

#[tokio::test]
async fn without_a_quorum_nobody_is_asked_for() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 3).await;
    let (facts, weights) = snapshot(&fixture, &scene).await;
    assert_eq!((facts.quorum, weights.len()), (None, 0));
}

#[tokio::test]
async fn before_an_opening_the_future_register_counts() {
    let fixture = PostgresVoting::fresh().await;
    let scene = meeting_with_quorum(&fixture).await;
    let expected = LiveQuorum {
        quorum: half(Unit::Heads, Attendance::Present),
        at_opening: Some(AtOpening::Bar),
        eligible: people(3, "34.5833"),
        weight_kind: None,
    };
    let (facts, weights) = snapshot(&fixture, &scene).await;
    assert_eq!(facts.quorum, Some(expected));
    let [ada, ben, clara] = [0, 1, 2].map(|place| scene.voters[place]);
    let all = [(ada, "1"), (ben, "0.25"), (clara, "33.3333")].map(|(voter, weight)| (voter, weight.to_owned()));
    assert_eq!(weights, HashMap::from(all));

    run(&fixture, &format!("UPDATE end_users SET is_active = false WHERE id = '{clara}'"));
    assert_eq!(quorum(&fixture, &scene).await.eligible, people(2, "1.25"));
    let listed = format!(
        "UPDATE meetings SET has_participant_list = true WHERE id = '{meeting}';
         INSERT INTO participants VALUES ('{client}', '{meeting}', '{ada}'), ('{client}', '{meeting}', '{clara}')",
        meeting = scene.meeting,
        client = scene.client,
    );
    run(&fixture, &listed);
    assert_eq!(quorum(&fixture, &scene).await.eligible, people(1, "1"));
}

#[tokio::test]
async fn an_excluded_person_does_not_count() {
    let fixture = PostgresVoting::fresh().await;
    let scene = meeting_with_quorum(&fixture).await;
    let excluded = format!(
        "INSERT INTO exclusions VALUES ('{}', '{}', 'Her own contract', now(), 'Maria Keller')",
        scene.question, scene.voters[2]
    );
    run(&fixture, &excluded);
    assert_eq!(quorum(&fixture, &scene).await.eligible, people(3, "34.5833"));
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    let (facts, weights) = snapshot(&fixture, &scene).await;
    assert_eq!(facts.quorum.unwrap().eligible, people(2, "1.25"));
    assert!(!weights.contains_key(&scene.voters[2]));
}

#[tokio::test]
async fn the_quorum_of_the_question_on_the_screen_comes_before_the_meetings() {
    let fixture = PostgresVoting::fresh().await;
    let scene = meeting_with_quorum(&fixture).await;
    run(&fixture, &format!("UPDATE questions SET quorum = '{VOTES}' WHERE id = '{}'", scene.question));
    assert_eq!(quorum(&fixture, &scene).await.quorum, half(Unit::Heads, Attendance::Present));
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    let shown = quorum(&fixture, &scene).await;
    assert_eq!((shown.quorum, shown.at_opening), (half(Unit::Weight, Attendance::Voted), Some(AtOpening::Bar)));

    run(
        &fixture,
        &format!("UPDATE meetings SET quorum = NULL, quorum_at_opening = NULL WHERE id = '{}'", scene.meeting),
    );
    let own = quorum(&fixture, &scene).await;
    assert_eq!((own.quorum, own.at_opening), (half(Unit::Weight, Attendance::Voted), None));
}

#[tokio::test]
async fn while_a_question_is_open_its_register_and_its_frozen_quorum_count() {
    let fixture = PostgresVoting::fresh().await;
    let scene = meeting_with_quorum(&fixture).await;
    run(&fixture, &format!("UPDATE meetings SET quorum_at_opening = 'WARN' WHERE id = '{}'", scene.meeting));
    let round = scene.open(&fixture).await;
    run(
        &fixture,
        &format!(
            "UPDATE rounds SET quorum = '{VOTES}' WHERE id = '{round}';
             UPDATE end_users SET weight = 100; UPDATE end_users SET is_active = false WHERE id = '{}';",
            scene.voters[1]
        ),
    );
    assert_eq!(scene.cast(&fixture, round, scene.voters[2], scene.yes()).await, CastOutcome::Counted);
    let (facts, weights) = snapshot(&fixture, &scene).await;
    let quorum = facts.quorum.unwrap();
    assert_eq!((quorum.quorum, quorum.eligible), (half(Unit::Weight, Attendance::Voted), people(3, "34.5833")));
    assert_eq!(weights[&scene.voters[0]], "1");
    let open = facts.question.unwrap().round.unwrap();
    assert_eq!((open.votes_cast, open.weight_cast), (1, Some("33.3333".parse().unwrap())));
    assert_eq!(fixture.live().weight_cast(round).await.unwrap(), "33.3333".parse().unwrap());

    // The weight of votes is read only if necessary.
    run(&fixture, &format!("UPDATE rounds SET quorum = '{HALF}' WHERE id = '{round}'"));
    assert_eq!(snapshot(&fixture, &scene).await.0.question.unwrap().round.unwrap().weight_cast, None);
}

#[tokio::test]
async fn a_declared_round_is_known_as_such() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    assert_eq!(scene.cast(&fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    let question = snapshot(&fixture, &scene).await.0.question.unwrap();
    assert_eq!(question.declared_round(), None);
    let declared = "status = 'DECLARED', declared_at = now(), declared_by = 'Maria Keller'";
    run(&fixture, &format!("UPDATE rounds SET {declared} WHERE id = '{round}'"));
    let question = snapshot(&fixture, &scene).await.0.question.unwrap();
    assert_eq!(question.declared_round().map(|declared| declared.id), Some(round));
}
