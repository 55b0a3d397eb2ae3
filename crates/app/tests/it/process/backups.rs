//! A restored backup has the same rows.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Output;

use diesel::pg::PgConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection as _, QueryableByName, RunQueryDsl as _, sql_query};
use flate2::read::MultiGzDecoder;
use futures_util::future::join_all;
use nix::sys::signal::Signal;
use plenum_adapter_postgres::testkit::TestDatabase;
use serde_json::{Value, json};

use crate::process::support::{Hall, PASSWORD, ROOT_EMAIL, Serving, folder, plenum, run, stderr, stdout, text};

/// Tables with sessions and reset links are not in a backup.
const LEFT_OUT: [&str; 3] = ["password_resets", "refresh_tokens", "sessions"];

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// The address of the embedded PostgreSQL of this folder.
fn url_of(folder: &Path) -> String {
    format!("postgres://plenum@{}:5432/plenum", folder.join("data/run").display().to_string().replace('/', "%2F"))
}

fn lines(url: &str, query: &str) -> Vec<String> {
    let mut conn = PgConnection::establish(url).unwrap();
    sql_query(query).load::<Line>(&mut conn).unwrap().into_iter().map(|row| row.line).collect()
}

fn number(url: &str, query: &str) -> i64 {
    let mut conn = PgConnection::establish(url).unwrap();
    sql_query(query).get_result::<Number>(&mut conn).unwrap().number
}

/// Every row of every table, with generated columns and migrations, without the omitted tables and the times of
/// migrations.
fn everything(url: &str) -> Vec<(String, Vec<String>)> {
    let tables = lines(
        url,
        "SELECT table_name::text AS line FROM information_schema.tables
         WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1",
    );
    let kept = tables.into_iter().filter(|table| !LEFT_OUT.contains(&table.as_str()));
    kept.map(|table| {
        let rows = match table.as_str() {
            "__diesel_schema_migrations" => {
                "SELECT version::text AS line FROM __diesel_schema_migrations ORDER BY 1".to_owned()
            }
            _ => format!("SELECT to_jsonb(one)::text AS line FROM {table} AS one ORDER BY 1"),
        };
        let rows = lines(url, &rows);
        (table, rows)
    })
    .collect()
}

fn backed_up(folder: &Path, file: &Path) -> Output {
    run(plenum(folder, &["backup", file.to_str().unwrap()]))
}

fn restored(folder: &Path, file: &Path) -> Output {
    run(plenum(folder, &["restore", file.to_str().unwrap()]))
}

fn restored_at(url: &str, folder: &Path, file: &Path) -> Output {
    let mut command = plenum(folder, &["restore", file.to_str().unwrap()]);
    command.env("DATABASE_URL", url);
    run(command)
}

fn assert_done(output: &Output) {
    assert!(output.status.success(), "{} {}", stdout(output), stderr(output));
}

/// The data of a meeting: a declared named vote by weight, texts, numbers, choices, and names in several scripts.
async fn busy_hall(serving: &Serving) -> Hall {
    let hall = Hall::new(serving, 4).await;
    for (weight, name) in [("0.0001", "Zoë \"Zo\" O'Brien\\\\n"), ("100", "Ада 🚣🏽‍♀️ таб")] {
        let body = json!({ "username": format!("w{weight}"), "name": name, "password": PASSWORD, "weight": weight.parse::<f64>().unwrap() });
        serving.call("POST", "/client/end-users", &hall.admin, body).await;
    }
    for voter in 0..3 {
        serving.try_vote(&hall.vote_path(), &hall.token_of(voter)).await.unwrap();
    }
    let path = hall.path("/current-question");
    serving.call("PUT", &path, &hall.admin, json!({ "questionId": Value::Null })).await;
    let kinds = [
        (json!({ "questionType": "OPEN_TEXT" }), json!("Line one\nline \"two\" — 你好, \\ and ,;")),
        (json!({ "questionType": "RATING", "ratingMax": 10 }), json!("7")),
        (json!({ "questionType": "PERCENTAGE" }), json!("33.25")),
        (
            json!({ "questionType": "MULTIPLE_CHOICE", "maxChoices": 2, "options": ["Red", "Green", "Blue"] }),
            json!("Green"),
        ),
    ];
    for (kind, answer) in kinds {
        let mut question = json!({ "meetingId": hall.meeting, "questionText": "And now?" });
        question.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
        let question = text(&serving.call("POST", "/client/questions", &hall.admin, question).await["id"]);
        serving.call("PUT", &path, &hall.admin, json!({ "questionId": question })).await;
        let vote = format!("/voting/meetings/{}/questions/{question}/vote", hall.meeting);
        serving.call("POST", &vote, &hall.token_of(0), json!({ "answers": [answer] })).await;
        serving.call("PUT", &path, &hall.admin, json!({ "questionId": Value::Null })).await;
    }
    hall
}

/// The content of a file without its header, which contains the time, and its checksum, which covers the header.
/// Sorted, because the rows of a table have no order.
fn content(file: &Path) -> Vec<String> {
    let mut text = String::new();
    MultiGzDecoder::new(fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut content = lines[1..lines.len() - 1].to_vec();
    content.sort_unstable();
    content
}

#[tokio::test]
async fn an_installation_comes_back_row_for_row_in_an_embedded_and_in_an_external_database() {
    let (origin, copy) = (folder(), folder());
    let (database, elsewhere) = (TestDatabase::without_tables().await, TestDatabase::without_tables().await);
    let file = origin.path().join("plenum.backup");
    let at_origin = |arguments: &[&str]| {
        let mut command = plenum(origin.path(), arguments);
        command.env("DATABASE_URL", database.url());
        command
    };
    let mut serving = Serving::start_as(at_origin(&["serve"])).await;
    let hall = busy_hall(&serving).await;
    let results = serving.get(&hall.path("/results"), &hall.admin).await;
    // Stopped, so that the database does not change between the comparisons.
    serving.signal(Signal::SIGTERM);
    assert!(serving.ended().await.success());
    let before = everything(database.url());
    for table in ["clients", "votes", "rounds", "register", "options", "end_user_counts"] {
        assert!(
            before.iter().any(|(name, rows)| name == table && !rows.is_empty()),
            "{table} is empty: nothing is compared"
        );
    }
    let backup = run(at_origin(&["backup", file.to_str().unwrap()]));
    assert_done(&backup);
    for key in ["signing-key", "evidence-key"] {
        assert!(stdout(&backup).contains(&format!("data/{key} is not in it")), "{}", stdout(&backup));
    }
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!origin.path().join("plenum.backup.part").exists());

    // Restored into the embedded database, backed up again, and restored into another external one.
    let done = restored(copy.path(), &file);
    assert_done(&done);
    for key in ["signing-key", "evidence-key"] {
        let place = copy.path().join("data").join(key);
        assert!(stdout(&done).contains(&format!("key as {}", place.display())), "{}", stdout(&done));
    }
    let again = copy.path().join("again.backup");
    assert_done(&backed_up(copy.path(), &again));
    assert_eq!(content(&again), content(&file));
    assert_done(&restored_at(elsewhere.url(), origin.path(), &again));
    assert_eq!(everything(elsewhere.url()), before);

    // The keys are not in the backup, as operations.md says.
    for key in ["signing-key", "evidence-key"] {
        fs::copy(origin.path().join("data").join(key), copy.path().join("data").join(key)).unwrap();
    }
    let restored = Serving::start(copy.path()).await;
    restored.sign_in(ROOT_EMAIL, PASSWORD).await;
    let voter = restored.sign_in_voter("rowing-club", "voter-3", PASSWORD).await;
    let admin = restored.sign_in("anna@example.org", PASSWORD).await;
    let again = restored.get(&hall.path("/results"), &admin).await;
    // The attendance note follows a moment later.
    assert_eq!(again["rounds"], results["rounds"]);
    // Sessions are not restored.
    let stale = restored.send("GET", &hall.path(""), &hall.admin, Value::Null).await;
    assert_eq!(stale.status(), 401);
    // The meeting can continue.
    let body = json!({ "meetingId": hall.meeting, "questionText": "Still there?", "questionType": "YES_NO" });
    let question = text(&restored.call("POST", "/client/questions", &admin, body).await["id"]);
    restored.call("PUT", &hall.path("/current-question"), &admin, json!({ "questionId": question })).await;
    let path = format!("/voting/meetings/{}/questions/{question}/vote", hall.meeting);
    restored.try_vote(&path, &text(&voter["token"])).await.unwrap();
}

#[tokio::test]
async fn a_backup_during_voting_is_consistent_and_contains_every_vote_acknowledged_before() {
    const VOTERS: usize = 24;
    let (origin, copy) = (folder(), folder());
    let file = origin.path().join("plenum.backup");
    let serving = Serving::start(origin.path()).await;
    let hall = Hall::new(&serving, VOTERS).await;
    for voter in 0..VOTERS / 2 {
        serving.try_vote(&hall.vote_path(), &hall.token_of(voter)).await.unwrap();
    }
    let (folder_of_origin, into) = (origin.path().to_owned(), file.clone());
    let backup = tokio::task::spawn_blocking(move || backed_up(&folder_of_origin, &into));
    let votes = (VOTERS / 2..VOTERS).map(|voter| {
        let (path, token, api) = (hall.vote_path(), hall.token_of(voter), &serving);
        async move { api.try_vote(&path, &token).await.unwrap() }
    });
    join_all(votes).await;
    assert_done(&backup.await.unwrap());

    assert_done(&restored(copy.path(), &file));
    for key in ["signing-key", "evidence-key"] {
        let refused = run(plenum(copy.path(), &["serve"]));
        assert!(stderr(&refused).contains(&format!("{key} is lost")), "{}", stderr(&refused));
        fs::copy(origin.path().join("data").join(key), copy.path().join("data").join(key)).unwrap();
    }
    let _restored = Serving::start(copy.path()).await;
    let url = url_of(copy.path());
    let there = number(&url, "SELECT count(*) AS number FROM votes");
    assert!(there >= i64::try_from(VOTERS / 2).unwrap(), "{there} votes are there");
    assert_eq!(number(&url, "SELECT sum(votes_cast)::bigint AS number FROM round_counters"), there);
}

#[tokio::test]
async fn an_unusable_backup_is_refused_with_a_reason_and_changes_nothing() {
    let (origin, target) = (folder(), folder());
    let file = origin.path().join("plenum.backup");
    let serving = Serving::start(origin.path()).await;
    Hall::new(&serving, 1).await;
    assert_done(&backed_up(origin.path(), &file));
    let whole = fs::read(&file).unwrap();
    let database = TestDatabase::without_tables().await;

    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    let cut = whole[..whole.len() - 40].to_vec();
    for (content, reason) in [
        (changed, "damaged"),
        (cut, "damaged"),
        (b"Name,Weight\n".to_vec(), "not a backup of Plenum"),
        (Vec::new(), "not a backup"),
    ] {
        let damaged = target.path().join("damaged.backup");
        fs::write(&damaged, content).unwrap();
        let refused = restored_at(database.url(), target.path(), &damaged);
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
        assert!(
            stdout(&refused).contains("cannot be restored") && stdout(&refused).contains(reason),
            "{}",
            stdout(&refused)
        );
        assert_eq!(everything(database.url()), []);
    }
    let missing = restored_at(database.url(), target.path(), Path::new("nothing.backup"));
    assert_eq!(missing.status.code(), Some(2));

    // Refused if the database is in use or not empty, embedded or external.
    let rows = || number(&url_of(origin.path()), "SELECT count(*) AS number FROM end_users, clients, accounts");
    let before = rows();
    let in_use = restored(origin.path(), &file);
    assert_eq!(in_use.status.code(), Some(1));
    assert!(stderr(&in_use).contains("in use"), "{}", stderr(&in_use));
    let full = restored_at(&url_of(origin.path()), target.path(), &file);
    assert_eq!(full.status.code(), Some(1));
    assert!(stderr(&full).contains("not empty"), "{}", stderr(&full));
    assert_eq!(rows(), before);
}

/// A target other than a file is written to, and keeps its kind.
#[tokio::test]
async fn a_backup_into_a_pipe_a_link_or_a_device_is_written_and_replaces_nothing() {
    let origin = folder();
    let database = TestDatabase::fresh().await;
    let into = |file: &str| {
        let mut command = plenum(origin.path(), &["backup", file]);
        command.env("DATABASE_URL", database.url());
        command
    };
    let in_folder = |name: &str| origin.path().join(name);
    let kind = |name: &str| fs::symlink_metadata(in_folder(name)).unwrap().file_type();
    let is_whole = |bytes: &[u8]| {
        let mut text = String::new();
        MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
        text.lines().last().unwrap().contains("sha256")
    };

    let piped = run(into("/dev/stdout"));
    assert!(piped.status.success(), "{}", stderr(&piped));
    assert!(is_whole(&piped.stdout) && stderr(&piped).contains("Backed up"), "{}", stderr(&piped));

    let mut redirected = into("/dev/stdout");
    redirected.stdout(fs::File::create(in_folder("redirected")).unwrap());
    assert_done(&run(redirected));
    assert!(is_whole(&fs::read(in_folder("redirected")).unwrap()));

    nix::unistd::mkfifo(&in_folder("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let fifo = in_folder("fifo");
    let reader = std::thread::spawn(move || fs::read(fifo).unwrap());
    assert_done(&run(into("fifo")));
    assert!(is_whole(&reader.join().unwrap()));
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&kind("fifo")));

    fs::create_dir(in_folder("elsewhere")).unwrap();
    fs::write(in_folder("elsewhere/there"), "the one before").unwrap();
    for (link, target) in [("link", "elsewhere/there"), ("chain", "link"), ("dangling", "elsewhere/new")] {
        std::os::unix::fs::symlink(target, in_folder(link)).unwrap();
        assert_done(&run(into(link)));
        assert!(kind(link).is_symlink(), "{link}");
        assert!(is_whole(&fs::read(in_folder(link)).unwrap()), "{link}");
    }
    assert!(kind("elsewhere/new").is_file());
    assert_eq!(fs::read_dir(in_folder("elsewhere")).unwrap().count(), 2, "something was left");

    std::os::unix::fs::symlink("/dev/null", in_folder("null")).unwrap();
    assert_done(&run(into("null")));
    assert!(kind("null").is_symlink());
    assert!(std::os::unix::fs::FileTypeExt::is_char_device(&fs::metadata("/dev/null").unwrap().file_type()));

    std::os::unix::fs::symlink("circle", in_folder("circle")).unwrap();
    for nowhere in ["circle", "elsewhere"] {
        let refused = run(into(nowhere));
        assert_eq!(refused.status.code(), Some(1), "{nowhere}");
        assert!(stderr(&refused).contains(&format!("cannot write to {nowhere}: ")), "{}", stderr(&refused));
    }
}

#[tokio::test]
async fn a_failed_backup_keeps_the_previous_one() {
    let origin = folder();
    let database = TestDatabase::without_tables().await;
    let file = origin.path().join("plenum.backup");
    fs::write(&file, "the one before").unwrap();
    let mut command = plenum(origin.path(), &["backup", file.to_str().unwrap()]);
    command.env("DATABASE_URL", database.url());
    let failed = run(command);
    assert_eq!(failed.status.code(), Some(1));
    assert!(stderr(&failed).contains("no tables of Plenum"), "{}", stderr(&failed));
    assert_eq!(fs::read_to_string(&file).unwrap(), "the one before");
    assert!(!origin.path().join("plenum.backup.part").exists());
    let nowhere = run(plenum(origin.path(), &["backup", "no/such/folder/file"]));
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(!origin.path().join("data").exists(), "a database was made for nothing");
}
