//! A timestamp service on loopback, whose behavior a test controls.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use plenum_timestamp_format::testkit::{Flaw, TestAuthority};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::TimestampAddress;

/// The service's reaction to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    /// It answers with a timestamp.
    Grant,
    /// It answers with a flaw.
    Flawed(Flaw),
    /// It closes the connection, as if it were down.
    Down,
    /// It never answers.
    Silent,
    /// It answers with this status, and a location.
    Status(u16),
    /// It answers with ten megabytes.
    Huge,
}

struct State {
    authority: TestAuthority,
    behavior: Behavior,
    at: DateTime<Utc>,
    requests: usize,
}

/// The service. It stops when it is dropped.
pub struct TestService {
    state: Arc<Mutex<State>>,
    address: TimestampAddress,
    url: String,
    task: JoinHandle<()>,
}

impl TestService {
    /// Starts a service of this authority, whose timestamps have the time `at`.
    ///
    /// # Panics
    /// Panics without a free port.
    pub async fn start(authority: TestAuthority, at: DateTime<Utc>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}/tsa", listener.local_addr().expect("it listens"));
        let address = TimestampAddress::parse(&url).expect("it is an address");
        let state = Arc::new(Mutex::new(State { authority, behavior: Behavior::Grant, at, requests: 0 }));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(answer(connection, Arc::clone(&shared)));
            }
        });
        Self { state, address, url, task }
    }

    /// Its address.
    pub fn address(&self) -> TimestampAddress {
        self.address.clone()
    }

    /// Its address as text.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Changes what it does.
    pub fn set(&self, behavior: Behavior) {
        lock(&self.state).behavior = behavior;
    }

    /// The number of requests so far.
    pub fn requests(&self) -> usize {
        lock(&self.state).requests
    }

    /// The certificate of the root, in PEM.
    pub fn root_pem(&self) -> String {
        lock(&self.state).authority.root_pem().to_owned()
    }
}

impl Drop for TestService {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(mut connection: TcpStream, state: Arc<Mutex<State>>) {
    let Some(request) = read_request(&mut connection).await else { return };
    let (behavior, content) = {
        let mut state = lock(&state);
        state.requests += 1;
        let content = match state.behavior {
            Behavior::Grant => state.authority.respond(&request, state.at, None),
            Behavior::Flawed(flaw) => state.authority.respond(&request, state.at, Some(flaw)),
            Behavior::Huge => vec![0x30; 10 * 1024 * 1024],
            Behavior::Down | Behavior::Silent | Behavior::Status(_) => Vec::new(),
        };
        (state.behavior, content)
    };
    let status = match behavior {
        Behavior::Down => return,
        Behavior::Silent => std::future::pending().await,
        Behavior::Status(status) => status,
        Behavior::Grant | Behavior::Flawed(_) | Behavior::Huge => 200,
    };
    let head = format!(
        "HTTP/1.1 {status} Answer\r\nContent-Type: application/timestamp-reply\r\nLocation: /elsewhere\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    // A client that has read enough hangs up.
    let _ = connection.write_all(head.as_bytes()).await;
    let _ = connection.write_all(&content).await;
}

/// The body of a request.
async fn read_request(connection: &mut TcpStream) -> Option<Vec<u8>> {
    let mut read = Vec::new();
    loop {
        let end = read.windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&read[..end]).to_ascii_lowercase();
            let is_query = head.contains("content-type: application/timestamp-query");
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse::<usize>().ok());
            if read.len() >= end + 4 + length? {
                return is_query.then(|| read[end + 4..].to_vec());
            }
        }
        let mut part = [0; 4096];
        match connection.read(&mut part).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => read.extend_from_slice(&part[..length]),
        }
    }
}
