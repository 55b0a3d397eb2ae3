//! Looks at who is there.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use plenum_kernel::testkit::CountingIds;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::live::{LiveBus, LiveNotice, Watcher};
use plenum_meetings::{AttendanceNote, AttendanceStore, Noted};
use tokio::time::sleep;

use crate::support::World;

/// Remembers who was looked for, and answers what it is told to.
struct FakeAttendance {
    looks: Mutex<Vec<(MeetingId, Vec<EndUserId>)>>,
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
        self.looks.lock().unwrap().push((meeting, connected));
        self.answer.lock().unwrap().ok_or_else(|| PortFailure::busy("the fake store"))
    }

    async fn list(&self, _: ClientId, _: MeetingId) -> Result<Option<Vec<AttendanceNote>>, PortFailure> {
        Ok(None)
    }
}

impl FakeAttendance {
    fn of(world: &mut World) -> Arc<Self> {
        let store = Arc::new(Self { looks: Mutex::default(), answer: Mutex::new(Some(Noted::Noted)) });
        world.hub.note_attendance(store.clone());
        store
    }

    fn answers(&self, answer: Option<Noted>) {
        *self.answer.lock().unwrap() = answer;
    }

    /// The looks since this was asked last, once all that was begun is done.
    async fn looks(&self) -> Vec<(MeetingId, Vec<EndUserId>)> {
        // Time stands still while anybody has something to do.
        sleep(Duration::from_millis(1)).await;
        std::mem::take(&mut *self.looks.lock().unwrap())
    }
}

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_meeting_that_changes_is_looked_at_whether_anybody_watches_it_or_not() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    let other = MeetingId::new(&CountingIds::new());
    world.bus.publish(LiveNotice::MeetingChanged(other)).await;
    assert_eq!(store.looks().await, [(other, Vec::new())]);

    let (ada, ben) = (world.new_voter(), world.new_voter());
    let _phone = world.watch(Watcher::Voter(ada)).await;
    let _laptop = world.watch(Watcher::Voter(ada)).await;
    let _ben = world.watch(Watcher::Voter(ben)).await;
    let _organizer = world.watch(Watcher::Organizer).await;
    assert_eq!(store.looks().await, []);
    world.rename("Other title").await;
    assert_eq!(store.looks().await, [(world.meeting, vec![ada, ben])]);
}

#[tokio::test(start_paused = true)]
async fn while_people_are_there_it_is_looked_once_a_minute_and_once_more_when_all_have_left() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    let ada = world.new_voter();
    let phone = world.watch(Watcher::Voter(ada)).await;
    sleep(3 * MINUTE).await;
    assert_eq!(store.looks().await, vec![(world.meeting, vec![ada]); 3]);
    drop(phone);
    sleep(3 * MINUTE).await;
    assert_eq!(store.looks().await, [(world.meeting, Vec::new())]);
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_noted_is_tried_again_and_disturbs_nobody() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    store.answers(None);
    let mut organizer = world.watch_from_now(Watcher::Organizer).await;
    world.rename("Other title").await;
    assert_eq!(organizer.next().await.title, "Other title");
    drop(organizer);
    assert_eq!(store.looks().await.len(), 1);
    sleep(MINUTE).await;
    assert_eq!(store.looks().await.len(), 1);
    store.answers(Some(Noted::Noted));
    sleep(5 * MINUTE).await;
    assert_eq!(store.looks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn whoever_makes_a_step_is_not_waited_for() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    store.answers(Some(Noted::Busy));
    world.rename("Other title").await;
    sleep(Duration::from_secs(1)).await;
    assert_eq!(store.looks().await.len(), 10 + 1);
    store.answers(Some(Noted::Noted));
    sleep(5 * MINUTE).await;
    assert_eq!(store.looks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_meeting_that_is_over_is_forgotten() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    let phone = world.watch(Watcher::Voter(world.new_voter())).await;
    sleep(MINUTE).await;
    assert_eq!(store.looks().await.len(), 1);
    store.answers(Some(Noted::Over));
    drop(phone);
    sleep(5 * MINUTE).await;
    assert_eq!(store.looks().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_looks_after_the_shutdown() {
    let mut world = World::new();
    let store = FakeAttendance::of(&mut world);
    let _phone = world.watch(Watcher::Voter(world.new_voter())).await;
    world.hub.shutdown();
    sleep(5 * MINUTE).await;
    assert_eq!(store.looks().await, []);
}
