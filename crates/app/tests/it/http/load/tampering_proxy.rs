use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plenum_load::http::{Connection, Response, Target};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A manipulation of one vote, or of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tampering {
    /// Nothing.
    None,
    /// The vote is discarded, and acknowledged.
    Lose,
    /// Another answer is forwarded, and the right one acknowledged.
    Change,
    /// The vote is forwarded, and reported as refused.
    Smuggle,
    /// The vote is forwarded, and its response is lost with the connection.
    LoseTheResponse,
    /// The vote is discarded, and the voter is asked to retry.
    AskToRetry,
    /// A ballot is in the record twice, and counted once.
    ListTwice,
    /// The result counts one more vote than there are ballots.
    CountTwice,
    /// The result counts one vote for another option than its ballot says.
    Miscount,
}

/// A proxy between voters and server that manipulates one vote.
pub(super) struct TamperingProxy {
    address: SocketAddr,
    listening: JoinHandle<()>,
}

impl TamperingProxy {
    pub(super) async fn before(url: &str, tampering: Tampering) -> Self {
        let target = Arc::new(Target::find(url).await.unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let has_tampered = Arc::new(AtomicBool::new(false));
        let listening = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let server = Connection::new(Arc::clone(&target), 0);
                let connection =
                    ProxiedConnection { stream, server, tampering, has_tampered: Arc::clone(&has_tampered) };
                tokio::spawn(connection.forward());
            }
        });
        Self { address, listening }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for TamperingProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

struct ProxiedConnection {
    stream: TcpStream,
    server: Connection,
    tampering: Tampering,
    has_tampered: Arc<AtomicBool>,
}

impl ProxiedConnection {
    async fn forward(mut self) {
        while let Some(request) = read_request(&mut self.stream).await {
            let Some(answer) = self.answer(&request).await else { return };
            if self.stream.write_all(&write_answer(&answer)).await.is_err() {
                return;
            }
        }
    }

    /// `None` for no response.
    async fn answer(&mut self, request: &Request) -> Option<Response> {
        if request.is_of("POST", "/vote") && self.is_on_votes() && !self.has_tampered.swap(true, Ordering::SeqCst) {
            return self.tamper_with_vote(request).await;
        }
        let mut answer = self.server.call(&request.bytes()).await.ok()?;
        if request.is_of("GET", "/results/export?format=json") {
            self.tamper_with_record(&mut answer);
        }
        Some(answer)
    }

    fn is_on_votes(&self) -> bool {
        !matches!(self.tampering, Tampering::None | Tampering::ListTwice | Tampering::CountTwice | Tampering::Miscount)
    }

    async fn tamper_with_vote(&mut self, request: &Request) -> Option<Response> {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        match self.tampering {
            Tampering::Lose => Some(stored(&body["answers"])),
            Tampering::Change => {
                let mut changed = body.clone();
                changed["answers"] = json!([if body["answers"][0] == "Yes" { "No" } else { "Yes" }]);
                let request = Request { head: request.head.clone(), body: changed.to_string().into_bytes() };
                assert_eq!(self.server.call(&request.bytes()).await.unwrap().status, 201);
                Some(stored(&body["answers"]))
            }
            Tampering::Smuggle => {
                assert_eq!(self.server.call(&request.bytes()).await.unwrap().status, 201);
                Some(Response { status: 409, retry_after: None, body: b"not counted".to_vec() })
            }
            Tampering::LoseTheResponse => {
                assert_eq!(self.server.call(&request.bytes()).await.unwrap().status, 201);
                None
            }
            _ => Some(Response { status: 503, retry_after: None, body: Vec::new() }),
        }
    }

    fn tamper_with_record(&self, answer: &mut Response) {
        let mut file: Value = serde_json::from_slice(&answer.body).unwrap();
        let round = &mut file["rounds"][0];
        match self.tampering {
            Tampering::ListTwice => {
                let ballot = round["ballots"][0].clone();
                round["ballots"].as_array_mut().unwrap().push(ballot);
            }
            Tampering::CountTwice => {
                let heads = round["result"]["votesCast"]["heads"].as_u64().unwrap();
                round["result"]["votesCast"]["heads"] = json!(heads + 1);
            }
            Tampering::Miscount => move_one_head(round["result"]["options"].as_array_mut().unwrap()),
            _ => return,
        }
        answer.body = file.to_string().into_bytes();
    }
}

fn move_one_head(options: &mut [Value]) {
    let heads = |option: &Value| option["heads"].as_u64().unwrap();
    let from = options.iter().position(|option| heads(option) > 0).unwrap();
    let to = (from + 1) % options.len();
    options[from]["heads"] = json!(heads(&options[from]) - 1);
    options[to]["heads"] = json!(heads(&options[to]) + 1);
}

fn stored(answers: &Value) -> Response {
    let body = json!({ "success": true, "vote": { "id": "v", "answers": answers, "castAt": "2026-11-22T04:00:00Z" } });
    Response { status: 201, retry_after: None, body: body.to_string().into_bytes() }
}

struct Request {
    /// The lines before the body.
    head: String,
    body: Vec<u8>,
}

impl Request {
    fn is_of(&self, method: &str, path_end: &str) -> bool {
        let line = self.head.lines().next().unwrap();
        line.starts_with(method) && line.strip_suffix(" HTTP/1.1").unwrap().ends_with(path_end)
    }

    fn bytes(&self) -> Vec<u8> {
        let lines = self.head.lines().filter(|line| !line.starts_with("content-length:") && !line.is_empty());
        let head: String = lines.map(|line| format!("{line}\r\n")).collect();
        [format!("{head}content-length: {}\r\n\r\n", self.body.len()).as_bytes(), &self.body].concat()
    }
}

/// `None` at the end of the connection.
async fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Request { head, body })
}

fn write_answer(answer: &Response) -> Vec<u8> {
    let retry_after = if answer.status == 503 { "retry-after: 1\r\n" } else { "" };
    let head = format!("HTTP/1.1 {} X\r\n{retry_after}content-length: {}\r\n\r\n", answer.status, answer.body.len());
    [head.as_bytes(), &answer.body].concat()
}
