//! Sign-ins like those of the front end: with requests for the place in the queue, and with retries when the server
//! requests them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::fixture::{Fixture, Voter, sign_in_request_with};
use crate::http::{Connection, Response, Target};

/// The time limit of a sign-in.
pub(super) const TIMEOUT: Duration = Duration::from_secs(600);
/// The time until a sign-in requests its place.
const SHORT_WAIT: Duration = Duration::from_secs(1);
/// The bounds of the interval between requests for the place, which is a third of the estimated wait.
const POLL_INTERVALS: (Duration, Duration) = (Duration::from_secs(3), Duration::from_secs(20));
/// The code of a response that asks to retry. Any other 503 is an error.
const BUSY: &str = "sign_in_busy";

/// A connected person before the sign-in.
#[derive(Debug)]
pub(super) struct Participant {
    connection: Connection,
    number: usize,
    request: Vec<u8>,
    position_request: Vec<u8>,
}

impl Participant {
    /// The person with this number.
    pub(super) fn new(fixture: &Fixture, voter: &Voter, number: usize, connection: Connection) -> Self {
        let ticket = ticket(&fixture.client_id, number);
        let request = sign_in_request_with(&ticket, &fixture.target, &fixture.client_code, voter);
        let position_request =
            fixture.target.request("GET", &format!("/api/auth/sign-in-queue?ticket={ticket}")).bytes();
        Self { connection, number, request, position_request }
    }
}

/// A unique UUID: that of the organization, which belongs to this run alone, with the number of the person at its end.
fn ticket(client_id: &str, number: usize) -> String {
    let kept = client_id.get(..24).unwrap_or(client_id);
    format!("{kept}{number:012x}")
}

/// The sign-in of one person.
#[derive(Debug, Default)]
pub(super) struct SignInResult {
    /// The latency of a successful sign-in.
    pub(super) took: Option<Duration>,
    /// The number of requested retries.
    pub(super) retries_requested: u64,
    /// The number of missing and unexpected responses.
    pub(super) errors: u64,
    /// The longest announced wait.
    pub(super) longest_announced: Option<Duration>,
}

impl SignInResult {
    fn note_wait(&mut self, wait: Duration) {
        self.longest_announced = self.longest_announced.max(Some(wait));
    }
}

/// Signs in, with retries when the server requests them. A repeat is safe, and keeps its ticket.
pub(super) async fn sign_in(mut participant: Participant, begun: Instant) -> SignInResult {
    let mut result = SignInResult::default();
    while begun.elapsed() < TIMEOUT {
        match send(&mut participant, &mut result).await {
            Ok(response) if response.is_success() => {
                result.took = Some(begun.elapsed());
                return result;
            }
            Ok(response) if is_busy(&response) => {
                let wait = response.retry_after.unwrap_or(SHORT_WAIT);
                result.retries_requested += 1;
                result.note_wait(wait);
                sleep(wait).await;
            }
            Ok(response) if response.status == 503 => {
                result.errors += 1;
                sleep(response.retry_after.unwrap_or(SHORT_WAIT)).await;
            }
            Ok(_) => {
                result.errors += 1;
                return result;
            }
            Err(_) => {
                result.errors += 1;
                sleep(SHORT_WAIT).await;
            }
        }
    }
    result
}

async fn send(participant: &mut Participant, result: &mut SignInResult) -> std::io::Result<Response> {
    let target = Arc::clone(participant.connection.target());
    tokio::select! {
        response = participant.connection.call(&participant.request) => response,
        never = watch_queue_position(&target, participant.number, &participant.position_request, result) => match never {},
    }
}

fn is_busy(response: &Response) -> bool {
    #[derive(Deserialize)]
    struct Problem {
        code: Option<String>,
    }
    let code = |body: &[u8]| serde_json::from_slice::<Problem>(body).ok()?.code;
    response.status == 503 && code(&response.body).as_deref() == Some(BUSY)
}

/// The response of `GET /auth/sign-in-queue`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct QueuePosition {
    waiting: u64,
    seconds: u64,
    is_yours: bool,
}

/// Requests the place during the wait. On a separate connection, which may end during a call.
async fn watch_queue_position(
    target: &Arc<Target>,
    number: usize,
    request: &[u8],
    result: &mut SignInResult,
) -> Infallible {
    let mut connection = Connection::new(Arc::clone(target), number);
    sleep(SHORT_WAIT).await;
    loop {
        let position = connection.call(request).await.ok().and_then(|response| read_position(&response));
        let wait = position.as_ref().map_or(POLL_INTERVALS.0, |position| Duration::from_secs(position.seconds));
        // An empty queue means that the turn has come.
        if position.is_some_and(|position| position.is_yours || position.waiting > 0) {
            result.note_wait(wait);
        }
        sleep((wait / 3).clamp(POLL_INTERVALS.0, POLL_INTERVALS.1)).await;
    }
}

fn read_position(response: &Response) -> Option<QueuePosition> {
    if response.is_success() { serde_json::from_slice(&response.body).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    const ID: &str = "0199a1b2-c3d4-7e5f-8a6b-000000000000";

    #[test]
    fn each_person_has_a_different_uuid_as_ticket() {
        assert_eq!(ticket("0199a1b2-c3d4-7e5f-8a6b-ffffffffffff", 26), "0199a1b2-c3d4-7e5f-8a6b-00000000001a");
        assert_ne!(ticket(ID, 1), ticket(ID, 2));
    }

    /// A server that responds to the first request of each connection, and reports the requests.
    async fn serve_responses(answers: Vec<String>) -> (Arc<Target>, tokio::task::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            let mut requests = Vec::new();
            for response in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                requests.push(read_request(&mut stream).await);
                stream.write_all(response.as_bytes()).await.unwrap();
                // Until the client has read the response and closed the connection.
                stream.read_to_end(&mut Vec::new()).await.unwrap();
            }
            requests
        });
        (Arc::new(Target::find(&url).await.unwrap()), serving)
    }

    async fn read_request(stream: &mut TcpStream) -> String {
        let mut bytes = vec![0; 4096];
        let length = stream.read(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    fn response(status: &str, header: &str, body: &str) -> String {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\n{header}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    }

    fn participant(target: &Arc<Target>) -> Participant {
        let connection = Connection::new(Arc::clone(target), 0);
        Participant {
            connection,
            number: 0,
            request: b"POST / T\r\n\r\n".to_vec(),
            position_request: b"GET / T\r\n\r\n".to_vec(),
        }
    }

    #[tokio::test]
    async fn a_person_retries_at_the_announced_time() {
        let busy = response("503 Busy", "retry-after: 0\r\n", r#"{"error":"Many","code":"sign_in_busy"}"#);
        let (target, serving) = serve_responses(vec![busy, response("200 OK", "", "{}")]).await;
        let result = sign_in(participant(&target), Instant::now()).await;
        assert_eq!((result.retries_requested, result.errors), (1, 0));
        assert!(result.took.is_some() && result.longest_announced == Some(Duration::ZERO), "{result:?}");
        let requests = serving.await.unwrap();
        assert!(
            requests.iter().all(|request| request.starts_with("POST")) && requests[0] == requests[1],
            "{requests:?}"
        );
    }

    #[tokio::test]
    async fn another_503_is_an_error_and_a_refusal_ends_the_attempts() {
        let away = response("503 Away", "retry-after: 0\r\n", r#"{"error":"Away","code":"unavailable"}"#);
        let (target, _serving) = serve_responses(vec![away, response("401 No", "", "{}")]).await;
        let result = sign_in(participant(&target), Instant::now()).await;
        assert_eq!((result.retries_requested, result.errors, result.took), (0, 2, None));
    }

    #[tokio::test]
    async fn a_waiting_person_asks_for_the_place_and_records_the_longest_wait() {
        let position = response("200 OK", "", r#"{"waiting":312,"seconds":10,"isYours":true}"#);
        let (target, serving) = serve_responses(vec![position]).await;
        let mut result = SignInResult::default();
        result.note_wait(Duration::from_secs(4));
        let requests = tokio::select! {
            requests = serving => requests.unwrap(),
            never = watch_queue_position(&target, 0, b"GET / T\r\n\r\n", &mut result) => match never {},
        };
        assert_eq!(result.longest_announced, Some(Duration::from_secs(10)));
        assert!(requests[0].starts_with("GET"), "{requests:?}");
    }
}
