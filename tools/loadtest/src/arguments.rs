//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::bcrypt_baseline::BcryptArguments;
use crate::faults;
use crate::fixture::SignInMethod;
use crate::report::ReportArguments;
use crate::scenarios::{assembly, ballots, fan_out, growth, sign_in_burst, slow_clients, watch};

/// Simulated voters, watchers and organizers, over real HTTP and event streams, against a Plenum that is running.
///
/// Everything is made through the API and deleted at the end. Random choices come from the seed alone. The exit code is
/// 1 when a vote was lost, doubled, changed or smuggled, or the run could not be carried out, and never because
/// something took long.
#[derive(Debug, Parser)]
#[command(name = "plenum-load", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Voters hand in ballots, as fast as connections allow or in their own time.
    Ballots(ballots::Settings),
    /// Screens watch a meeting while its organizer steps through the agenda.
    FanOut(fan_out::Settings),
    /// The same with a server of another kind: somebody publishes, and all who have subscribed receive it.
    Watch(watch::Settings),
    /// Everybody signs in at once, while others vote and watch.
    SignInBurst(sign_in_burst::Settings),
    /// One address takes as much as it can get, while voters at another one vote.
    SlowClients(slow_clients::Settings),
    /// A whole meeting, from the door to the results.
    Assembly(assembly::Settings),
    /// What a vote, an event, a page of a list, a sign-in and a tally cost with the database as it is.
    Growth(growth::Settings),
    /// An installation of its own is broken in every way while people vote on it.
    Faults(faults::Settings),
    /// How many passwords this machine can compare with bcrypt hashes, and nothing else.
    Bcrypt(BcryptArguments),
    /// Writes the page about what was measured.
    Report(ReportArguments),
}

/// What every run is told.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// From which every random choice comes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Where the figures go as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Which Plenum is called, and as whom.
#[derive(Clone, Debug, Args)]
pub struct Server {
    /// Its address; given several times those of its instances, among which connections are dealt out in turn. The
    /// organizer calls the first.
    #[arg(long = "url", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub urls: Vec<String>,
    /// The super administrator who makes the organization.
    #[arg(long, env = "PLENUM_SUPER_ADMIN_EMAIL", default_value = "")]
    pub admin_email: String,
    /// Their password.
    #[arg(long, env = "PLENUM_SUPER_ADMIN_PASSWORD", hide_env_values = true, default_value = "")]
    pub admin_password: String,
    /// Leave the organization there.
    #[arg(long)]
    pub keep: bool,
    /// A command for `sh -c` that opens a session for every voter (`tools/loadtest/bench/open-sessions.sql`), because thousands of
    /// sign-ins before the measuring would take minutes. It finds PLENUM_LOAD_CLIENT_ID and PLENUM_LOAD_SECRET in its
    /// environment. Without it everybody signs in.
    #[arg(long, value_name = "COMMAND")]
    pub open_sessions: Option<String>,
    /// The process of the server, whose memory is looked at (Linux).
    #[arg(long, value_name = "PID")]
    pub server_pid: Option<u32>,
}

impl Server {
    /// How voters get in.
    pub fn sign_in_method(&self) -> SignInMethod {
        match &self.open_sessions {
            Some(command) => SignInMethod::PreparedSessions { command: command.clone() },
            None => SignInMethod::Passwords { concurrency: 16 },
        }
    }
}

/// Reads `10s`, `1.5s`, `250ms`, `2m`, or a number of seconds.
///
/// # Errors
/// Says what is wanted.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let read = units.iter().find_map(|(unit, seconds)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * seconds));
    let read = read.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    read.ok_or_else(|| "a time like 10s, 250ms or 2m is wanted".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_makes_sense() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn times_have_units() {
        for (text, milliseconds) in [("10s", 10_000), ("1.5s", 1_500), ("250ms", 250), ("2m", 120_000), ("3", 3_000)] {
            assert_eq!(read_duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for wrong in ["", "s", "-1s", "soon", "NaN"] {
            assert!(read_duration(wrong).is_err(), "{wrong}");
        }
    }
}
