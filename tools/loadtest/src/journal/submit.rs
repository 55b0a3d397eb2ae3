use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::http::{Connection, Response};

/// The outcome of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submission {
    /// The server acknowledged the ballot.
    Acknowledged {
        /// The answers that the server has stored. Empty for a sealed ballot.
        echo: Vec<String>,
        /// The receipt of a sealed ballot.
        receipt: Option<String>,
    },
    /// The server refused the ballot.
    Refused {
        /// The status of the response.
        status: u16,
        /// The reason.
        text: String,
    },
    /// No response arrived, so the outcome is unknown.
    Unknown,
}

/// The number of repeats of a ballot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retries {
    /// Repeats after a missing or unclear response.
    pub without_answer: u64,
    /// Repeats because the server asked for them (503).
    pub as_requested: u64,
}

impl Retries {
    /// Adds the repeats of another ballot.
    pub fn add(&mut self, others: Self) {
        self.without_answer += others.without_answer;
        self.as_requested += others.as_requested;
    }
}

/// The pauses of the front end between repeats of a ballot.
const PAUSE: Duration = Duration::from_secs(1);

/// Sends a ballot like the front end: repeatedly with the same answers, until a response is clear or the time limit is
/// over.
pub async fn submit(connection: &mut Connection, request: &[u8], time_limit: Duration) -> (Submission, Retries) {
    let deadline = Instant::now() + time_limit;
    let mut retries = Retries::default();
    loop {
        let pause = match connection.call(request).await {
            Ok(response) => match read(&response) {
                Some(submission) => return (submission, retries),
                None => response.retry_after,
            },
            Err(_) => None,
        };
        if Instant::now() + pause.unwrap_or(PAUSE) >= deadline {
            return (Submission::Unknown, retries);
        }
        match pause {
            Some(_) => retries.as_requested += 1,
            None => retries.without_answer += 1,
        }
        sleep(pause.unwrap_or(PAUSE)).await;
    }
}

#[derive(Deserialize)]
struct VoteResponse {
    vote: Vote,
}

#[derive(Default, Deserialize)]
struct Vote {
    answers: Vec<String>,
    receipt: Option<String>,
}

/// `None` for an unclear response. An unreadable success shows that the vote is stored, but not its answers.
fn read(response: &Response) -> Option<Submission> {
    match response.status {
        200..300 => {
            let vote = serde_json::from_slice::<VoteResponse>(&response.body).map(|read| read.vote);
            let Vote { answers, receipt } = vote.unwrap_or_default();
            Some(Submission::Acknowledged { echo: answers, receipt })
        }
        // The server timed the request out before it had read everything, mostly on an idle connection.
        408 => None,
        status @ 400..500 => Some(Submission::Refused { status, text: response.text() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, body: &str) -> Response {
        Response { status, retry_after: None, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn only_a_success_acknowledges_and_only_a_complete_4xx_refuses() {
        let stored = r#"{"success": true, "vote": {"id": "v", "answers": ["Yes"], "castAt": "2026-11-22T04:00:00Z"}}"#;
        let acknowledged = Submission::Acknowledged { echo: vec!["Yes".to_owned()], receipt: None };
        assert_eq!(read(&response(201, stored)), Some(acknowledged));
        let sealed = r#"{"success": true, "vote": {"id": "v", "answers": [], "castAt": null, "receipt": "ABCD"}}"#;
        let acknowledged = Submission::Acknowledged { echo: Vec::new(), receipt: Some("ABCD".to_owned()) };
        assert_eq!(read(&response(201, sealed)), Some(acknowledged));
        let refused = Submission::Refused { status: 409, text: "closed".to_owned() };
        assert_eq!(read(&response(409, "closed")), Some(refused));
        for open in [408, 500, 502, 503, 302] {
            assert_eq!(read(&response(open, "")), None, "{open}");
        }
    }
}
