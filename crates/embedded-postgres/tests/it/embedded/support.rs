use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use plenum_embedded_postgres::{Durability, EmbeddedPostgres, Settings};
use tempfile::TempDir;

/// A folder that every user can pass through, unlike a plain temporary one.
pub(crate) fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    folder
}

/// A folder that only its owner can enter.
pub(crate) fn private_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("permissions");
    folder
}

pub(crate) fn package_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/postgres")
}

pub(crate) fn settings(folder: &Path) -> Settings {
    Settings {
        data_dir: folder.join("data"),
        binaries: None,
        package_roots: vec![package_root()],
        durability: Durability::Disposable,
    }
}

pub(crate) fn start(folder: &Path) -> EmbeddedPostgres {
    EmbeddedPostgres::start(&settings(folder)).expect("a server")
}

/// For tests that kill the server: a disposable one may lose its last commits then.
pub(crate) fn start_durable(folder: &Path) -> EmbeddedPostgres {
    let settings = Settings { durability: Durability::Durable, ..settings(folder) };
    EmbeddedPostgres::start(&settings).expect("a server")
}

pub(crate) fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).expect("a connection")
}

pub(crate) fn execute(connection: &mut PgConnection, sql: &str) {
    sql_query(sql).execute(connection).expect(sql);
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    value: String,
}

/// The first row's column `value`.
pub(crate) fn query(connection: &mut PgConnection, sql: &str) -> String {
    sql_query(sql).get_result::<Row>(connection).expect(sql).value
}

pub(crate) fn show(connection: &mut PgConnection, setting: &str) -> String {
    query(connection, &format!("SELECT current_setting('{setting}') AS value"))
}

pub(crate) fn remember(url: &str, text: &str) {
    let mut connection = connect(url);
    execute(&mut connection, "CREATE TABLE IF NOT EXISTS notes (value text NOT NULL)");
    execute(&mut connection, &format!("INSERT INTO notes VALUES ('{text}')"));
}

pub(crate) fn remembered(url: &str) -> String {
    query(&mut connect(url), "SELECT string_agg(value, ' ' ORDER BY value) AS value FROM notes")
}

/// The only cluster in a data folder.
pub(crate) fn cluster_of(server: &EmbeddedPostgres) -> PathBuf {
    let clusters: Vec<PathBuf> = fs::read_dir(server.data_dir())
        .expect("the data folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("PG_VERSION").exists())
        .collect();
    assert_eq!(clusters.len(), 1, "{clusters:?}");
    clusters[0].clone()
}

/// Polls until it holds; fails the test after a timeout.
#[expect(clippy::disallowed_methods, reason = "this is the polling with a deadline that the ban asks for")]
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the process has ended or is a zombie.
pub(crate) fn has_ended(pid: u32) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}
