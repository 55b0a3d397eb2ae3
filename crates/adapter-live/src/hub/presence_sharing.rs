//! Tells other instances who is connected through this one, and hears the same of them.
//!
//! Changes are told as they happen, merged as counters are. Every few seconds everyone is told once more, so that what was
//! missed is made up for, and so that the others notice when an instance is gone: of whom nothing was heard for a while,
//! those are forgotten.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use plenum_kernel::MeetingId;
use plenum_meetings::live::{PresenceBus, PresenceNews, PresenceReport, ReportStream};
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use crate::hub::backoff::Backoff;
use crate::hub::presence_set::Movement;
use crate::hub::state::Hub;

/// How often everyone is told once more.
const ALL_AGAIN: Duration = Duration::from_secs(5);

/// After how long a silent instance counts as gone. Its voters are back through another one by then.
const SILENCE: Duration = Duration::from_secs(15);

/// How many voters are put into one report, where the bus takes so many: 160 kB.
const MOST_IN_A_REPORT: usize = 10_000;

/// Tells and hears until it is dropped.
pub(crate) async fn share(hub: Arc<Hub>, bus: Arc<dyn PresenceBus>, mut reports: ReportStream) {
    let mut backoff = Backoff::new();
    let mut teller =
        PresencePublisher { hub: Arc::clone(&hub), bus: Arc::clone(&bus), number: 0, told: HashMap::new() };
    let mut all_again = interval(ALL_AGAIN);
    all_again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut tell_at: Option<Instant> = None;
    let mut tell_from = Instant::now();
    loop {
        select! {
            report = reports.next() => match report {
                Some(Some(report)) => {
                    hub.hear(report);
                    backoff = Backoff::new();
                }
                Some(None) => teller.tell_all(),
                None => {
                    tracing::warn!("the bus that tells who is connected has ended; subscribing again");
                    sleep(backoff.next()).await;
                    reports = bus.reports();
                }
            },
            () = hub.moved.raised() => tell_at = Some(tell_from.max(Instant::now())),
            () = until(tell_at) => {
                tell_at = None;
                tell_from = Instant::now() + hub.settings.merge_interval;
                teller.tell_changes();
            }
            _ = all_again.tick() => {
                hub.forget_silent(SILENCE);
                teller.tell_all();
            }
        }
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => pending().await,
    }
}

/// What this instance told the others.
struct PresencePublisher {
    hub: Arc<Hub>,
    bus: Arc<dyn PresenceBus>,
    /// Of the last report.
    number: u64,
    /// The number of the last report of each meeting in which somebody was.
    told: HashMap<MeetingId, u64>,
}

impl PresencePublisher {
    fn tell_all(&mut self) {
        let mut meetings = self.hub.crowded();
        meetings.extend(self.told.keys());
        meetings.into_iter().for_each(|meeting| self.tell_everyone(meeting));
    }

    fn tell_changes(&mut self) {
        for meeting in self.hub.moved.take() {
            match (self.told.get(&meeting).copied(), self.hub.crowd_if_any(meeting)) {
                (Some(since), Some(crowd)) => self.tell_movement(meeting, since, crowd.take_movement()),
                _ => self.tell_everyone(meeting),
            }
        }
    }

    fn tell_movement(&mut self, meeting: MeetingId, since: u64, Movement { came, left }: Movement) {
        if came.len() + left.len() > self.most_in_a_report() {
            self.tell_everyone(meeting);
        } else if !came.is_empty() || !left.is_empty() {
            self.number += 1;
            self.told.insert(meeting, self.number);
            self.report(meeting, PresenceNews::Changed { since, came, left });
        }
    }

    fn tell_everyone(&mut self, meeting: MeetingId) {
        let voters = self.hub.crowd_if_any(meeting).map(|crowd| crowd.take_all()).unwrap_or_default();
        self.number += 1;
        if voters.is_empty() {
            if self.told.remove(&meeting).is_some() {
                self.report(meeting, PresenceNews::All { part: 0, parts: 1, voters });
            }
            return;
        }
        self.told.insert(meeting, self.number);
        let parts = voters.chunks(self.most_in_a_report());
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        for (part, voters) in (0..count).zip(parts) {
            self.report(meeting, PresenceNews::All { part, parts: count, voters: voters.to_vec() });
        }
    }

    fn most_in_a_report(&self) -> usize {
        self.bus.most_in_a_report().clamp(1, MOST_IN_A_REPORT)
    }

    fn report(&self, meeting: MeetingId, news: PresenceNews) {
        self.bus.report(PresenceReport { instance: self.hub.instance, meeting, number: self.number, news });
    }
}
