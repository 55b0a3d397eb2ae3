//! The contract of the people who count as present in a round.

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{Clock as _, EndUserId, LogEntryId, PresenceRule, RoundId};
use rust_decimal::Decimal;

use super::{Scene, VotingFixture};
use crate::{Count, CountTaking, Reason, RegisterChange, RoundOpening, RoundResult};

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
async fn counted(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId) -> RoundResult {
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
    // Both become eligible meanwhile. One of them is connected when the round reopens, as is the third of before.
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
