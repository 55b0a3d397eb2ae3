use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::user_session::UserSession;
use crate::http::{Connection, EventStream, Opened, Target};

/// Time until the product's screens reconnect.
const PAUSE: Duration = Duration::from_millis(500);
/// A stream without any data for this time is closed: heartbeats are due every 15 seconds.
const SILENCE: Duration = Duration::from_secs(40);
/// Time limit of a sign-in.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Text before the number of a question.
const MARK: &str = "Load step ";

/// A screen that watches.
#[derive(Clone, Debug)]
pub(super) struct Viewer {
    pub(super) name: String,
    /// None for public screens.
    pub(super) session: Option<UserSession>,
    /// Path of the stream.
    pub(super) path: String,
}

/// The state of a screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Number of the open question.
    pub(super) question: Option<usize>,
    pub(super) votes: u64,
}

/// Screens that watch a meeting and reconnect, as the product's own do. They stop when this value is dropped.
#[derive(Debug)]
pub(super) struct Screens {
    views: Vec<(String, Arc<Mutex<View>>)>,
    _tasks: JoinSet<()>,
}

#[derive(Debug, Default)]
struct View {
    is_connected: bool,
    snapshot: Value,
    breaks: u64,
}

impl Screens {
    pub(super) fn open(target: &Arc<Target>, viewers: Vec<Viewer>) -> Self {
        let mut tasks = JoinSet::new();
        let mut views = Vec::new();
        for (number, viewer) in viewers.into_iter().enumerate() {
            let view = Arc::new(Mutex::new(View::default()));
            views.push((viewer.name.clone(), Arc::clone(&view)));
            tasks.spawn(watch(Arc::clone(target), number, viewer, view));
        }
        Self { views, _tasks: tasks }
    }

    pub(super) fn count(&self) -> usize {
        self.views.len()
    }

    /// Number of streams that broke.
    pub(super) fn breaks(&self) -> u64 {
        self.views.iter().map(|(_, view)| lock(view).breaks).sum()
    }

    /// Screens that are not connected, or show a wrong state.
    pub(super) fn wrong(&self, is_right: impl Fn(&Shown) -> bool) -> Vec<String> {
        let wrong = self.views.iter().filter_map(|(name, view)| {
            let view = lock(view);
            let shown = shown_by(&view.snapshot);
            let is_well = view.is_connected && is_right(&shown);
            let status = if view.is_connected { "connected" } else { "not connected" };
            (!is_well).then(|| format!("{name} ({status}, shows question {:?}, {} votes)", shown.question, shown.votes))
        });
        wrong.collect()
    }

    /// Waits until all screens show the right state. Returns the others after the time limit.
    pub(super) async fn wait_for(&self, time_limit: Duration, is_right: impl Fn(&Shown) -> bool) -> Vec<String> {
        let deadline = Instant::now() + time_limit;
        loop {
            let wrong = self.wrong(&is_right);
            if wrong.is_empty() || Instant::now() >= deadline {
                return wrong;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }
}

fn lock(view: &Mutex<View>) -> MutexGuard<'_, View> {
    view.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn watch(target: Arc<Target>, number: usize, viewer: Viewer, view: Arc<Mutex<View>>) {
    loop {
        // The reason does not matter: the stream is opened again.
        let _ = watch_once(&target, number, &viewer, &view).await;
        {
            let mut view = lock(&view);
            view.breaks += u64::from(view.is_connected);
            view.is_connected = false;
        }
        sleep(PAUSE).await;
    }
}

async fn watch_once(target: &Arc<Target>, number: usize, viewer: &Viewer, view: &Mutex<View>) -> io::Result<()> {
    let mut connection = Connection::new(Arc::clone(target), number);
    let deadline = Instant::now() + TIMEOUT;
    let mut request = target.request("GET", &viewer.path);
    let token = match &viewer.session {
        Some(session) if session.ensure_signed_in(&mut connection, deadline).await => session.tokens.token(),
        Some(_) => return Err(io::ErrorKind::PermissionDenied.into()),
        None => String::new(),
    };
    if !token.is_empty() {
        request = request.bearer(&token);
    }
    let mut stream = match EventStream::open(target.connect(number).await?, &request.bytes_of_stream()).await? {
        Opened::Stream(stream) => stream,
        Opened::Refused(answer) => {
            if let (401, Some(session)) = (answer.status, &viewer.session) {
                session.replace_refused_token(&token, &mut connection, deadline).await;
            }
            return Err(io::ErrorKind::PermissionDenied.into());
        }
    };
    while timeout(SILENCE, stream.read(|frame| lock(view).take(frame))).await?? {}
    Ok(())
}

impl View {
    fn take(&mut self, frame: &[u8]) {
        let text = String::from_utf8_lossy(frame);
        let Some(data) = text.lines().find_map(|line| line.strip_prefix("data: ")) else { return };
        let Ok(mut event) = serde_json::from_str::<Value>(data) else { return };
        let data = event["data"].take();
        // Events of the public stream contain the whole snapshot, which identifies them.
        let is_whole = data.get("currentQuestion").is_some();
        match event["type"].as_str().unwrap_or_default() {
            _ if is_whole => {
                self.snapshot = data;
                self.is_connected = true;
            }
            "question_activated" => {
                self.snapshot["voteCount"] = data["voteCount"].clone();
                self.snapshot["currentQuestion"] = data;
            }
            "question_deactivated" => self.snapshot["currentQuestion"] = Value::Null,
            "vote_count" => self.snapshot["voteCount"] = data["voteCount"].clone(),
            _ => {}
        }
    }
}

/// The state in a snapshot of a meeting: a voter's, an organizer's or the public one.
pub(super) fn shown_by(snapshot: &Value) -> Shown {
    let question = &snapshot["currentQuestion"];
    let text = question["text"].as_str().or(question["questionText"].as_str());
    let is_open = question["isActive"] == true || question["isOpen"] == true;
    let number = text.and_then(|text| text.strip_prefix(MARK)?.trim_end_matches('.').parse().ok());
    Shown { question: number.filter(|_| is_open), votes: snapshot["voteCount"].as_u64().unwrap_or_default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown_after(frames: &[&str]) -> Shown {
        let mut view = View::default();
        for frame in frames {
            view.take(frame.as_bytes());
        }
        assert!(view.is_connected);
        shown_by(&view.snapshot)
    }

    const CONNECTED: &str = r#"data: {"type":"connected","data":{"currentQuestion":null,"voteCount":0}}"#;
    const OPENED: &str =
        r#"data: {"type":"question_activated","data":{"text":"Load step 7.","isActive":true,"voteCount":2}}"#;

    #[test]
    fn events_update_the_snapshot() {
        let counted = r#"data: {"type":"vote_count","data":{"voteCount":5,"registerSize":9}}"#;
        let ended = r#"data: {"type":"question_deactivated","data":{"id":"q"}}"#;
        let heartbeat = r#"data: {"type":"heartbeat","data":{"version":1}}"#;
        assert_eq!(shown_after(&[CONNECTED]).question, None);
        assert_eq!(shown_after(&[CONNECTED, OPENED]), Shown { question: Some(7), votes: 2 });
        assert_eq!(shown_after(&[CONNECTED, OPENED, counted, heartbeat]), Shown { question: Some(7), votes: 5 });
        assert_eq!(shown_after(&[CONNECTED, OPENED, counted, ended]).question, None);
    }

    #[test]
    fn each_public_event_replaces_the_snapshot() {
        let opened = r#"id: 1
data: {"type":"question_activated","data":{"currentQuestion":{"questionText":"Load step 3.","isOpen":true},"voteCount":1}}"#;
        let ended = r#"data: {"type":"question_deactivated","data":{"currentQuestion":null,"voteCount":0}}"#;
        assert_eq!(shown_after(&[CONNECTED, opened]), Shown { question: Some(3), votes: 1 });
        assert_eq!(shown_after(&[CONNECTED, opened, ended]).question, None);
    }

    #[test]
    fn a_question_that_is_shown_but_not_open_does_not_count() {
        let shown =
            r#"data: {"type":"meeting_update","data":{"currentQuestion":{"text":"Load step 1.","isActive":false}}}"#;
        assert_eq!(shown_after(&[shown]).question, None);
    }

    #[test]
    fn a_disconnected_screen_is_wrong_whatever_it_shows() {
        let views = vec![("the presentation".to_owned(), Arc::new(Mutex::new(View::default())))];
        let screens = Screens { views, _tasks: JoinSet::new() };
        assert_eq!(screens.wrong(|_| true), ["the presentation (not connected, shows question None, 0 votes)"]);
        lock(&screens.views[0].1).take(CONNECTED.as_bytes());
        assert!(screens.wrong(|_| true).is_empty());
        assert_eq!(screens.wrong(|shown| shown.question.is_some()).len(), 1);
    }
}
