//! What the live screens are loaded from.

use plenum_kernel::{Clock, MeetingId, QuestionType};
use plenum_meetings::MeetingStatus;
use plenum_meetings::live::{LiveQuestion, LiveRound, LiveSource};
use plenum_voting::BoxAnswer;
use plenum_voting::testkit::contract::{Scene, VotingFixture};

use crate::fixture::PostgresVoting;

fn yes_and_no(scene: &Scene, text: &str, round: Option<LiveRound>) -> LiveQuestion {
    LiveQuestion {
        id: scene.question,
        text: text.to_owned(),
        question_type: QuestionType::YesNo,
        options: vec!["Yes".to_owned(), "No".to_owned()],
        rating_max: None,
        max_choices: None,
        position: 1,
        round,
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
    assert_eq!(scene.cast(&fixture, id, scene.voters[0], scene.yes()).await, BoxAnswer::Counted);
    fixture.reword(scene.question, "Something else?").await;
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    let round = LiveRound { id, is_open: true, opened_at, register_size: 3, votes_cast: 1 };
    assert_eq!(facts.question, Some(yes_and_no(&scene, "Approve the budget?", Some(round))));
}

#[tokio::test]
async fn a_question_that_is_not_open_is_shown_as_it_stands_on_the_agenda() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let show = || fixture.rounds();
    show().show(scene.client, scene.meeting, Some(scene.question), scene.clock.now()).await.unwrap();
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    assert_eq!(facts.question, Some(yes_and_no(&scene, "Approve the budget?", None)));
    let id = scene.open(&fixture).await;
    let opened_at = scene.clock.now();
    fixture.reword(scene.question, "Something else?").await;
    show().show(scene.client, scene.meeting, Some(scene.question), scene.clock.now()).await.unwrap();
    let facts = fixture.live().load(scene.meeting).await.unwrap().unwrap();
    let round = LiveRound { id, is_open: false, opened_at, register_size: 1, votes_cast: 0 };
    assert_eq!(facts.question, Some(yes_and_no(&scene, "Something else?", Some(round))));
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
