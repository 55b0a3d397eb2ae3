//! Declarations and their announcement.

use std::sync::Arc;

use plenum_kernel::Clock;
use plenum_kernel::testkit::StillClock;
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockVotingSignals};
use plenum_voting::{ResultPorts, ResultService, UrnKeyService};

/// The service on this store.
pub(crate) fn results_of(store: &InMemoryVoting, signals: MockVotingSignals) -> ResultService {
    let clock: Arc<dyn Clock> = Arc::new(StillClock::new());
    ResultService::new(ResultPorts {
        results: store.results(),
        declarations: store.results(),
        urns: Arc::new(UrnKeyService::new(store.urn_keys(), store.urns(), Arc::clone(&clock))),
        signals: Arc::new(signals),
        clock,
    })
}

#[tokio::test]
async fn a_declaration_is_announced_once_and_the_state_each_time() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let round = scene.open(&store).await;
    scene.end(&store).await;
    let (meeting, question) = (scene.meeting, scene.question);
    let mut signals = MockVotingSignals::new();
    signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(2).return_const(());
    signals
        .expect_result_declared()
        .withf(move |of, declared, asked| (*of, *declared, *asked) == (meeting, round, question))
        .times(1)
        .return_const(());
    let declaring = results_of(&store, signals);
    for _ in 0..2 {
        declaring.declare(scene.organizer_step(), round).await.unwrap();
    }
}

#[tokio::test]
async fn a_refused_declaration_is_not_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let round = scene.open(&store).await;
    let declaring = results_of(&store, MockVotingSignals::new());
    assert!(declaring.declare(scene.organizer_step(), round).await.is_err());
}
