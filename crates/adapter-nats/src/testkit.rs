//! A NATS server that a test can stop and start again: Debian's `nats-server`, which `just install-nats` installs.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::NatsAddress;

/// The paths of Debian's program. `NATS_SERVER` can name another one.
const PATHS: [&str; 3] = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];

/// A NATS server on loopback, on a free port, until it is dropped.
#[derive(Debug)]
pub struct NatsServer {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    process: Option<Child>,
}

impl NatsServer {
    /// Starts a server. `None` if it is missing and cannot be installed: then the test reports that it is skipped.
    ///
    /// # Panics
    /// Panics when the server does not start, and when it is missing although `just install-nats` can install it, so
    /// that such a machine skips no test.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// As [`Self::start`], with these arguments for `nats-server`.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub fn start_with(arguments: &[&str]) -> Option<Self> {
        let Some(program) = program() else {
            assert!(!can_install(), "nats-server is missing: run `just install-nats`");
            print("SKIPPED: nats-server is missing and cannot be installed here. Set NATS_SERVER to its path.");
            return None;
        };
        let mut server =
            Self { program, arguments: arguments.iter().map(ToString::to_string).collect(), port: 0, process: None };
        server.start_again();
        Some(server)
    }

    /// The address as text.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The address as in the settings.
    ///
    /// # Panics
    /// Never: the address is valid.
    pub fn address(&self) -> NatsAddress {
        NatsAddress::parse(&self.url()).expect("the server's own address")
    }

    /// Stops all answers and leaves connections open, like a cut cable.
    ///
    /// # Panics
    /// Panics when the server does not run.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Continues after [`Self::pause`].
    ///
    /// # Panics
    /// Panics when the server does not run.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let process = self.process.as_ref().expect("the server runs").id();
        let status = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status();
        assert!(status.is_ok_and(|status| status.success()), "the signal {signal} cannot be sent");
    }

    /// Ends the server at once, like a power failure.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts the server again on the same port.
    ///
    /// # Panics
    /// Panics when the server does not start.
    pub fn start_again(&mut self) {
        // -1 selects a free port.
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let mut command = Command::new(&self.program);
        command.args(["--addr", "127.0.0.1", "--port", &port]).args(&self.arguments);
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("nats-server cannot be started");
        let log = process.stderr.take().expect("stderr is piped");
        self.process = Some(process);
        let mut lines = BufReader::new(log).lines();
        let mut output = String::new();
        for line in lines.by_ref().map_while(Result::ok) {
            if let Some((_, port)) = line.split_once("Listening for client connections on 127.0.0.1:") {
                self.port = port.trim().parse().expect("a port");
            }
            if line.contains("Server is ready") {
                // Reads on, so that the server can write.
                std::thread::spawn(move || lines.for_each(drop));
                return;
            }
            output.push_str(&line);
            output.push('\n');
        }
        panic!("nats-server did not start:\n{output}");
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn program() -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").filter(|name| !name.is_empty()).map(PathBuf::from);
    let paths = named.into_iter().chain(PATHS.map(PathBuf::from));
    paths.into_iter().find(|path| path.is_file())
}

/// Whether a missing program of Debian can be installed, by the conditions of `scripts/apt-install.sh`: Debian, and root or sudo
/// without a password.
pub fn can_install() -> bool {
    let succeeds = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let is_root = || succeeds("sh", &["-c", "test \"$(id -u)\" = 0"]);
    Path::new("/usr/bin/apt-get").is_file() && (is_root() || succeeds("sudo", &["--non-interactive", "true"]))
}

#[expect(clippy::print_stderr, reason = "a skipped test reports it")]
fn print(line: &str) {
    eprintln!("{line}");
}
