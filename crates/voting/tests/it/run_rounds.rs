//! Opening, ending and counting rounds.

use std::sync::Arc;

use crate::declare::results_of;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{MeetingId, PageRequest, PortFailure, RoundId};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryVoting, MockPresence, MockRoundStore, MockUrnKeys, MockVotingSignals};
use plenum_voting::{
    AnswerFilter, KeyShare, OpenRoundError, OpeningRule, OrganizerStep, PreparedKey, ResultStepError, ResultStepRule,
    RoundPorts, RoundResult, RoundService, ShowCountError,
};

fn service(store: &InMemoryVoting, signals: MockVotingSignals) -> RoundService {
    let mut presence = MockPresence::new();
    presence.expect_connected().returning(|_| Vec::new());
    let (clock, ids) = (Arc::new(StillClock::new()), Arc::new(CountingIds::new()));
    let (rounds, signals, presence) = (store.rounds(), Arc::new(signals), Arc::new(presence));
    RoundService::new(RoundPorts { rounds, urn_keys: store.urn_keys(), signals, presence, clock, ids })
}

#[tokio::test]
async fn opening_and_ending_are_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let mut signals = MockVotingSignals::new();
    let meeting = scene.meeting;
    signals.expect_meeting_changed().withf(move |changed| *changed == meeting).times(2).return_const(());
    let rounds = service(&store, signals);
    rounds.open(scene.organizer_step(), scene.question).await.unwrap();
    let screen = rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap();
    assert!(screen.question.unwrap().open_round().is_some());
    rounds.show(scene.organizer_step(), None).await.unwrap();
    assert_eq!(rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap().question, None);
}

#[tokio::test]
async fn refused_changes_are_not_announced() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    store.set_meeting_active(scene.meeting, false).await;
    let rounds = service(&store, MockVotingSignals::new());
    let opened = rounds.open(scene.organizer_step(), scene.question).await;
    assert!(matches!(opened, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))));
    let shown = rounds.show(scene.organizer_step(), Some(scene.question)).await;
    assert!(matches!(shown, Err(OpenRoundError::Rule(OpeningRule::MeetingNotActive))));
    let elsewhere = OrganizerStep { meeting: MeetingId::new(&scene.ids), ..scene.organizer_step() };
    let unknown = rounds.show(elsewhere, None).await;
    assert!(matches!(unknown, Err(OpenRoundError::MeetingNotFound)));
}

#[tokio::test]
async fn an_open_round_has_no_tally() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let id = scene.open(&store).await;
    scene.cast(&store, id, scene.voters[0], scene.yes()).await;
    let counting = results_of(&store, MockVotingSignals::new());
    let refused = counting.count(scene.organizer_step(), id).await;
    assert!(matches!(refused, Err(ResultStepError::Rule(ResultStepRule::StillOpen))), "{refused:?}");
    let refused = counting.result(scene.client, scene.meeting, id).await;
    assert!(matches!(refused, Err(ShowCountError::StillOpen)), "{refused:?}");
}

#[tokio::test]
async fn a_count_is_seen_only_when_it_is_asked_for() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 3).await;
    let id = scene.open(&store).await;
    scene.cast(&store, id, scene.voters[0], scene.yes()).await;
    scene.cast(&store, id, scene.voters[1], scene.no()).await;
    scene.end(&store).await;
    let mut signals = MockVotingSignals::new();
    // A repeat is not announced.
    signals.expect_meeting_changed().times(1).return_const(());
    let counting = results_of(&store, signals);
    let (client, meeting) = (scene.client, scene.meeting);

    let refused = counting.result(client, meeting, id).await;
    assert!(matches!(refused, Err(ShowCountError::NotCounted)), "{refused:?}");
    let filter = AnswerFilter { search: None, page: PageRequest { page: 1, page_size: 50 } };
    let refused = counting.answers(client, meeting, id, &filter).await;
    assert!(matches!(refused, Err(ShowCountError::NotCounted)), "{refused:?}");
    let listed = counting.results(client, meeting, &[]).await.unwrap().unwrap();
    assert_eq!((listed.counted.len(), listed.uncounted.len(), listed.uncounted[0].round), (0, 1, id));
    let papers = counting.papers(client, meeting, &[]).await.unwrap().unwrap();
    assert_eq!((papers.counted.len(), papers.uncounted), (0, listed.uncounted));

    for _ in 0..2 {
        counting.count(scene.organizer_step(), id).await.unwrap();
    }
    let counted = counting.result(client, meeting, id).await.unwrap();
    let RoundResult { round, tally, .. } = &counted.result.result;
    assert_eq!((round.id, round.register.heads, counted.position), (id, 3, 1));
    assert_eq!((tally.votes_cast.heads, tally.votes_cast.weight.to_string()), (2, "1.5001".to_owned()));
    let listed = counting.results(client, meeting, &[]).await.unwrap().unwrap();
    assert_eq!((listed.counted.len(), listed.uncounted.len()), (1, 0));
    let unknown = counting.result(client, meeting, RoundId::new(&scene.ids)).await;
    assert!(matches!(unknown, Err(ShowCountError::NotFound)));
}

/// The number of keys that are destroyed when the opening of a secret round ends like this.
async fn keys_destroyed_after(outcome: fn() -> OpenRoundError, times: usize) {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let mut rounds = MockRoundStore::new();
    rounds
        .expect_open()
        .returning(move |opening| Err(if opening.key.is_some() { outcome() } else { OpeningRule::KeyNeeded.into() }));
    let mut keys = MockUrnKeys::new();
    keys.expect_prepare().returning(|round| {
        Ok(PreparedKey { round, public_key: vec![4; 65], database_share: KeyShare([1; 32]), holders: 1 })
    });
    keys.expect_destroy().times(times).returning(|_| Ok(()));
    let mut presence = MockPresence::new();
    presence.expect_connected().returning(|_| Vec::new());
    let service = RoundService::new(RoundPorts {
        rounds: Arc::new(rounds),
        urn_keys: Arc::new(keys),
        signals: Arc::new(MockVotingSignals::new()),
        presence: Arc::new(presence),
        clock: Arc::new(StillClock::new()),
        ids: Arc::new(CountingIds::new()),
    });
    service.open(scene.organizer_step(), scene.question).await.unwrap_err();
}

#[tokio::test]
async fn the_key_of_a_secret_round_stays_when_the_store_may_have_opened_it() {
    keys_destroyed_after(|| PortFailure::busy("the response to the commit").into(), 0).await;
}

#[tokio::test]
async fn the_key_of_a_secret_round_whose_opening_is_refused_is_destroyed() {
    keys_destroyed_after(|| OpeningRule::MeetingNotActive.into(), 1).await;
}
