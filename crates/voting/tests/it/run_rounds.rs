//! Opening, ending and counting rounds.

use std::sync::Arc;

use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{MeetingId, RoundId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockPresence, MockVotingSignals};
use plenum_voting::{CountRoundError, OpenRoundError, OpeningRule, ResultService, RoundResult, RoundService};

fn service(store: &InMemoryVoting, signals: MockVotingSignals) -> RoundService {
    let mut presence = MockPresence::new();
    presence.expect_connected().returning(|_| Vec::new());
    let (clock, ids) = (Arc::new(StillClock::new()), Arc::new(CountingIds::new()));
    RoundService::new(store.rounds(), Arc::new(signals), Arc::new(presence), clock, ids)
}

fn counting(store: &InMemoryVoting) -> ResultService {
    ResultService::new(
        store.results(),
        store.results(),
        Arc::new(MockVotingSignals::new()),
        Arc::new(StillClock::new()),
    )
}

#[tokio::test]
async fn opening_and_ending_are_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let mut signals = MockVotingSignals::new();
    let meeting = scene.meeting;
    signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(2).return_const(());
    let rounds = service(&store, signals);
    rounds.open(scene.client, scene.meeting, scene.question, scene.organizer, None).await.unwrap();
    let screen = rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap();
    assert!(screen.question.unwrap().open_round().is_some());
    rounds.show(scene.client, scene.meeting, None, scene.organizer, None).await.unwrap();
    assert_eq!(rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap().question, None);
}

#[tokio::test]
async fn refused_changes_are_not_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    store.set_meeting_active(scene.meeting, false).await;
    let rounds = service(&store, MockVotingSignals::new());
    let opened = rounds.open(scene.client, scene.meeting, scene.question, scene.organizer, None).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))));
    let shown = rounds.show(scene.client, scene.meeting, Some(scene.question), scene.organizer, None).await;
    assert!(matches!(shown, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))));
    let unknown = rounds.show(scene.client, MeetingId::new(&scene.ids), None, scene.organizer, None).await;
    assert!(matches!(unknown, Err(OpenRoundError::MeetingNotFound)));
}

#[tokio::test]
async fn an_open_round_has_no_tally() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let id = scene.open(&store).await;
    scene.cast(&store, id, scene.voters[0], scene.yes()).await;
    let refused = counting(&store).count(scene.client, scene.meeting, id, scene.organizer).await;
    assert!(matches!(refused, Err(CountRoundError::StillOpen)));
}

#[tokio::test]
async fn a_round_that_has_ended_is_counted() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 3).await;
    let id = scene.open(&store).await;
    scene.cast(&store, id, scene.voters[0], scene.yes()).await;
    scene.cast(&store, id, scene.voters[1], scene.no()).await;
    scene.end(&store).await;
    let counting = counting(&store);
    let counted = counting.count(scene.client, scene.meeting, id, scene.organizer).await.unwrap();
    let RoundResult { round, tally, .. } = &counted.result.result;
    assert_eq!((round.id, round.register.heads, counted.position), (id, 3, 1));
    assert_eq!((tally.votes_cast.heads, tally.votes_cast.weight.to_string()), (2, "1.5001".to_owned()));
    let unknown = counting.count(scene.client, scene.meeting, RoundId::new(&scene.ids), scene.organizer).await;
    assert!(matches!(unknown, Err(CountRoundError::NotFound)));
}
