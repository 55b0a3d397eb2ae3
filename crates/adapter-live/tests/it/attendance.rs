//! Attendance that the hub records.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::live::{LiveBus, LiveNotice, Watcher};
use plenum_meetings::{AttendanceNote, AttendanceStore, Noted};
use tokio::time::sleep;

use crate::support::Fixture;

/// Records the checks, and returns the answer that the test sets.
struct FakeAttendance {
    checks: Mutex<Vec<(MeetingId, Vec<EndUserId>)>>,
    answer: Mutex<Option<Noted>>,
}

#[async_trait]
impl AttendanceStore for FakeAttendance {
    async fn note(
        &self,
        meeting: MeetingId,
        mut connected: Vec<EndUserId>,
        _now: DateTime<Utc>,
    ) -> Result<Noted, PortFailure> {
        connected.sort();
        self.checks.lock().unwrap().push((meeting, connected));
        self.answer.lock().unwrap().ok_or_else(|| PortFailure::busy("the fake store"))
    }

    async fn list(&self, _: ClientId, _: MeetingId) -> Result<Option<Vec<AttendanceNote>>, PortFailure> {
        Ok(None)
    }
}

impl FakeAttendance {
    fn of(fixture: &mut Fixture) -> Arc<Self> {
        let store = Arc::new(Self { checks: Mutex::default(), answer: Mutex::new(Some(Noted::Noted)) });
        fixture.hub.record_attendance(store.clone());
        store
    }

    fn answers(&self, answer: Option<Noted>) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Takes the checks since the last call, after those of past changes.
    async fn checks(&self) -> Vec<(MeetingId, Vec<EndUserId>)> {
        sleep(AFTER_CHANGE).await;
        // Paused time advances only when no task has work.
        sleep(Duration::from_millis(1)).await;
        std::mem::take(&mut *self.checks.lock().unwrap())
    }
}

/// The time between a change and its check.
const AFTER_CHANGE: Duration = Duration::from_millis(300);

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_changed_meeting_is_checked_with_or_without_watchers() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    let other = MeetingId::new(&CountingIds::new());
    fixture.bus.publish(LiveNotice::MeetingChanged(other)).await;
    assert_eq!(store.checks().await, [(other, Vec::new())]);

    let (ada, ben) = (fixture.new_voter(), fixture.new_voter());
    let _phone = fixture.watch(Watcher::Voter(ada)).await;
    let _laptop = fixture.watch(Watcher::Voter(ada)).await;
    let _ben = fixture.watch(Watcher::Voter(ben)).await;
    let _organizer = fixture.watch(Watcher::Organizer).await;
    assert_eq!(store.checks().await, []);
    fixture.rename("Other title").await;
    assert_eq!(store.checks().await, [(fixture.meeting, vec![ada, ben])]);
}

#[tokio::test(start_paused = true)]
async fn a_meeting_with_voters_is_checked_every_minute_and_once_after_the_last_has_left() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    let ada = fixture.new_voter();
    let phone = fixture.watch(Watcher::Voter(ada)).await;
    sleep(3 * MINUTE).await;
    assert_eq!(store.checks().await, vec![(fixture.meeting, vec![ada]); 3]);
    drop(phone);
    sleep(3 * MINUTE).await;
    assert_eq!(store.checks().await, [(fixture.meeting, Vec::new())]);
}

#[tokio::test(start_paused = true)]
async fn a_failed_check_is_repeated_and_delays_no_announcement() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    store.answers(None);
    let mut organizer = fixture.watch_from_now(Watcher::Organizer).await;
    fixture.rename("Other title").await;
    assert_eq!(organizer.next().await.title, "Other title");
    drop(organizer);
    assert_eq!(store.checks().await.len(), 1);
    sleep(MINUTE).await;
    assert_eq!(store.checks().await.len(), 1);
    store.answers(Some(Noted::Noted));
    sleep(5 * MINUTE).await;
    assert_eq!(store.checks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_busy_meeting_is_checked_again_every_100_milliseconds() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    store.answers(Some(Noted::Busy));
    fixture.rename("Other title").await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(store.checks().await.len(), 10 + 1);
    store.answers(Some(Noted::Noted));
    sleep(5 * MINUTE).await;
    assert_eq!(store.checks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_completed_meeting_is_not_checked_again() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    let phone = fixture.watch(Watcher::Voter(fixture.new_voter())).await;
    sleep(MINUTE).await;
    assert_eq!(store.checks().await.len(), 1);
    store.answers(Some(Noted::Over));
    drop(phone);
    sleep(5 * MINUTE).await;
    assert_eq!(store.checks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_checked_after_the_shutdown() {
    let mut fixture = Fixture::new();
    let store = FakeAttendance::of(&mut fixture);
    let _phone = fixture.watch(Watcher::Voter(fixture.new_voter())).await;
    fixture.hub.shutdown();
    sleep(5 * MINUTE).await;
    assert_eq!(store.checks().await, []);
}
