//! Clients that are slow or exceed a quota are disconnected, without effect on others. Each caller has its own address
//! in the loopback network.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use plenum_adapter_http::{ConnectionLimits, ConnectionTimeouts, HttpSettings, TrustedProxies};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

use crate::http::support::{EventStream, TIME_LIMIT, TestApp, until};

const QUESTION: &str = "GET /health HTTP/1.1\r\nhost: plenum\r\n\r\n";

/// A caller with this number as the end of its address.
async fn connect(app: &TestApp, number: u8) -> TcpStream {
    let server: SocketAddr = app.base().strip_prefix("http://").unwrap().parse().unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(Ipv4Addr::new(127, 0, 0, number).into(), 0)).unwrap();
    socket.connect(server).await.unwrap()
}

/// A connection after one request, and its response.
async fn ask(app: &TestApp, number: u8) -> (TcpStream, String) {
    let mut connection = connect(app, number).await;
    let answer = ask_again(&mut connection).await;
    (connection, answer)
}

/// The head of the response, and a part of the rest.
async fn ask_again(connection: &mut TcpStream) -> String {
    connection.write_all(QUESTION.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"}") {
        let read = timeout(TIME_LIMIT, connection.read_buf(&mut answer)).await.expect("no response arrived").unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8(answer).unwrap()
}

/// Everything that the server sends until it closes the connection.
async fn read_to_the_end(mut connection: impl tokio::io::AsyncRead + Unpin) -> String {
    let mut answer = Vec::new();
    // A reset connection ends with an error.
    let _ = timeout(TIME_LIMIT, connection.read_to_end(&mut answer))
        .await
        .expect("the server did not close the connection");
    String::from_utf8(answer).unwrap()
}

/// Sends this text, and then one byte after another.
async fn drip(connection: TcpStream, first: &str) -> String {
    let (reader, mut writer) = connection.into_split();
    writer.write_all(first.as_bytes()).await.unwrap();
    let dripping = tokio::spawn(async move {
        while writer.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
    });
    let answer = read_to_the_end(reader).await;
    dripping.abort();
    answer
}

/// Short timeouts for tests. For the first head, actix reads a clock that may be half a second late, so this timeout
/// has to allow that.
async fn start_with_short_timeouts() -> TestApp {
    let short = Duration::from_millis(300);
    let timeouts = ConnectionTimeouts { head: Duration::from_secs(2), body: short, reader: short, idle: 2 * short };
    let limits = ConnectionLimits { timeouts, ..ConnectionLimits::default() };
    TestApp::start_with(HttpSettings { limits, ..HttpSettings::default() }).await
}

async fn start_with_quotas(connections: usize, connections_per_address: usize) -> TestApp {
    let limits = ConnectionLimits { connections, connections_per_address, ..ConnectionLimits::default() };
    let trusted_proxies = TrustedProxies::parse("127.0.0.9").unwrap();
    TestApp::start_with(HttpSettings { limits, trusted_proxies, ..HttpSettings::default() }).await
}

const SIGN_IN: &str = "POST /api/auth/login HTTP/1.1\r\nhost: plenum\r\ncontent-type: application/json\r\n\
                       content-length: 1000\r\n\r\n{";

#[tokio::test]
async fn a_stalled_or_slow_body_is_refused_and_ends_the_connection() {
    let app = start_with_short_timeouts().await;
    let mut stopping = connect(&app, 1).await;
    stopping.write_all(SIGN_IN.as_bytes()).await.unwrap();
    let stopped = read_to_the_end(stopping).await;
    let dripped = drip(connect(&app, 1).await, SIGN_IN).await;
    for answer in [stopped, dripped] {
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains(r#""code":"body_too_slow""#), "{answer}");
    }
}

/// Sends a file to the public check. `length` is the announced number of bytes.
async fn upload(app: &TestApp, number: u8, length: usize) -> TcpStream {
    let mut connection = connect(app, number).await;
    let head = format!(
        "POST /api/public/verify HTTP/1.1\r\nhost: plenum\r\nconnection: close\r\n\
         content-type: application/octet-stream\r\ncontent-length: {length}\r\n\r\nx"
    );
    connection.write_all(head.as_bytes()).await.unwrap();
    connection
}

#[tokio::test]
async fn slow_uploads_keep_their_own_network_from_the_check_of_files_and_no_other() {
    let app = TestApp::start().await;
    let mut slow = Vec::new();
    until("the network has no place left", async || {
        // A short file may arrive before a slow one, and take its place.
        slow.push(upload(&app, 1, 1_000).await);
        read_to_the_end(upload(&app, 1, 1).await).await.contains("Other files of your network").then_some(())
    })
    .await;
    let other = read_to_the_end(upload(&app, 2, 1).await).await;
    assert!(other.starts_with("HTTP/1.1 422 "), "{other}");
    drop(slow);
    until("the network has a place again", async || {
        read_to_the_end(upload(&app, 1, 1).await).await.starts_with("HTTP/1.1 422 ").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_slow_head_ends_the_connection_also_after_earlier_requests() {
    let app = start_with_short_timeouts().await;
    let begun = "GET /health HTTP/1.1\r\nx-slow: ";
    let first = drip(connect(&app, 1).await, begun).await;
    assert!(first.starts_with("HTTP/1.1 408 ") || first.is_empty(), "{first}");
    let (second, answer) = ask(&app, 1).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(drip(second, begun).await, "");
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let app = TestApp::start().await;
    let mut connection = connect(&app, 1).await;
    let head = format!("GET /health HTTP/1.1\r\nhost: plenum\r\nx-long: {}", "a".repeat(200_000));
    // The server may close the connection before it has read everything.
    let _ = connection.write_all(head.as_bytes()).await;
    let answer = read_to_the_end(connection).await;
    assert!(answer.starts_with("HTTP/1.1 431 ") || answer.is_empty(), "{answer}");
}

#[tokio::test]
async fn an_unread_body_does_not_keep_a_connection_open() {
    let app = start_with_short_timeouts().await;
    let head = "POST /api/nowhere HTTP/1.1\r\nhost: plenum\r\ntransfer-encoding: chunked\r\n\r\n";
    // Slow bytes are a valid part of the second chunk, but invalid after the first.
    for (rest, may_drip) in [("5\r\nhello\r\n", false), ("fffff\r\n", true)] {
        let begun = format!("{head}{rest}");
        let mut stopping = connect(&app, 1).await;
        stopping.write_all(begun.as_bytes()).await.unwrap();
        let stopped = read_to_the_end(stopping).await;
        assert!(stopped.starts_with("HTTP/1.1 404 "), "{rest:?}: {stopped:?}");
        if may_drip {
            let dripped = drip(connect(&app, 1).await, &begun).await;
            assert!(dripped.starts_with("HTTP/1.1 404 "), "{rest:?}: {dripped:?}");
        }
    }
}

#[tokio::test]
async fn one_address_has_a_share_of_the_connections_and_gets_it_back() {
    let app = start_with_quotas(100, 3).await;
    let mut taken = Vec::new();
    for _ in 0..3 {
        let (connection, answer) = ask(&app, 2).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        taken.push(connection);
    }
    let (refused, answer) = ask(&app, 2).await;
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 2\r\n"), "{answer}");
    assert!(answer.contains(r#""code":"temporarily_unavailable""#), "{answer}");
    for header in [
        "x-content-type-options: nosniff",
        "referrer-policy: same-origin",
        "content-security-policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         sandbox",
        "x-frame-options: DENY",
        "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
    ] {
        assert_eq!(answer.matches(&format!("\r\n{header}\r\n")).count(), 1, "{header}: {answer}");
    }
    assert_eq!(read_to_the_end(refused).await, "");
    // Other addresses and open connections are not affected.
    assert!(ask(&app, 3).await.1.starts_with("HTTP/1.1 200 "));
    assert!(ask_again(&mut taken[0]).await.starts_with("HTTP/1.1 200 "));
    drop(taken.pop());
    until("the place is given back", async || ask(&app, 2).await.1.starts_with("HTTP/1.1 200 ").then_some(())).await;
}

#[tokio::test]
async fn a_full_server_rejects_new_connections_with_a_response() {
    let app = start_with_quotas(4, 3).await;
    let mut taken = Vec::new();
    for number in [2, 2, 2, 3] {
        let (connection, answer) = ask(&app, number).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        taken.push(connection);
    }
    let (_, answer) = ask(&app, 4).await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    taken.clear();
    until("the places are given back", async || ask(&app, 4).await.1.starts_with("HTTP/1.1 200 ").then_some(())).await;
}

#[tokio::test]
async fn connections_of_a_trusted_proxy_have_no_quota_of_one_address() {
    let app = start_with_quotas(100, 3).await;
    let mut taken = Vec::new();
    for _ in 0..10 {
        let (connection, answer) = ask(&app, 9).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        taken.push(connection);
    }
}

#[tokio::test]
async fn the_streams_of_a_person_are_limited_and_an_ended_one_frees_its_place() {
    let limits = ConnectionLimits { streams_per_person: 2, ..ConnectionLimits::default() };
    let app = TestApp::start_with(HttpSettings { limits, ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter("ben").await);
    let meeting = club.meeting().await;
    let path = format!("/sse/meetings/{}/stream", meeting.id);
    let mut streams = Vec::new();
    for _ in 0..2 {
        // Another device of the same person.
        let device = app.anyone().sign_in_voter(&club.code, "ada").await;
        streams.push(EventStream::watch(&device, &meeting.id).await);
    }
    let refused = ada.caller.request("GET", &path).send().await.unwrap();
    // An accepted stream has no end, so the test does not read it.
    assert_eq!((refused.status().as_u16(), &refused.headers()["retry-after"]), (429, &"5".parse().unwrap()));
    assert!(refused.text().await.unwrap().contains(r#""code":"too_many_streams""#));
    // Other requests of the screen, and other people, are not affected.
    ada.caller.get(&format!("/sse/meetings/{}/state", meeting.id)).await.gives(200);
    EventStream::watch(&ben.caller, &meeting.id).await.until("connected").await;
    drop(streams.pop());
    until("there is room again", async || {
        let answer = ada.caller.request("GET", &path).send().await.unwrap();
        (answer.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn one_address_has_only_a_share_of_the_streams() {
    // Streams may use four fifths of the connections, in all and of one address.
    let limits = ConnectionLimits { connections: 25, connections_per_address: 5, ..ConnectionLimits::default() };
    let trusted_proxies = TrustedProxies::parse("127.0.0.1").unwrap();
    let app = TestApp::start_with(HttpSettings { limits, trusted_proxies, ..HttpSettings::default() }).await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let path = format!("/public/meetings/{}/presentation/stream", meeting.id);
    let watch =
        async |from: &str| app.anyone().request("GET", &path).header("x-forwarded-for", from).send().await.unwrap();
    let mut screens = Vec::new();
    for _ in 0..4 {
        screens.push(watch("192.0.2.1").await);
    }
    assert!(screens.iter().all(|answer| answer.status() == 200));
    let refused = watch("192.0.2.1").await;
    assert_eq!((refused.status().as_u16(), &refused.headers()["retry-after"]), (429, &"5".parse().unwrap()));
    for from in ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] {
        for _ in 0..4 {
            screens.push(watch(from).await);
        }
    }
    assert!(screens.iter().all(|answer| answer.status() == 200));
    assert_eq!(watch("192.0.2.6").await.status(), 503);
}
