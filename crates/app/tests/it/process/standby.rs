//! A primary and a standby that confirms each commit: the loss of either, and of the way to the primary.

use std::fs;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{Connection as _, PgConnection, QueryableByName, RunQueryDsl as _};
use plenum_adapter_postgres::testkit::StoppableServer;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinSet, block_in_place, spawn_blocking};

use crate::process::support::{Hall, Serving, TIME_LIMIT, folder, plenum, text};

/// The votes of each test.
const VOTERS: usize = 24;

/// Both servers, and the product on them.
struct Pair {
    primary: StoppableServer,
    standby: StoppableServer,
    serving: Serving,
    hall: Hall,
    _folder: TempDir,
}

impl Pair {
    async fn start() -> Self {
        let (primary, standby) = spawn_blocking(|| {
            let mut primary = StoppableServer::start();
            let standby = primary.with_standby("standby");
            // Test servers do not wait for their disks, and so not for standbys either, unless a database asks for it.
            run(primary.url(), "ALTER DATABASE plenum SET synchronous_commit = on");
            (primary, standby)
        })
        .await
        .unwrap();
        let folder = folder();
        let mut command = plenum(folder.path(), &["serve"]);
        command.env("DATABASE_URL", url_of_both(&primary, &standby));
        let serving = Serving::start_as(command).await;
        let hall = Hall::new(&serving, VOTERS).await;
        Self { primary, standby, serving, hall, _folder: folder }
    }

    /// Sends the votes of these voters at the same time. Each is repeated until it is answered.
    fn vote(&self, voters: std::ops::Range<usize>) -> JoinSet<()> {
        let mut votes = JoinSet::new();
        for voter in voters {
            let (client, url) = (
                reqwest::Client::builder().no_proxy().build().unwrap(),
                format!("{}/api{}", self.serving.origin(), self.hall.vote_path()),
            );
            let token = self.hall.token_of(voter);
            votes.spawn(async move {
                let deadline = Instant::now() + TIME_LIMIT;
                loop {
                    let request = client.post(&url).bearer_auth(&token).json(&json!({ "answers": ["Yes"] }));
                    let answer = request.timeout(Duration::from_secs(3)).send().await;
                    if answer.is_ok_and(|answer| answer.status() == 201) {
                        return;
                    }
                    assert!(Instant::now() < deadline, "voter {voter} never gets an answer");
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            });
        }
        votes
    }

    /// The votes that the product counts.
    async fn counted(&self) -> u64 {
        let screen = json!({ "questionId": null });
        self.serving.repeat("PUT", &self.hall.path("/current-question"), &self.hall.admin, screen).await;
        let path = self.hall.path(&format!("/rounds/{}/count", self.hall.round));
        let result = self.serving.repeat("POST", &path, &self.hall.admin, Value::Null).await;
        result["votesCast"]["heads"].as_u64().unwrap()
    }

    async fn until_ready_is(&self, expected: &str) {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            let answer = self.serving.send("GET", "/health/ready", "", Value::Null).await;
            let body: Value = answer.json().await.unwrap();
            let found = body["reason"].as_str().map_or_else(|| text(&body["status"]), str::to_owned);
            if found.contains(expected) {
                return;
            }
            assert!(Instant::now() < deadline, "{found}, not {expected}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The first server comes first, although it may be the demoted one.
fn url_of_both(first: &StoppableServer, second: &StoppableServer) -> String {
    let host = |url: &str| {
        let rest = url.strip_prefix("postgres://plenum@").unwrap();
        rest.strip_suffix("/plenum").unwrap().to_owned()
    };
    format!("postgres://plenum@{},{}/plenum", host(first.url()), host(second.url()))
}

fn run(url: &str, statements: &str) {
    PgConnection::establish(url).unwrap().batch_execute(statements).unwrap();
}

fn votes_in(url: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = BigInt)]
        votes: i64,
    }
    let row: Row = diesel::sql_query("SELECT count(*) AS votes FROM votes")
        .get_result(&mut PgConnection::establish(url).unwrap())
        .unwrap();
    row.votes
}

fn promote(server: &StoppableServer) {
    run(server.url(), "SELECT pg_promote()");
}

const END_SESSIONS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'plenum' AND backend_type = 'client backend'";

#[tokio::test(flavor = "multi_thread")]
async fn no_vote_is_lost_with_the_primary_and_the_promoted_standby_takes_over() {
    let mut pair = Pair::start().await;
    pair.vote(0..8).join_all().await;
    let votes = pair.vote(8..VOTERS);
    block_in_place(|| pair.primary.kill());
    pair.until_ready_is("No server of the database accepts writes").await;
    block_in_place(|| promote(&pair.standby));
    votes.join_all().await;
    pair.until_ready_is("ready").await;
    assert_eq!(pair.counted().await, VOTERS as u64);
    assert_eq!(block_in_place(|| votes_in(pair.standby.url())), VOTERS as i64);
    assert!(pair.serving.log().contains("another server of the database is the primary now"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demoted_server_gets_no_write_although_it_takes_them_and_comes_first() {
    let pair = Pair::start().await;
    pair.vote(0..8).join_all().await;
    let way = pair.primary.socket_folder();
    let away = way.with_file_name("away");
    block_in_place(|| {
        // The primary is cut off from the product: its sessions end, and nobody gets through.
        let mut operator = PgConnection::establish(pair.primary.url()).unwrap();
        operator.batch_execute("ALTER SYSTEM RESET synchronous_standby_names").unwrap();
        fs::rename(&way, &away).unwrap();
        operator.batch_execute(END_SESSIONS).unwrap();
        promote(&pair.standby);
    });
    pair.vote(8..16).join_all().await;
    block_in_place(|| {
        // It is back, accepts writes without waiting for anybody, and comes first in the address.
        fs::rename(&away, &way).unwrap();
        run(pair.primary.url(), "SELECT pg_reload_conf(); CREATE TABLE writable ()");
        run(pair.standby.url(), END_SESSIONS);
    });
    pair.vote(16..VOTERS).join_all().await;
    assert_eq!(pair.counted().await, VOTERS as u64);
    assert_eq!(block_in_place(|| (votes_in(pair.primary.url()), votes_in(pair.standby.url()))), (8, VOTERS as i64));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demoted_server_that_is_back_before_its_successor_was_used_gets_no_write() {
    let pair = Pair::start().await;
    pair.vote(0..8).join_all().await;
    block_in_place(|| {
        run(pair.primary.url(), "ALTER SYSTEM RESET synchronous_standby_names");
        promote(&pair.standby);
        // The old primary accepts writes without waiting, and all its sessions end: the product connects anew.
        run(pair.primary.url(), "SELECT pg_reload_conf()");
        run(pair.primary.url(), END_SESSIONS);
    });
    pair.vote(8..VOTERS).join_all().await;
    assert_eq!(pair.counted().await, VOTERS as u64);
    assert_eq!(block_in_place(|| (votes_in(pair.primary.url()), votes_in(pair.standby.url()))), (8, VOTERS as i64));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_standby_no_vote_is_confirmed_and_the_reason_is_told() {
    let mut pair = Pair::start().await;
    pair.vote(0..8).join_all().await;
    block_in_place(|| pair.standby.kill());
    let mut votes = pair.vote(8..VOTERS);
    pair.until_ready_is("waits for a standby").await;
    assert!(votes.try_join_next().is_none(), "a vote was confirmed that only one server has");
    // Reading goes on.
    pair.serving.get(&pair.hall.path(""), &pair.hall.admin).await;
    block_in_place(|| pair.standby.start_again());
    votes.join_all().await;
    pair.until_ready_is("ready").await;
    assert_eq!(pair.counted().await, VOTERS as u64);
}
