//! A server with the product's responses, which falsifies one vote.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plenum_load::fixture::receipt_of;
use plenum_sealed_ballots::{Ballot, Envelope, SealedAnswer, UrnKey};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

/// The falsification of the first vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    None,
    /// It is acknowledged, but not stored.
    Lose,
    /// It is stored twice.
    Double,
    /// Another answer is stored.
    Change,
    /// It is refused, but stored.
    Smuggle,
}

/// The first voter, in every run, in any order of arrival.
const FIRST: &str = "voter-000000";
const OPTIONS: [&str; 3] = ["Yes", "No", "Abstain"];
const ROUND: Uuid = Uuid::from_u128(7);

/// A server with one meeting and one round.
pub(crate) struct Server {
    pub(crate) url: String,
}

/// The votes, each with its voter: the answers, or an envelope.
type Votes = Arc<Mutex<Vec<(String, Value)>>>;

impl Server {
    pub(crate) async fn start(lie: Lie) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let votes = Votes::default();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(serve(stream, lie, Arc::clone(&votes)));
            }
        });
        Self { url }
    }
}

async fn serve(mut stream: TcpStream, lie: Lie, votes: Votes) {
    while let Some((head, body)) = read_request(&mut stream).await {
        let (status, answer) = answer(&head, &body, lie, &votes);
        let answer = answer.to_string();
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", answer.len());
        if stream.write_all(format!("{head}{answer}").as_bytes()).await.is_err() {
            return;
        }
    }
}

/// None at the end of the connection.
async fn read_request(stream: &mut TcpStream) -> Option<(String, Value)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((head, serde_json::from_slice(&body).unwrap_or_default()))
}

fn answer(head: &str, body: &Value, lie: Lie, votes: &Votes) -> (u16, Value) {
    let mut words = head.split_whitespace();
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let path = path.trim_end_matches("?acceptRisk=true");
    match (method, path) {
        ("POST", "/api/auth/login") => (200, json!({ "token": "account", "refreshToken": "of account" })),
        ("POST", "/api/auth/end-user/login") => {
            (200, json!({ "token": body["username"], "refreshToken": "of a voter" }))
        }
        ("POST", "/api/clients") => (201, json!({ "data": { "id": "client", "clientCode": "load" } })),
        ("POST", "/api/client/end-users/import") => {
            let person = |row: &Value| json!({ "username": row["username"], "password": "secret" });
            let people: Vec<_> = body["rows"].as_array().unwrap().iter().map(person).collect();
            (200, json!({ "data": { "credentials": people } }))
        }
        ("GET", "/api/client/end-users") => {
            let person = |place: u32| json!({ "username": username(place), "id": id_of(&username(place)) });
            (200, json!({ "data": (0..4).map(person).collect::<Vec<_>>() }))
        }
        ("POST", "/api/client/meetings") => (201, json!({ "id": "m" })),
        ("POST", "/api/client/questions") => (201, json!({ "id": "q" })),
        ("PUT", "/api/client/meetings/m/current-question") => (200, json!({ "currentQuestion": { "roundId": ROUND } })),
        ("GET", "/api/sse/meetings/m/state") => {
            let key = STANDARD.encode(urn().public_key().as_bytes());
            let sealing = json!({ "publicKey": key, "size": 256 });
            (200, json!({ "currentQuestion": { "roundId": ROUND, "sealing": sealing } }))
        }
        ("POST", "/api/voting/meetings/m/questions/q/vote") => vote(token(head), body, lie, votes),
        ("POST", path) if path == format!("/api/client/meetings/m/rounds/{ROUND}/count") => (200, json!({})),
        ("GET", "/api/client/meetings/m/results/export?format=json") => (200, record(lie, &votes.lock().unwrap())),
        ("DELETE", "/api/clients/client") => (200, json!({})),
        _ => panic!("the product has no {method} {path} here"),
    }
}

fn token(head: &str) -> &str {
    head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap()
}

fn username(place: u32) -> String {
    format!("voter-{place:06}")
}

fn place(voter: &str) -> u32 {
    voter.trim_start_matches("voter-").parse().unwrap()
}

fn id_of(voter: &str) -> Uuid {
    Uuid::from_u128(u128::from(place(voter)) + 100)
}

fn urn() -> UrnKey {
    UrnKey::derive(&[1; 32], &[2; 32], ROUND)
}

fn vote(voter: &str, body: &Value, lie: Lie, votes: &Votes) -> (u16, Value) {
    let mut votes = votes.lock().unwrap();
    let lie = if voter == FIRST { lie } else { Lie::None };
    let (sent, acknowledged) = match &body["envelope"] {
        Value::String(envelope) => {
            let receipt = receipt_of(&STANDARD.decode(envelope).unwrap());
            (&body["envelope"], json!({ "answers": [], "receipt": receipt }))
        }
        _ => (&body["answers"], json!({ "answers": body["answers"] })),
    };
    let stored = match lie {
        Lie::None | Lie::Change | Lie::Smuggle => 1,
        Lie::Lose => 0,
        Lie::Double => 2,
    };
    votes.extend((0..stored).map(|_| (voter.to_owned(), sent.clone())));
    if lie == Lie::Smuggle { (409, json!({})) } else { (201, json!({ "vote": acknowledged })) }
}

/// The option that is counted for a vote.
fn counted(lie: Lie, (voter, sent): &(String, Value)) -> &'static str {
    let chosen = match sent {
        Value::String(envelope) => {
            let bytes = STANDARD.decode(envelope).unwrap();
            let ballot = Ballot { round: ROUND, voter: id_of(voter) };
            let plaintext = urn().open(&ballot, &Envelope::parse(&bytes).unwrap()).unwrap();
            let SealedAnswer::Options(positions) = SealedAnswer::parse(&plaintext).unwrap() else {
                panic!("no options")
            };
            OPTIONS[usize::from(positions[0]) - 1]
        }
        answers => OPTIONS.into_iter().find(|option| answers[0] == *option).unwrap(),
    };
    match chosen {
        "Yes" if lie == Lie::Change && voter == FIRST => "No",
        _ if lie == Lie::Change && voter == FIRST => "Yes",
        _ => chosen,
    }
}

/// The export of the results.
fn record(lie: Lie, votes: &[(String, Value)]) -> Value {
    let has_voted = |voter: &str| votes.iter().any(|(who, _)| who == voter);
    let registered =
        |place: u32| json!({ "place": place, "username": username(place), "hasVoted": has_voted(&username(place)) });
    let register: Vec<_> = (0..4).map(registered).collect();
    let receipts: Vec<_> = votes.iter().filter_map(|(_, sent)| sent.as_str()).collect();
    let is_secret = !receipts.is_empty();
    let ballot = |vote: &(String, Value)| {
        let voter = if is_secret { Value::Null } else { json!(place(&vote.0)) };
        json!({ "voter": voter, "answer": { "options": [counted(lie, vote)] }, "count": 1 })
    };
    let heads = |option: &str| votes.iter().filter(|vote| counted(lie, vote) == option).count();
    let options = OPTIONS.map(|text| json!({ "id": text, "text": text, "heads": heads(text) }));
    let mut round = json!({
        "result": { "roundId": ROUND, "votesCast": { "heads": votes.len() }, "options": options },
        "register": register,
        "ballots": votes.iter().map(ballot).collect::<Vec<_>>(),
    });
    if is_secret {
        let receipt = |envelope: &&str| receipt_of(&STANDARD.decode(envelope).unwrap());
        round["urn"] = json!({ "receipts": receipts.iter().map(receipt).collect::<Vec<_>>() });
    }
    json!({ "rounds": [round] })
}
