use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{Stream, stream};
use plenum_clients::{RevocationBus, RevocationStream, SessionRevocation};
use plenum_meetings::live::{LiveBus, LiveNotice, NoticeStream, PresenceBus, PresenceReport, ReportStream};
use plenum_voting::{ShareBus, ShareMessage, ShareMessageStream};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::NatsAddress;
use crate::codec::{DecodeError, Message};
use crate::connection;
use crate::outbox::Outbox;

/// The connection to the other instances.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsSettings {
    /// The address of NATS.
    pub address: NatsAddress,
    /// The name of the installation, in letters and digits. Instances with the same name exchange messages. Two
    /// installations can share one NATS.
    pub installation: String,
}

impl fmt::Debug for NatsSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsSettings").field("address", &self.address).finish_non_exhaustive()
    }
}

/// The bus between instances, over NATS. Dropping it ends the connection.
pub struct NatsBus {
    shared: Arc<SharedState>,
    connection: AbortHandle,
}

impl NatsBus {
    /// Connects in the background, and again whenever the connection breaks. The task runs on the runtime of the caller.
    ///
    /// # Panics
    /// Panics outside a Tokio runtime.
    pub fn start(settings: NatsSettings) -> Self {
        let shared = Arc::new(SharedState::new(&settings.address));
        let connection = tokio::spawn(connection::keep(settings, Arc::clone(&shared))).abort_handle();
        Self { shared, connection }
    }

    /// Waits until the other instances have had time to report their connected voters, for at most `limit`.
    pub async fn wait_for_first_reports(&self, limit: Duration) {
        let mut subscribed = self.shared.subscribed_at.subscribe();
        let reported = async {
            // The sender is in the shared state, so it is not dropped.
            let subscribed_at =
                subscribed.wait_for(Option::is_some).await.ok().and_then(|subscribed_at| *subscribed_at);
            // They answer at once, or after a second if another instance asked them a moment ago. The time since the request
            // is part of the wait.
            sleep_until(
                subscribed_at.unwrap_or_else(Instant::now) + SharedState::RELOAD_INTERVAL + Duration::from_millis(250),
            )
            .await;
        };
        // Without NATS there are no reports.
        let _ = timeout(limit, reported).await;
    }

    /// Whether NATS is connected at this moment.
    pub fn is_connected(&self) -> bool {
        self.shared.is_connected()
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
        // This instance gets it at once, without NATS.
        let _ = self.shared.notices.send(Some(notice));
        if self.is_connected() {
            self.shared.outbox.notice(notice);
        }
    }

    fn subscribe(&self) -> NoticeStream {
        subscribe_to(&self.shared.notices)
    }

    fn receives_others(&self) -> bool {
        self.is_connected()
    }
}

impl PresenceBus for NatsBus {
    fn report(&self, report: PresenceReport) {
        if self.is_connected() {
            self.shared.outbox.report(report);
        }
    }

    fn reports(&self) -> ReportStream {
        // A subscriber that falls behind requests nothing: that would be more to receive, and full reports repeat soon.
        Box::pin(stream::unfold(self.shared.reports.subscribe(), |mut reports| async move {
            loop {
                match reports.recv().await {
                    Ok(item) => return Some((item, reports)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        }))
    }

    fn max_voters_in_report(&self) -> usize {
        Message::voters_within(self.shared.max_payload.load(Ordering::Relaxed))
    }
}

impl RevocationBus for NatsBus {
    fn announce(&self, revocation: SessionRevocation) {
        if self.is_connected() {
            self.shared.outbox.revocation(revocation);
        }
    }

    fn revocations(&self) -> RevocationStream {
        subscribe_to(&self.shared.revocations)
    }
}

impl ShareBus for NatsBus {
    fn send(&self, request: ShareMessage) {
        if self.is_connected() {
            self.shared.outbox.share(Message::ShareRequest(request));
        }
    }

    fn reply(&self, reply: ShareMessage) {
        if self.is_connected() {
            self.shared.outbox.share(Message::ShareReply(reply));
        }
    }

    fn requests(&self) -> ShareMessageStream {
        without_gaps(&self.shared.share_requests)
    }

    fn replies(&self) -> ShareMessageStream {
        without_gaps(&self.shared.share_replies)
    }

    fn is_connected(&self) -> bool {
        self.shared.is_connected()
    }
}

/// The items of a channel. Missed ones are not reported, because the sender of a request repeats it.
fn without_gaps(channel: &broadcast::Sender<ShareMessage>) -> ShareMessageStream {
    Box::pin(stream::unfold(channel.subscribe(), |mut channel| async move {
        loop {
            match channel.recv().await {
                Ok(message) => return Some((message, channel)),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }))
}

/// The items of a channel. `None` means that items were missed.
fn subscribe_to<T: Clone + Send + 'static>(
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

/// State that the ports and the connection share.
pub(crate) struct SharedState {
    /// The address of NATS, for the log.
    address: String,
    is_connected: AtomicBool,
    /// Whether the log has the current failure of NATS.
    is_logged: AtomicBool,
    /// The maximum size of a message in bytes.
    pub(crate) max_payload: AtomicUsize,
    pub(crate) outbox: Outbox,
    /// Signals a new connection.
    pub(crate) connected_anew: Notify,
    /// The time of the first request for the reports of other instances.
    subscribed_at: watch::Sender<Option<Instant>>,
    /// Signals that an instance missed messages.
    missed: Notify,
    /// Whether this instance missed messages because it was too slow.
    has_lagged: AtomicBool,
    notices: broadcast::Sender<Option<LiveNotice>>,
    reports: broadcast::Sender<Option<PresenceReport>>,
    revocations: broadcast::Sender<Option<SessionRevocation>>,
    share_requests: broadcast::Sender<ShareMessage>,
    share_replies: broadcast::Sender<ShareMessage>,
}

impl SharedState {
    /// The number of notices by which a subscriber may fall behind before it misses some.
    const NOTICE_CAPACITY: usize = 4_096;
    /// Smaller, because reports are large.
    const REPORT_CAPACITY: usize = 256;
    /// The minimum time between two full reloads and reports. After an outage, each instance that reconnects requests one.
    const RELOAD_INTERVAL: Duration = Duration::from_secs(1);

    pub(crate) fn new(address: &NatsAddress) -> Self {
        Self {
            address: address.to_string(),
            is_connected: AtomicBool::new(false),
            is_logged: AtomicBool::new(false),
            max_payload: AtomicUsize::new(usize::MAX),
            outbox: Outbox::default(),
            connected_anew: Notify::new(),
            subscribed_at: watch::Sender::new(None),
            missed: Notify::new(),
            has_lagged: AtomicBool::new(false),
            notices: broadcast::Sender::new(Self::NOTICE_CAPACITY),
            reports: broadcast::Sender::new(Self::REPORT_CAPACITY),
            revocations: broadcast::Sender::new(Self::NOTICE_CAPACITY),
            share_requests: broadcast::Sender::new(Self::REPORT_CAPACITY),
            share_replies: broadcast::Sender::new(Self::REPORT_CAPACITY),
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.is_connected.load(Ordering::Acquire)
    }

    /// Records a new connection, on which the subscription is not confirmed yet.
    pub(crate) fn connected(&self) {
        self.is_logged.store(false, Ordering::Release);
        if !self.is_connected.swap(true, Ordering::AcqRel) {
            tracing::info!(address = self.address, "connected to NATS: changes of other instances arrive at once");
        }
        self.connected_anew.notify_one();
    }

    /// Records a confirmed subscription. Earlier messages were missed, by this instance and by the others.
    pub(crate) fn subscribed(&self) {
        self.outbox.joined();
        self.missed();
        self.subscribed_at.send_if_modified(|subscribed_at| {
            let is_first = subscribed_at.is_none();
            subscribed_at.get_or_insert_with(Instant::now);
            is_first
        });
    }

    /// Records that NATS is not reachable or refuses the connection. The log has one warning for each outage.
    pub(crate) fn disconnected(&self, reason: &dyn fmt::Display) {
        if self.is_connected.swap(false, Ordering::AcqRel) {
            self.outbox.clear();
            self.missed_notices();
        }
        let address = &self.address;
        if self.is_logged.swap(true, Ordering::AcqRel) {
            tracing::debug!(address, %reason, "NATS is still away");
        } else {
            tracing::warn!(address, %reason, "NATS is away: changes of other instances arrive a few seconds late");
        }
    }

    /// Records that messages were lost because this instance was too slow. It then acts like a newly connected instance.
    pub(crate) fn lagged(&self) {
        self.has_lagged.store(true, Ordering::Release);
        self.missed();
    }

    /// Records that messages were lost, so that snapshots are loaded and presence is reported again.
    pub(crate) fn missed(&self) {
        self.missed.notify_one();
    }

    /// Tells subscribers that messages were missed, at most once a second, until it is dropped.
    pub(crate) async fn report_missed(&self) {
        loop {
            self.missed.notified().await;
            if self.has_lagged.swap(false, Ordering::AcqRel) && self.is_connected() {
                self.outbox.joined();
            }
            self.missed_notices();
            // Sending fails without subscribers, which means that no subscriber missed anything.
            let _ = self.reports.send(None);
            let _ = self.revocations.send(None);
            sleep(Self::RELOAD_INTERVAL).await;
        }
    }

    fn missed_notices(&self) {
        let _ = self.notices.send(None);
    }

    /// Passes a message of another instance to the subscribers.
    pub(crate) fn receive(&self, message: &[u8]) {
        match Message::decode(message) {
            Ok(Message::Joined) => self.missed(),
            Ok(Message::Notice(notice)) => drop(self.notices.send(Some(notice))),
            Ok(Message::SessionRevocation(revocation)) => drop(self.revocations.send(Some(revocation))),
            Ok(Message::Presence(report)) => drop(self.reports.send(Some(report))),
            Ok(Message::ShareRequest(request)) => drop(self.share_requests.send(request)),
            Ok(Message::ShareReply(reply)) => drop(self.share_replies.send(reply)),
            Err(DecodeError::Unknown) => {
                tracing::debug!("ignored a message of another instance: this version does not know its kind");
            }
            Err(DecodeError::Malformed) => {
                tracing::warn!(bytes = message.len(), "ignored a malformed message over NATS");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, StreamExt as _};
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{InstanceId, MeetingId};
    use plenum_meetings::live::PresenceUpdate;

    use super::*;

    impl NatsBus {
        /// A bus on shared state that the test connects.
        pub(crate) fn on(shared: Arc<SharedState>) -> Self {
            let reporting = Arc::clone(&shared);
            let connection = tokio::spawn(async move { reporting.report_missed().await }).abort_handle();
            Self { shared, connection }
        }
    }

    fn bus() -> NatsBus {
        NatsBus::on(Arc::new(SharedState::new(&NatsAddress::parse("nats://127.0.0.1:1").unwrap())))
    }

    #[tokio::test]
    async fn many_reconnecting_instances_cause_at_most_one_reload_a_second() {
        let bus = bus();
        let started = Instant::now();
        let mut notices = bus.subscribe();
        bus.shared.receive(&Message::Joined.encode());
        assert_eq!(notices.next().await, Some(None), "the first at once");
        for _ in 0..20 {
            bus.shared.receive(&Message::Joined.encode());
            bus.shared.lagged();
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(notices.next().await, Some(None), "and one for all later ones");
        let mut count = 2;
        while notices.next().now_or_never().is_some() {
            count += 1;
        }
        assert!(count <= 1 + started.elapsed().as_secs(), "{count} in {:?}", started.elapsed());
    }

    #[tokio::test]
    async fn a_slow_instance_requests_reports_and_a_slow_subscriber_does_not() {
        let bus = bus();
        bus.shared.connected();
        let (mut reports, mut notices) = (bus.reports(), bus.subscribe());
        bus.shared.lagged();
        assert_eq!(notices.next().await, Some(None));
        assert_eq!(bus.shared.outbox.take(), [Message::Joined]);
        assert_eq!(reports.next().await, Some(None));

        let ids = CountingIds::new();
        let (instance, meeting) = (InstanceId::new(&ids), MeetingId::new(&ids));
        for number in 0..2 * SharedState::REPORT_CAPACITY as u64 {
            let update = PresenceUpdate::All { part: 0, parts: 1, voters: Vec::new() };
            bus.shared.receive(&Message::Presence(PresenceReport { instance, meeting, number, update }).encode());
        }
        let first = reports.next().await.unwrap().expect("no request for missed reports");
        assert_eq!(first.number, SharedState::REPORT_CAPACITY as u64);
    }
}
