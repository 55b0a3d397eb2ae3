//! Notes who was there in the course of meetings, whether anybody watches them or not.
//!
//! A meeting is looked at when it changed, and once a minute while people are in it. What there is to note is found in the
//! store: a look too many costs little, one that failed is made up for by the next. Every instance looks; of those that see
//! the same, the first one notes it.

use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use plenum_kernel::MeetingId;
use plenum_meetings::{AttendanceStore, Noted};
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use crate::hub::state::Hub;

/// How often the meetings are looked at in which nothing happens.
const LOOK: Duration = Duration::from_secs(60);

/// How soon it is looked again where somebody was making a step.
const AGAIN: Duration = Duration::from_millis(100);

/// Notes until it is dropped.
pub(crate) async fn keep(hub: Arc<Hub>, store: Arc<dyn AttendanceStore>) {
    let mut minute = interval_at(Instant::now() + LOOK, LOOK);
    minute.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // Those in which somebody may leave without a trace: the room goes with the last one.
    let mut running: HashSet<MeetingId> = HashSet::new();
    let mut busy: HashSet<MeetingId> = HashSet::new();
    loop {
        let mut due = select! {
            () = hub.looks.raised() => HashSet::new(),
            () = sleep(AGAIN), if !busy.is_empty() => std::mem::take(&mut busy),
            _ = minute.tick() => running.iter().copied().chain(hub.watched()).collect(),
        };
        due.extend(hub.looks.take());
        for meeting in due {
            let outcome = look(&hub, &*store, meeting).await;
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

/// Whether to look at a meeting again although nothing happens in it.
struct Outcome {
    /// In the course of the next minute.
    is_running: bool,
    /// In a moment.
    is_busy: bool,
}

/// Looks at a meeting once.
async fn look(hub: &Hub, store: &dyn AttendanceStore, meeting: MeetingId) -> Outcome {
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
            tracing::warn!(meeting.id = %meeting, error, "could not note who is there");
            true
        }
    };
    Outcome { is_running, is_busy }
}
