use std::time::Duration;

use futures_util::StreamExt as _;
use plenum_adapter_nats::testkit::NatsServer;
use plenum_adapter_nats::{NatsBus, NatsSettings};
use plenum_voting::{ShareBus as _, ShareMessage, ShareMessageStream};
use tokio::time::{sleep, timeout};
use uuid::Uuid;

const TIMEOUT: Duration = Duration::from_secs(30);

fn message(number: u128, content: &[u8]) -> ShareMessage {
    ShareMessage { request: Uuid::from_u128(number), content: content.to_vec() }
}

fn instance(server: &NatsServer, installation: &str) -> NatsBus {
    NatsBus::start(NatsSettings { address: server.address(), installation: installation.to_owned() })
}

/// Sends a request again and again until it arrives, because a connected instance may not have subscribed yet.
async fn until_it_arrives(from: &NatsBus, to: &mut ShareMessageStream, request: &ShareMessage) {
    let arrives = async {
        loop {
            from.send(request.clone());
            if timeout(Duration::from_millis(200), to.next()).await == Ok(Some(request.clone())) {
                return;
            }
        }
    };
    timeout(TIMEOUT, arrives).await.expect("it arrives");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_and_replies_reach_the_other_instances_of_the_installation_only() {
    let Some(server) = NatsServer::start() else { return };
    let (one, other, stranger) = (instance(&server, "one"), instance(&server, "one"), instance(&server, "two"));
    let (mut own, mut requests, mut foreign) = (one.requests(), other.requests(), stranger.requests());
    until_it_arrives(&one, &mut requests, &message(1, b"request")).await;
    until_it_arrives(&other, &mut own, &message(2, b"back")).await;

    let mut replies = one.replies();
    let sealed: Vec<u8> = (0..=255).collect();
    other.reply(message(1, &sealed));
    other.reply(message(1, b""));
    assert_eq!(timeout(TIMEOUT, replies.next()).await.unwrap(), Some(message(1, &sealed)));
    assert_eq!(timeout(TIMEOUT, replies.next()).await.unwrap(), Some(message(1, b"")));

    // Its own requests do not come back, and another installation receives none.
    until_it_arrives(&one, &mut requests, &message(3, b"last")).await;
    for stream in [&mut own, &mut foreign] {
        while let Ok(Some(received)) = timeout(Duration::from_millis(200), stream.next()).await {
            assert_eq!(received, message(2, b"back"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_nats_nothing_waits_to_be_sent() {
    let Some(mut server) = NatsServer::start() else { return };
    let (one, other) = (instance(&server, "one"), instance(&server, "one"));
    let mut requests = other.requests();
    until_it_arrives(&one, &mut requests, &message(1, b"before")).await;
    tokio::task::block_in_place(|| server.stop());
    let away = async {
        while one.is_connected() || other.is_connected() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIMEOUT, away).await.expect("NATS is away");
    one.send(message(2, b"lost"));
    tokio::task::block_in_place(|| server.start_again());
    let next = async {
        loop {
            one.send(message(3, b"after"));
            if let Ok(received) = timeout(Duration::from_millis(200), requests.next()).await {
                return received.expect("the bus does not end");
            }
        }
    };
    assert_eq!(timeout(TIMEOUT, next).await.expect("it arrives"), message(3, b"after"));
}
