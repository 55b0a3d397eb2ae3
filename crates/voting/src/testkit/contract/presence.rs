//! The contract of the people who count as present in a round.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{
    AtOpening, Attendance, Clock as _, EndUserId, LogEntryId, MeetingQuorum, PresenceRule, Quorum, RoundId, Threshold,
    Unit,
};
use rust_decimal::Decimal;

use super::{Scene, VotingFixture};
use crate::{
    CastOutcome, Count, CountTaking, OpenRoundError, OpeningRule, Reason, RegisterChange, RoundOpening, RoundResult,
};

fn count(heads: u64, ten_thousandths: i64) -> Count {
    Count { heads, weight: Decimal::new(ten_thousandths, 4) }
}

/// Opens the scene's question, new or again, while these people are connected.
async fn open(fixture: &dyn VotingFixture, scene: &Scene, connected: &[EndUserId]) -> RoundId {
    let opening = RoundOpening { connected: connected.to_vec(), ..scene.opening(scene.question) };
    fixture.rounds().open(opening).await.expect("the question opens");
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    last.expect("the store answers").expect("the question has a round").id
}

/// Ends the round and counts it.
pub(super) async fn counted(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> RoundResult {
    scene.end(fixture).await;
    let results = fixture.results();
    let found = results.find(scene.client, scene.meeting, round).await.expect("the store answers");
    let found = found.expect("the round is there");
    let ended_at = found.round.ended_at.expect("the round has ended");
    let taking = CountTaking { round, ended_at };
    let taken = results.take_count(scene.client, scene.meeting, taking).await.expect("the store answers");
    RoundResult::of(found.round, found.terms, &taken.expect("the round has ended"), None)
}

fn change(scene: &Scene, end_user: EndUserId) -> RegisterChange {
    let reason = Reason::parse("A conflict of interest").expect("a reason");
    let log_entry = LogEntryId::new(&scene.ids);
    RegisterChange { end_user, reason, by: scene.organizer, at: scene.clock.now(), log_entry }
}

pub async fn present_voters_were_connected_or_voted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 5).await;
    let round = open(fixture, &scene, &scene.voters[..2]).await;
    for voter in [1, 2, 3] {
        scene.cast(fixture, round, scene.voters[voter], scene.yes()).await;
    }
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.presence, PresenceRule::ConnectedOrVoted);
    assert_eq!(result.connected_at_opening, count(2, 15_001));
    assert_eq!(result.present, count(4, 15_003));
}

pub async fn a_reopening_counts_the_connected_people_whom_it_registers(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 3).await;
    let round = open(fixture, &scene, &scene.voters[..1]).await;
    scene.cast(fixture, round, scene.voters[1], scene.yes()).await;
    scene.end(fixture).await;
    // Both become eligible meanwhile. One of them is connected when the round reopens, as is the third voter.
    let (came, _) = (scene.add_voter(fixture).await, scene.add_voter(fixture).await);
    assert_eq!(open(fixture, &scene, &[scene.voters[2], came]).await, round);
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.round.register, count(5, 15_004));
    assert_eq!(result.connected_at_opening, count(2, 15_001));
    assert_eq!(result.present, count(3, 15_002));
}

pub async fn an_excluded_person_is_present_only_with_a_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let [chair, during, after, voted] = scene.voters[..] else { panic!("there are four") };
    let exclude = |person: EndUserId| {
        let (changes, change) = (fixture.register_changes(), change(&scene, person));
        let (client, meeting, question) = (scene.client, scene.meeting, scene.question);
        async move { changes.exclude(client, meeting, question, change).await.expect("the person may be excluded") }
    };
    let round = open(fixture, &scene, &scene.voters).await;
    scene.cast(fixture, round, voted, scene.yes()).await;
    exclude(during).await;
    let result = counted(fixture, &scene, round).await;
    assert_eq!((result.connected_at_opening, result.present), (count(3, 15_002), count(3, 15_002)));
    exclude(after).await;
    exclude(voted).await;
    assert_eq!(open(fixture, &scene, &scene.voters).await, round);
    // A person who is admitted again is a latecomer.
    let admitted = fixture.register_changes().admit(scene.client, scene.meeting, round, change(&scene, during)).await;
    admitted.expect("the person may be admitted");
    let result = counted(fixture, &scene, round).await;
    assert_eq!((result.connected_at_opening, result.present), (count(2, 15_001), count(2, 15_001)));
    open(fixture, &scene, &[]).await;
    scene.cast(fixture, round, during, scene.no()).await;
    let result = counted(fixture, &scene, round).await;
    assert_eq!((result.connected_at_opening, result.present), (count(2, 15_001), count(3, 15_002)));
    assert!(scene.voters.contains(&chair), "who only watches, and is present");
}

pub async fn a_round_of_the_older_rule_keeps_it(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 4).await;
    let round = open(fixture, &scene, &scene.voters[..2]).await;
    fixture.set_presence_rule(round, PresenceRule::LargerNumber).await;
    for voter in [1, 2, 3] {
        scene.cast(fixture, round, scene.voters[voter], scene.yes()).await;
    }
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.presence, PresenceRule::LargerNumber);
    assert_eq!(result.present, count(3, 15_001));
    let came = scene.add_voter(fixture).await;
    assert_eq!(open(fixture, &scene, &[came]).await, round);
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.round.register, count(5, 15_004));
    assert_eq!(result.connected_at_opening, count(2, 15_001), "a reopening added nobody");
    assert_eq!((result.presence, result.present), (PresenceRule::LargerNumber, count(3, 15_001)));
    fixture.declare(round).await;
    scene.revote(fixture, scene.question).await.expect("it was declared");
    scene.end(fixture).await;
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    let last = last.expect("the store answers").expect("the question has a round").id;
    let found = fixture.results().find(scene.client, scene.meeting, last).await.expect("the store answers");
    assert_eq!(found.expect("the round is there").terms.presence, PresenceRule::ConnectedOrVoted);
}

/// The register, the absent and the present people of a result.
fn figures(result: &RoundResult) -> (Count, Count, Count) {
    (result.round.register, result.absent, result.present)
}

pub async fn with_check_in_the_register_has_those_who_are_present(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 5).await;
    fixture.set_check_in(scene.meeting, Some(scene.voters[..2].to_vec())).await;
    // A connection counts for nothing.
    let round = open(fixture, &scene, &scene.voters).await;
    scene.cast(fixture, round, scene.voters[1], scene.yes()).await;
    let outcome = scene.cast(fixture, round, scene.voters[2], scene.yes()).await;
    assert_eq!(outcome, CastOutcome::NotInRegister);
    let result = counted(fixture, &scene, round).await;
    assert_eq!(result.presence, PresenceRule::CheckedIn);
    assert_eq!(figures(&result), (count(2, 15_001), count(3, 3), count(2, 15_001)));
    assert_eq!(result.not_voted, count(1, 15_000));
    fixture.set_check_in(scene.meeting, None).await;
    fixture.declare(round).await;
    scene.revote(fixture, scene.question).await.expect("it was declared");
    scene.end(fixture).await;
    let last = fixture.rounds().last_of_question(scene.client, scene.meeting, scene.question).await;
    let last = last.expect("the store answers").expect("the question has a round");
    assert_eq!(last.register.heads, 5, "without check-in everybody is in the register");
}

pub async fn with_check_in_a_quorum_counts_everybody_who_could_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let half = Quorum {
        minimum: plenum_kernel::Minimum::Share(Threshold::AT_LEAST_HALF),
        unit: Unit::Heads,
        attendance: Attendance::Present,
    };
    fixture
        .set_meeting_quorum(scene.meeting, Some(MeetingQuorum { planned: half.into(), at_opening: AtOpening::Bar }))
        .await;
    fixture.set_check_in(scene.meeting, Some(scene.voters[..1].to_vec())).await;
    let opening = RoundOpening { connected: scene.voters.clone(), ..scene.opening(scene.question) };
    let refused = fixture.rounds().open(opening).await;
    assert!(matches!(refused, Err(OpenRoundError::Rule(OpeningRule::QuorumMissed(_)))), "{refused:?}");
    fixture.set_check_in(scene.meeting, Some(scene.voters[..2].to_vec())).await;
    let round = open(fixture, &scene, &[]).await;
    let result = counted(fixture, &scene, round).await;
    let quorum = result.quorum.expect("the meeting has one");
    assert_eq!((quorum.attending, quorum.register, quorum.is_met), (Decimal::TWO, Decimal::from(4), true));
}

pub async fn who_comes_late_is_admitted_and_no_longer_absent(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let [first, late, away, excluded] = scene.voters[..] else { panic!("there are four") };
    fixture.set_check_in(scene.meeting, Some(vec![first])).await;
    let round = open(fixture, &scene, &[]).await;
    let (changes, exclusion) = (fixture.register_changes(), change(&scene, excluded));
    let (client, meeting, question) = (scene.client, scene.meeting, scene.question);
    changes.exclude(client, meeting, question, exclusion).await.expect("the person may be excluded");
    let admitted = changes.admit(client, meeting, round, change(&scene, late)).await;
    admitted.expect("the person may be admitted");
    scene.cast(fixture, round, late, scene.yes()).await;
    let result = counted(fixture, &scene, round).await;
    assert_eq!(figures(&result), (count(2, 15_001), count(1, 1), count(2, 15_001)));
    assert!(scene.voters.contains(&away), "who did not come");
}

pub async fn a_reopening_adds_those_who_came_meanwhile(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 4).await;
    let [first, second, third, _] = scene.voters[..] else { panic!("there are four") };
    fixture.set_check_in(scene.meeting, Some(vec![first, second])).await;
    let round = open(fixture, &scene, &[]).await;
    scene.cast(fixture, round, first, scene.yes()).await;
    scene.end(fixture).await;
    // One has gone and stays in the register, and another came.
    fixture.set_check_in(scene.meeting, Some(vec![first, third])).await;
    assert_eq!(open(fixture, &scene, &[]).await, round);
    let result = counted(fixture, &scene, round).await;
    assert_eq!(figures(&result), (count(3, 15_002), count(1, 1), count(3, 15_002)));
}
