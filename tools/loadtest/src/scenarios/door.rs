//! Somebody who signs in as our screens do: asks for their place while it lasts, and comes again when asked to.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::hall::{Hall, Voter, sign_in_request_with};
use crate::http::{Answer, Connection, Target};

/// For how long somebody tries to get in.
pub(super) const PATIENCE: Duration = Duration::from_secs(600);
/// A sign-in that takes no longer than this is nobody's concern.
const UNNOTICED: Duration = Duration::from_secs(1);
/// The place is asked for again after a third of the time that was told, and within these bounds.
const PAUSES: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(20));
/// The code of the answer that says when to come again; any other 503 is an error.
const BUSY: &str = "sign_in_busy";

/// Somebody at the door, connected.
#[derive(Debug)]
pub(super) struct Person {
    connection: Connection,
    number: usize,
    request: Vec<u8>,
    place_request: Vec<u8>,
}

impl Person {
    /// The one with this number.
    pub(super) fn new(hall: &Hall, voter: &Voter, number: usize, connection: Connection) -> Self {
        let ticket = ticket(&hall.client_id, number);
        let request = sign_in_request_with(&ticket, &hall.target, &hall.client_code, voter);
        let place_request = hall.target.request("GET", &format!("/api/auth/sign-in-queue?ticket={ticket}")).bytes();
        Self { connection, number, request, place_request }
    }
}

/// A UUID like no other: that of the organization, which is of this run alone, with the person's number at its end.
fn ticket(client_id: &str, number: usize) -> String {
    let kept = client_id.get(..24).unwrap_or(client_id);
    format!("{kept}{number:012x}")
}

/// How it went for one person.
#[derive(Debug, Default)]
pub(super) struct AtTheDoor {
    /// How long it took, where they got in.
    pub(super) took: Option<Duration>,
    /// How often they were asked to come again.
    pub(super) asked_again: u64,
    /// How often they got no answer, or one that says neither yes nor when.
    pub(super) errors: u64,
    /// The longest time that they were told to wait.
    pub(super) longest_told: Option<Duration>,
}

impl AtTheDoor {
    fn is_told(&mut self, wait: Duration) {
        self.longest_told = self.longest_told.max(Some(wait));
    }
}

/// Signs in, and comes again when asked to. A sign-in is safe to repeat, and keeps its ticket.
pub(super) async fn sign_in(mut person: Person, begun: Instant) -> AtTheDoor {
    let mut went = AtTheDoor::default();
    while begun.elapsed() < PATIENCE {
        match send(&mut person, &mut went).await {
            Ok(answer) if answer.is_success() => {
                went.took = Some(begun.elapsed());
                return went;
            }
            Ok(answer) if is_busy(&answer) => {
                let wait = answer.retry_after.unwrap_or(UNNOTICED);
                went.asked_again += 1;
                went.is_told(wait);
                sleep(wait).await;
            }
            Ok(answer) if answer.status == 503 => {
                went.errors += 1;
                sleep(answer.retry_after.unwrap_or(UNNOTICED)).await;
            }
            Ok(_) => {
                went.errors += 1;
                return went;
            }
            Err(_) => {
                went.errors += 1;
                sleep(UNNOTICED).await;
            }
        }
    }
    went
}

async fn send(person: &mut Person, went: &mut AtTheDoor) -> std::io::Result<Answer> {
    let target = Arc::clone(person.connection.target());
    tokio::select! {
        answer = person.connection.call(&person.request) => answer,
        never = watch_place(&target, person.number, &person.place_request, went) => match never {},
    }
}

fn is_busy(answer: &Answer) -> bool {
    #[derive(Deserialize)]
    struct Problem {
        code: Option<String>,
    }
    let code = |body: &[u8]| serde_json::from_slice::<Problem>(body).ok()?.code;
    answer.status == 503 && code(&answer.body).as_deref() == Some(BUSY)
}

/// As `GET /auth/sign-in-queue` tells it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    waiting: u64,
    seconds: u64,
    is_yours: bool,
}

/// Asks for the place as long as it is waited for. On a connection of its own, which may end in the middle of a call.
async fn watch_place(target: &Arc<Target>, number: usize, request: &[u8], went: &mut AtTheDoor) -> Infallible {
    let mut connection = Connection::new(Arc::clone(target), number);
    sleep(UNNOTICED).await;
    loop {
        let place = connection.call(request).await.ok().and_then(|answer| read_place(&answer));
        let wait = place.as_ref().map_or(PAUSES.0, |place| Duration::from_secs(place.seconds));
        // Where nobody waits and it is not one's own, one's turn has come.
        if place.is_some_and(|place| place.is_yours || place.waiting > 0) {
            went.is_told(wait);
        }
        sleep((wait / 3).clamp(PAUSES.0, PAUSES.1)).await;
    }
}

fn read_place(answer: &Answer) -> Option<Place> {
    if answer.is_success() { serde_json::from_slice(&answer.body).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    const ID: &str = "0199a1b2-c3d4-7e5f-8a6b-000000000000";

    #[test]
    fn a_ticket_is_a_uuid_and_each_has_their_own() {
        assert_eq!(ticket("0199a1b2-c3d4-7e5f-8a6b-ffffffffffff", 26), "0199a1b2-c3d4-7e5f-8a6b-00000000001a");
        assert_ne!(ticket(ID, 1), ticket(ID, 2));
    }

    /// A server that answers each connection's first request, and says what it was asked.
    async fn answering(answers: Vec<String>) -> (Arc<Target>, tokio::task::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            let mut asked = Vec::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                asked.push(read_request(&mut stream).await);
                stream.write_all(answer.as_bytes()).await.unwrap();
                // Until it has been read, and the connection is ended.
                stream.read_to_end(&mut Vec::new()).await.unwrap();
            }
            asked
        });
        (Arc::new(Target::find(&url).await.unwrap()), serving)
    }

    async fn read_request(stream: &mut TcpStream) -> String {
        let mut bytes = vec![0; 4096];
        let length = stream.read(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    fn answer(status: &str, header: &str, body: &str) -> String {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{header}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    }

    fn person(target: &Arc<Target>) -> Person {
        let connection = Connection::new(Arc::clone(target), 0);
        Person {
            connection,
            number: 0,
            request: b"POST / T\r\n\r\n".to_vec(),
            place_request: b"GET / T\r\n\r\n".to_vec(),
        }
    }

    #[tokio::test]
    async fn who_is_asked_to_come_again_does_so_when_told() {
        let busy = answer("503 Busy", "retry-after: 0\r\n", r#"{"error":"Many","code":"sign_in_busy"}"#);
        let (target, serving) = answering(vec![busy, answer("200 OK", "", "{}")]).await;
        let went = sign_in(person(&target), Instant::now()).await;
        assert_eq!((went.asked_again, went.errors), (1, 0));
        assert!(went.took.is_some() && went.longest_told == Some(Duration::ZERO), "{went:?}");
        let asked = serving.await.unwrap();
        assert!(asked.iter().all(|request| request.starts_with("POST")) && asked[0] == asked[1], "{asked:?}");
    }

    #[tokio::test]
    async fn another_503_is_an_error_and_a_refusal_is_the_end() {
        let away = answer("503 Away", "retry-after: 0\r\n", r#"{"error":"Away","code":"unavailable"}"#);
        let (target, _serving) = answering(vec![away, answer("401 No", "", "{}")]).await;
        let went = sign_in(person(&target), Instant::now()).await;
        assert_eq!((went.asked_again, went.errors, went.took), (0, 2, None));
    }

    #[tokio::test]
    async fn who_waits_asks_for_their_place_and_remembers_the_longest_time() {
        let place = answer("200 OK", "", r#"{"waiting":312,"seconds":10,"isYours":true}"#);
        let (target, serving) = answering(vec![place]).await;
        let mut went = AtTheDoor::default();
        went.is_told(Duration::from_secs(4));
        let asked = tokio::select! {
            asked = serving => asked.unwrap(),
            never = watch_place(&target, 0, b"GET / T\r\n\r\n", &mut went) => match never {},
        };
        assert_eq!(went.longest_told, Some(Duration::from_secs(10)));
        assert!(asked[0].starts_with("GET"), "{asked:?}");
    }
}
