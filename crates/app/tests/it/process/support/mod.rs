//! The program as a process, and clients for tests.

pub(crate) mod https;
pub(crate) mod nginx;
pub(crate) mod pebble;
pub(crate) mod site;
pub(crate) mod stream_client;

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::ops::Deref;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reqwest::Response;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The time limit for an effect that follows soon.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(30);
/// The password of every account.
pub(crate) const PASSWORD: &str = "correct horse";
/// The email address of the super administrator.
pub(crate) const ROOT_EMAIL: &str = "root@plenum.example";

/// A folder that every user can pass through, because PostgreSQL does not run as root.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// The program that is tested.
pub(crate) fn own_program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_plenum"))
}

/// A command of the program, without variables of the environment that could affect it.
pub(crate) fn plenum(folder: &Path, arguments: &[&str]) -> Command {
    plenum_of(own_program(), folder, arguments)
}

/// The same of another program, such as the one of an earlier version.
pub(crate) fn plenum_of(program: &Path, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for (name, _) in std::env::vars_os() {
        let is_ours = name.to_str().is_some_and(|name| name.starts_with("PLENUM_") || name == "DATABASE_URL");
        if is_ours {
            command.env_remove(name);
        }
    }
    command
        .env("PLENUM_LISTEN", "127.0.0.1:0")
        .env("PLENUM_DATA_DIR", folder.join("data"))
        .env("PLENUM_SUPER_ADMIN_EMAIL", ROOT_EMAIL)
        .env("PLENUM_SUPER_ADMIN_PASSWORD", PASSWORD);
    command
}

/// A NATS server that does not answer, for instances that may share a database and need no messages.
pub(crate) const ABSENT_NATS: &str = "nats://127.0.0.1:1";

/// The evidence key of all instances on one database, and of all tests with several instances.
pub(crate) fn shared_evidence_key() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-evidence-key")
}

/// Runs a command until it exits.
pub(crate) fn run(mut command: Command) -> Output {
    command.spawn().unwrap().wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Polls until the condition holds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIME_LIMIT;
    while !holds() {
        assert!(Instant::now() < deadline, "timed out: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The process id of the PostgreSQL of a data folder.
pub(crate) fn postgres_of(folder: &Path) -> Option<i32> {
    let entries = fs::read_dir(folder.join("data")).ok()?;
    entries.flatten().find_map(|entry| {
        let pid_file = fs::read_to_string(entry.path().join("postmaster.pid")).ok()?;
        pid_file.lines().next()?.trim().parse().ok()
    })
}

/// Whether a process with this id is running.
pub(crate) fn is_alive(pid: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // "1 (name) S …"; Z is a zombie.
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// The API at one address.
#[derive(Clone)]
pub(crate) struct Api {
    base: String,
    http: reqwest::Client,
}

/// A running `plenum serve`. Dropping it stops it in order.
pub(crate) struct Serving {
    child: Child,
    api: Api,
    output: Arc<Mutex<String>>,
    log: Arc<Mutex<String>>,
}

impl Deref for Serving {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

impl Serving {
    /// Starts the server in this folder and waits until it listens.
    pub(crate) async fn start(folder: &Path) -> Self {
        Self::start_as(plenum(folder, &["serve"])).await
    }

    pub(crate) async fn start_as(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let output = collect(child.stdout.take().unwrap());
        let log = collect(child.stderr.take().unwrap());
        let mut serving = Self { child, api: Api::at(""), output, log };
        let deadline = Instant::now() + TIME_LIMIT;
        while serving.api.base.is_empty() {
            let ended = serving.child.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < deadline, "not started: {ended:?} {}", serving.log());
            tokio::time::sleep(Duration::from_millis(10)).await;
            let address =
                serving.printed().lines().find_map(|line| line.strip_prefix("listening on ").map(str::to_owned));
            serving.api.base = address.unwrap_or_default();
        }
        until("the addresses are printed", || serving.printed().contains("Press Ctrl-C to stop.")).await;
        serving
    }

    /// The standard output so far.
    pub(crate) fn printed(&self) -> String {
        self.output.lock().unwrap().clone()
    }

    /// The log so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id().cast_signed())
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).unwrap();
    }

    /// Waits until the process has exited.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        let child = &mut self.child;
        until("the program ends", || {
            status = child.try_wait().unwrap();
            status.is_some()
        })
        .await;
        status.unwrap()
    }

    /// Kills the process, as a power failure would, and waits.
    pub(crate) async fn crash(mut self) {
        self.kill();
        self.ended().await;
    }

    /// Kills the process without waiting.
    pub(crate) fn kill(&self) {
        self.signal(Signal::SIGKILL);
    }
}

impl Api {
    /// The API at this origin.
    pub(crate) fn at(origin: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { base: origin.to_owned(), http }
    }

    /// The origin.
    pub(crate) fn origin(&self) -> &str {
        &self.base
    }

    /// The vote, if a response arrives.
    pub(crate) async fn try_vote(&self, path: &str, token: &str) -> Option<Value> {
        let request = self.http.post(format!("{}/api{path}", self.base)).bearer_auth(token);
        let response = request.json(&json!({ "answers": ["Yes"] })).send().await.ok()?;
        assert_eq!(response.status(), 201);
        let answer: Value = response.json().await.ok()?;
        Some(answer["vote"].clone())
    }

    pub(crate) async fn send(&self, method: &str, path: &str, token: &str, body: Value) -> Response {
        self.try_send(method, path, token, body).await.unwrap()
    }

    /// The response, if one arrives.
    pub(crate) async fn try_send(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Value,
    ) -> reqwest::Result<Response> {
        let method = method.parse().unwrap();
        let mut request = self.http.request(method, format!("{}/api{path}", self.base));
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        if !body.is_null() {
            request = request.json(&body);
        }
        request.header("accept", "application/json").send().await
    }

    /// The body of a successful response.
    pub(crate) async fn call(&self, method: &str, path: &str, token: &str, body: Value) -> Value {
        let response = self.send(method, path, token, body).await;
        let (status, text) = (response.status(), response.text().await.unwrap());
        assert!(status.is_success(), "{method} {path}: {status} {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Repeats the call while the server is "busy or restarting", like the front end.
    pub(crate) async fn repeat(&self, method: &str, path: &str, token: &str, body: Value) -> Value {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            let answer = self.send(method, path, token, body.clone()).await;
            if answer.status().is_success() {
                return answer.json().await.unwrap();
            }
            assert_eq!(answer.status().as_u16(), 503, "{method} {path}");
            assert!(answer.headers().contains_key("retry-after"), "{method} {path}");
            assert!(Instant::now() < deadline, "the database does not come back");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    pub(crate) async fn get(&self, path: &str, token: &str) -> Value {
        self.call("GET", path, token, Value::Null).await
    }

    /// An access token.
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> String {
        let session = self.call("POST", "/auth/login", "", json!({ "email": email, "password": password })).await;
        text(&session["token"])
    }

    /// The tokens of a voter.
    pub(crate) async fn sign_in_voter(&self, code: &str, username: &str, password: &str) -> Value {
        let body = json!({ "clientCode": code, "username": username, "password": password });
        self.call("POST", "/auth/end-user/login", "", body).await
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if self.child.try_wait().ok().flatten().is_some() {
            return;
        }
        // Stopped in order, so that no PostgreSQL uses a folder that is about to be deleted.
        self.signal(Signal::SIGTERM);
        let _ = self.child.wait();
    }
}

fn collect(pipe: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let collected = Arc::new(Mutex::new(String::new()));
    let text = Arc::clone(&collected);
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            let mut text = text.lock().unwrap();
            text.push_str(&line);
            text.push('\n');
        }
    });
    collected
}

/// A text in a response.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// An organization with a running meeting and an open question.
pub(crate) struct Hall {
    pub(crate) admin: String,
    pub(crate) voters: Vec<Value>,
    pub(crate) meeting: String,
    pub(crate) question: String,
    pub(crate) round: String,
}

impl Hall {
    pub(crate) async fn new(serving: &Api, voters: usize) -> Self {
        let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
        let body = json!({
            "name": "Rowing Club", "firstName": "Anna", "lastName": "Berg", "email": "anna@example.org",
            "password": PASSWORD,
        });
        serving.call("POST", "/clients", &root, body).await;
        let admin = serving.sign_in("anna@example.org", PASSWORD).await;
        let mut signed_in = Vec::new();
        for number in 0..voters {
            let username = format!("voter-{number}");
            let body = json!({ "username": username, "name": username, "password": PASSWORD });
            serving.call("POST", "/client/end-users", &admin, body).await;
            signed_in.push(serving.sign_in_voter("rowing-club", &username, PASSWORD).await);
        }
        let body = json!({
            "title": "General assembly", "status": "ACTIVE", "scheduledStartTime": "2030-05-01T18:00:00Z",
            "scheduledEndTime": "2030-05-01T20:00:00Z",
        });
        let meeting = text(&serving.call("POST", "/client/meetings", &admin, body).await["id"]);
        let body = json!({ "meetingId": meeting, "questionText": "Agreed?", "questionType": "YES_NO" });
        let question = text(&serving.call("POST", "/client/questions", &admin, body).await["id"]);
        let path = format!("/client/meetings/{meeting}/current-question");
        let opened = serving.call("PUT", &path, &admin, json!({ "questionId": question })).await;
        let round = text(&opened["currentQuestion"]["roundId"]);
        Self { admin, voters: signed_in, meeting, question, round }
    }

    pub(crate) fn vote_path(&self) -> String {
        format!("/voting/meetings/{}/questions/{}/vote", self.meeting, self.question)
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/client/meetings/{}{rest}", self.meeting)
    }

    pub(crate) fn token_of(&self, voter: usize) -> String {
        text(&self.voters[voter]["token"])
    }
}

/// An empty folder, for tests without PostgreSQL's programs.
pub(crate) fn empty_folder(inside: &Path) -> PathBuf {
    let folder = inside.join("nothing");
    fs::create_dir(&folder).unwrap();
    folder
}
