//! A NATS server of a test's own, which it can stop and start again. Debian's `nats-server`; `scripts/install-nats.sh`
//! installs it.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::NatsAddress;

/// Where Debian has it, unless `NATS_SERVER` names another one.
const PLACES: [&str; 3] = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"];

/// A NATS server on loopback, on a port that the system chose. It ends with its value.
#[derive(Debug)]
pub struct NatsServer {
    program: PathBuf,
    arguments: Vec<String>,
    port: u16,
    process: Option<Child>,
}

impl NatsServer {
    /// Starts one. `None` where there is none and none could be installed: then the test says so and ends.
    ///
    /// # Panics
    /// Panics when the server does not start, and where it is missing although `scripts/install-nats.sh` can install it:
    /// a machine that may have it shall not leave tests out.
    pub fn start() -> Option<Self> {
        Self::start_with(&[])
    }

    /// The same with these arguments of `nats-server`.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub fn start_with(arguments: &[&str]) -> Option<Self> {
        let Some(program) = program() else {
            assert!(!can_install(), "there is no nats-server: run scripts/install-nats.sh");
            say("SKIPPED: there is no nats-server, and none can be installed here. Name one in NATS_SERVER.");
            return None;
        };
        let mut server =
            Self { program, arguments: arguments.iter().map(ToString::to_string).collect(), port: 0, process: None };
        server.start_again();
        Some(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The same, as the product has it.
    ///
    /// # Panics
    /// Panics if that is no address.
    pub fn address(&self) -> NatsAddress {
        NatsAddress::parse(&self.url()).expect("the server's own address")
    }

    /// Lets it fall silent with its connections open, as a cut cable would.
    ///
    /// # Panics
    /// Panics when it does not run.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Lets it go on.
    ///
    /// # Panics
    /// Panics when it does not run.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let process = self.process.as_ref().expect("it runs").id();
        let status = Command::new("sh").args(["-c", &format!("kill -{signal} {process}")]).status();
        assert!(status.is_ok_and(|status| status.success()), "the signal {signal} cannot be sent");
    }

    /// Ends it at once, as a power failure would.
    pub fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Starts it where it was.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub fn start_again(&mut self) {
        // -1: a port that the system chooses.
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let mut command = Command::new(&self.program);
        command.args(["--addr", "127.0.0.1", "--port", &port]).args(&self.arguments);
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("nats-server cannot be started");
        let log = process.stderr.take().expect("its log was asked for");
        self.process = Some(process);
        let mut lines = BufReader::new(log).lines();
        let mut said = String::new();
        for line in lines.by_ref().map_while(Result::ok) {
            if let Some((_, port)) = line.split_once("Listening for client connections on 127.0.0.1:") {
                self.port = port.trim().parse().expect("a port");
            }
            if line.contains("Server is ready") {
                // Read on, so that it can write on.
                std::thread::spawn(move || lines.for_each(drop));
                return;
            }
            said.push_str(&line);
            said.push('\n');
        }
        panic!("nats-server did not start:\n{said}");
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn program() -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").filter(|name| !name.is_empty()).map(PathBuf::from);
    let places = named.into_iter().chain(PLACES.map(PathBuf::from));
    places.into_iter().find(|place| place.is_file())
}

/// As `scripts/apt-install.sh` sees it: a Debian, and root or sudo without a password.
fn can_install() -> bool {
    let succeeds = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let is_root = || succeeds("sh", &["-c", "test \"$(id -u)\" = 0"]);
    Path::new("/usr/bin/apt-get").is_file() && (is_root() || succeeds("sudo", &["--non-interactive", "true"]))
}

#[expect(clippy::print_stderr, reason = "a test that is left out has to say so")]
fn say(line: &str) {
    eprintln!("{line}");
}
