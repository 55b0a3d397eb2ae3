//! Options that several commands share.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::fixture::SignInMethod;

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
    /// Email address of the super administrator, who creates the organization.
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
    /// The way in which voters get their tokens.
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
    use super::*;

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
