//! Casting votes, and the quorum on a second call.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{
    AtOpening, Attendance, ClientId, DecisionRule, Majority, MeetingQuorum, Minimum, MinimumAmount, OnTie,
    PlannedQuorum, Quorum, RoundId, Threshold, Unit, Units,
};
use rust_decimal::Decimal;

use super::{Scene, SeedTerms, VotingFixture};
use crate::{
    CastingVoteError, CastingVoteRequest, Decision, NewCastingVote, ResultStepError, ResultStepRule, RoundOpening,
    RoundPapers,
};

/// A counted round with one yes and one no, whose rule has a casting vote.
async fn tied(fixture: &dyn VotingFixture, scene: &Scene) -> RoundId {
    let conditions = Majority::simple(Units::Heads).conditions().to_vec();
    let rule = Majority::new(conditions, OnTie::CastingVote).map(DecisionRule::Majority).ok();
    fixture.set_terms(scene.question, SeedTerms { rule, ..SeedTerms::default() }).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.cast(fixture, round, scene.voters[1], scene.no()).await;
    scene.end(fixture).await;
    scene.count(fixture, round).await;
    round
}

async fn decision(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> Decision {
    let found = scene.find(fixture, round).await;
    let votes = scene.votes_of(fixture, round).await;
    crate::RoundResult::of(found.round, found.terms, &votes, None).decision
}

fn casting_vote(scene: &Scene, round: RoundId, in_favor: bool) -> NewCastingVote {
    let step = scene.result_step(round);
    let (owner, meeting, by) = (step.owner, step.meeting, step.by);
    let cast_by = "Tomas Reyes".to_owned();
    NewCastingVote { request: CastingVoteRequest { owner, meeting, round, by, in_favor, cast_by }, at: step.now }
}

fn is_refused(outcome: &Result<(), CastingVoteError>) -> bool {
    matches!(outcome, Err(CastingVoteError::NotOpen))
}

pub async fn a_casting_vote_is_stored_once_and_decides(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = tied(fixture, &scene).await;
    assert_eq!(decision(fixture, &scene, round).await, Decision::CastingVoteOpen);
    let results = fixture.results();
    let before = scene.step(fixture).await;
    let undecided = results.declare(scene.result_step(round)).await;
    assert!(matches!(undecided, Err(ResultStepError::Rule(ResultStepRule::CastingVoteOpen))), "{undecided:?}");
    let mut foreign = casting_vote(&scene, round, true);
    foreign.request.owner = ClientId::new(&scene.ids);
    assert!(is_refused(&results.note_casting_vote(foreign).await));
    results.note_casting_vote(casting_vote(&scene, round, false)).await.expect("it is open");
    assert_eq!(scene.step(fixture).await, before, "it is no step");
    assert!(is_refused(&results.note_casting_vote(casting_vote(&scene, round, true)).await), "it is cast once");
    assert_eq!(decision(fixture, &scene, round).await, Decision::Rejected);
    let cast = scene.find(fixture, round).await.terms.casting_vote.expect("it is noted");
    assert_eq!((cast.in_favor, cast.cast_by.as_str()), (false, "Tomas Reyes"));
    assert!(cast.noted_by.is_some());
    results.declare(scene.result_step(round)).await.expect("nothing is open");
    let papers = RoundPapers::count(scene.find(fixture, round).await, Vec::new());
    assert_eq!(papers.result.result.result.casting_vote, Some(cast));
}

pub async fn a_round_that_is_open_or_declared_takes_no_casting_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    let results = fixture.results();
    assert!(is_refused(&results.note_casting_vote(casting_vote(&scene, round, true)).await));
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    assert!(is_refused(&results.note_casting_vote(casting_vote(&scene, round, true)).await), "it is not counted");
    results.declare(scene.result_step(round)).await.expect("it has ended");
    assert!(is_refused(&results.note_casting_vote(casting_vote(&scene, round, true)).await));
}

/// Statutes: half of the members on the first call, and any three on the second one.
fn planned() -> PlannedQuorum {
    let (unit, attendance) = (Unit::Heads, Attendance::Present);
    let first = Quorum { minimum: Minimum::Share(Threshold::AT_LEAST_HALF), unit, attendance };
    let three = MinimumAmount::new(Decimal::from(3), unit).expect("a whole number");
    PlannedQuorum { quorum: first, second_call: Some(Quorum { minimum: Minimum::Amount(three), ..first }) }
}

pub async fn on_a_second_call_its_own_quorum_is_frozen(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 8).await;
    let quorum = MeetingQuorum { planned: planned(), at_opening: AtOpening::Bar };
    fixture.set_meeting_quorum(scene.meeting, Some(quorum)).await;
    let open = |present: usize| {
        let connected = scene.voters[..present].to_vec();
        let opening = RoundOpening { connected, ..scene.opening(scene.question) };
        async move { fixture.rounds().open(opening).await }
    };
    let refused = open(3).await.map_err(|error| error.to_string());
    assert_eq!(refused, Err("quorum not met: 3 present, 4 needed".to_owned()));
    fixture.set_second_call(scene.meeting, true).await;
    let refused = open(2).await.map_err(|error| error.to_string());
    assert_eq!(refused, Err("quorum not met: 2 present, 3 needed".to_owned()));
    open(3).await.expect("three are enough on the second call");
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    let round = last.expect("the store answers").expect("it was opened").id;
    // What applied at opening stays, whatever the meeting is called later.
    fixture.set_second_call(scene.meeting, false).await;
    assert_eq!(scene.find(fixture, round).await.terms.quorum, planned().second_call);
}
