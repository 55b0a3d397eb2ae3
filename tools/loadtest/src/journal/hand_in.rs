use std::time::Duration;

use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::http::{Answer, Connection};

/// What became of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handed {
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
pub struct Repeats {
    /// Because no answer came, or one that does not say what has become of it.
    pub without_answer: u64,
    /// Because the server asked to come again (503).
    pub as_asked: u64,
}

impl Repeats {
    /// Adds those of another ballot.
    pub fn add(&mut self, others: Self) {
        self.without_answer += others.without_answer;
        self.as_asked += others.as_asked;
    }
}

/// How long our own screens wait before they hand the same ballot in again.
const PAUSE: Duration = Duration::from_secs(1);

/// Hands a ballot in as our own screens do: again and again with the same answers, until an answer says what has become
/// of it, or patience is over.
pub async fn hand_in(connection: &mut Connection, request: &[u8], patience: Duration) -> (Handed, Repeats) {
    let deadline = Instant::now() + patience;
    let mut repeats = Repeats::default();
    loop {
        let pause = match connection.call(request).await {
            Ok(answer) => match read(&answer) {
                Some(handed) => return (handed, repeats),
                None => answer.retry_after,
            },
            Err(_) => None,
        };
        if Instant::now() + pause.unwrap_or(PAUSE) >= deadline {
            return (Handed::Unknown, repeats);
        }
        match pause {
            Some(_) => repeats.as_asked += 1,
            None => repeats.without_answer += 1,
        }
        sleep(pause.unwrap_or(PAUSE)).await;
    }
}

#[derive(Deserialize)]
struct VoteAnswer {
    vote: Vote,
}

#[derive(Deserialize)]
struct Vote {
    answers: Vec<String>,
}

/// None for an answer that leaves it open. A success that cannot be read says that the vote is stored, and not which.
fn read(answer: &Answer) -> Option<Handed> {
    match answer.status {
        200..300 => {
            let echo = serde_json::from_slice::<VoteAnswer>(&answer.body).map(|read| read.vote.answers);
            Some(Handed::Acknowledged { echo: echo.unwrap_or_default() })
        }
        // The time for asking was over before the server had read all of it: mostly on a connection that lay idle.
        408 => None,
        status @ 400..500 => Some(Handed::Refused { status, text: answer.text() }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, retry_after: None, body: body.as_bytes().to_vec() }
    }

    #[test]
    fn only_a_success_acknowledges_and_only_a_4xx_that_was_read_refuses() {
        let stored = r#"{"success": true, "vote": {"id": "v", "answers": ["Yes"], "castAt": "2026-11-22T04:00:00Z"}}"#;
        assert_eq!(read(&answer(201, stored)), Some(Handed::Acknowledged { echo: vec!["Yes".to_owned()] }));
        let refused = Handed::Refused { status: 409, text: "closed".to_owned() };
        assert_eq!(read(&answer(409, "closed")), Some(refused));
        for open in [408, 500, 502, 503, 302] {
            assert_eq!(read(&answer(open, "")), None, "{open}");
        }
    }
}
