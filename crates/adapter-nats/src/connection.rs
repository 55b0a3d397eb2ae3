use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::client::PublishErrorKind;
use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event, Subscriber};
use futures_util::StreamExt as _;
use tokio::select;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::NatsSettings;
use crate::bus::SharedState;

/// The wait before the second attempt to connect. It is short, because most servers are back at once.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(100);
/// The longest wait between two attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(2);

/// The time between two pings. The client notices a cut cable at the third ping without an answer. That must be long
/// before the voters of other instances count as disconnected, because those instances are silent for the same reason.
const PING_INTERVAL: Duration = Duration::from_secs(2);

/// The time between two comparisons of the client's state with its events.
const RECONCILE_INTERVAL: Duration = Duration::from_secs(1);

/// The wait after each batch of messages, in which the next batch is collected.
const BATCH_INTERVAL: Duration = Duration::from_millis(10);

/// Keeps the bus connected until it is dropped.
pub(crate) async fn keep(settings: NatsSettings, shared: Arc<SharedState>) {
    tracing::info!(address = %settings.address, "connecting to NATS");
    select! {
        () = shared.report_missed() => {}
        () = connect_forever(&settings, &shared) => {}
    }
}

async fn connect_forever(settings: &NatsSettings, shared: &Arc<SharedState>) {
    loop {
        let error = run_connection(settings, shared).await;
        shared.disconnected(&error);
        sleep(MAX_RETRY_DELAY).await;
    }
}

/// Returns when the client has ended, which it does not do by itself. It retries for ever, also when NATS refuses the
/// credentials.
async fn run_connection(settings: &NatsSettings, shared: &Arc<SharedState>) -> Box<dyn Error + Send + Sync> {
    // One subject for all messages of an installation, so that the messages of an instance arrive in order.
    let subject = format!("plenum.{}.instances", settings.installation);
    let client = match settings.address.authenticate(options(shared)).connect(settings.address.servers()).await {
        Ok(client) => client,
        Err(error) => return error.into(),
    };
    let messages = match client.subscribe(subject.clone()).await {
        Ok(messages) => messages,
        Err(error) => return error.into(),
    };
    select! {
        () = receive(messages, shared) => "the client has ended".into(),
        error = send(&client, &subject, shared) => error,
        error = subscribe_anew(&client, shared) => error,
        () = reconcile(&client, shared) => "unreachable: the loop never ends".into(),
    }
}

fn options(shared: &Arc<SharedState>) -> ConnectOptions {
    let shared = Arc::clone(shared);
    ConnectOptions::new()
        .name("plenum")
        .retry_on_initial_connect()
        // The messages are for other instances only.
        .no_echo()
        .ping_interval(PING_INTERVAL)
        .reconnect_delay_callback(retry_delay)
        .event_callback(move |event| {
            on_event(&shared, &event);
            std::future::ready(())
        })
}

/// The wait before an attempt to connect: none before the first.
fn retry_delay(attempts: usize) -> Duration {
    match u32::try_from(attempts.saturating_sub(1)) {
        Ok(0) => Duration::ZERO,
        Ok(more) => FIRST_RETRY_DELAY.saturating_mul(2_u32.saturating_pow(more - 1)).min(MAX_RETRY_DELAY),
        Err(_) => MAX_RETRY_DELAY,
    }
}

fn on_event(shared: &SharedState, event: &Event) {
    match event {
        Event::Connected => shared.connected(),
        Event::Disconnected | Event::Closed => shared.disconnected(event),
        Event::SlowConsumer(_) => shared.lagged(),
        // A failed attempt.
        Event::ClientError(error) if !shared.is_connected() => shared.disconnected(error),
        Event::ClientError(error) => tracing::warn!(%error, "NATS"),
        Event::ServerError(error) => tracing::warn!(%error, "NATS"),
        Event::LameDuckMode | Event::Draining => {}
    }
}

/// Returns when the client has ended.
async fn receive(mut messages: Subscriber, shared: &SharedState) {
    while let Some(message) = messages.next().await {
        shared.receive(&message.payload);
    }
}

/// Returns when the client has ended.
async fn send(client: &Client, subject: &str, shared: &SharedState) -> Box<dyn Error + Send + Sync> {
    loop {
        shared.outbox.changed().await;
        for message in shared.outbox.take() {
            match client.publish(subject.to_owned(), message.encode()).await {
                Ok(()) => {}
                // The server was replaced by one with a lower limit. The next reports are cut to its size.
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    tracing::warn!(%error, "NATS refuses a message of this size: raise its max_payload");
                }
                Err(error) => return error.into(),
            }
        }
        sleep(BATCH_INTERVAL).await;
    }
}

/// On each new connection, waits until NATS has the subscription, and then requests the missed messages. Returns when the
/// client has ended.
async fn subscribe_anew(client: &Client, shared: &SharedState) -> Box<dyn Error + Send + Sync> {
    loop {
        shared.connected_anew.notified().await;
        if let Err(error) = client.flush().await {
            return error.into();
        }
        shared.max_payload.store(client.max_payload(), Ordering::Relaxed);
        shared.subscribed();
    }
}

/// Compares the client's state with its events from time to time, because the client drops events when there are too
/// many.
async fn reconcile(client: &Client, shared: &SharedState) {
    let mut ticks = interval(RECONCILE_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut was_wrong = false;
    loop {
        ticks.tick().await;
        let state = client.connection_state();
        let is_connected = state == State::Connected;
        let is_wrong = is_connected != shared.is_connected();
        // Twice in a row, because the event may be on its way.
        match (was_wrong && is_wrong, is_connected) {
            (false, _) => {}
            (true, true) => shared.connected(),
            (true, false) => shared.disconnected(&state),
        }
        was_wrong = is_wrong;
    }
}

#[cfg(test)]
mod tests {
    use plenum_meetings::live::LiveBus as _;
    use tokio::task::{JoinHandle, block_in_place};
    use tokio::time::timeout;

    use super::*;
    use crate::bus::NatsBus;
    use crate::codec::Message;
    use crate::testkit::NatsServer;

    const TIMEOUT: Duration = Duration::from_secs(30);

    async fn until(event: &str, holds: impl Fn() -> bool) {
        let all = async {
            while !holds() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(TIMEOUT, all).await.unwrap_or_else(|_| panic!("timed out: {event}"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_slow_instance_reloads_and_requests_reports() {
        let Some(server) = NatsServer::start() else { return };
        let address = server.address();
        let shared = Arc::new(SharedState::new(&address));
        // Space for one message, which is never read.
        let slow = options(&shared).subscription_capacity(1).connect(address.servers()).await.unwrap();
        let _messages = slow.subscribe("test").await.unwrap();
        slow.flush().await.unwrap();
        let bus = NatsBus::on(Arc::clone(&shared));
        let mut notices = bus.subscribe();

        let other = ConnectOptions::new().connect(address.servers()).await.unwrap();
        for _ in 0..10 {
            other.publish("test", Message::Joined.encode()).await.unwrap();
        }
        other.flush().await.unwrap();
        assert_eq!(timeout(TIMEOUT, notices.next()).await.unwrap(), Some(None));
        assert_eq!(shared.outbox.take(), [Message::Joined]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_change_without_an_event_is_noticed() {
        let Some(mut server) = NatsServer::start() else { return };
        let address = server.address();
        let shared = Arc::new(SharedState::new(&address));
        // This client reports no events.
        let silent =
            ConnectOptions::new().reconnect_delay_callback(retry_delay).connect(address.servers()).await.unwrap();
        let reconciling: JoinHandle<()> = tokio::spawn({
            let shared = Arc::clone(&shared);
            async move { reconcile(&silent, &shared).await }
        });
        until("NATS is connected", || shared.is_connected()).await;
        timeout(TIMEOUT, shared.connected_anew.notified()).await.expect("a request for missed messages");
        block_in_place(|| server.stop());
        until("NATS is away", || !shared.is_connected()).await;
        block_in_place(|| server.start_again());
        until("NATS is back", || shared.is_connected()).await;
        timeout(TIMEOUT, shared.connected_anew.notified()).await.expect("a request for missed messages");
        reconciling.abort();
    }

    #[test]
    fn the_first_attempt_is_immediate_and_the_delay_doubles() {
        let delays: Vec<u128> = (1..=8).map(|attempts| retry_delay(attempts).as_millis()).collect();
        assert_eq!(delays, [0, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
        assert_eq!(retry_delay(usize::MAX), MAX_RETRY_DELAY);
    }
}
