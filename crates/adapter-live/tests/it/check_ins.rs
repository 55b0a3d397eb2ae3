//! The check-in of a voter, which only this voter's streams send.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use std::time::Duration;

use plenum_kernel::EndUserId;
use plenum_meetings::live::{LiveBus, LiveChange, LiveNotice, Watcher};
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

use crate::support::{Fixture, WatcherStream};

/// Counts how often the streams that wait with it are woken.
#[derive(Default)]
struct WakeCounter(AtomicUsize);

impl Wake for WakeCounter {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Voters with one stream each.
async fn hall(fixture: &Fixture, voters: usize) -> Vec<(EndUserId, WatcherStream)> {
    let mut hall = Vec::new();
    for _ in 0..voters {
        let voter = fixture.new_voter();
        hall.push((voter, fixture.watch_from_now(Watcher::Voter(voter)).await));
    }
    hall
}

async fn check(fixture: &Fixture, end_user: EndUserId, is_in: bool) {
    fixture.bus.publish(LiveNotice::PresenceChanged { meeting: fixture.meeting, end_user, is_in }).await;
}

/// The check-ins and check-outs that the stream sends before it is quiet for a second.
async fn told(stream: &mut WatcherStream) -> Vec<bool> {
    let mut told = Vec::new();
    while let Ok(received) = timeout(Duration::from_secs(1), stream.next()).await {
        if let LiveChange::OwnCheckIn { is_in } = received.change {
            told.push(is_in);
        }
    }
    told
}

#[tokio::test(start_paused = true)]
async fn a_check_in_wakes_only_the_streams_of_that_voter() {
    let fixture = Fixture::new();
    let mut others = hall(&fixture, 20).await;
    let voter = fixture.new_voter();
    let mut phone = fixture.watch_from_now(Watcher::Voter(voter)).await;
    let mut tablet = fixture.watch_from_now(Watcher::Voter(voter)).await;
    // The counters of the arrivals are sent.
    sleep(Duration::from_secs(1)).await;
    let wakes = Arc::new(WakeCounter::default());
    let waker = Waker::from(Arc::clone(&wakes));
    for (_, stream) in &mut others {
        // A task that polls many streams at once is made to pause, which would count as a wake.
        yield_now().await;
        stream.wait_with(&waker);
    }

    check(&fixture, voter, true).await;

    for stream in [&mut phone, &mut tablet] {
        let mut received = stream.next_but_heartbeats().await;
        while received.change == LiveChange::ParticipantCount {
            received = stream.next_but_heartbeats().await;
        }
        assert_eq!(received.change, LiveChange::OwnCheckIn { is_in: true });
    }
    assert_eq!(wakes.0.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_check_ins_reaches_each_person() {
    let fixture = Fixture::new();
    let mut hall = hall(&fixture, 200).await;
    for (voter, _) in &hall {
        check(&fixture, *voter, true).await;
    }
    for (_, stream) in &mut hall {
        assert_eq!(told(stream).await, [true]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_check_in_that_is_undone_at_once_ends_in_the_last_state() {
    let fixture = Fixture::new();
    for last in [false, true] {
        let mut hall = hall(&fixture, 1).await;
        let (voter, stream) = &mut hall[0];
        check(&fixture, *voter, !last).await;
        check(&fixture, *voter, last).await;
        assert_eq!(told(stream).await.last(), Some(&last));
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_goes_on_after_another_one_of_the_same_voter_has_ended() {
    let fixture = Fixture::new();
    let voter = fixture.new_voter();
    let gone = fixture.watch_from_now(Watcher::Voter(voter)).await;
    let mut stream = fixture.watch_from_now(Watcher::Voter(voter)).await;
    drop(gone);
    check(&fixture, voter, true).await;
    assert_eq!(told(&mut stream).await, [true]);
}
