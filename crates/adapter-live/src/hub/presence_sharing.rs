//! Exchanges presence reports with other instances.
//!
//! Changes are reported as they happen, merged as counters are. Every few seconds each meeting is reported in full. So
//! a lost report is compensated for, and an instance that has sent nothing for a while counts as stopped.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use plenum_kernel::MeetingId;
use plenum_meetings::live::{PresenceBus, PresenceReport, PresenceUpdate, ReportStream};
use tokio::select;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::backoff::Backoff;
use super::presence_set::PresenceChanges;
use super::state::Hub;

/// The time between two full reports.
const FULL_REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// The silence after which an instance counts as stopped. Its voters have reconnected through another one meanwhile.
const SILENCE_LIMIT: Duration = Duration::from_secs(15);

/// The highest number of voters in one report (160 kB), if the bus takes as many.
const MAX_VOTERS_PER_REPORT: usize = 10_000;

/// Runs until it is aborted.
pub(super) async fn run(hub: Arc<Hub>, bus: Arc<dyn PresenceBus>, mut reports: ReportStream) {
    let mut backoff = Backoff::new();
    let mut publisher = PresencePublisher::new(Arc::clone(&hub), Arc::clone(&bus));
    let mut full_report = interval(FULL_REPORT_INTERVAL);
    full_report.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut report_at: Option<Instant> = None;
    let mut report_from = Instant::now();
    loop {
        select! {
            report = reports.next() => match report {
                Some(Some(report)) => {
                    hub.apply_report(report);
                    backoff = Backoff::new();
                }
                Some(None) => publisher.publish_all(),
                None => {
                    tracing::warn!("the presence bus has ended; subscribing again");
                    sleep(backoff.next()).await;
                    reports = bus.reports();
                }
            },
            () = hub.presence_due.changed() => report_at = Some(report_from.max(Instant::now())),
            () = until(report_at) => {
                report_at = None;
                report_from = Instant::now() + hub.settings.merge_interval;
                publisher.publish_changes();
            }
            _ = full_report.tick() => {
                hub.remove_silent_instances(SILENCE_LIMIT);
                publisher.publish_all();
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

/// Sends the presence on this instance to the others.
struct PresencePublisher {
    hub: Arc<Hub>,
    bus: Arc<dyn PresenceBus>,
    /// The number of the last report.
    number: u64,
    /// The number of the last report of each meeting that had voters in it.
    reported: HashMap<MeetingId, u64>,
}

impl PresencePublisher {
    fn new(hub: Arc<Hub>, bus: Arc<dyn PresenceBus>) -> Self {
        Self { hub, bus, number: 0, reported: HashMap::new() }
    }

    /// Reports every meeting in full.
    fn publish_all(&mut self) {
        let mut meetings = self.hub.meetings_with_presence();
        meetings.extend(self.reported.keys());
        meetings.into_iter().for_each(|meeting| self.publish_full(meeting));
    }

    /// Reports the meetings whose presence changed.
    fn publish_changes(&mut self) {
        for meeting in self.hub.presence_due.take() {
            match (self.reported.get(&meeting).copied(), self.hub.existing_presence_set(meeting)) {
                (Some(since), Some(presence)) => self.publish_difference(meeting, since, presence.take_changes()),
                _ => self.publish_full(meeting),
            }
        }
    }

    fn publish_difference(&mut self, meeting: MeetingId, since: u64, changes: PresenceChanges) {
        let PresenceChanges { came, left } = changes;
        if came.len() + left.len() > self.max_voters_per_report() {
            self.publish_full(meeting);
        } else if !came.is_empty() || !left.is_empty() {
            self.number += 1;
            self.reported.insert(meeting, self.number);
            self.send(meeting, PresenceUpdate::Changed { since, came, left });
        }
    }

    fn publish_full(&mut self, meeting: MeetingId) {
        let voters = self.hub.existing_presence_set(meeting).map(|presence| presence.take_all()).unwrap_or_default();
        self.number += 1;
        if voters.is_empty() {
            if self.reported.remove(&meeting).is_some() {
                self.send(meeting, PresenceUpdate::All { part: 0, parts: 1, voters });
            }
            return;
        }
        self.reported.insert(meeting, self.number);
        let parts = voters.chunks(self.max_voters_per_report());
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        for (part, voters) in (0..count).zip(parts) {
            self.send(meeting, PresenceUpdate::All { part, parts: count, voters: voters.to_vec() });
        }
    }

    fn max_voters_per_report(&self) -> usize {
        self.bus.max_voters_in_report().clamp(1, MAX_VOTERS_PER_REPORT)
    }

    fn send(&self, meeting: MeetingId, update: PresenceUpdate) {
        self.bus.report(PresenceReport { instance: self.hub.instance, meeting, number: self.number, update });
    }
}
