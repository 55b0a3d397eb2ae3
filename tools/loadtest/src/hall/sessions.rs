use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use super::organization::Voter;
use super::person::read_json;
use crate::failure::LoadFailure;
use crate::http::{Connection, Target};
use crate::say::progress;

/// For how long somebody tries to get in.
const PATIENCE: Duration = Duration::from_secs(900);

/// How voters get their access tokens before the measuring begins.
#[derive(Clone, Debug)]
pub enum Entrance {
    /// Each signs in with their password, so many at a time. Each costs the server a slow hash: 10,000 take minutes.
    SignIn {
        /// How many at a time.
        at_once: usize,
    },
    /// A command opens a session for each of them in the database (`tools/loadtest/bench/open-sessions.sql`), and each fetches
    /// the tokens with a refresh token that was agreed upon.
    Prepared {
        /// The command, for `sh -c`. It finds `PLENUM_LOAD_CLIENT_ID` and `PLENUM_LOAD_SECRET` in its environment.
        command: String,
    },
}

impl Entrance {
    /// Lets all of them in.
    pub(super) async fn let_in(
        &self,
        target: &Arc<Target>,
        (client_id, client_code): (&str, &str),
        voters: &[Voter],
    ) -> Result<(), LoadFailure> {
        let begun = Instant::now();
        let count = voters.len();
        match self {
            Self::SignIn { at_once } => {
                let request = |voter: &Voter| sign_in_request(target, client_code, voter);
                in_parallel(target, voters, *at_once, request).await?;
            }
            Self::Prepared { command } => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let secret = format!("load-{}-{}", std::process::id(), since.as_nanos());
                run_command(command, client_id, &secret).await?;
                let request = |voter: &Voter| refresh_request(target, &format!("{secret}:{}", voter.username));
                in_parallel(target, voters, 32, request).await?;
            }
        }
        progress(&format!("{count} voters are let in, after {:.1} s", begun.elapsed().as_secs_f64()));
        Ok(())
    }
}

/// Runs a command that prepares something for an organization.
///
/// # Errors
/// Fails when the command cannot be run, or says that it has failed.
pub async fn run_command(command: &str, client_id: &str, secret: &str) -> Result<(), LoadFailure> {
    let failed = |text: String| LoadFailure::Command { command: command.to_owned(), text };
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).env("PLENUM_LOAD_CLIENT_ID", client_id).env("PLENUM_LOAD_SECRET", secret);
    shell.stdin(Stdio::null()).stdout(Stdio::null());
    let status = shell.status().await.map_err(|error| failed(error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(status.to_string())) }
}

/// The request with which a voter signs in.
pub fn sign_in_request(target: &Target, client_code: &str, voter: &Voter) -> Vec<u8> {
    sign_in(target, &json!({ "clientCode": client_code, "username": voter.username, "password": voter.password }))
}

/// The same with a ticket, by which their place among all that wait can be asked for.
pub fn sign_in_request_with(ticket: &str, target: &Target, client_code: &str, voter: &Voter) -> Vec<u8> {
    let Voter { username, password, .. } = voter;
    sign_in(target, &json!({ "clientCode": client_code, "username": username, "password": password, "ticket": ticket }))
}

fn sign_in(target: &Target, body: &Value) -> Vec<u8> {
    target.request("POST", "/api/auth/end-user/login").json(body.to_string()).bytes()
}

/// The request with which somebody renews their tokens.
pub(super) fn refresh_request(target: &Target, refresh_token: &str) -> Vec<u8> {
    let body = json!({ "refreshToken": refresh_token }).to_string();
    target.request("POST", "/api/auth/refresh").json(body).bytes()
}

async fn in_parallel(
    target: &Arc<Target>,
    voters: &[Voter],
    at_once: usize,
    request: impl Fn(&Voter) -> Vec<u8> + Copy,
) -> Result<(), LoadFailure> {
    let groups = groups(target, voters, at_once).map(|(mut connection, group)| async move {
        for voter in group {
            voter.pass.take(&fetch_session(&mut connection, &request(voter)).await?)?;
        }
        Ok::<_, LoadFailure>(())
    });
    try_join_all(groups).await.map(drop)
}

/// Renews the tokens of those who need it.
pub(super) async fn keep_in(target: &Arc<Target>, voters: &[Voter]) -> Result<(), LoadFailure> {
    let groups = groups(target, voters, 32).map(|(mut connection, group)| async move {
        for voter in group {
            voter.pass.keep_fresh(&mut connection).await?;
        }
        Ok::<_, LoadFailure>(())
    });
    try_join_all(groups).await.map(drop)
}

/// Voters in so many groups, each with a connection.
fn groups<'a>(
    target: &Arc<Target>,
    voters: &'a [Voter],
    count: usize,
) -> impl Iterator<Item = (Connection, &'a [Voter])> {
    let size = voters.len().div_ceil(count.max(1)).max(1);
    voters.chunks(size).enumerate().map(|(number, group)| {
        (Connection::new(Arc::clone(target), number).with_patience(Duration::from_secs(120)), group)
    })
}

/// The session that a request gives. Who is asked to come again does so.
pub(super) async fn fetch_session(connection: &mut Connection, request: &[u8]) -> Result<Value, LoadFailure> {
    let what = || "letting a voter in".to_owned();
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = connection.call(request).await;
        let answer = answer.map_err(|source| LoadFailure::NoAnswer { what: what(), source })?;
        match answer.status {
            200 => return read_json(&what(), &answer.body),
            503 if Instant::now() < deadline => sleep(answer.retry_after.unwrap_or(Duration::from_secs(1))).await,
            status => return Err(LoadFailure::Refused { what: what(), status, text: answer.text() }),
        }
    }
}
