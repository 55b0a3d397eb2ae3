//! The end of rounds by their countdowns.

use std::sync::Arc;

use chrono::TimeDelta;
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{ClientId, Clock, MeetingId, PortFailure};
use plenum_voting::testkit::contract::{Scene, VotingFixture};
use plenum_voting::testkit::{InMemoryUrnKeys, InMemoryVoting, MockPresence, MockRoundStore, MockVotingSignals};
use plenum_voting::{Countdown, CountdownError, CountdownRule, RoundDeadline, RoundPorts, RoundService, RoundStore};

const AHEAD: TimeDelta = TimeDelta::seconds(1);

fn announcements(of: MeetingId, number: usize) -> MockVotingSignals {
    let mut signals = MockVotingSignals::new();
    signals.expect_meeting_changed().withf(move |changed| *changed == of).times(number).return_const(());
    signals
}

fn closing(rounds: Arc<dyn RoundStore>, signals: MockVotingSignals, clock: &Arc<StillClock>) -> RoundService {
    RoundService::new(RoundPorts {
        rounds,
        urn_keys: Arc::new(InMemoryUrnKeys::default()),
        signals: Arc::new(signals),
        presence: Arc::new(MockPresence::new()),
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        ids: Arc::new(CountingIds::new()),
    })
}

fn running(store: &InMemoryVoting, signals: MockVotingSignals, clock: &Arc<StillClock>) -> RoundService {
    closing(store.rounds(), signals, clock)
}

#[tokio::test]
async fn a_round_ends_with_its_countdown_and_is_announced_once() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let clock = Arc::new(StillClock::new());
    scene.open(&store).await;
    let rounds = running(&store, announcements(scene.meeting, 1), &clock);
    let countdown = Countdown::of_seconds(10).unwrap();
    rounds.start_countdown(scene.client, scene.meeting, countdown, None).await.unwrap();

    let closing = closing(store.rounds(), announcements(scene.meeting, 1), &clock);
    clock.advance(TimeDelta::milliseconds(8_999));
    assert_eq!(closing.close_due(AHEAD).await.unwrap(), None, "more than a second ahead");
    clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(closing.close_due(AHEAD).await.unwrap(), Some(AHEAD));
    clock.advance(TimeDelta::milliseconds(600));
    assert_eq!(closing.close_due(AHEAD).await.unwrap(), Some(TimeDelta::milliseconds(400)));
    clock.advance(TimeDelta::milliseconds(400));
    for _ in 0..2 {
        assert_eq!(closing.close_due(AHEAD).await.unwrap(), None);
    }
    let screen = rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap();
    assert_eq!(screen.question.unwrap().open_round(), None);
}

#[tokio::test]
async fn a_countdown_is_announced_and_one_that_is_refused_is_not() {
    let store = InMemoryVoting::new();
    let scene = Scene::with_voters(&store, 1).await;
    let clock = Arc::new(StillClock::new());
    let countdown = Countdown::of_seconds(10).unwrap();
    let rounds = running(&store, MockVotingSignals::new(), &clock);
    let refused = rounds.start_countdown(scene.client, scene.meeting, countdown, None).await;
    assert!(matches!(refused, Err(CountdownError::Rule(CountdownRule::NoOpenRound))), "{refused:?}");
    scene.open(&store).await;
    let rounds = running(&store, announcements(scene.meeting, 2), &clock);
    rounds.start_countdown(scene.client, scene.meeting, countdown, None).await.unwrap();
    rounds.cancel_countdown(scene.client, scene.meeting, None).await.unwrap();
    let screen = rounds.screen(scene.client, scene.meeting).await.unwrap().unwrap();
    assert_eq!(screen.question.unwrap().open_round().unwrap().round.closes_at, None);
}

#[tokio::test]
async fn a_failure_in_one_meeting_does_not_keep_other_rounds_open() {
    let (ids, clock) = (CountingIds::new(), Arc::new(StillClock::new()));
    let [stuck, locked, other] = [MeetingId::new(&ids), MeetingId::new(&ids), MeetingId::new(&ids)];
    let due = |meeting_id| RoundDeadline { client_id: ClientId::new(&ids), meeting_id, closes_at: clock.now() };
    let closings = vec![due(stuck), due(locked), due(other)];
    let mut rounds = MockRoundStore::new();
    rounds.expect_deadlines_until().returning(move |_| Ok(closings.clone()));
    rounds
        .expect_end_due()
        .withf(move |_, meeting, _| *meeting == stuck)
        .returning(|_, _, _| Err(PortFailure::busy("it")));
    rounds.expect_end_due().withf(move |_, meeting, _| *meeting == locked).returning(|_, _, _| Ok(false));
    rounds.expect_end_due().withf(move |_, meeting, _| *meeting == other).returning(|_, _, _| Ok(true));
    let closing = closing(Arc::new(rounds), announcements(other, 1), &clock);
    closing.close_due(AHEAD).await.unwrap_err();
}

#[tokio::test]
async fn a_round_that_could_not_end_is_retried_immediately() {
    let (ids, clock) = (CountingIds::new(), Arc::new(StillClock::new()));
    let due = |in_millis| RoundDeadline {
        client_id: ClientId::new(&ids),
        meeting_id: MeetingId::new(&ids),
        closes_at: clock.now() + TimeDelta::milliseconds(in_millis),
    };
    let closings = vec![due(0), due(300)];
    let mut rounds = MockRoundStore::new();
    rounds.expect_deadlines_until().returning(move |_| Ok(closings.clone()));
    rounds.expect_end_due().returning(|_, _, _| Ok(false));
    let closing = closing(Arc::new(rounds), MockVotingSignals::new(), &clock);
    assert_eq!(closing.close_due(AHEAD).await.unwrap(), Some(TimeDelta::zero()));
}
