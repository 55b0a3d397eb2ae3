//! A script that runs `plenum-load` checks only its exit code. Here the binary calls a server with the product's
//! responses, which falsifies one vote.

use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

/// The falsification of the first vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
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

/// A server with one meeting and one round.
struct Server {
    url: String,
}

/// The votes, each with its voter.
type Votes = Arc<Mutex<Vec<(String, Value)>>>;

impl Server {
    async fn start(lie: Lie) -> Self {
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
        ("POST", "/api/client/meetings") => (201, json!({ "id": "m" })),
        ("POST", "/api/client/questions") => (201, json!({ "id": "q" })),
        ("PUT", "/api/client/meetings/m/current-question") => (200, json!({ "currentQuestion": { "roundId": "r" } })),
        ("POST", "/api/voting/meetings/m/questions/q/vote") => vote(token(head), &body["answers"], lie, votes),
        ("GET", "/api/client/meetings/m/results/export?format=json") => (200, record(&votes.lock().unwrap())),
        ("DELETE", "/api/clients/client") => (200, json!({})),
        _ => panic!("the product has no {method} {path} here"),
    }
}

fn token(head: &str) -> &str {
    head.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap()
}

fn vote(voter: &str, answers: &Value, lie: Lie, votes: &Votes) -> (u16, Value) {
    let mut votes = votes.lock().unwrap();
    // The same voter in every run, in any order of arrival.
    let lie = if voter == "voter-000000" { lie } else { Lie::None };
    let other = if answers[0] == "Yes" { json!(["No"]) } else { json!(["Yes"]) };
    let stored = match lie {
        Lie::None | Lie::Smuggle => vec![answers.clone()],
        Lie::Lose => Vec::new(),
        Lie::Double => vec![answers.clone(); 2],
        Lie::Change => vec![other],
    };
    votes.extend(stored.into_iter().map(|answers| (voter.to_owned(), answers)));
    if lie == Lie::Smuggle { (409, json!({})) } else { (201, json!({ "vote": { "answers": answers } })) }
}

/// The export of the results.
fn record(votes: &[(String, Value)]) -> Value {
    let place = |voter: &str| voter.trim_start_matches("voter-").parse::<u32>().unwrap();
    let register: Vec<_> =
        (0..4).map(|place| json!({ "place": place, "username": format!("voter-{place:06}") })).collect();
    let ballot = |(voter, answers): &(String, Value)| json!({ "voter": place(voter), "answer": { "options": answers }, "count": 1 });
    let heads = |option: &str| votes.iter().filter(|(_, answers)| answers[0] == option).count();
    let options = ["Yes", "No", "Abstain"].map(|text| json!({ "id": text, "text": text, "heads": heads(text) }));
    json!({ "rounds": [{
        "result": { "roundId": "r", "votesCast": { "heads": votes.len() }, "options": options },
        "register": register,
        "ballots": votes.iter().map(ballot).collect::<Vec<_>>(),
    }] })
}

async fn run(url: &str) -> Output {
    let line = "ballots --voters 4 --connections 2 --rounds 1 --warm-up 0 --admin-email root@example.org";
    let mut command = Command::new(env!("CARGO_BIN_EXE_plenum-load"));
    command.args(line.split(' ')).args(["--admin-password", "secret", "--url", url]).stdin(Stdio::null());
    command.output().await.unwrap()
}

#[track_caller]
fn assert_code(output: &Output, code: i32, part: &str) {
    let all = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{all}");
    assert!(all.contains(part), "no `{part}`: {all}");
}

#[tokio::test]
async fn the_exit_code_is_0_if_every_vote_is_recorded_correctly() {
    let server = Server::start(Lie::None).await;
    assert_code(&run(&server.url).await, 0, "4 acknowledged, 0 refused (0 as too late), 0 unknown; 0 lost, 0 doubled");
}

#[tokio::test]
async fn the_exit_code_is_1_if_a_vote_is_lost_doubled_changed_or_smuggled() {
    for (lie, part) in [
        (Lie::Lose, "1 lost, 0 doubled, 0 changed, 0 smuggled"),
        (Lie::Double, "0 lost, 1 doubled, 0 changed, 0 smuggled"),
        (Lie::Change, "0 lost, 0 doubled, 1 changed, 0 smuggled"),
        (Lie::Smuggle, "0 lost, 0 doubled, 0 changed, 1 smuggled"),
    ] {
        let server = Server::start(lie).await;
        assert_code(&run(&server.url).await, 1, part);
    }
}

#[tokio::test]
async fn the_exit_code_is_1_if_no_server_responds() {
    // A port from the system, so that no other process gets it meanwhile, without a listener.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let url = format!("http://{}", socket.local_addr().unwrap());
    assert_code(&run(&url).await, 1, "no response to POST /auth/login");
}
