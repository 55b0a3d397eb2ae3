use std::collections::HashSet;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use plenum_kernel::MeetingId;
use plenum_meetings::live::{LiveBus, LiveNotice};
use plenum_voting::PreparationService;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

/// The time between a change of a meeting and the preparation of its next register. Screens come first, and one preparation follows
/// several changes.
const AFTER_CHANGE: Duration = Duration::from_millis(300);

/// The time between two preparations of a register that is kept up to date: people connect, and check in, without a notice.
const REFRESH_INTERVAL: Duration = Duration::from_secs(5);

/// Keeps the registers of the next openings of large meetings up to date, until it is dropped. Several instances may do so at the
/// same time. An opening is correct without it, and only slower.
pub(crate) async fn prepare_registers(preparations: Arc<PreparationService>, bus: Arc<dyn LiveBus>) {
    let mut notices = bus.subscribe();
    let mut meetings = Meetings { preparations, changed: HashSet::new(), kept: HashSet::new(), is_failing: false };
    let mut next = Instant::now();
    let mut refresh = interval(REFRESH_INTERVAL);
    refresh.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            notice = notices.next() => match notice {
                Some(Some(LiveNotice::MeetingChanged(meeting))) => {
                    if meetings.changed.is_empty() {
                        next = Instant::now() + AFTER_CHANGE;
                    }
                    meetings.changed.insert(meeting);
                }
                Some(_) => {}
                None => return,
            },
            () = sleep_until(next), if !meetings.changed.is_empty() => meetings.prepare_changed().await,
            _ = refresh.tick() => meetings.refresh().await,
        }
    }
}

struct Meetings {
    preparations: Arc<PreparationService>,
    /// Those that changed since their last preparation.
    changed: HashSet<MeetingId>,
    /// Those whose register is prepared.
    kept: HashSet<MeetingId>,
    is_failing: bool,
}

impl Meetings {
    async fn prepare_changed(&mut self) {
        for meeting in std::mem::take(&mut self.changed) {
            self.prepare(meeting).await;
        }
    }

    async fn refresh(&mut self) {
        for meeting in self.kept.clone() {
            self.prepare(meeting).await;
        }
    }

    async fn prepare(&mut self, meeting: MeetingId) {
        match self.preparations.prepare(meeting).await {
            Ok(is_prepared) => {
                self.is_failing = false;
                if is_prepared {
                    self.kept.insert(meeting);
                } else {
                    self.kept.remove(&meeting);
                }
            }
            Err(failure) => {
                // Logged once for each outage of the database.
                if !self.is_failing {
                    tracing::warn!(
                        error = &failure as &dyn Error,
                        "could not prepare the register of the next opening"
                    );
                }
                self.is_failing = true;
            }
        }
    }
}
