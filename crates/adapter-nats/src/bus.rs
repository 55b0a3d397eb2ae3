use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{Stream, stream};
use plenum_clients::{RevocationBus, RevocationStream, SessionRevocation};
use plenum_meetings::live::{LiveBus, LiveNotice, NoticeStream, PresenceBus, PresenceReport, ReportStream};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::NatsAddress;
use crate::codec::{Message, Unread};
use crate::connection;
use crate::outbox::Outbox;

/// How the instances find one another.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsSettings {
    /// Where NATS is.
    pub address: NatsAddress,
    /// What the instances of one installation have in common, and two installations on one NATS have not: letters and
    /// digits.
    pub installation: String,
}

impl fmt::Debug for NatsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsSettings").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Carries what instances tell one another over NATS. Dropping it ends the connection.
pub struct NatsBus {
    line: Arc<Line>,
    connection: AbortHandle,
}

impl NatsBus {
    /// Connects in the background, for as long as it takes, and again whenever the connection breaks. Its task stays on the
    /// runtime in which this is called.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn start(settings: NatsSettings) -> Self {
        let line = Arc::new(Line::new(&settings.address));
        let connection = tokio::spawn(connection::keep(settings, Arc::clone(&line))).abort_handle();
        Self { line, connection }
    }

    /// Waits until the others have had the time to say who is connected to them, and no longer than `patience`.
    pub async fn first_reports(&self, patience: Duration) {
        let mut settled = self.line.settled_at.subscribe();
        let heard = async {
            // The sender is in the line, which we have.
            let settled_at = settled.wait_for(Option::is_some).await.ok().and_then(|settled_at| *settled_at);
            // They answer at once, or where they were asked a moment ago, a second after that. What else was done since they
            // were asked is not waited for twice.
            sleep_until(settled_at.unwrap_or_else(Instant::now) + Line::MISSED + Duration::from_millis(250)).await;
        };
        // Without NATS there is nobody to wait for.
        let _ = timeout(patience, heard).await;
    }

    /// Whether NATS is connected at this moment.
    pub fn is_connected(&self) -> bool {
        self.line.is_connected()
    }
}

impl Drop for NatsBus {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl fmt::Debug for NatsBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsBus").field("is_connected", &self.is_connected()).finish_non_exhaustive()
    }
}

#[async_trait]
impl LiveBus for NatsBus {
    async fn publish(&self, notice: LiveNotice) {
        // Here at once and without a detour.
        let _ = self.line.notices.send(Some(notice));
        if self.is_connected() {
            self.line.outbox.notice(notice);
        }
    }

    fn subscribe(&self) -> NoticeStream {
        listen(&self.line.notices)
    }

    fn hears_others(&self) -> bool {
        self.is_connected()
    }
}

impl PresenceBus for NatsBus {
    fn report(&self, report: PresenceReport) {
        if self.is_connected() {
            self.line.outbox.report(report);
        }
    }

    fn reports(&self) -> ReportStream {
        // Who falls behind asks for nothing: that would be more to hear, and everyone tells everything again before long.
        Box::pin(stream::unfold(self.line.reports.subscribe(), |mut reports| async move {
            loop {
                match reports.recv().await {
                    Ok(item) => return Some((item, reports)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        }))
    }

    fn most_in_a_report(&self) -> usize {
        Message::voters_within(self.line.largest.load(Ordering::Relaxed))
    }
}

impl RevocationBus for NatsBus {
    fn announce(&self, revocation: SessionRevocation) {
        if self.is_connected() {
            self.line.outbox.departure(revocation);
        }
    }

    fn revocations(&self) -> RevocationStream {
        listen(&self.line.departures)
    }
}

/// What comes over a channel, where an item of `None` says that some was missed.
fn listen<T: Clone + Send + 'static>(
    channel: &broadcast::Sender<Option<T>>,
) -> Pin<Box<dyn Stream<Item = Option<T>> + Send>> {
    Box::pin(stream::unfold(channel.subscribe(), |mut channel| async move {
        let item = match channel.recv().await {
            Ok(item) => item,
            Err(RecvError::Lagged(_)) => None,
            Err(RecvError::Closed) => return None,
        };
        Some((item, channel))
    }))
}

/// What the ports and the connection share.
pub(crate) struct Line {
    /// Where NATS is, for people.
    address: String,
    is_connected: AtomicBool,
    /// People were told that NATS is away, since it was there last.
    is_said: AtomicBool,
    /// How large a message may be.
    pub(crate) largest: AtomicUsize,
    pub(crate) outbox: Outbox,
    /// The connection is a new one.
    pub(crate) renewed: Notify,
    /// When it was first asked who is connected elsewhere.
    settled_at: watch::Sender<Option<Instant>>,
    /// Somebody missed something.
    missed: Notify,
    /// It was this instance, which was too slow.
    has_lagged: AtomicBool,
    notices: broadcast::Sender<Option<LiveNotice>>,
    reports: broadcast::Sender<Option<PresenceReport>>,
    departures: broadcast::Sender<Option<SessionRevocation>>,
}

impl Line {
    /// By how many notices a subscriber may fall behind before it misses some.
    const NOTICES: usize = 4_096;
    /// Reports are large, and nobody waits long with one.
    const REPORTS: usize = 256;
    /// The least time between two occasions on which everything is loaded and told again: all who come back after an outage
    /// ask for it, each for itself.
    const MISSED: Duration = Duration::from_secs(1);

    pub(crate) fn new(address: &NatsAddress) -> Self {
        Self {
            address: address.to_string(),
            is_connected: AtomicBool::new(false),
            is_said: AtomicBool::new(false),
            largest: AtomicUsize::new(usize::MAX),
            outbox: Outbox::default(),
            renewed: Notify::new(),
            settled_at: watch::Sender::new(None),
            missed: Notify::new(),
            has_lagged: AtomicBool::new(false),
            notices: broadcast::Sender::new(Self::NOTICES),
            reports: broadcast::Sender::new(Self::REPORTS),
            departures: broadcast::Sender::new(Self::NOTICES),
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Acquire)
    }

    /// NATS is there, and does not know yet that we listen.
    pub(crate) fn connected(&self) {
        self.is_said.store(false, Ordering::Release);
        if !self.is_connected.swap(true, Ordering::AcqRel) {
            tracing::info!(address = self.address, "connected to NATS: what other instances do is shown here at once");
        }
        self.renewed.notify_one();
    }

    /// From now on we hear everything: what was told before was missed on both sides.
    pub(crate) fn settled(&self) {
        self.outbox.here();
        self.missed();
        self.settled_at.send_if_modified(|settled_at| {
            let is_first = settled_at.is_none();
            settled_at.get_or_insert_with(Instant::now);
            is_first
        });
    }

    /// NATS is gone, or does not let us in. Said once, however long it takes.
    pub(crate) fn away(&self, reason: &dyn fmt::Display) {
        if self.is_connected.swap(false, Ordering::AcqRel) {
            self.outbox.clear();
            self.missed_notices();
        }
        let address = &self.address;
        if self.is_said.swap(true, Ordering::AcqRel) {
            tracing::debug!(address, %reason, "NATS is still away");
        } else {
            tracing::warn!(address, %reason, "NATS is away: what other instances do is shown here some seconds late");
        }
    }

    /// Messages of others were lost, because this instance was too slow: as if it had just come.
    pub(crate) fn lagged(&self) {
        self.has_lagged.store(true, Ordering::Release);
        self.missed();
    }

    /// Messages were lost: everything is loaded and told again soon.
    pub(crate) fn missed(&self) {
        self.missed.notify_one();
    }

    /// Says that something was missed, at most once a second, until it is dropped.
    pub(crate) async fn tell_missed(&self) {
        loop {
            self.missed.notified().await;
            if self.has_lagged.swap(false, Ordering::AcqRel) && self.is_connected() {
                self.outbox.here();
            }
            self.missed_notices();
            // Without anyone who listens there is nobody who missed something.
            let _ = self.reports.send(None);
            let _ = self.departures.send(None);
            sleep(Self::MISSED).await;
        }
    }

    fn missed_notices(&self) {
        let _ = self.notices.send(None);
    }

    /// Passes on what another instance tells.
    pub(crate) fn hear(&self, message: &[u8]) {
        match Message::decode(message) {
            Ok(Message::Here) => self.missed(),
            Ok(Message::Notice(notice)) => drop(self.notices.send(Some(notice))),
            Ok(Message::SessionRevocation(departure)) => drop(self.departures.send(Some(departure))),
            Ok(Message::Presence(report)) => drop(self.reports.send(Some(report))),
            Err(Unread::Unknown) => tracing::debug!("another instance tells something that this version does not know"),
            Err(Unread::Garbled) => {
                tracing::warn!(bytes = message.len(), "a message over NATS that cannot be read is left out");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, StreamExt as _};
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{InstanceId, MeetingId};
    use plenum_meetings::live::PresenceNews;

    use super::*;

    impl NatsBus {
        /// On a line that somebody else connects.
        pub(crate) fn on(line: Arc<Line>) -> Self {
            let telling = Arc::clone(&line);
            let connection = tokio::spawn(async move { telling.tell_missed().await }).abort_handle();
            Self { line, connection }
        }
    }

    fn bus() -> NatsBus {
        NatsBus::on(Arc::new(Line::new(&NatsAddress::parse("nats://127.0.0.1:1").unwrap())))
    }

    #[tokio::test]
    async fn however_many_come_back_everything_is_loaded_once_a_second_at_most() {
        let bus = bus();
        let started = Instant::now();
        let mut heard = bus.subscribe();
        bus.line.hear(&Message::Here.encode());
        assert_eq!(heard.next().await, Some(None), "the first at once");
        for _ in 0..20 {
            bus.line.hear(&Message::Here.encode());
            bus.line.lagged();
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(heard.next().await, Some(None), "and those that came meanwhile");
        let mut count = 2;
        while heard.next().now_or_never().is_some() {
            count += 1;
        }
        assert!(count <= 1 + started.elapsed().as_secs(), "{count} in {:?}", started.elapsed());
    }

    #[tokio::test]
    async fn who_was_too_slow_asks_the_others_and_who_misses_reports_waits() {
        let bus = bus();
        bus.line.connected();
        let (mut reports, mut notices) = (bus.reports(), bus.subscribe());
        bus.line.lagged();
        assert_eq!(notices.next().await, Some(None));
        assert_eq!(bus.line.outbox.take(), [Message::Here]);
        assert_eq!(reports.next().await, Some(None));

        let ids = CountingIds::new();
        let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
        for number in 0..2 * Line::REPORTS as u64 {
            let news = PresenceNews::All { part: 0, parts: 1, voters: Vec::new() };
            bus.line.hear(&Message::Presence(PresenceReport { instance, meeting, number, news }).encode());
        }
        let first = reports.next().await.unwrap().expect("nobody is asked for what was missed");
        assert_eq!(first.number, Line::REPORTS as u64);
    }
}
