use serde_json::Value;
use tokio::time::timeout;

use super::{Caller, TIME_LIMIT};

/// One event of a live stream.
#[derive(Debug)]
pub(crate) struct Event {
    /// The version of the live state. An `error` has none.
    pub(crate) version: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

/// An open live stream.
pub(crate) struct EventStream {
    response: reqwest::Response,
    unread: String,
}

impl EventStream {
    /// Opens the stream of a meeting as this caller.
    pub(crate) async fn watch(caller: &Caller, meeting: &str) -> Self {
        Self::open(caller, &format!("/sse/meetings/{meeting}/stream")).await
    }

    /// Opens the stream of the presentation.
    pub(crate) async fn watch_presentation(caller: &Caller, meeting: &str) -> Self {
        Self::open(caller, &format!("/public/meetings/{meeting}/presentation/stream")).await
    }

    pub(crate) async fn open(caller: &Caller, path: &str) -> Self {
        let response = caller.request("GET", path).header("accept", "text/event-stream").send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        Self { response, unread: String::new() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    /// The next event. `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                // A comment is padding for proxies.
                let event = (!frame.starts_with(':')).then(|| read_frame(frame));
                self.unread = rest.to_owned();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let chunk = timeout(TIME_LIMIT, self.response.chunk()).await.expect("no event arrived");
            match chunk {
                Ok(Some(bytes)) => self.unread.push_str(std::str::from_utf8(&bytes).unwrap()),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Reads until an event of this kind arrives.
    pub(crate) async fn until(&mut self, kind: &str) -> Value {
        self.until_event(|event| event.kind == kind).await.data
    }

    /// Reads until an event satisfies a condition.
    pub(crate) async fn until_event(&mut self, is_wanted: impl Fn(&Event) -> bool) -> Event {
        let mut seen = Vec::new();
        loop {
            let event = self.next().await.unwrap_or_else(|| panic!("the stream ended after {seen:?}"));
            if is_wanted(&event) {
                return event;
            }
            seen.push(event);
        }
    }
}

fn read_frame(frame: &str) -> Event {
    let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
    assert!(!frame.contains("event:"), "a browser's onmessage would not get {frame}");
    let event: Value = serde_json::from_str(field("data: ").unwrap()).unwrap();
    Event {
        version: field("id: ").map(|id| id.parse().unwrap()),
        kind: event["type"].as_str().unwrap().to_owned(),
        data: event["data"].clone(),
    }
}
