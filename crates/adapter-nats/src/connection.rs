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
use crate::bus::Line;

/// After which pause it is tried again to connect; the first pause is short, because most servers are back at once.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// How often it is asked whether NATS is still there. A cut cable says nothing: it is noticed at the third question without
/// an answer, and has to be long before those of other instances count as gone, who are silent for the same reason.
const PING_EVERY: Duration = Duration::from_secs(2);

/// How often it is looked whether the client is connected as its events said.
const RECONCILE_EVERY: Duration = Duration::from_secs(1);

/// How long more is gathered before it is told, once something was told.
const GATHER: Duration = Duration::from_millis(10);

/// Keeps a connection until it is dropped.
pub(crate) async fn keep(settings: NatsSettings, line: Arc<Line>) {
    tracing::info!(address = %settings.address, "connecting to NATS");
    select! {
        () = line.tell_missed() => {}
        () = connect_again_and_again(&settings, &line) => {}
    }
}

async fn connect_again_and_again(settings: &NatsSettings, line: &Arc<Line>) {
    loop {
        let error = connect_and_talk(settings, line).await;
        line.away(&error);
        sleep(LONGEST_PAUSE).await;
    }
}

/// Returns when the client has ended. It does not by itself: it tries for as long as it takes, also where NATS does not let
/// us in.
async fn connect_and_talk(settings: &NatsSettings, line: &Arc<Line>) -> Box<dyn Error + Send + Sync> {
    // One subject for everything of one installation, so that what one instance tells arrives in its order.
    let subject = format!("plenum.{}.instances", settings.installation);
    let client = match settings.address.introduce(options(line)).connect(settings.address.servers()).await {
        Ok(client) => client,
        Err(error) => return error.into(),
    };
    let messages = match client.subscribe(subject.clone()).await {
        Ok(messages) => messages,
        Err(error) => return error.into(),
    };
    select! {
        () = hear(messages, line) => "the client has ended".into(),
        error = tell(&client, &subject, line) => error,
        error = settle(&client, line) => error,
        () = reconcile(&client, line) => "unreachable: it goes on for ever".into(),
    }
}

fn options(line: &Arc<Line>) -> ConnectOptions {
    let line = Arc::clone(line);
    ConnectOptions::new()
        .name("plenum")
        .retry_on_initial_connect()
        // What we tell concerns the others.
        .no_echo()
        .ping_interval(PING_EVERY)
        .reconnect_delay_callback(pause)
        .event_callback(move |event| {
            notice(&line, &event);
            std::future::ready(())
        })
}

/// The pause before a try: none before the first.
fn pause(attempts: usize) -> Duration {
    match u32::try_from(attempts.saturating_sub(1)) {
        Ok(0) => Duration::ZERO,
        Ok(more) => FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(more - 1)).min(LONGEST_PAUSE),
        Err(_) => LONGEST_PAUSE,
    }
}

fn notice(line: &Line, event: &Event) {
    match event {
        Event::Connected => line.connected(),
        Event::Disconnected | Event::Closed => line.away(event),
        Event::SlowConsumer(_) => line.lagged(),
        // A try that failed.
        Event::ClientError(error) if !line.is_connected() => line.away(error),
        Event::ClientError(error) => tracing::warn!(%error, "NATS"),
        Event::ServerError(error) => tracing::warn!(%error, "NATS"),
        Event::LameDuckMode | Event::Draining => {}
    }
}

/// Returns when the client has ended.
async fn hear(mut messages: Subscriber, line: &Line) {
    while let Some(message) = messages.next().await {
        line.hear(&message.payload);
    }
}

/// Returns when the client has ended.
async fn tell(client: &Client, subject: &str, line: &Line) -> Box<dyn Error + Send + Sync> {
    loop {
        line.outbox.raised().await;
        for message in line.outbox.take() {
            match client.publish(subject.to_owned(), message.encode()).await {
                Ok(()) => {}
                // The server was replaced by one that takes less. What is told next is cut to its measure.
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    tracing::warn!(%error, "NATS takes no message of that size: raise its max_payload");
                }
                Err(error) => return error.into(),
            }
        }
        sleep(GATHER).await;
    }
}

/// Whenever the connection is a new one, waits until NATS was told what we listen to, and only then asks for what was
/// missed. Returns when the client has ended.
async fn settle(client: &Client, line: &Line) -> Box<dyn Error + Send + Sync> {
    loop {
        line.renewed.notified().await;
        if let Err(error) = client.flush().await {
            return error.into();
        }
        line.largest.store(client.max_payload(), Ordering::Relaxed);
        line.settled();
    }
}

/// The client drops events where there are too many of them: looks from time to time whether we believe the right thing.
async fn reconcile(client: &Client, line: &Line) {
    let mut looks = interval(RECONCILE_EVERY);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut was_wrong = false;
    loop {
        looks.tick().await;
        let state = client.connection_state();
        let is_connected = state == State::Connected;
        let is_wrong = is_connected != line.is_connected();
        // Twice: the event may be on its way.
        match (was_wrong && is_wrong, is_connected) {
            (false, _) => {}
            (true, true) => line.connected(),
            (true, false) => line.away(&state),
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

    const PATIENCE: Duration = Duration::from_secs(30);

    async fn until(what: &str, holds: impl Fn() -> bool) {
        let all = async {
            while !holds() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(PATIENCE, all).await.unwrap_or_else(|_| panic!("in vain: {what}"));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_instance_that_hears_too_slowly_asks_the_others_and_looks_for_itself() {
        let Some(server) = NatsServer::start() else { return };
        let address = server.address();
        let line = Arc::new(Line::new(&address));
        // Room for one message, which nobody takes.
        let slow = options(&line).subscription_capacity(1).connect(address.servers()).await.unwrap();
        let _messages = slow.subscribe("hall").await.unwrap();
        slow.flush().await.unwrap();
        let bus = NatsBus::on(Arc::clone(&line));
        let mut notices = bus.subscribe();

        let other = ConnectOptions::new().connect(address.servers()).await.unwrap();
        for _ in 0..10 {
            other.publish("hall", Message::Here.encode()).await.unwrap();
        }
        other.flush().await.unwrap();
        assert_eq!(timeout(PATIENCE, notices.next()).await.unwrap(), Some(None));
        assert_eq!(line.outbox.take(), [Message::Here]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_the_client_forgot_to_say_is_seen_by_looking() {
        let Some(mut server) = NatsServer::start() else { return };
        let address = server.address();
        let line = Arc::new(Line::new(&address));
        // It says nothing at all.
        let silent = ConnectOptions::new().reconnect_delay_callback(pause).connect(address.servers()).await.unwrap();
        let looking: JoinHandle<()> = tokio::spawn({
            let line = Arc::clone(&line);
            async move { reconcile(&silent, &line).await }
        });
        until("it is seen that NATS is there", || line.is_connected()).await;
        timeout(PATIENCE, line.renewed.notified()).await.expect("and asked for what was missed");
        block_in_place(|| server.stop());
        until("it is seen that NATS is away", || !line.is_connected()).await;
        block_in_place(|| server.start_again());
        until("it is seen that NATS is back", || line.is_connected()).await;
        timeout(PATIENCE, line.renewed.notified()).await.expect("and asked for what was missed");
        looking.abort();
    }

    #[test]
    fn it_is_tried_at_once_and_then_ever_more_seldom() {
        let pauses: Vec<u128> = (1..=8).map(|attempts| pause(attempts).as_millis()).collect();
        assert_eq!(pauses, [0, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
        assert_eq!(pause(usize::MAX), LONGEST_PAUSE);
    }
}
