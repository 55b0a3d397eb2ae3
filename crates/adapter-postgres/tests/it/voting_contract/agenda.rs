//! Agendas and rounds: removals include rounds, and votes prevent changes.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{Clock, QuestionId, QuestionType, RoundId, SessionId};
use plenum_meetings::{
    AgendaRule, ChangeQuestionError, Meeting, MeetingRule, MeetingStore, Question, QuestionChanges, QuestionStore,
    QuestionText, UpdateMeetingError,
};
use plenum_voting::testkit::MockVotingSignals;
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::{
    BallotContent, BallotPorts, BallotService, CastBallotError, CastOutcome, CastRequest, RoundStatus, SealingKeys,
    VoteReset, Wording,
};

use crate::voting_contract::fixture::PostgresVoting;

/// A question in the voter's own words.
pub(crate) async fn add_open_text(fixture: &PostgresVoting, scene: &Scene, position: u32) -> QuestionId {
    let wording = Wording { question_type: QuestionType::OpenText, options: Vec::new(), ..scene.wording.clone() };
    scene.add_question(fixture, position, wording).await
}

/// Other words and other options.
pub(crate) fn rewording() -> QuestionChanges {
    QuestionChanges {
        text: Some(QuestionText::from_stored("Something else?".to_owned())),
        options: Some(vec!["No".to_owned(), "Perhaps".to_owned(), "Yes".to_owned()]),
        ..QuestionChanges::default()
    }
}

pub(crate) async fn reword(
    fixture: &PostgresVoting,
    scene: &Scene,
    question: QuestionId,
) -> Result<Question, ChangeQuestionError> {
    let decide = |question: &mut Question, used| rewording().apply_to(question, used, &CountingIds::new());
    fixture.questions().update(scene.client, question, Box::new(decide)).await
}

async fn current(fixture: &PostgresVoting, scene: &Scene) -> Option<QuestionId> {
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.expect("the store answers");
    screen.expect("the meeting is there").question.map(|current| current.question_id)
}

async fn rounds_of(fixture: &PostgresVoting, scene: &Scene) -> Vec<(RoundId, RoundStatus)> {
    let rounds = fixture.rounds().list(scene.client, scene.meeting).await.expect("the store answers");
    let rounds = rounds.expect("the meeting is there");
    rounds.into_iter().map(|overview| (overview.round.id, overview.round.status)).collect()
}

#[tokio::test]
async fn a_removed_question_leaves_the_screen_and_its_open_round_is_gone() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let round = scene.open(&fixture).await;
    fixture.questions().remove(scene.client, scene.question).await.unwrap();
    assert_eq!(current(&fixture, &scene).await, None);
    assert_eq!(rounds_of(&fixture, &scene).await, []);
    assert_eq!(scene.cast(&fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::NotOpen);
    for table in ["rounds", "round_options", "register", "round_counters", "options"] {
        assert_eq!(fixture.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}

#[tokio::test]
async fn a_vote_on_a_removed_question_is_answered_that_it_does_not_exist() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    scene.open(&fixture).await;
    let mut signals = MockVotingSignals::new();
    signals.expect_votes_changed().return_const(());
    let clock = Arc::new(StillClock::new());
    let ids = Arc::new(CountingIds::new());
    let (rounds, ballot_box, signals) = (fixture.rounds(), fixture.ballot_box(), Arc::new(signals));
    let sealing_keys = Arc::new(SealingKeys::new(fixture.urn_keys(), fixture.urns()));
    let ballots = BallotService::new(BallotPorts { rounds, ballot_box, sealing_keys, signals, clock, ids });
    let answers = ["Yes".to_owned()];
    let Scene { client, meeting, question, .. } = scene;
    let session = SessionId::new(&scene.ids);
    let request = |voter| CastRequest {
        client,
        voter,
        cast_by: None,
        cast_on: None,
        session,
        meeting,
        question,
        round: None,
        content: BallotContent::Answers(&answers),
    };
    let cast = |voter| ballots.cast(request(voter));
    // The service caches the round from here on.
    cast(scene.voters[0]).await.unwrap();
    ballots.withdraw(scene.voter_question(scene.voters[0]), VoteReset::Demonstration).await.unwrap();
    fixture.questions().remove(scene.client, scene.question).await.unwrap();
    let refused = cast(scene.voters[1]).await;
    assert!(matches!(refused, Err(CastBallotError::NotFound)), "{refused:?}");
}

#[tokio::test]
async fn another_question_stays_on_the_screen() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let other = add_open_text(&fixture, &scene, 2).await;
    let round = scene.open_question(&fixture, other).await;
    fixture.questions().remove(scene.client, scene.question).await.unwrap();
    assert_eq!(current(&fixture, &scene).await, Some(other));
    assert_eq!(rounds_of(&fixture, &scene).await, [(round, RoundStatus::Open)]);
}

#[tokio::test]
async fn a_refused_change_or_removal_leaves_the_round_open_and_on_the_screen() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 2).await;
    let round = scene.open(&fixture).await;
    scene.cast(&fixture, round, scene.voters[0], scene.yes()).await;
    let removed = fixture.questions().remove(scene.client, scene.question).await;
    assert!(matches!(removed, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{removed:?}");
    let changed = reword(&fixture, &scene, scene.question).await;
    assert!(matches!(changed, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{changed:?}");
    assert_eq!(current(&fixture, &scene).await, Some(scene.question));
    assert_eq!(rounds_of(&fixture, &scene).await, [(round, RoundStatus::Open)]);
    assert_eq!(scene.cast(&fixture, round, scene.voters[1], scene.no()).await, CastOutcome::Counted);
    assert_eq!(scene.votes_cast(&fixture, round).await, 2);
}

#[tokio::test]
async fn a_re_vote_without_votes_does_not_hide_the_votes_of_the_round_before() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let first = scene.open(&fixture).await;
    scene.cast(&fixture, first, scene.voters[0], scene.yes()).await;
    scene.end(&fixture).await;
    fixture.declare(first).await;
    let second = scene.revote(&fixture, scene.question).await.unwrap();
    let removed = fixture.questions().remove(scene.client, scene.question).await;
    assert!(matches!(removed, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{removed:?}");
    let changed = reword(&fixture, &scene, scene.question).await;
    assert!(matches!(changed, Err(ChangeQuestionError::Rule(AgendaRule::HasVotes))), "{changed:?}");
    assert_eq!(rounds_of(&fixture, &scene).await, [(first, RoundStatus::Declared), (second, RoundStatus::Open)]);
}

#[tokio::test]
async fn a_question_that_was_ended_without_votes_and_changed_is_frozen_anew() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let first = scene.open(&fixture).await;
    let refused = reword(&fixture, &scene, scene.question).await;
    assert!(matches!(refused, Err(ChangeQuestionError::Rule(AgendaRule::IsOpen))), "{refused:?}");
    scene.end(&fixture).await;
    let changed = reword(&fixture, &scene, scene.question).await.unwrap();
    let second = scene.open(&fixture).await;
    assert_ne!(first, second);
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await.unwrap();
    let wording = last.expect("it is open").wording;
    assert_eq!(wording.text, changed.text.as_str());
    let frozen: Vec<_> = wording.options.iter().map(|option| (option.id, option.text.as_str())).collect();
    let options: Vec<_> = changed.options.iter().map(|option| (option.id, option.text.as_str())).collect();
    assert_eq!(frozen, options);
    let kept = [scene.wording.options[1].id, scene.wording.options[0].id];
    assert_eq!([options[0].0, options[2].0], kept, "Yes and No keep their ids");
}

#[tokio::test]
async fn a_removed_meeting_takes_its_rounds_and_votes() {
    let fixture = PostgresVoting::fresh().await;
    let (scene, kept) = (Scene::with_voters(&fixture, 3).await, Scene::with_voters(&fixture, 3).await);
    for scene in [&scene, &kept] {
        let round = scene.open(&fixture).await;
        for voter in &scene.voters {
            scene.cast(&fixture, round, *voter, scene.yes()).await;
        }
    }
    let now = scene.clock.now();
    let refused = fixture.meetings().remove(scene.client, scene.meeting).await;
    assert!(matches!(refused, Err(UpdateMeetingError::Rule(MeetingRule::StillActive))), "{refused:?}");
    let end = Box::new(move |meeting: &mut Meeting| meeting.end(now));
    fixture.meetings().update(scene.client, scene.meeting, None, end).await.unwrap();
    fixture.meetings().remove(scene.client, scene.meeting).await.unwrap();
    assert_eq!(fixture.rounds().list(scene.client, scene.meeting).await.unwrap(), None);
    for (table, left) in [("rounds", 1), ("round_options", 2), ("register", 3), ("votes", 3), ("questions", 1)] {
        assert_eq!(fixture.count(&format!("SELECT count(*) FROM {table}")), left, "{table}");
    }
    assert_eq!(fixture.count("SELECT sum(votes_cast)::bigint AS count FROM round_counters"), 3);
    assert_eq!(current(&fixture, &kept).await, Some(kept.question));
}

#[tokio::test]
async fn removing_the_question_on_the_screen_is_a_step_and_removing_another_one_is_not() {
    let fixture = PostgresVoting::fresh().await;
    let scene = Scene::with_voters(&fixture, 1).await;
    let other = add_open_text(&fixture, &scene, 2).await;
    scene.open(&fixture).await;
    let step = async || fixture.rounds().screen(scene.client, scene.meeting).await.unwrap().unwrap().step;
    let before = step().await;
    fixture.questions().remove(scene.client, other).await.unwrap();
    assert_eq!(step().await, before);
    fixture.questions().remove(scene.client, scene.question).await.unwrap();
    assert_eq!(step().await, before.next());
}
