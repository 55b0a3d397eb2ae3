//! The contract of [`crate::BallotBox`].

#![expect(missing_docs, reason = "the name of a case describes it")]

use plenum_kernel::{ClientId, EndUserId, MeetingId, OptionId, RoundId, VoteId};
use rust_decimal::Decimal;

use super::{Scene, VotingFixture};
use crate::{Answer, Ballot, CastOutcome, DiscardVoteError, StoredVote};

/// Puts all of them in at once.
async fn cast_at_once(fixture: &dyn VotingFixture, ballots: Vec<Ballot>) -> Vec<CastOutcome> {
    let tasks: Vec<_> = ballots
        .into_iter()
        .map(|ballot| {
            let ballot_box = fixture.ballot_box();
            tokio::spawn(async move { ballot_box.cast(ballot).await })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.expect("no panic").expect("the box answers"));
    }
    answers
}

fn number_of_counted(answers: &[CastOutcome]) -> usize {
    answers.iter().filter(|answer| **answer == CastOutcome::Counted).count()
}

fn stored(ballot: &Ballot) -> StoredVote {
    let Ballot { vote_id, answer, cast_at, session, .. } = ballot.clone();
    StoredVote { id: vote_id, answer, cast_at: Some(cast_at), session: Some(session), cast_by: None, cast_on: None }
}

/// Checks that one of these ballots of one voter was counted, and that the responses to the others contain it.
fn assert_one_won(ballots: &[Ballot], answers: &[CastOutcome]) {
    assert_eq!(number_of_counted(answers), 1, "{answers:?}");
    let winner = answers.iter().position(|answer| *answer == CastOutcome::Counted).expect("one was counted");
    for (place, answer) in answers.iter().enumerate().filter(|(place, _)| *place != winner) {
        assert_eq!(*answer, CastOutcome::VotedBefore(stored(&ballots[winner])), "ballot {place}");
    }
}

pub async fn every_kind_of_answer_is_kept_exactly(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 7).await;
    let round = scene.open(fixture).await;
    let answers = [
        scene.yes(),
        Answer::Options((0..5).map(|_| OptionId::new(&scene.ids)).collect()),
        Answer::Number(Decimal::new(7, 0)),
        Answer::Number(Decimal::new(123_456, 4)),
        Answer::Number(Decimal::ZERO),
        Answer::Text("\"{Bäume}\", 'und' \\NULL;\n\t50 % — 木".to_owned()),
        Answer::Text("x".repeat(2_000)),
    ];
    let ballots: Vec<Ballot> =
        scene.voters.iter().zip(answers).map(|(voter, answer)| scene.ballot(round, *voter, answer)).collect();
    let answers = cast_at_once(fixture, ballots.clone()).await;
    assert_eq!(number_of_counted(&answers), 7, "{answers:?}");
    let repeated = cast_at_once(fixture, ballots.clone()).await;
    for (ballot, answer) in ballots.iter().zip(repeated) {
        assert_eq!(answer, CastOutcome::VotedBefore(stored(ballot)));
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 7);
}

pub async fn a_second_ballot_of_a_voter_shows_the_first(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let first = scene.ballot(round, scene.voters[0], scene.yes());
    let answer = fixture.ballot_box().cast(first.clone()).await.expect("the box answers");
    assert_eq!(answer, CastOutcome::Counted);
    for other in [scene.yes(), scene.no()] {
        let answer = scene.cast(fixture, round, scene.voters[0], other).await;
        assert_eq!(answer, CastOutcome::VotedBefore(stored(&first)));
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn twenty_ballots_of_one_voter_at_once_are_one_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let ballots: Vec<Ballot> = (0..20).map(|_| scene.ballot(round, scene.voters[0], scene.yes())).collect();
    assert_one_won(&ballots, &cast_at_once(fixture, ballots.clone()).await);
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn one_of_several_concurrent_ballots_of_a_voter_wins(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let answer = |number: usize| if number.is_multiple_of(2) { scene.yes() } else { scene.no() };
    let ballots: Vec<Ballot> = (0..20).map(|number| scene.ballot(round, scene.voters[0], answer(number))).collect();
    assert_one_won(&ballots, &cast_at_once(fixture, ballots.clone()).await);
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn the_very_same_ballot_at_once_is_one_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let ballots = vec![scene.ballot(round, scene.voters[0], scene.yes()); 20];
    assert_one_won(&ballots, &cast_at_once(fixture, ballots.clone()).await);
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn the_votes_of_many_voters_at_once_are_all_counted(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 200).await;
    let round = scene.open(fixture).await;
    let ballots = scene.voters.iter().map(|voter| scene.ballot(round, *voter, scene.yes())).collect();
    assert_eq!(number_of_counted(&cast_at_once(fixture, ballots).await), 200);
    assert_eq!(scene.votes_cast(fixture, round).await, 200);
    scene.end(fixture).await;
    let votes = scene.votes_of(fixture, round).await;
    assert_eq!(votes.len(), 200);
}

pub async fn many_voters_who_all_repeat_at_once_are_counted_once_each(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 50).await;
    let round = scene.open(fixture).await;
    // There and back, so that batches meet the voters in different orders.
    let there = scene.voters.iter();
    let back = scene.voters.iter().rev();
    let order: Vec<EndUserId> = there.clone().chain(back.clone()).chain(there).chain(back).copied().collect();
    let ballots = order.iter().map(|voter| scene.ballot(round, *voter, scene.yes())).collect();
    assert_eq!(number_of_counted(&cast_at_once(fixture, ballots).await), 50);
    assert_eq!(scene.votes_cast(fixture, round).await, 50);
}

pub async fn ballots_for_several_rounds_at_once_are_kept_apart(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 20).await;
    let other = Scene::with_voters(fixture, 20).await;
    let (round, other_round) = (scene.open(fixture).await, other.open(fixture).await);
    let ballots = scene
        .voters
        .iter()
        .zip(&other.voters)
        .flat_map(|(voter, another)| {
            let own = scene.ballot(round, *voter, scene.yes());
            [own, other.ballot(other_round, *another, other.no()), scene.ballot(round, *another, scene.yes())]
        })
        .collect();
    let answers = cast_at_once(fixture, ballots).await;
    assert_eq!(number_of_counted(&answers), 40);
    assert_eq!(answers.iter().filter(|answer| **answer == CastOutcome::NotInRegister).count(), 20);
    assert_eq!(scene.votes_cast(fixture, round).await, 20);
    assert_eq!(other.votes_cast(fixture, other_round).await, 20);
    other.end(fixture).await;
    let votes = other.votes_of(fixture, other_round).await;
    assert!(votes.iter().all(|vote| vote.answer == other.no()));
}

pub async fn a_voter_who_is_not_in_the_register_is_refused(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let late = scene.add_voter(fixture).await;
    let nobody = EndUserId::new(&scene.ids);
    for voter in [late, nobody] {
        assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::NotInRegister);
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 0);
}

pub async fn a_voter_of_another_client_is_not_in_the_register(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let stranger = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    assert_eq!(scene.cast(fixture, round, stranger.voters[0], scene.yes()).await, CastOutcome::NotInRegister);
    assert_eq!(scene.votes_cast(fixture, round).await, 0);
}

pub async fn a_round_that_has_ended_takes_no_votes(fixture: &dyn VotingFixture) {
    let mut scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.end(fixture).await;
    let late = scene.add_voter(fixture).await;
    for voter in [scene.voters[0], late] {
        assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::NotOpen);
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 0);
}

pub async fn a_round_that_does_not_exist_takes_no_votes(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let replaced = scene.open(fixture).await;
    scene.end(fixture).await;
    let round = scene.open(fixture).await;
    for round in [replaced, RoundId::new(&scene.ids)] {
        assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::NotOpen);
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 0);
}

pub async fn a_round_that_is_opened_again_takes_votes(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::Counted);
    scene.end(fixture).await;
    assert_eq!(scene.open(fixture).await, round);
    assert_eq!(scene.cast(fixture, round, scene.voters[1], scene.no()).await, CastOutcome::Counted);
    let repeat = scene.cast(fixture, round, scene.voters[0], scene.no()).await;
    assert!(matches!(repeat, CastOutcome::VotedBefore(before) if before.answer == scene.yes()));
    assert_eq!(scene.votes_cast(fixture, round).await, 2);
}

pub async fn a_person_deactivated_after_the_opening_is_refused(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let voter = scene.voters[0];
    fixture.set_voter_active(voter, false).await;
    assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::NotInRegister);
    fixture.set_voter_active(voter, true).await;
    assert_eq!(scene.cast(fixture, round, voter, scene.yes()).await, CastOutcome::Counted);
}

pub async fn a_person_removed_after_the_opening_is_refused(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    fixture.remove_voter(scene.voters[0]).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, CastOutcome::NotInRegister);
}

pub async fn a_vote_stored_before_wins_over_every_other_reason(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let ballot = scene.ballot(round, scene.voters[0], scene.yes());
    fixture.ballot_box().cast(ballot.clone()).await.expect("the box answers");
    scene.end(fixture).await;
    let before = CastOutcome::VotedBefore(stored(&ballot));
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, before);
    fixture.set_voter_active(scene.voters[0], false).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.no()).await, before);
    fixture.remove_voter(scene.voters[0]).await;
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.yes()).await, before);
}

pub async fn a_withdrawn_vote_can_be_cast_again(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    for voter in &scene.voters {
        scene.cast(fixture, round, *voter, scene.yes()).await;
    }
    let ballot_box = fixture.ballot_box();
    assert!(ballot_box.withdraw(round, scene.voters[0]).await.expect("the box answers"));
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
    assert!(!ballot_box.withdraw(round, scene.voters[0]).await.expect("the box answers"));
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.no()).await, CastOutcome::Counted);
    assert_eq!(scene.votes_cast(fixture, round).await, 2);
    assert!(!ballot_box.withdraw(RoundId::new(&scene.ids), scene.voters[0]).await.expect("the box answers"));
}

pub async fn nothing_is_withdrawn_from_a_round_that_has_ended(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    scene.cast(fixture, round, scene.voters[0], scene.yes()).await;
    scene.end(fixture).await;
    assert!(!fixture.ballot_box().withdraw(round, scene.voters[0]).await.expect("the box answers"));
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

/// Puts a vote of yes into the box.
async fn vote(fixture: &dyn VotingFixture, scene: &Scene, round: RoundId, voter: EndUserId) -> VoteId {
    let ballot = scene.ballot(round, voter, scene.yes());
    let id = ballot.vote_id;
    assert_eq!(fixture.ballot_box().cast(ballot).await.expect("the box answers"), CastOutcome::Counted);
    id
}

async fn discard(
    fixture: &dyn VotingFixture,
    owner: Option<ClientId>,
    vote: VoteId,
) -> Result<MeetingId, DiscardVoteError> {
    fixture.ballot_box().discard(owner, vote).await
}

pub async fn a_vote_of_test_data_is_discarded_from_an_open_round_and_from_one_that_has_ended(
    fixture: &dyn VotingFixture,
) {
    let (by_client, by_meeting) = (Scene::with_voters(fixture, 3).await, Scene::with_voters(fixture, 3).await);
    fixture.rename_client(by_client.client, "TEST_CLIENT_1").await;
    fixture.rename_meeting(by_meeting.meeting, "TEST_Assembly").await;
    for scene in [by_client, by_meeting] {
        let round = scene.open(fixture).await;
        let first = vote(fixture, &scene, round, scene.voters[0]).await;
        let second = vote(fixture, &scene, round, scene.voters[1]).await;
        vote(fixture, &scene, round, scene.voters[2]).await;
        assert_eq!(discard(fixture, Some(scene.client), first).await.expect("it is test data"), scene.meeting);
        assert_eq!(scene.votes_cast(fixture, round).await, 2);
        scene.end(fixture).await;
        assert_eq!(discard(fixture, None, second).await.expect("it is test data"), scene.meeting);
        assert_eq!(scene.votes_cast(fixture, round).await, 1);
        let left: Vec<_> = scene.votes_of(fixture, round).await.into_iter().map(|vote| vote.weight).collect();
        assert_eq!(left, [Decimal::new(1, 4)]);
        for gone in [first, second] {
            let again = discard(fixture, None, gone).await;
            assert!(matches!(again, Err(DiscardVoteError::NotFound)), "{again:?}");
        }
        assert_eq!(scene.votes_cast(fixture, round).await, 1);
    }
}

pub async fn a_discarded_vote_can_be_cast_again(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(fixture).await;
    for _ in 0..2 {
        let id = vote(fixture, &scene, round, scene.voters[0]).await;
        discard(fixture, None, id).await.expect("it is test data");
        assert_eq!(scene.votes_cast(fixture, round).await, 0);
    }
    assert_eq!(scene.cast(fixture, round, scene.voters[0], scene.no()).await, CastOutcome::Counted);
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn a_vote_of_no_test_data_is_not_discarded(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    let round = scene.open(fixture).await;
    let id = vote(fixture, &scene, round, scene.voters[0]).await;
    for owner in [Some(scene.client), None] {
        let refused = discard(fixture, owner, id).await;
        assert!(matches!(refused, Err(DiscardVoteError::NotTestData)), "{refused:?}");
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
    let repeat = scene.cast(fixture, round, scene.voters[0], scene.no()).await;
    assert!(matches!(repeat, CastOutcome::VotedBefore(before) if before.id == id));
}

pub async fn a_real_vote_stays_real_whatever_its_client_and_meeting_are_called_later(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    let round = scene.open(fixture).await;
    let first = vote(fixture, &scene, round, scene.voters[0]).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    fixture.rename_meeting(scene.meeting, "TEST_Assembly").await;
    let second = vote(fixture, &scene, round, scene.voters[1]).await;
    refuses_real(fixture, &[first, second]).await;
    scene.end(fixture).await;
    refuses_real(fixture, &[first, second]).await;
    assert_eq!(scene.open(fixture).await, round, "it is opened again");
    refuses_real(fixture, &[first, second]).await;
    assert_eq!(scene.votes_cast(fixture, round).await, 2);
}

async fn refuses_real(fixture: &dyn VotingFixture, votes: &[VoteId]) {
    for id in votes {
        let refused = discard(fixture, None, *id).await;
        assert!(matches!(refused, Err(DiscardVoteError::NotTestData)), "{refused:?}");
    }
}

pub async fn a_vote_of_test_data_stays_that_whatever_its_client_and_meeting_are_called_later(
    fixture: &dyn VotingFixture,
) {
    let scene = Scene::with_voters(fixture, 3).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(fixture).await;
    let first = vote(fixture, &scene, round, scene.voters[0]).await;
    let second = vote(fixture, &scene, round, scene.voters[1]).await;
    fixture.rename_client(scene.client, "Rowing club").await;
    discard(fixture, None, first).await.expect("it is test data");
    scene.end(fixture).await;
    assert_eq!(scene.open(fixture).await, round, "it is opened again");
    let third = vote(fixture, &scene, round, scene.voters[2]).await;
    for id in [second, third] {
        discard(fixture, None, id).await.expect("it is test data");
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 0);
}

pub async fn a_round_that_is_frozen_anew_goes_by_the_names_of_that_moment(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    for (title, is_test) in [("TEST_Assembly", true), ("Assembly", false), ("TEST_Assembly", true)] {
        scene.end(fixture).await;
        fixture.rename_meeting(scene.meeting, title).await;
        let round = scene.open(fixture).await;
        let id = vote(fixture, &scene, round, scene.voters[0]).await;
        assert_eq!(fixture.ballot_box().is_for_tests(round).await.expect("the box answers"), is_test, "{title}");
        assert_eq!(discard(fixture, None, id).await.is_ok(), is_test, "{title}");
        fixture.ballot_box().withdraw(round, scene.voters[0]).await.expect("the box answers");
    }
}

pub async fn a_vote_of_a_declared_result_is_not_discarded(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 1).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(fixture).await;
    let id = vote(fixture, &scene, round, scene.voters[0]).await;
    scene.end(fixture).await;
    fixture.declare(round).await;
    let refused = discard(fixture, None, id).await;
    assert!(matches!(refused, Err(DiscardVoteError::Declared)), "{refused:?}");
    assert_eq!(scene.votes_of(fixture, round).await.len(), 1);
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn another_clients_vote_looks_missing(fixture: &dyn VotingFixture) {
    let (scene, stranger) = (Scene::with_voters(fixture, 1).await, Scene::with_voters(fixture, 0).await);
    for client in [scene.client, stranger.client] {
        fixture.rename_client(client, "TEST_CLIENT").await;
    }
    let round = scene.open(fixture).await;
    let id = vote(fixture, &scene, round, scene.voters[0]).await;
    let unknown = VoteId::new(&scene.ids);
    for (owner, id) in [(Some(stranger.client), id), (Some(scene.client), unknown), (None, unknown)] {
        let refused = discard(fixture, owner, id).await;
        assert!(matches!(refused, Err(DiscardVoteError::NotFound)), "{refused:?}");
    }
    assert_eq!(scene.votes_cast(fixture, round).await, 1);
}

pub async fn one_of_many_racers_discards_the_vote(fixture: &dyn VotingFixture) {
    let scene = Scene::with_voters(fixture, 2).await;
    fixture.rename_client(scene.client, "TEST_CLIENT_1").await;
    let round = scene.open(fixture).await;
    let id = vote(fixture, &scene, round, scene.voters[0]).await;
    vote(fixture, &scene, round, scene.voters[1]).await;
    let racers: Vec<_> = (0..8)
        .map(|_| {
            let ballot_box = fixture.ballot_box();
            tokio::spawn(async move { ballot_box.discard(None, id).await })
        })
        .collect();
    let mut winners = 0;
    for racer in racers {
        match racer.await.expect("no panic") {
            Ok(_) => winners += 1,
            Err(DiscardVoteError::NotFound) => {}
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((winners, scene.votes_cast(fixture, round).await), (1, 1));
}
