//! The contract of counting: the visibility of a count, and that a counted round never reopens.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock, DecisionRule, Majority, MeetingId, RoundId, Units};

use super::{Scene, SeedTerms, VotingFixture};
use crate::{Counting, LogEntry, LogKind, OpenRoundError, OpeningRule, ResultStep, ResultStepError, ResultStepRule};

/// A round with one vote, which has ended.
async fn ended(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    round
}

pub async fn a_count_is_a_logged_step_and_a_repeat_changes_nothing(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = ended(fixture, &scene).await;
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
    let before = scene.step(fixture).await;
    scene.clock.advance(TimeDelta::seconds(1));
    scene.count(fixture, round).await;
    let found = scene.find(fixture, round).await;
    let at = scene.clock.now();
    let by = Some("Anna Berg".to_owned());
    assert_eq!(found.round.counted_at, Some(at));
    assert_eq!(found.log.last(), Some(&LogEntry { at, kind: LogKind::Counted, by, person: None, reason: None }));
    assert_eq!(scene.step(fixture).await, before.next());
    scene.clock.advance(TimeDelta::seconds(1));
    // Also on an older state: the response to the first request may have been lost.
    let again = ResultStep { seen: Some(before), ..scene.result_step(round) };
    let again = fixture.results().mark_counted(again).await;
    assert_eq!(again.expect("it is counted"), Counting::CountedBefore);
    assert_eq!(scene.find(fixture, round).await, found);
    assert_eq!(scene.step(fixture).await, before.next());
}

pub async fn a_counted_round_never_reopens_and_a_revote_is_possible(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = ended(fixture, &scene).await;
    scene.count(fixture, round).await;
    let found = scene.find(fixture, round).await;
    let refused = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::AlreadyCounted))), "{refused:?}");
    assert_eq!(scene.find(fixture, round).await, found);
    let revote = scene.revote(fixture, scene.question).await.expect("a re-vote is possible");
    assert_ne!(revote, round);
    assert_eq!(scene.find(fixture, round).await, found);
}

pub async fn an_open_round_and_an_older_state_are_refused(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let refused = fixture.results().mark_counted(scene.result_step(round)).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StillOpen))), "{refused:?}");
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let seen = Some(scene.step(fixture).await);
    scene.end(fixture).await;
    let refused = fixture.results().mark_counted(ResultStep { seen, ..scene.result_step(round) }).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StaleStep))), "{refused:?}");
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
}

pub async fn another_clients_round_cannot_be_counted(fixture: &dyn VotingFixture) {
    let (scene, other) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let round = ended(fixture, &scene).await;
    let of_scene = scene.result_step(round);
    let missing_meetings: [(ClientId, MeetingId); 2] =
        [(other.client, scene.meeting), (scene.client, MeetingId::new(&scene.ids))];
    for (owner, meeting) in missing_meetings {
        let refused = fixture.results().mark_counted(ResultStep { owner, meeting, ..of_scene }).await;
        assert!(matches!(refused, Err(ResultStepError::MeetingNotFound)), "{refused:?}");
    }
    for refused in [
        fixture.results().mark_counted(other.result_step(round)).await,
        fixture.results().mark_counted(scene.result_step(RoundId::new(&scene.ids))).await,
    ] {
        assert!(matches!(refused, Err(ResultStepError::RoundNotFound)), "{refused:?}");
    }
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
}

pub async fn a_survey_with_votes_is_counted_at_its_end_where_the_meeting_says_so(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.set_counting_at_end(scene.meeting, true).await;
    let empty = scene.open(fixture).await;
    scene.end(fixture).await;
    // Without votes there is no secret, and the question can still be opened.
    assert_eq!(scene.find(fixture, empty).await.round.counted_at, None);
    let round = ended(fixture, &scene).await;
    let found = scene.find(fixture, round).await;
    let counted = found.log.last().expect("it is logged");
    assert_eq!((counted.kind, counted.by.as_deref()), (LogKind::Counted, None));
    assert_eq!(found.round.counted_at, Some(counted.at));
    assert!(found.round.ended_at < found.round.counted_at);
    let refused = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::AlreadyCounted))), "{refused:?}");
}

pub async fn a_question_with_a_rule_is_never_counted_by_itself(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.set_counting_at_end(scene.meeting, true).await;
    let rule = DecisionRule::Majority(Majority::simple(Units::Weight));
    fixture.set_terms(scene.question, SeedTerms { rule: Some(rule), ..SeedTerms::default() }).await;
    let round = ended(fixture, &scene).await;
    assert_eq!(scene.find(fixture, round).await.round.counted_at, None);
    assert_eq!(scene.open(fixture).await, round);
}

pub async fn a_declaration_counts_a_round_that_nobody_has_counted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = ended(fixture, &scene).await;
    fixture.results().declare(scene.result_step(round)).await.expect("it has ended");
    let found = scene.find(fixture, round).await;
    assert_eq!(found.round.counted_at, found.round.declared.map(|declared| declared.at));
}
