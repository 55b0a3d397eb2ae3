//! Tells the program from which source and by which compiler it is built, for `plenum --version`. Nothing here depends on the
//! time of the build, so the same source gives the same program.

#[path = "build/source.rs"]
mod source;

use std::env::var;
use std::path::Path;
use std::process::Command;

/// The root of the repository.
const ROOT: &str = "../..";
/// What a release contains. With a change in one of these, it is no longer built from the commit alone.
const SOURCES: [&str; 6] = ["Cargo.lock", "Cargo.toml", "crates", "frontend/src", "migrations", ".git/logs/HEAD"];
/// The commit, for builds without git.
const COMMIT: &str = "PLENUM_BUILD_COMMIT";
/// The time of the source in seconds since 1970 (<https://reproducible-builds.org/specs/source-date-epoch/>).
const EPOCH: &str = "SOURCE_DATE_EPOCH";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/source.rs");
    let is_release = var("PROFILE").as_deref() == Ok("release");
    set("PROFILE", if is_release { "release" } else { "development" });
    set("TARGET", &var("TARGET").unwrap_or_default());
    set("COMPILER", &compiler());
    // Development builds change too often to build this crate again for each commit.
    let (commit, time) = if is_release { source() } else { Default::default() };
    set("COMMIT", &commit);
    set("TIME", &time);
}

/// The commit and its time, each empty if it is unknown.
fn source() -> (String, String) {
    println!("cargo:rerun-if-env-changed={COMMIT}");
    println!("cargo:rerun-if-env-changed={EPOCH}");
    for source in SOURCES.iter().map(|source| Path::new(ROOT).join(source)).filter(|source| source.exists()) {
        println!("cargo:rerun-if-changed={}", source.display());
    }
    let (commit, time) = match source::commit_of(Path::new(ROOT)) {
        Some(known) if known.has_changes => (format!("{} with changes", known.hash), known.committed_at),
        Some(known) => (known.hash, known.committed_at),
        None => Default::default(),
    };
    let chosen = |name: &str| var(name).ok().filter(|value| !value.is_empty());
    (chosen(COMMIT).unwrap_or(commit), chosen(EPOCH).unwrap_or(time))
}

fn compiler() -> String {
    let rustc = var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// A value that the crate reads at compile time.
fn set(name: &str, value: &str) {
    println!("cargo:rustc-env=PLENUM_BUILT_{name}={value}");
}
