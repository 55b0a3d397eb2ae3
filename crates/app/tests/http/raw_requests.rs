//! Bytes on a socket that are nearly a request. The server answers or closes, never with a failure of its own, and serves
//! the next one.

use futures_util::future::join_all;
use plenum_load::chance::Chance;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::{NO_ID, PASSWORD, PATIENCE, ROOT_EMAIL, TestApp};

/// Another number, other requests.
const SEED: u64 = 2_026;
const ROUNDS: usize = 60;
const AT_A_TIME: usize = 16;

/// What is put into a request somewhere.
const PIECES: &[&str] = &[
    "\r\n",
    "\n",
    "\0",
    " ",
    ":",
    "/",
    "../",
    "//",
    "%",
    "%00",
    "%ff",
    "%2e%2e",
    "?",
    "&",
    "\u{e9}",
    "\"",
    "{",
    "[[[[",
    "\r\n\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: 18446744073709551616\r\n",
    "Expect: 100-continue\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\n",
    "Accept-Encoding: br;q=x, *;q=0\r\n",
    "Content-Encoding: gzip\r\n",
    "X-Forwarded-For: ,,[::1\r\n",
    "Range: bytes=9-1\r\n",
    "Host: \r\n",
    "HTTP/1.0",
    "PRI * HTTP/2.0",
];

/// Requests as browsers make them, without the streams, which never end.
fn whole_requests(token: &str) -> Vec<Vec<u8>> {
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let json = "Content-Type: application/json\r\n";
    let requests = [
        ("GET", "/".to_owned(), "Accept-Encoding: gzip, br\r\n".to_owned(), String::new()),
        ("GET", "/api/health".to_owned(), String::new(), String::new()),
        ("GET", "/api/clients?search=%C3%A9&page=1&pageSize=5&sort=-name".to_owned(), bearer.clone(), String::new()),
        ("GET", format!("/api/clients/{NO_ID}"), bearer.clone(), String::new()),
        (
            "POST",
            "/api/auth/login".to_owned(),
            json.to_owned(),
            format!(r#"{{"email":"{ROOT_EMAIL}","password":"{PASSWORD}"}}"#),
        ),
        ("POST", "/api/auth/refresh".to_owned(), json.to_owned(), r#"{"refreshToken":"abc"}"#.to_owned()),
        (
            "POST",
            format!("/api/voting/meetings/{NO_ID}/questions/{NO_ID}/vote"),
            format!("{bearer}{json}Accept: application/json\r\n"),
            r#"{"answers":["Yes"]}"#.to_owned(),
        ),
        ("OPTIONS", "/api/clients".to_owned(), "Origin: https://example.org\r\n".to_owned(), String::new()),
    ];
    let written = requests.iter().map(|(method, path, headers, body)| {
        format!("{method} {path} HTTP/1.1\r\nHost: a\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
            .into_bytes()
    });
    written.collect()
}

/// A request in which up to four things are not as they were.
fn damaged(chance: &mut Chance, whole: &[Vec<u8>]) -> Vec<u8> {
    let mut request = whole[chance.below(whole.len())].clone();
    for _ in 0..=chance.below(4) {
        let place = chance.below(request.len().max(1));
        let end = request.len().min(place + chance.below(12));
        match chance.below(6) {
            0 => drop(request.drain(place..end)),
            1 => request.truncate(place),
            2 => drop(request.splice(place..end, [u8::try_from(chance.below(256)).unwrap()])),
            3 => {
                let twice = request[place..end].to_vec();
                drop(request.splice(place..place, twice));
            }
            4 => drop(request.splice(place..place, "a".repeat(9_000).into_bytes())),
            _ => drop(request.splice(place..place, PIECES[chance.below(PIECES.len())].bytes())),
        }
    }
    request
}

/// What the server sends until it closes.
async fn answer(address: &str, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // It may answer and close before it has heard everything.
    let _ = stream.write_all(request).await;
    let _ = stream.shutdown().await;
    let mut answer = Vec::new();
    let ended = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "it neither answers nor closes: {:?}", String::from_utf8_lossy(request));
    answer
}

/// The first digit of each status in what was answered.
fn kinds(answer: &[u8]) -> Vec<char> {
    let text = String::from_utf8_lossy(answer);
    text.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.chars().next()).collect()
}

#[tokio::test]
async fn nearly_a_request_is_answered_or_cut_off_and_the_next_one_served() {
    let app = TestApp::start().await;
    let token = app.super_admin().await.token().to_owned();
    let address = app.base().strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    let whole = whole_requests(&token);
    for request in &whole {
        let answer = answer(&address, request).await;
        assert_eq!(
            kinds(&answer).len(),
            1,
            "{:?}: {:?}",
            String::from_utf8_lossy(request),
            String::from_utf8_lossy(&answer)
        );
    }
    let mut chance = Chance::new(SEED);
    for _ in 0..ROUNDS {
        let requests: Vec<_> = (0..AT_A_TIME).map(|_| damaged(&mut chance, &whole)).collect();
        let answers = join_all(requests.iter().map(|request| answer(&address, request))).await;
        for (request, answer) in requests.iter().zip(answers) {
            let is_orderly = !kinds(&answer).contains(&'5');
            assert!(is_orderly, "{:?}: {:?}", String::from_utf8_lossy(request), String::from_utf8_lossy(&answer));
        }
        app.anyone().get("/health").await.gives(200);
    }
}
