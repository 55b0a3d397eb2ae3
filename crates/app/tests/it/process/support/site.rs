use std::path::Path;
use std::process::Command;
use std::time::Duration;

use plenum_adapter_nats::testkit::NatsServer;
use plenum_adapter_postgres::testkit::StoppableServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::nginx::Nginx;
use super::stream_client::Screen;
use super::{Api, Hall, Serving, TIME_LIMIT, folder, own_program, plenum_of, shared_evidence_key, text};

/// All processes. They stop in this order.
pub(crate) struct Site {
    nginx: Nginx,
    pub(crate) instances: Vec<Serving>,
    pub(crate) nats: NatsServer,
    pub(crate) database: StoppableServer,
    pub(crate) folders: Vec<TempDir>,
}

impl Site {
    /// Instances of this program. `None` if nats-server or nginx are missing and may be skipped.
    pub(crate) async fn start(program: &Path, number: usize) -> Option<Self> {
        let nats = spawn_blocking(NatsServer::start).await.unwrap()?;
        let proxy = Nginx::program().expect("nats-server is here and nginx is not: run `just install-nginx`");
        let database = spawn_blocking(StoppableServer::start).await.unwrap();
        let folders: Vec<_> = (0..number).map(|_| folder()).collect();
        let mut instances = Vec::new();
        for folder in &folders {
            instances.push(Serving::start_as(instance(program, folder.path(), (&database, &nats))).await);
        }
        let addresses = instances.iter().map(|instance| instance.origin().trim_start_matches("http://"));
        let nginx = Nginx::start(&proxy, &addresses.collect::<Vec<_>>()).await;
        for instance in &instances {
            until_bus(instance, "connected").await;
        }
        Some(Self { nginx, instances, nats, database, folders })
    }

    pub(crate) fn api(&self) -> &Api {
        self.nginx.api()
    }

    /// Another instance, unknown to nginx.
    pub(crate) async fn add(&mut self) {
        let folder = folder();
        self.instances.push(Serving::start_as(self.instance(own_program(), folder.path())).await);
        self.folders.push(folder);
    }

    /// The command of an instance of this program, with this folder.
    pub(crate) fn instance(&self, program: &Path, folder: &Path) -> Command {
        instance(program, folder, (&self.database, &self.nats))
    }

    /// One screen of the organizer on each instance.
    pub(crate) async fn controls(&self, hall: &Hall) -> Vec<Screen> {
        let mut controls = Vec::new();
        for instance in &self.instances {
            controls.push(Screen::open(instance, &hall.meeting, &hall.admin).await);
        }
        controls
    }
}

fn instance(program: &Path, folder: &Path, (database, nats): (&StoppableServer, &NatsServer)) -> Command {
    let mut command = plenum_of(program, folder, &["serve"]);
    command
        .env("DATABASE_URL", database.url())
        .env("PLENUM_JWT_SECRET", "one key for all of the instances")
        .env("PLENUM_EVIDENCE_KEY_FILE", shared_evidence_key())
        .env("PLENUM_NATS_URL", nats.url());
    command
}

pub(crate) async fn until_bus(instance: &Api, state: &str) {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        let ready = instance.get("/health/ready", "").await;
        assert_eq!(ready["status"], "ready", "NATS or not");
        if ready["bus"] == json!(state) {
            return;
        }
        assert!(Instant::now() < deadline, "not {state}: {ready}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Votes like the front end, with repeats until a response arrives. Returns the vote.
pub(crate) async fn vote_with_repeats(api: &Api, hall: &Hall, question: &str, voter: usize) -> Value {
    let path = format!("/voting/meetings/{}/questions/{question}/vote", hall.meeting);
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        let answer = api.try_send("POST", &path, &hall.token_of(voter), json!({ "answers": ["Yes"] })).await;
        match answer {
            Ok(answer) if answer.status().is_success() => {
                return answer.json::<Value>().await.unwrap()["vote"].clone();
            }
            // The statuses of a proxy without its server, and of a busy server.
            Ok(answer) => assert!([502, 503, 504].contains(&answer.status().as_u16()), "{}", answer.status()),
            Err(_) => {}
        }
        assert!(Instant::now() < deadline, "voter {voter} never votes");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Opens a new question. Returns its id and that of its round.
pub(crate) async fn open_question(api: &Api, hall: &Hall) -> (String, String) {
    open_new(api, hall, "unshown").await
}

pub(crate) async fn open_secret_question(api: &Api, hall: &Hall) -> (String, String) {
    open_new(api, hall, "secret").await
}

async fn open_new(api: &Api, hall: &Hall, secrecy: &str) -> (String, String) {
    let body = json!({
        "meetingId": hall.meeting, "questionText": "And this?", "questionType": "YES_NO", "secrecy": secrecy,
    });
    let question = text(&api.call("POST", "/client/questions", &hall.admin, body).await["id"]);
    let path = hall.path("/current-question");
    let opened = api.call("PUT", &path, &hall.admin, json!({ "questionId": question })).await;
    (question, text(&opened["currentQuestion"]["roundId"]))
}

/// Ends the round. Returns its number of votes in heads.
pub(crate) async fn heads_of(api: &Api, hall: &Hall, round: &str) -> Value {
    api.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    let result = api.call("POST", &hall.path(&format!("/rounds/{round}/count")), &hall.admin, Value::Null).await;
    result["votesCast"]["heads"].clone()
}
