//! The database cluster: one folder per major version, as `pg18`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use nix::sys::signal::Signal;

use crate::binaries::Binaries;
use crate::identity::Identity;
use crate::{Durability, StartError, left_behind};

/// The name of the database and of its owner.
pub(crate) const NAME: &str = "plenum";

/// From this version on, PostgreSQL has its own collations, equal on every system.
const FIRST_WITH_BUILTIN_LOCALES: u32 = 17;

/// Other systems do not have `C.UTF-8`.
const LOCALE: &str = if cfg!(target_os = "linux") { "C.UTF-8" } else { "C" };

pub(crate) fn path_of(data_dir: &Path, major: u32) -> PathBuf {
    data_dir.join(format!("pg{major}"))
}

/// The cluster in `data_dir` with the highest major version.
pub(crate) fn existing(data_dir: &Path) -> Result<Option<(u32, PathBuf)>, StartError> {
    let entries = fs::read_dir(data_dir).map_err(StartError::folder(data_dir))?;
    Ok(entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let major = entry.file_name().to_str()?.strip_prefix("pg")?.parse().ok()?;
            entry.path().join("PG_VERSION").exists().then(|| (major, entry.path()))
        })
        .max_by_key(|(major, _)| *major))
}

/// Creates a cluster with an empty database. It gets its final name only when it is complete.
pub(crate) fn create(
    data_dir: &Path,
    binaries: &Binaries,
    identity: &Identity,
    durability: Durability,
) -> Result<PathBuf, StartError> {
    let cluster = path_of(data_dir, binaries.major);
    let unfinished = data_dir.join(format!("pg{}.new", binaries.major));
    prepare(&unfinished, identity).map_err(StartError::folder(&unfinished))?;

    let failed = |output: &Output| StartError::Create { folder: data_dir.to_owned(), output: text_of(output) };
    let initdb = initialise(&unfinished, binaries, identity, durability)?;
    if !initdb.status.success() {
        return Err(failed(&initdb));
    }
    let database = create_database(&unfinished, binaries, identity, durability)?;
    if !database.status.success() {
        return Err(failed(&database));
    }

    fs::rename(&unfinished, &cluster).map_err(StartError::folder(&cluster))?;
    File::open(data_dir).and_then(|folder| folder.sync_all()).map_err(StartError::folder(data_dir))?;
    tracing::info!(postgres.cluster = %cluster.display(), "created a database cluster");
    Ok(cluster)
}

fn prepare(unfinished: &Path, identity: &Identity) -> io::Result<()> {
    if unfinished.exists() {
        // A killed owner's `initdb` may still be writing for a moment.
        left_behind::end_orphans(unfinished).map_err(io::Error::other)?;
        fs::remove_dir_all(unfinished)?;
    }
    fs::DirBuilder::new().mode(0o700).create(unfinished)?;
    identity.own(unfinished)
}

fn initialise(
    cluster: &Path,
    binaries: &Binaries,
    identity: &Identity,
    durability: Durability,
) -> Result<Output, StartError> {
    let program = binaries.program("initdb");
    let run = || {
        let mut command = identity.command(&program, Path::new("/"), Signal::SIGKILL)?;
        // The socket's folder is private and the only access, so every connection may be trusted.
        command.arg("-D").arg(cluster).args(["-U", NAME, "-E", "UTF8", "--auth=trust", "--no-instructions"]);
        command.arg(format!("--locale={LOCALE}"));
        if binaries.major >= FIRST_WITH_BUILTIN_LOCALES {
            command.args(["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]);
        }
        if durability == Durability::Disposable {
            command.arg("--no-sync");
        }
        command.output()
    };
    run().map_err(|source| StartError::Run { program: program.clone(), source })
}

/// In single-user mode, because this crate does not speak PostgreSQL's protocol.
fn create_database(
    cluster: &Path,
    binaries: &Binaries,
    identity: &Identity,
    durability: Durability,
) -> Result<Output, StartError> {
    let program = binaries.program("postgres");
    let run = || {
        let mut command = identity.command(&program, Path::new("/"), Signal::SIGKILL)?;
        command.arg("--single").arg("-D").arg(cluster).args(["-c", "exit_on_error=on"]);
        for (name, value) in durability.server_options() {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.arg("postgres").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A failed write means that the program has ended; its output contains the reason.
            let _ = writeln!(input, "CREATE DATABASE {NAME}");
        }
        child.wait_with_output()
    };
    run().map_err(|source| StartError::Run { program: program.clone(), source })
}

fn text_of(output: &Output) -> String {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    last_lines(&text)
}

/// The end of the output of a program, on one line.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].join("; ")
}
