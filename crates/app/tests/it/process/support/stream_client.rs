use std::time::Duration;

use reqwest::Response;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::process::support::{Api, TIME_LIMIT};

/// A screen that watches a meeting like the front end: it applies events to the state, and reconnects when its stream
/// ends.
pub(crate) struct Screen {
    api: Api,
    path: String,
    token: String,
    stream: Response,
    unread: String,
    /// The state of the meeting.
    pub(crate) state: Value,
    /// The number of received heartbeats. They arrive as often as the instance polls the database.
    pub(crate) heartbeats: usize,
}

/// The reason for the end of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The server sent an error with this code.
    Error(String),
    /// The connection ended without an error.
    Broken,
}

impl Screen {
    pub(crate) async fn open(api: &Api, meeting: &str, token: &str) -> Self {
        let path = format!("/sse/meetings/{meeting}/stream");
        let stream = Self::stream(api, &path, token).await;
        let (api, token) = (api.clone(), token.to_owned());
        let mut screen = Self { api, path, token, stream, unread: String::new(), state: Value::Null, heartbeats: 0 };
        screen.until("the first state", |state| !state.is_null()).await;
        screen
    }

    /// Retried until a server responds.
    async fn stream(api: &Api, path: &str, token: &str) -> Response {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            match api.try_send("GET", path, token, Value::Null).await {
                Ok(answer) if answer.status().is_success() => return answer,
                other => assert!(Instant::now() < deadline, "no stream: {other:?}"),
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Reads until the state satisfies a condition. Reconnects whenever the stream breaks.
    pub(crate) async fn until(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) {
        let deadline = Instant::now() + TIME_LIMIT;
        while !is_so(&self.state) {
            match timeout(deadline.saturating_duration_since(Instant::now()), self.next()).await {
                Ok(Ok(())) => {}
                Ok(Err(Ending::Broken)) => {
                    self.stream = Self::stream(&self.api, &self.path, &self.token).await;
                    self.unread.clear();
                }
                Ok(Err(ending)) => panic!("{what}: the stream ended: {ending:?}"),
                Err(_) => panic!("timed out: {what}; it shows {}", self.state),
            }
        }
    }

    /// Reads until the stream ends, within this time.
    pub(crate) async fn ending(&mut self, within: Duration) -> Ending {
        let reading = async {
            loop {
                if let Err(ending) = self.next().await {
                    return ending;
                }
            }
        };
        timeout(within, reading).await.expect("the stream ends at once")
    }

    /// Applies the next event.
    async fn next(&mut self) -> Result<(), Ending> {
        let frame = loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                let frame = frame.to_owned();
                self.unread = rest.to_owned();
                break frame;
            }
            let chunk = self.stream.chunk().await.ok().flatten().ok_or(Ending::Broken)?;
            self.unread.push_str(std::str::from_utf8(&chunk).unwrap());
        };
        let Some(data) = frame.lines().find_map(|line| line.strip_prefix("data: ")) else { return Ok(()) };
        let event: Value = serde_json::from_str(data).unwrap();
        self.take(event["type"].as_str().unwrap(), &event["data"])
    }

    fn take(&mut self, event: &str, data: &Value) -> Result<(), Ending> {
        match event {
            "connected" | "meeting_update" => self.state = data.clone(),
            "question_activated" => {
                self.state["currentQuestion"] = data.clone();
                self.state["voteCount"] = data["voteCount"].clone();
            }
            "question_deactivated" => self.state["currentQuestion"] = Value::Null,
            "vote_count" | "participant_count" | "meeting_status" => {
                for (name, value) in data.as_object().unwrap() {
                    self.state[name] = value.clone();
                }
            }
            "heartbeat" => self.heartbeats += 1,
            "error" => return Err(Ending::Error(data["code"].as_str().unwrap().to_owned())),
            _ => {}
        }
        Ok(())
    }

    /// Waits until this many voters are connected.
    pub(crate) async fn participants(&mut self, count: usize) {
        self.until(&format!("{count} participants"), |state| state["participantCount"] == json!(count)).await;
    }

    /// Waits until this many people have voted.
    pub(crate) async fn votes(&mut self, count: usize) {
        self.until(&format!("{count} votes"), |state| state["voteCount"] == json!(count)).await;
    }

    /// Waits until this question is open.
    pub(crate) async fn question(&mut self, question: &str) {
        let is_open = |state: &Value| {
            state["currentQuestion"]["id"] == json!(question) && state["currentQuestion"]["isActive"] == json!(true)
        };
        self.until("the question is open", is_open).await;
    }
}
