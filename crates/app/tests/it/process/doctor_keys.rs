//! `plenum doctor` finds each key with which `plenum serve` refuses to start.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_kernel::Clock as _;
use tempfile::TempDir;

use crate::process::support::{Serving, folder, plenum, run, stderr, stdout};

/// An installation that was served once, so that its database expects its keys.
struct Installation {
    folder: TempDir,
    database: TestDatabase,
}

impl Installation {
    async fn served() -> Self {
        let (folder, database) = (folder(), TestDatabase::fresh().await);
        let mut command = plenum(folder.path(), &["serve"]);
        command.env("DATABASE_URL", database.url());
        let mut serving = Serving::start_as(command).await;
        serving.signal(Signal::SIGTERM);
        assert!(serving.ended().await.success());
        Self { folder, database }
    }

    fn run(&self, command: &str, variable: Option<(&str, &str)>) -> Output {
        let mut command = plenum(self.folder.path(), &[command]);
        command.env("DATABASE_URL", self.database.url()).envs(variable);
        run(command)
    }

    /// Breaks something, and expects these words from the doctor and from a start. Then repairs it.
    fn assert_refused(&self, words: &str, variable: Option<(&str, &str)>, damage: impl Fn(&Path)) {
        let data = self.folder.path().join("data");
        let keys = ["signing-key", "evidence-key"].map(|name| data.join(name));
        let kept = keys.clone().map(|file| fs::read(file).unwrap());
        damage(&data);
        let before = contents(&data);
        for command in ["doctor", "serve"] {
            let refused = self.run(command, variable);
            assert_eq!(refused.status.code(), Some(1), "{words}: {command}: {}", stdout(&refused));
            assert!(stderr(&refused).contains(words), "{words}: {command}: {}", stderr(&refused));
            if command == "doctor" {
                assert_eq!(contents(&data), before, "{words}: the doctor changes nothing");
            }
        }
        for (file, content) in keys.iter().zip(kept) {
            let _ = fs::remove_dir(file);
            fs::write(file, content).unwrap();
        }
        fs::set_permissions(data.join("secret-keys"), Permissions::from_mode(0o700)).unwrap();
        let well = self.run("doctor", None);
        assert!(well.status.success(), "{}", stderr(&well));
    }
}

/// The names below a folder, with the contents of files.
fn contents(folder: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut contents: Vec<_> =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).ok())).collect();
    contents.sort();
    contents
}

#[tokio::test]
async fn the_doctor_names_an_evidence_key_with_which_no_start_succeeds() {
    let installation = Installation::served().await;
    let lost = "evidence-key is lost";
    installation.assert_refused(lost, None, |data| fs::remove_file(data.join("evidence-key")).unwrap());
    let other = EvidenceKeyRing::generate(SystemClock.now()).to_file();
    installation.assert_refused("is not that of this database", None, |data| {
        fs::write(data.join("evidence-key"), other.as_bytes()).unwrap();
    });
    installation.assert_refused("`plenum evidence-key replace` makes a new key", None, |data| {
        fs::write(data.join("evidence-key"), "half a key").unwrap();
    });
    installation.assert_refused("cannot read or store the evidence key", None, |data| {
        fs::remove_file(data.join("evidence-key")).unwrap();
        fs::create_dir(data.join("evidence-key")).unwrap();
    });
    let key = installation.folder.path().join("data/evidence-key");
    fs::set_permissions(&key, Permissions::from_mode(0o644)).unwrap();
    let warned = installation.run("doctor", None);
    assert!(warned.status.success(), "{}", stderr(&warned));
    assert!(stdout(&warned).contains("warn  Other users can read or change the evidence key"), "{}", stdout(&warned));
}

#[tokio::test]
async fn the_doctor_names_a_signing_key_with_which_no_start_succeeds() {
    let installation = Installation::served().await;
    let lost = "signing-key is lost";
    installation.assert_refused(lost, None, |data| fs::remove_file(data.join("signing-key")).unwrap());
    installation.assert_refused("signing-key is not the signing key of this database", None, |data| {
        let file = data.join("signing-key");
        let other = [fs::read(&file).unwrap(), b"x".to_vec()].concat();
        fs::write(file, other).unwrap();
    });
    let secret = ("PLENUM_JWT_SECRET", "kX7vQ2mZ9pL4tR8wB3nY6cF1hJ5sD0gA");
    installation.assert_refused("PLENUM_JWT_SECRET is not the signing key", Some(secret), |_| ());
}

#[tokio::test]
async fn the_doctor_names_a_folder_for_secret_votes_with_which_no_start_succeeds() {
    let installation = Installation::served().await;
    installation.assert_refused("secret-keys (mode 0755): chmod 700", None, |data| {
        fs::set_permissions(data.join("secret-keys"), Permissions::from_mode(0o755)).unwrap();
    });
    let file = installation.folder.path().join("a-file");
    fs::write(&file, "").unwrap();
    let variable = ("PLENUM_SECRET_KEYS_DIR", file.to_str().unwrap());
    installation.assert_refused("Set PLENUM_SECRET_KEYS_DIR to a folder", Some(variable), |_| ());
    let refused = stderr(&installation.run("serve", Some(variable)));
    assert_eq!(refused.matches(variable.1).count(), 1, "said once: {refused}");
}
