//! The contract of counting: who sees a count and when, and that a counted round never reopens.

#![expect(missing_docs, reason = "the name of a case describes it")]

use chrono::TimeDelta;
use plenum_kernel::{ClientId, Clock, DecisionRule, Majority, MeetingId, RoundId, Step, Units};

use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    CountError, CountableRound, Counting, CountingRule, Declaring, LogEntry, LogKind, OpenRoundError, OpeningRule,
};

async fn find(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> CountableRound {
    let found = fixture.results().find(scene.client, scene.meeting, round).await;
    found.expect("the store answers").expect("the round is there")
}

async fn step(fixture: &dyn VotingFixture, scene: &Scene) -> Step {
    let screen = fixture.rounds().screen(scene.client, scene.meeting).await.expect("the store answers");
    screen.expect("the meeting is known").step
}

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
    assert_eq!(find(fixture, &scene, round).await.round.counted_at, None);
    let before = step(fixture, &scene).await;
    scene.clock.advance(TimeDelta::seconds(1));
    scene.count(fixture, round).await;
    let found = find(fixture, &scene, round).await;
    let at = scene.clock.now();
    let by = Some("Anna Berg".to_owned());
    assert_eq!(found.round.counted_at, Some(at));
    assert_eq!(found.log.last(), Some(&LogEntry { at, kind: LogKind::Counted, by, person: None, reason: None }));
    assert_eq!(step(fixture, &scene).await, before.next());
    scene.clock.advance(TimeDelta::seconds(1));
    // Also on an older state: the response to the first request may have been lost.
    let again = Counting { seen: Some(before), ..scene.counting(round) };
    assert!(!fixture.results().mark_counted(again).await.expect("it is counted"));
    assert_eq!(find(fixture, &scene, round).await, found);
    assert_eq!(step(fixture, &scene).await, before.next());
}

pub async fn a_counted_round_never_reopens_and_a_revote_is_possible(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = ended(fixture, &scene).await;
    scene.count(fixture, round).await;
    let found = find(fixture, &scene, round).await;
    let refused = fixture.rounds().open(scene.opening(scene.question)).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::AlreadyCounted))), "{refused:?}");
    assert_eq!(find(fixture, &scene, round).await, found);
    let revote = scene.revote(fixture, scene.question).await.expect("a re-vote is possible");
    assert_ne!(revote, round);
    assert_eq!(find(fixture, &scene, round).await, found);
}

pub async fn an_open_round_and_an_older_state_are_refused(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let refused = fixture.results().mark_counted(scene.counting(round)).await;
    assert!(matches!(refused, Err(CountError::Rule(CountingRule::StillOpen))), "{refused:?}");
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    let seen = Some(step(fixture, &scene).await);
    scene.end(fixture).await;
    let refused = fixture.results().mark_counted(Counting { seen, ..scene.counting(round) }).await;
    assert!(matches!(refused, Err(CountError::Rule(CountingRule::StaleStep))), "{refused:?}");
    assert_eq!(find(fixture, &scene, round).await.round.counted_at, None);
}

pub async fn another_clients_round_cannot_be_counted(fixture: &dyn VotingFixture) {
    let (scene, other) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 1).await);
    let round = ended(fixture, &scene).await;
    let of_scene = scene.counting(round);
    let missing_meetings: [(ClientId, MeetingId); 2] =
        [(other.client, scene.meeting), (scene.client, MeetingId::new(&scene.ids))];
    for (owner, meeting) in missing_meetings {
        let refused = fixture.results().mark_counted(Counting { owner, meeting, ..of_scene }).await;
        assert!(matches!(refused, Err(CountError::MeetingNotFound)), "{refused:?}");
    }
    for refused in [
        fixture.results().mark_counted(other.counting(round)).await,
        fixture.results().mark_counted(scene.counting(RoundId::new(&scene.ids))).await,
    ] {
        assert!(matches!(refused, Err(CountError::RoundNotFound)), "{refused:?}");
    }
    assert_eq!(find(fixture, &scene, round).await.round.counted_at, None);
}

pub async fn a_survey_with_votes_is_counted_at_its_end_where_the_meeting_says_so(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.set_counting_at_end(scene.meeting, true).await;
    let empty = scene.open(fixture).await;
    scene.end(fixture).await;
    // Without votes there is no secret, and the question can still be opened.
    assert_eq!(find(fixture, &scene, empty).await.round.counted_at, None);
    let round = ended(fixture, &scene).await;
    let found = find(fixture, &scene, round).await;
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
    assert_eq!(find(fixture, &scene, round).await.round.counted_at, None);
    assert_eq!(scene.open(fixture).await, round);
}

pub async fn a_declaration_counts_a_round_that_nobody_has_counted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = ended(fixture, &scene).await;
    let (owner, meeting, by, now) = (scene.client, scene.meeting, scene.organizer, scene.clock.now());
    fixture.results().declare(Declaring { owner, meeting, round, by, now, seen: None }).await.expect("it has ended");
    let found = find(fixture, &scene, round).await;
    assert_eq!(found.round.counted_at, found.round.declared.map(|declared| declared.at));
}
