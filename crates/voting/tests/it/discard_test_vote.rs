//! Discarding votes of test data, and the signals.

use std::sync::Arc;

use plenum_kernel::VoteId;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockVotingSignals};
use plenum_voting::{BallotPorts, BallotService, DiscardVoteError, SealingKeys};

/// A store with one vote, of the scene's only voter, in a meeting with this title.
async fn store_with_vote(title: &str) -> (InMemoryVoting, Scene, VoteId) {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    store.rename_meeting(scene.meeting, title).await;
    let round = scene.open(&store).await;
    let ballot = scene.ballot(round, scene.voters[0], scene.yes());
    let vote = ballot.vote_id;
    store.ballot_box().cast(ballot).await.expect("the box answers");
    (store, scene, vote)
}

fn ballots(store: &InMemoryVoting, signals: MockVotingSignals) -> BallotService {
    let (clock, ids) = (Arc::new(StillClock::new()), Arc::new(CountingIds::new()));
    let (rounds, ballot_box, signals) = (store.rounds(), store.ballot_box(), Arc::new(signals));
    let sealing_keys = Arc::new(SealingKeys::new(store.urn_keys(), store.urns()));
    BallotService::new(BallotPorts { rounds, ballot_box, sealing_keys, signals, clock, ids })
}

#[tokio::test]
async fn a_discarded_vote_is_announced() {
    let (store, scene, vote) = store_with_vote("TEST_Assembly").await;
    let mut signals = MockVotingSignals::new();
    let meeting = scene.meeting;
    signals.expect_votes_changed().withf(move |changed| *changed == meeting).times(1).return_const(());
    ballots(&store, signals).discard(Some(scene.client), vote).await.unwrap();
}

#[tokio::test]
async fn a_vote_that_is_kept_is_not_announced() {
    let (store, scene, vote) = store_with_vote("Assembly").await;
    let votes = ballots(&store, MockVotingSignals::new());
    let refused = votes.discard(None, vote).await;
    assert!(matches!(refused, Err(DiscardVoteError::NotTestData)), "{refused:?}");
    let unknown = votes.discard(None, VoteId::new(&scene.ids)).await;
    assert!(matches!(unknown, Err(DiscardVoteError::NotFound)), "{unknown:?}");
}
