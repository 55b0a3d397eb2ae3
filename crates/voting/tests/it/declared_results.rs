//! The cache of declared results.

use std::sync::Arc;

use plenum_kernel::testkit::StillClock;
use plenum_kernel::{Clock, PortFailure, RoundId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockResultStore, MockVotingSignals};
use plenum_voting::{CountableRound, Declared, DeclaredOnScreen, ResultService, Round, RoundStatus, TakenCount, Terms};

/// A scene's round that was declared, as a store finds it.
async fn declared_round(scene: &Scene, store: &InMemoryVoting) -> CountableRound {
    let id = scene.open(store).await;
    scene.end(store).await;
    let found = store.results().find(scene.client, scene.meeting, id).await;
    let found = found.expect("the store answers").expect("the round is there");
    let declared = Some(Declared { at: scene.clock.now(), by: "Anna Berg".to_owned() });
    let round = Round { status: RoundStatus::Declared, declared, ..found.round };
    CountableRound { round, position: 1, terms: Terms::default(), log: Vec::new() }
}

fn counting(results: MockResultStore) -> Arc<ResultService> {
    let (results, signals) = (Arc::new(results), Arc::new(MockVotingSignals::new()));
    let clock: Arc<dyn Clock> = Arc::new(StillClock::new());
    Arc::new(ResultService::new(Arc::clone(&results) as _, results, signals, clock))
}

#[tokio::test]
async fn a_declared_result_is_computed_once_for_concurrent_callers() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let found = declared_round(&scene, &store).await;
    let on_screen = DeclaredOnScreen { client: scene.client, round: found.round.id, position: 1 };
    let mut results = MockResultStore::new();
    results.expect_declared_on_screen().returning(move |_| Ok(Some(on_screen)));
    results.expect_find().times(1).returning(move |_, _, _| Ok(Some(found.clone())));
    results.expect_take_count().times(1).returning(|_, _, taking| {
        assert_eq!(taking.seen, None, "nobody counts what is declared");
        Ok(Some(TakenCount { votes: Vec::new(), noted: None }))
    });
    let (counting, meeting) = (counting(results), scene.meeting);
    let asking: Vec<_> = (0..50)
        .map(|_| Arc::clone(&counting))
        .map(|counting| tokio::spawn(async move { counting.declared_on_screen(meeting).await.unwrap().unwrap() }))
        .collect();
    for one in asking {
        assert_eq!(one.await.unwrap().position, 1);
    }
}

#[tokio::test]
async fn a_failure_is_not_cached() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let found = declared_round(&scene, &store).await;
    let on_screen = DeclaredOnScreen { client: scene.client, round: found.round.id, position: 1 };
    let mut results = MockResultStore::new();
    results.expect_declared_on_screen().returning(move |_| Ok(Some(on_screen)));
    results.expect_find().returning(move |_, _, _| Ok(Some(found.clone())));
    let mut tries = 0;
    results.expect_take_count().times(2).returning(move |_, _, _| {
        tries += 1;
        if tries == 1 {
            return Err(PortFailure::busy("the store"));
        }
        Ok(Some(TakenCount { votes: Vec::new(), noted: None }))
    });
    let counting = counting(results);
    assert!(counting.declared_on_screen(scene.meeting).await.is_err());
    for _ in 0..3 {
        assert!(counting.declared_on_screen(scene.meeting).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn the_least_recently_used_results_are_evicted() {
    const MANY: usize = 65;
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let found = declared_round(&scene, &store).await;
    let rounds: Vec<RoundId> = (0..MANY).map(|_| RoundId::new(&scene.ids)).collect();
    let mut results = MockResultStore::new();
    results.expect_find().returning(move |_, _, id| {
        Ok(Some(CountableRound { round: Round { id, ..found.round.clone() }, ..found.clone() }))
    });
    // The first of them again, because of the last one.
    results
        .expect_take_count()
        .times(MANY + 1)
        .returning(|_, _, _| Ok(Some(TakenCount { votes: Vec::new(), noted: None })));
    let counting = counting(results);
    for round in rounds.iter().chain([&rounds[MANY - 1], &rounds[1], &rounds[0]]) {
        let counted = counting.count(scene.client, scene.meeting, *round, scene.organizer).await.unwrap();
        assert_eq!(counted.result.result.round.id, *round);
    }
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
    let declaring =
        ResultService::new(store.results(), store.results(), Arc::new(signals), Arc::new(StillClock::new()));
    for _ in 0..2 {
        declaring.declare(scene.client, scene.meeting, round, scene.organizer, None).await.unwrap();
    }
}

#[tokio::test]
async fn a_refused_declaration_is_not_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let round = scene.open(&store).await;
    let signals = Arc::new(MockVotingSignals::new());
    let declaring = ResultService::new(store.results(), store.results(), signals, Arc::new(StillClock::new()));
    assert!(declaring.declare(scene.client, scene.meeting, round, scene.organizer, None).await.is_err());
}
