use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::http::{Connection, Response};

/// What became of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submission {
    /// The server says that it is stored.
    Acknowledged {
        /// What the server says it has stored.
        echo: Vec<String>,
    },
    /// The server says that it is not counted.
    Refused {
        /// By which status.
        status: u16,
        /// Why.
        text: String,
    },
    /// No answer came, and what has become of it is not known.
    Unknown,
}

/// How often the same ballot had to be handed in again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retries {
    /// Because no answer came, or one that does not say what has become of it.
    pub without_answer: u64,
    /// Because the server asked to come again (503).
    pub as_requested: u64,
}

impl Retries {
    /// Adds those of another ballot.
    pub fn add(&mut self, others: Self) {
        self.without_answer += others.without_answer;
        self.as_requested += others.as_requested;
    }
}

/// How long our own screens wait before they hand the same ballot in again.
const PAUSE: Duration = Duration::from_secs(1);

/// Hands a ballot in as our own screens do: again and again with the same answers, until an answer says what has become
/// of it, or patience is over.
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

#[derive(Deserialize)]
struct Vote {
    answers: Vec<String>,
}

/// None for an answer that leaves it open. A success that cannot be read says that the vote is stored, and not which.
fn read(response: &Response) -> Option<Submission> {
    match response.status {
        200..300 => {
            let echo = serde_json::from_slice::<VoteResponse>(&response.body).map(|read| read.vote.answers);
            Some(Submission::Acknowledged { echo: echo.unwrap_or_default() })
        }
        // The time for asking was over before the server had read all of it: mostly on a connection that lay idle.
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
    fn only_a_success_acknowledges_and_only_a_4xx_that_was_read_refuses() {
        let stored = r#"{"success": true, "vote": {"id": "v", "answers": ["Yes"], "castAt": "2026-11-22T04:00:00Z"}}"#;
        assert_eq!(read(&response(201, stored)), Some(Submission::Acknowledged { echo: vec!["Yes".to_owned()] }));
        let refused = Submission::Refused { status: 409, text: "closed".to_owned() };
        assert_eq!(read(&response(409, "closed")), Some(refused));
        for open in [408, 500, 502, 503, 302] {
            assert_eq!(read(&response(open, "")), None, "{open}");
        }
    }
}
