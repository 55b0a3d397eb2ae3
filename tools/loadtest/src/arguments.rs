//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::bcrypt_baseline::BcryptArguments;
use crate::faults;
use crate::fixture::SignInMethod;
use crate::report::ReportArguments;
use crate::scenarios::{assembly, ballots, fan_out, growth, sign_in_burst, slow_clients, watch};

/// Simulates voters, watchers and organizers over real HTTP and event streams, on a running Plenum.
///
/// Everything is created through the API and deleted at the end. All random choices are derived from the seed. The exit
/// code is 1 if a vote was lost, doubled, changed or smuggled, or if the run could not be carried out. Slowness never
/// changes it.
#[derive(Debug, Parser)]
#[command(name = "plenum-load", version)]
pub struct Arguments {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Voters submit ballots, as fast as the connections allow or each at their own time.
    Ballots(ballots::Settings),
    /// Screens watch a meeting while its organizer steps through the agenda.
    FanOut(fan_out::Settings),
    /// The same with another kind of server: one client publishes, and all subscribers receive it.
    Watch(watch::Settings),
    /// All participants sign in at once, while others vote and watch.
    SignInBurst(sign_in_burst::Settings),
    /// One address opens slow connections and floods the sign-in, while voters at another address vote.
    SlowClients(slow_clients::Settings),
    /// A whole meeting, from the sign-ins to the results.
    Assembly(assembly::Settings),
    /// The cost of a vote, an event, a page of a list, a sign-in and a tally, with the database as it is.
    Growth(growth::Settings),
    /// Injects faults of every kind into an installation of its own while people vote on it.
    Faults(faults::Settings),
    /// Password checks a second that this machine can do with bcrypt alone.
    Bcrypt(BcryptArguments),
    /// Writes the page about the measurements.
    Report(ReportArguments),
}

/// Options of every run.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// File for the figures as JSON; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// The server, and the account that sets the run up.
#[derive(Clone, Debug, Args)]
pub struct Server {
    /// Address of the server. Repeat it for several instances: connections alternate between them, and the organizer
    /// uses the first.
    #[arg(long = "url", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub urls: Vec<String>,
    /// E-mail address of the super administrator, who creates the organization.
    #[arg(long, env = "PLENUM_SUPER_ADMIN_EMAIL", default_value = "")]
    pub admin_email: String,
    /// Password of the super administrator.
    #[arg(long, env = "PLENUM_SUPER_ADMIN_PASSWORD", hide_env_values = true, default_value = "")]
    pub admin_password: String,
    /// Keeps the organization after the run.
    #[arg(long)]
    pub keep: bool,
    /// Command for `sh -c` that opens a session for every voter (`tools/loadtest/bench/open-sessions.sql`), because
    /// thousands of sign-ins before the measurement take minutes. Its environment contains PLENUM_LOAD_CLIENT_ID and
    /// PLENUM_LOAD_SECRET. Without this option every voter signs in.
    #[arg(long, value_name = "COMMAND")]
    pub open_sessions: Option<String>,
    /// Process id of the server, whose memory is measured (Linux).
    #[arg(long, value_name = "PID")]
    pub server_pid: Option<u32>,
}

impl Server {
    /// How voters get their tokens.
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
/// Returns the expected form.
pub fn read_duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let read = units.iter().find_map(|(unit, seconds)| Some(text.strip_suffix(unit)?.parse::<f64>().ok()? * seconds));
    let read = read.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    read.ok_or_else(|| "use a time such as 10s, 250ms or 2m".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
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
