//! Attempts to link voters to their answers, by a reader of everything that is stored. The same voters answer a question that is
//! not shown, one whose marks and answers are in two tables that only this test has, and a secret one. Each attempt finds the
//! answers of all voters in at least one of the first two, and in the secret vote no more than guessing from the published sums.

use std::collections::HashMap;
use std::fs;
use std::io::Read as _;
use std::process::Command;

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use diesel::sql_types::{Bytea, Text};
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use flate2::read::MultiGzDecoder;
use plenum_adapter_http::{HttpSettings, MetricsToken};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_sealed_ballots::{Ballot, Envelope, SealedAnswer, UrnKey, envelope_size};
use serde_json::{Value, json};
use uuid::Uuid;

use super::secret_rounds::{Club, Urn, ask_secret, heads, send};
use crate::http::support::{Answer, EventStream, TestApp};

const VOTERS: usize = 60;
const OPTIONS: [&str; 3] = ["Yes", "No", "Abstain"];
const TOKEN: &str = "a-token-for-tests-which-is-shown";

/// Three equal groups make 20 right guesses likely. Forty are five standard deviations more.
const BY_CHANCE: usize = 40;

/// Old versions of rows stay where they are.
const UNDISTURBED: &str =
    "ALTER TABLE votes SET (autovacuum_enabled = off); ALTER TABLE urn_shares SET (autovacuum_enabled = off)";

/// The split variant: marks without answers, answers without voters, written in one transaction for each voter.
const SPLIT_TABLES: &str = "
    CREATE EXTENSION pageinspect;
    CREATE SEQUENCE split_numbers;
    CREATE TABLE split_marks (id BIGINT DEFAULT nextval('split_numbers'), voter UUID, at TIMESTAMPTZ DEFAULT now());
    CREATE TABLE split_answers (id BIGINT DEFAULT nextval('split_numbers'), answer TEXT, at TIMESTAMPTZ DEFAULT now());
    ALTER TABLE split_answers SET (autovacuum_enabled = off)";

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    line: String,
}

#[derive(QueryableByName)]
struct Bytes {
    #[diesel(sql_type = Bytea)]
    content: Vec<u8>,
}

fn lines(conn: &mut PgConnection, query: &str) -> Vec<String> {
    let rows: Vec<Row> = sql_query(query).load(conn).unwrap_or_else(|error| panic!("{query}: {error}"));
    rows.into_iter().map(|row| row.line).collect()
}

fn bytes(conn: &mut PgConnection, query: &str) -> Vec<u8> {
    let rows: Vec<Bytes> = sql_query(query).load(conn).unwrap_or_else(|error| panic!("{query}: {error}"));
    rows.into_iter().flat_map(|row| row.content).collect()
}

/// The answer of each voter, by the number of the voter: twenty for each option, in no simple order.
fn answer_of(voter: usize) -> usize {
    (voter * 37 + 11) % VOTERS / (VOTERS / OPTIONS.len())
}

/// Which attacker's claims are right.
fn right<'a>(ids: &[String], claims: impl IntoIterator<Item = (&'a str, &'a str)>) -> usize {
    let claims: HashMap<&str, &str> = claims.into_iter().collect();
    ids.iter().enumerate().filter(|(number, id)| claims.get(id.as_str()) == Some(&OPTIONS[answer_of(*number)])).count()
}

/// Pairs voters with answers in the orders in which two queries return them.
fn paired(conn: &mut PgConnection, ids: &[String], voters: &str, answers: &str) -> usize {
    let (voters, answers) = (lines(conn, voters), lines(conn, answers));
    assert!(answers.is_empty() || voters.len() == answers.len(), "{} {}", voters.len(), answers.len());
    right(ids, voters.iter().map(String::as_str).zip(answers.iter().map(String::as_str)))
}

/// A question with its round, and the options in the order of [`OPTIONS`].
struct Played {
    round: Uuid,
    options: Vec<Uuid>,
}

/// Everything that is stored or sent after the count.
struct Loot {
    /// The files of all tables, indexes and TOAST tables.
    pages: Vec<u8>,
    wal: Vec<u8>,
    backup: Vec<u8>,
    /// Live events of an organizer, a voter and the presentation, and the metrics.
    sent: Vec<u8>,
}

impl Loot {
    fn parts(&self) -> [(&'static str, &[u8]); 4] {
        [("pages", &self.pages), ("WAL", &self.wal), ("backup", &self.backup), ("events and metrics", &self.sent)]
    }

    fn take(app: &TestApp, first_segment: &str, sent: Vec<u8>) -> Self {
        let conn = &mut app.database.connection();
        conn.batch_execute("CHECKPOINT").unwrap();
        let pages = bytes(
            conn,
            "SELECT pg_read_binary_file(pg_relation_filepath(oid), true) AS content FROM pg_class
             WHERE relkind IN ('r', 'i', 't') AND oid >= 16384 AND pg_relation_filepath(oid) IS NOT NULL
                 AND pg_relation_size(oid) > 0",
        );
        let wal = bytes(
            conn,
            &format!(
                "SELECT pg_read_binary_file('pg_wal/' || name, true) AS content FROM pg_ls_waldir()
                 WHERE name >= '{first_segment}' ORDER BY name"
            ),
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("some.backup");
        let mut command = Command::new(env!("CARGO_BIN_EXE_plenum"));
        command.arg("backup").arg(&file).env("DATABASE_URL", app.database.url()).env("PLENUM_DATA_DIR", folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let mut backup = Vec::new();
        MultiGzDecoder::new(fs::File::open(&file).unwrap()).read_to_end(&mut backup).unwrap();
        Self { pages, wal, backup, sent }
    }
}

/// All places of `wanted`. Most blocks lack its last byte, which the standard library finds quickly.
fn places(content: &[u8], wanted: &[u8]) -> Vec<usize> {
    let (last, rest) = wanted.split_last().unwrap();
    let mut found = Vec::new();
    for (number, block) in content.chunks(64).enumerate().filter(|(_, block)| block.contains(last)) {
        for end in (0..block.len()).filter(|at| block[*at] == *last).map(|at| number * 64 + at) {
            if content[..end].ends_with(rest) {
                found.push(end - rest.len());
            }
        }
    }
    found
}

fn has(content: &[u8], wanted: &[u8]) -> bool {
    !places(content, wanted).is_empty()
}

fn binary(id: &Uuid) -> Vec<u8> {
    id.as_bytes().to_vec()
}

fn text(id: &Uuid) -> Vec<u8> {
    id.to_string().into_bytes()
}

/// Links by ids near each other: that of the round, that of a voter, and then that of an option.
fn near(content: &[u8], ids: &[String], played: &Played) -> usize {
    let mut claims = HashMap::new();
    for form in [binary, text] {
        let round = form(&played.round);
        let length = 5 * round.len();
        for at in places(content, &round) {
            let around = &content[at.saturating_sub(length)..content.len().min(at + 2 * length)];
            for id in ids {
                let Some(voter) = places(around, &form(&id.parse().unwrap())).first().copied() else { continue };
                let after = &around[voter..around.len().min(voter + length)];
                let found = played.options.iter().zip(OPTIONS).filter_map(|(option, name)| {
                    places(after, &form(option)).first().map(|distance| (*distance, name))
                });
                claims.extend(found.min().map(|(_, name)| (id.as_str(), name)));
            }
        }
    }
    right(ids, claims)
}

/// Opens the envelopes in rows of the table of votes.
fn opened(rows: &[u8], ids: &[String], round: Uuid, key: &UrnKey) -> usize {
    let size = envelope_size(256);
    let mut claims = HashMap::new();
    for id in ids {
        let voter: Uuid = id.parse().unwrap();
        for at in places(rows, voter.as_bytes()) {
            let row = &rows[at..rows.len().min(at + 2 * size)];
            for start in places(row, &[1, 4]) {
                let envelope = row.get(start..start + size).and_then(|bytes| Envelope::parse(bytes).ok());
                let plaintext = envelope.and_then(|envelope| key.open(&Ballot { round, voter }, &envelope));
                if let Some(Ok(SealedAnswer::Options(positions))) = plaintext.map(|bytes| SealedAnswer::parse(&bytes)) {
                    claims.insert(id.as_str(), OPTIONS[usize::from(positions[0]) - 1]);
                }
            }
        }
    }
    right(ids, claims)
}

/// All versions of the rows of votes, deleted ones too.
fn row_versions(conn: &mut PgConnection) -> Vec<u8> {
    bytes(
        conn,
        "SELECT t_data AS content FROM generate_series(0, pg_relation_size('votes') / 8192 - 1) AS page,
             heap_page_items(get_raw_page('votes', page::int)) WHERE t_data IS NOT NULL",
    )
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Neither the share of the folder nor a plaintext is in this part.
fn no_secret_in(part: &str, content: &[u8], folder_share: &[u8; 32]) {
    for wanted in [folder_share.as_slice(), hex(folder_share).as_bytes()] {
        assert!(!has(content, wanted), "the share of the folder is in the {part}");
    }
    assert!(!has(content, b"{\"options\":[1"), "a plaintext is in the {part}");
}

async fn play(hall: &Club, question: &str, sealed: bool) -> Played {
    let opened = hall.meeting.open(question).await;
    let round: Uuid = opened["roundId"].as_str().unwrap().parse().unwrap();
    let urn = if sealed { Some(Urn::seen_by(&hall.voters[0].caller, &hall.meeting).await) } else { None };
    for (number, voter) in hall.voters.iter().enumerate() {
        let answer = answer_of(number);
        match urn.as_ref().filter(|_| number % 2 == 0) {
            Some(urn) => {
                let position = u16::try_from(answer + 1).unwrap();
                let envelope = urn.seal(voter, &SealedAnswer::Options(vec![position]));
                send(voter, &hall.meeting, question, &envelope).await.gives(201);
            }
            None => {
                voter.vote(&hall.meeting, question, &[OPTIONS[answer]]).await.gives(201);
            }
        }
    }
    let mut conn = hall.app.database.connection();
    let query =
        format!("SELECT option_id::text AS line FROM round_options WHERE round_id = '{round}' ORDER BY position");
    let options = lines(&mut conn, &query).iter().map(|id| id.parse().unwrap()).collect();
    Played { round, options }
}

async fn close(hall: &Club, played: &Played) {
    hall.meeting.clear().await;
    let round = json!(played.round);
    hall.meeting.count(&round).await.gives(200);
    assert_eq!(heads(&hall.meeting.result(&round).await.gives(200)), [20, 20, 20]);
    let declare = hall.meeting.path(&format!("/rounds/{}/declare", played.round));
    hall.meeting.admin.post(&declare, Value::Null).await.gives(200);
}

/// The split variant, filled as a naive product would.
fn play_split(conn: &mut PgConnection, ids: &[String]) {
    for (number, id) in ids.iter().enumerate() {
        let answer = OPTIONS[answer_of(number)];
        conn.batch_execute(&format!(
            "BEGIN; INSERT INTO split_marks (voter) VALUES ('{id}'); INSERT INTO split_answers (answer) VALUES ('{answer}'); COMMIT"
        ))
        .unwrap();
    }
}

/// Links by system columns, orders and times in the split tables: each finds all voters.
fn attack_split(conn: &mut PgConnection, ids: &[String]) {
    let voters = |order: &str| format!("SELECT voter::text AS line FROM split_marks ORDER BY {order}");
    let answers = |order: &str| format!("SELECT answer AS line FROM split_answers ORDER BY {order}");
    for order in ["xmin::text::bigint", "ctid", "id", "at"] {
        assert_eq!(paired(conn, ids, &voters(order), &answers(order)), VOTERS, "split, by {order}");
    }
    conn.batch_execute("VACUUM FREEZE split_marks, split_answers").unwrap();
    let by = "xmin::text::bigint";
    assert_eq!(paired(conn, ids, &voters(by), &answers(by)), VOTERS, "split, by {by} after VACUUM FREEZE");
    conn.batch_execute("DELETE FROM split_answers").unwrap();
    let dead = "SELECT convert_from(substring(t_data FROM 10 FOR get_byte(t_data, 8) / 2 - 1), 'UTF8') AS line
        FROM heap_page_items(get_raw_page('split_answers', 0)) WHERE t_data IS NOT NULL ORDER BY lp";
    assert_eq!(paired(conn, ids, &voters("ctid"), dead), VOTERS, "split, from deleted rows");
}

/// Links by columns of the table of votes. `answers` is the source of answers.
fn attack_votes(conn: &mut PgConnection, ids: &[String], played: &Played) -> Vec<(String, usize)> {
    let round = played.round;
    let mut found = Vec::new();
    let joined = lines(
        conn,
        &format!(
            "SELECT end_user_id || '|' || coalesce(o.option_text, '') AS line FROM votes v
             LEFT JOIN round_options o ON o.round_id = v.round_id AND o.option_id = v.option_ids[1] WHERE v.round_id = '{round}'"
        ),
    );
    assert_eq!(joined.len(), VOTERS);
    let claims = joined.iter().map(|line| line.split_once('|').unwrap());
    found.push(("the row of the vote".to_owned(), right(ids, claims)));
    // The published answers in their order, beside the marks in each order. Only guessing remains.
    let published =
        OPTIONS.map(|option| format!("SELECT '{option}' AS line FROM generate_series(1, 20)")).join(" UNION ALL ");
    for order in ["xmin::text::bigint, ctid", "xmax::text::bigint, ctid", "ctid", "id", "end_user_id", "cast_at"] {
        let voters = format!("SELECT end_user_id::text AS line FROM votes WHERE round_id = '{round}' ORDER BY {order}");
        found.push((format!("published answers by {order}"), paired(conn, ids, &voters, &published)));
    }
    found
}

#[tokio::test]
async fn nothing_that_is_stored_or_sent_links_a_voter_to_an_answer_of_a_secret_vote() {
    let http = HttpSettings { metrics_token: MetricsToken::parse(TOKEN), ..HttpSettings::default() };
    let app = TestApp::start_on(TestDatabase::undisturbed().await, http, None).await;
    let hall = Club::served(app, VOTERS).await;
    let ids: Vec<String> = hall.voters.iter().map(|voter| voter.id.clone()).collect();
    let conn = &mut hall.app.database.connection();
    conn.batch_execute(SPLIT_TABLES).unwrap();
    let segment = &lines(conn, "SELECT pg_walfile_name(pg_current_wal_lsn()) AS line")[0];
    conn.batch_execute(UNDISTURBED).unwrap();
    let plain = hall.meeting.ask_yes_no().await;
    let plain = play(&hall, &plain, false).await;
    close(&hall, &plain).await;
    play_split(conn, &ids);
    attack_split(conn, &ids);
    let secret = ask_secret(&hall.meeting).await;
    let watched = [
        EventStream::watch(&hall.meeting.admin, &hall.meeting.id).await,
        EventStream::watch(&hall.voters[1].caller, &hall.meeting.id).await,
        EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await,
    ];
    let secret = play(&hall, &secret, true).await;
    let file = hall.app.key_folder.path().join("keys").join(secret.round.to_string());
    let folder_share: [u8; 32] = fs::read(file).unwrap()[1..33].try_into().unwrap();
    let query = format!("SELECT share AS content FROM urn_shares WHERE round_id = '{}'", secret.round);
    let database_share: [u8; 32] = bytes(conn, &query).try_into().unwrap();
    // While voting is open, the database without the key file has no answer.
    let open = Loot::take(&hall.app, segment, Vec::new());
    for (part, content) in open.parts() {
        no_secret_in(part, content, &folder_share);
    }
    assert!(has(&open.pages, &database_share), "this share is found where it is");
    assert!(has(&open.backup, hex(&database_share).as_bytes()), "and in a backup");
    let before = row_versions(conn);
    close(&hall, &secret).await;
    hall.meeting.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    let mut sent = Vec::new();
    for mut stream in watched {
        loop {
            let event = stream.next().await.unwrap();
            sent.extend_from_slice(event.data.to_string().as_bytes());
            if event.kind == "meeting_status" {
                break;
            }
        }
    }
    let metrics = hall.app.anyone().request_at_root("GET", "/metrics").bearer_auth(TOKEN).send().await.unwrap();
    sent.extend_from_slice(Answer::read(metrics).await.text.as_bytes());
    let loot = Loot::take(&hall.app, segment, sent);

    let of_plain = attack_votes(conn, &ids, &plain);
    assert_eq!(of_plain[0].1, VOTERS, "{of_plain:?}");
    let of_secret = attack_votes(conn, &ids, &secret);
    assert_eq!(of_secret[0].1, 0, "{of_secret:?}");
    assert!(of_secret.iter().all(|(_, found)| *found <= BY_CHANCE), "{of_secret:?}");
    for (part, content) in loot.parts() {
        let (of_plain, of_secret) = (near(content, &ids, &plain), near(content, &ids, &secret));
        println!("{part}: plain {of_plain}, secret {of_secret} of {VOTERS}");
        // The header of a page of the write-ahead log may stand in the middle of a row.
        let expected = match part {
            "events and metrics" => 0..=0,
            "WAL" => VOTERS - 6..=VOTERS,
            _ => VOTERS..=VOTERS,
        };
        assert!(expected.contains(&of_plain), "plain, {part}: {of_plain}");
        assert_eq!(of_secret, 0, "secret, {part}");
        no_secret_in(part, content, &folder_share);
    }
    assert!(!has(&loot.backup, hex(&database_share).as_bytes()), "the backup has no share any more");

    // Versions of rows from before the count open with both shares, and never with that of the database alone.
    let key = |folder_share: &[u8; 32]| UrnKey::derive(&database_share, folder_share, secret.round);
    assert_eq!(opened(&before, &ids, secret.round, &key(&folder_share)), VOTERS, "a thief of both shares");
    for rows in [before, row_versions(conn)] {
        for guess in [[0; 32], database_share] {
            assert_eq!(opened(&rows, &ids, secret.round, &key(&guess)), 0);
        }
    }
}
