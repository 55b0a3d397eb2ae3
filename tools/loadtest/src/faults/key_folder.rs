//! The folder of the keys of secret rounds: faults of it, and what is in it.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::folder::Folder;
use super::inject::Injected;
use super::installation::{Installation, cannot};
use super::plan::Fault;
use super::retry::refresh_tokens;
use crate::failure::LoadFailure;
use crate::fixture::Fixture;
use crate::rng::Rng;

/// Pause between attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// The state of all secret rounds, which a refused step leaves as it is.
const STATE_OF_URNS: &str =
    "SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM rounds WHERE counted_at IS NULL),
     (SELECT count(*) FROM urns), (SELECT count(*) FROM urns WHERE num_nonnulls(opened_at, void_at) = 0),
     (SELECT count(*) FROM urn_shares), (SELECT count(*) FROM votes WHERE sealed IS NOT NULL),
     (SELECT count(*) FROM audit_entries WHERE kind LIKE 'urn%')";

/// A step of the organizer that needs the key folder.
pub(super) struct KeyStep {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) body: Option<Value>,
}

/// Takes the key folder away, and tries a step until the end of the fault. Each attempt must be refused as unavailable,
/// and change nothing.
pub(super) async fn try_without_key_folder(
    installation: &Installation,
    fixture: &mut Fixture,
    (fault, step): (&Fault, &KeyStep),
    problems: &mut Vec<String>,
) -> Result<Injected, LoadFailure> {
    let before = installation.rows(STATE_OF_URNS).await?;
    let keys = installation.folder.key_files().map_err(cannot("read the key folder"))?;
    let began = Instant::now();
    let is_replaced = Rng::new(fault.seed).below(2) == 1;
    installation.folder.take_keys_away(is_replaced).map_err(cannot("take the key folder away"))?;
    while began.elapsed() < fault.duration() {
        if let Some(problem) = attempt(fixture, step).await? {
            problems.push(problem);
            break;
        }
        sleep(PAUSE).await;
    }
    let after = installation.rows(STATE_OF_URNS).await?;
    if after != before {
        problems.push(format!("a refused step changed secret rounds: {before:?} became {after:?}"));
    }
    installation.folder.put_keys_back(is_replaced).map_err(cannot("put the key folder back"))?;
    if installation.folder.key_files().map_err(cannot("read the key folder"))? != keys {
        problems.push("a refused step changed the key folder".to_owned());
    }
    Ok(Injected { began, ended: Instant::now() })
}

/// Tries a step once. Returns what is wrong with the response.
async fn attempt(fixture: &mut Fixture, step: &KeyStep) -> Result<Option<String>, LoadFailure> {
    let KeyStep { method, path, body } = step;
    let response = fixture.organizer.ask_once(method, path, body.as_ref()).await?;
    let is_explained = serde_json::from_slice::<Value>(&response.body).is_ok_and(|body| body["error"].is_string());
    match response.status {
        500..600 if is_explained => Ok(None),
        401 => {
            refresh_tokens(fixture).await;
            Ok(None)
        }
        status => Ok(Some(format!("{method} {path} without a key folder got {status} {}", response.text()))),
    }
}

impl Folder {
    /// Moves the key folder away. A file takes its place if it `is_replaced`, because modes do not stop root.
    fn take_keys_away(&self, is_replaced: bool) -> io::Result<()> {
        fs::rename(self.keys(), self.keys_away())?;
        if is_replaced { fs::write(self.keys(), "") } else { Ok(()) }
    }

    fn put_keys_back(&self, is_replaced: bool) -> io::Result<()> {
        if is_replaced {
            fs::remove_file(self.keys())?;
        }
        fs::rename(self.keys_away(), self.keys())
    }

    fn keys_away(&self) -> PathBuf {
        self.keys().with_extension("away")
    }

    /// The names of the key files: the ids of their rounds.
    pub(super) fn key_files(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.keys())? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Makes the key files an hour older, so that the server destroys those that no round needs.
    pub(super) fn age_keys(&self) -> io::Result<()> {
        for name in self.key_files()? {
            let file = File::options().write(true).open(self.keys().join(name))?;
            file.set_modified(SystemTime::now() - Duration::from_secs(3600))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_folder_goes_away_and_comes_back_with_its_files() {
        let folder = Folder::make().unwrap();
        fs::create_dir(folder.keys()).unwrap();
        for name in ["b", "a"] {
            fs::write(folder.keys().join(name), "key").unwrap();
        }
        for is_replaced in [false, true] {
            folder.take_keys_away(is_replaced).unwrap();
            assert_eq!(folder.keys().exists(), is_replaced);
            assert!(folder.key_files().is_err());
            folder.put_keys_back(is_replaced).unwrap();
            assert_eq!(folder.key_files().unwrap(), ["a", "b"]);
        }
        folder.age_keys().unwrap();
        let modified = fs::metadata(folder.keys().join("a")).unwrap().modified().unwrap();
        assert!(modified.elapsed().unwrap() >= Duration::from_secs(3600));
    }
}
