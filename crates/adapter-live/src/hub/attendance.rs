//! Records attendance during meetings, with or without watchers.
//!
//! A meeting is checked when it changes, and once a minute while voters are connected. The store decides what to
//! record, so a superfluous check costs little, and the next check compensates for a failed one. Every instance checks;
//! if several see the same change, the first one records it.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::MeetingId;
use plenum_meetings::{AttendanceStore, Noted};
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use super::state::Hub;

/// The time between two checks of a meeting in which nothing changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// The time between a change of a meeting and its check. Screens come first: the check reads everybody who may vote, on the same
/// cores that send the change to thousands of screens.
const AFTER_CHANGE: Duration = Duration::from_millis(300);

/// The wait before the next check of a meeting that an organizer was changing.
const BUSY_RETRY: Duration = Duration::from_millis(100);

/// Runs until it is aborted.
pub(super) async fn run(hub: Arc<Hub>, store: Arc<dyn AttendanceStore>) {
    let mut interval = interval_at(Instant::now() + CHECK_INTERVAL, CHECK_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The last watcher ends the channel, so the hub alone no longer knows these meetings.
    let mut running: HashSet<MeetingId> = HashSet::new();
    let mut busy: HashSet<MeetingId> = HashSet::new();
    loop {
        let mut due = select! {
            () = changed(&hub) => HashSet::new(),
            () = sleep(BUSY_RETRY), if !busy.is_empty() => std::mem::take(&mut busy),
            _ = interval.tick() => running.iter().copied().chain(hub.watched()).collect(),
        };
        due.extend(hub.attendance_due.take());
        for meeting in due {
            let outcome = check(&hub, &*store, meeting).await;
            if outcome.is_running {
                running.insert(meeting);
            } else {
                running.remove(&meeting);
            }
            if outcome.is_busy {
                busy.insert(meeting);
            }
        }
    }
}

/// Waits for a change, and for its announcement.
async fn changed(hub: &Hub) {
    hub.attendance_due.changed().await;
    sleep(AFTER_CHANGE).await;
}

/// Whether to check a meeting again without a change.
struct Outcome {
    /// With the next interval.
    is_running: bool,
    /// After [`BUSY_RETRY`].
    is_busy: bool,
}

async fn check(hub: &Hub, store: &dyn AttendanceStore, meeting: MeetingId) -> Outcome {
    let connected = hub.connected(meeting);
    let is_empty = connected.is_empty();
    let noted = store.note(meeting, connected, hub.now()).await;
    let is_busy = matches!(noted, Ok(Noted::Busy));
    let is_running = match noted {
        Ok(Noted::Over) => false,
        Ok(Noted::NotYet | Noted::Busy) => true,
        Ok(Noted::Unchanged | Noted::Noted) => !is_empty,
        Err(failure) => {
            let error = &failure as &dyn Error;
            tracing::warn!(meeting.id = %meeting, error, "could not record the attendance");
            true
        }
    };
    Outcome { is_running, is_busy }
}
