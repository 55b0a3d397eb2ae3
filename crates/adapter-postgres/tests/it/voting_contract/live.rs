//! The data of live screens.

use chrono::{DateTime, TimeDelta, Utc};
use plenum_kernel::{Clock, MeetingId, QuestionType, RoundId, Secrecy};
use plenum_meetings::MeetingStatus;
use plenum_meetings::live::{LiveQuestion, LiveRound, LiveSource};
use plenum_voting::CastOutcome;
use plenum_voting::testkit::contract::{Scene, SeedTerms, VotingFixture};

use crate::voting_contract::fixture::PostgresVoting;

fn yes_and_no(scene: &Scene, text: &str, round: Option<LiveRound>) -> LiveQuestion {
    LiveQuestion {
        id: scene.question,
        text: text.to_owned(),
        question_type: QuestionType::YesNo,
        abstention: None,
        options: vec!["Yes".to_owned(), "No".to_owned()],
        rating_max: None,
        max_choices: None,
        election: None,
        secrecy: Secrecy::Unshown,
        counts_heads: false,
        groups: Vec::new(),
        position: 1,
        round,
    }
}

fn opened(id: RoundId, opened_at: DateTime<Utc>, register_size: u64) -> LiveRound {
    LiveRound {
        urn_key: None,
        is_void: false,
        id,
        is_open: true,
        is_declared: false,
        opened_at,
        closes_at: None,
        register_size,
        votes_cast: 0,
        weight_cast: None,
        answer_wall: None,
    }
}

#[tokio::test]
async fn an_empty_screen_shows_the_meeting() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    assert_eq!((facts.meeting_id, facts.client_id), (scene.meeting, scene.client));
    assert_eq!((facts.title.as_str(), facts.client_name.as_str()), ("General assembly", "Rowing club"));
    assert_eq!((facts.status, facts.question_count, facts.question), (MeetingStatus::Active, 1, None));
}

#[tokio::test]
async fn a_meeting_that_does_not_exist_has_no_picture() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 0).await;
    assert_eq!(fixture.live().load(MeetingId::new(&scene.ids)).await.unwrap(), None);
}

#[tokio::test]
async fn an_open_question_is_shown_in_the_words_of_its_round() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 3).await;
    let id = scene.open(&fixture).await;
    let opened_at = scene.clock.now();
    assert_eq!(scene.cast(&fixture, id, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    fixture.reword(scene.question, "Something else?").await;
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    let round = LiveRound { votes_cast: 1, ..opened(id, opened_at, 3) };
    let shown = yes_and_no(&scene, "Approve the budget?", Some(round));
    assert_eq!(facts.question.as_ref(), Some(&shown));

    let closes_at = Some(opened_at + TimeDelta::minutes(1));
    fixture.rounds().set_closing(scene.client, scene.meeting, closes_at, None).await.unwrap();
    let counting_down = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    assert_eq!(counting_down.question.and_then(|question| question.round).unwrap().closes_at, closes_at);
    assert_eq!(counting_down.step, facts.step.next());
}

#[tokio::test]
async fn a_question_that_is_not_open_is_shown_as_it_is_on_the_agenda() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    assert_eq!(facts.question, Some(yes_and_no(&scene, "Approve the budget?", None)));
    let id = scene.open(&fixture).await;
    let opened_at = scene.clock.now();
    fixture.reword(scene.question, "Something else?").await;
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    let round = LiveRound { is_open: false, ..opened(id, opened_at, 1) };
    assert_eq!(facts.question, Some(yes_and_no(&scene, "Something else?", Some(round))));
}

#[tokio::test]
async fn an_open_round_decides_whether_the_vote_is_named() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let set_named = |is_named| {
        let secrecy = if is_named { Secrecy::Named } else { Secrecy::Unshown };
        fixture.set_terms(scene.question, SeedTerms { secrecy, ..SeedTerms::default() })
    };
    let is_named_now = async || {
        let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
        facts.question.unwrap().secrecy.is_named()
    };
    set_named(true).await;
    scene.open(&fixture).await;
    assert!(is_named_now().await);
    set_named(false).await;
    assert!(is_named_now().await, "the round was frozen");
    fixture.rounds().show(scene.screen_change(Some(scene.question))).await.unwrap();
    assert!(!is_named_now().await);
}

#[tokio::test]
async fn it_is_known_who_has_voted() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 3).await;
    let round = scene.open(&fixture).await;
    for voter in &scene.voters[..2] {
        scene.cast(&fixture, round, *voter, scene.yes()).await;
    }
    let live = fixture.live();
    assert_eq!(live.votes_cast(round).await.unwrap(), 2);
    assert!(live.has_voted(round, scene.voters[0]).await.unwrap());
    assert!(!live.has_voted(round, scene.voters[2]).await.unwrap());
    assert_eq!(live.who_voted(round).await.unwrap(), scene.voters[..2]);
}
