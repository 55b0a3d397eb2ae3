//! The cost of records: of writing one when a result is declared, and of reading a result from it.
//!
//! Times differ between machines, so each is printed beside a comparison from the same run: a declaration with a register
//! of 10,000 beside one with a register of 10, and a result from its record beside the same result counted from the votes.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints what it measured, or fails")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::Uuid as SqlUuid;
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresRecords, PostgresResults, PostgresTimestamps};
use plenum_adapter_security::{EvidenceKeyRing, SystemClock};
use plenum_kernel::{AccountId, ClientId, Clock, EvidenceKeys, MeetingId, RoundId};
use plenum_records::{CanonicalRecords, RecordedResultPorts, RecordedResults};
use plenum_voting::testkit::{MockUrnKeys, MockUrnStore, MockVotingSignals};
use plenum_voting::{ResultPorts, ResultService, ResultStep, ResultStore, UrnKeyService};
use uuid::Uuid;

/// Meetings with some ended rounds each, in which everyone of the register has voted: of 10,000 people, and of 10.
const DATA: &str = "
    INSERT INTO clients
        SELECT gen_random_uuid(), 'Assembly', 'assembly', 'c@example.org', 'ACTIVE', 'BASIC', now();
    INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
        SELECT gen_random_uuid(), id, 'CLIENT', 'o@example.org', '$2b$04$' || repeat('x', 53), 'Anna', 'Berg', now()
        FROM clients;
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
        SELECT gen_random_uuid(), id, 'voter-' || n, 'Voter with a name ' || n, 1 + n % 5, true,
               '$2b$04$' || repeat('x', 53), now()
        FROM clients, generate_series(1, 10000) AS n;
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, is_recurring,
                          has_participant_list, created_at)
        SELECT gen_random_uuid(), id, title, 'ACTIVE', now(), now() + interval '1 hour', now(), false, false, now()
        FROM clients, (VALUES ('warm-up'), ('large'), ('small')) AS titles (title);
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, secrecy,
                           created_at)
        SELECT gen_random_uuid(), client_id, id, n, 'Question ' || n, 'YES_NO', false, 'NAMED', now()
        FROM meetings, generate_series(1, 21) AS n;
    INSERT INTO options (id, client_id, question_id, position, option_text, role)
        SELECT gen_random_uuid(), client_id, questions.id, place, initcap(role), role
        FROM questions, (VALUES (1, 'yes'), (2, 'no')) AS roles (place, role);
    INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                        ended_at, counted_at, register_heads, register_weight, is_test, secrecy, connected_heads,
                        connected_weight, presence)
        SELECT gen_random_uuid(), questions.client_id, meeting_id, questions.id, 1, 'ENDED', question_text, question_type,
               now(), now(), now(), heads, 0, false, 'NAMED', 0, 0, 'CONNECTED_OR_VOTED'
        FROM questions JOIN meetings ON meetings.id = meeting_id
            JOIN (VALUES ('warm-up', 10), ('large', 10000), ('small', 10)) AS sizes (size, heads) ON size = title;
    INSERT INTO round_options
        SELECT rounds.id, options.id, options.position, option_text, role
        FROM rounds JOIN options ON options.question_id = rounds.question_id;
    INSERT INTO register
        SELECT rounds.id, people.id, username, name, weight, now(), true
        FROM rounds CROSS JOIN LATERAL (SELECT * FROM end_users ORDER BY username LIMIT register_heads) AS people;
    INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
        SELECT gen_random_uuid(), register.round_id, end_user_id, ARRAY[option_id], now()
        FROM register JOIN round_options ON round_options.round_id = register.round_id AND position = 1 + length(name) % 2;
    ANALYZE;";

/// The services of a server.
struct Server {
    client: ClientId,
    organizer: AccountId,
    results: Arc<dyn ResultStore>,
    counting: Arc<ResultService>,
    database: TestDatabase,
    keys: Arc<dyn EvidenceKeys>,
}

/// Medians over the rounds of a meeting.
struct Times {
    counting: Duration,
    declaring: Duration,
    reading: Duration,
}

#[tokio::main]
async fn main() {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(DATA).unwrap();
    let server = Server::start(database, &mut conn);
    server.measure(&mut conn, "warm-up").await;
    let small = server.measure(&mut conn, "small").await;
    let large = server.measure(&mut conn, "large").await;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
    println!(
        "declare a result: {:.1} ms with a register of 10,000, {:.1} ms with 10: {:.1} ms more",
        milliseconds(large.declaring),
        milliseconds(small.declaring),
        milliseconds(large.declaring) - milliseconds(small.declaring)
    );
    println!(
        "result of 10,000 votes: {:.1} ms from its record, {:.1} ms counted: {:.2} times as long",
        milliseconds(large.reading),
        milliseconds(large.counting),
        large.reading.as_secs_f64() / large.counting.as_secs_f64()
    );
}

impl Server {
    fn start(database: TestDatabase, conn: &mut PgConnection) -> Self {
        let keys: Arc<dyn EvidenceKeys> = Arc::new(EvidenceKeyRing::generate(SystemClock.now()));
        let writer = Arc::new(CanonicalRecords::new(Arc::clone(&keys)));
        let results: Arc<dyn ResultStore> = Arc::new(PostgresResults::new(database.db(), writer));
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let urns = UrnKeyService::new(Arc::new(MockUrnKeys::new()), Arc::new(MockUrnStore::new()), Arc::clone(&clock));
        let counting = ResultService::new(ResultPorts {
            results: Arc::clone(&results),
            declarations: Arc::clone(&results),
            urns: Arc::new(urns),
            signals: Arc::new(MockVotingSignals::new()),
            clock,
        });
        Self {
            client: ClientId::from_uuid(ids(conn, "SELECT id FROM clients")[0]),
            organizer: AccountId::from_uuid(ids(conn, "SELECT id FROM accounts")[0]),
            results,
            counting: Arc::new(counting),
            database,
            keys,
        }
    }

    async fn measure(&self, conn: &mut PgConnection, title: &str) -> Times {
        let meeting = ids(conn, &format!("SELECT id FROM meetings WHERE title = '{title}'"))[0];
        let rounds = ids(conn, &format!("SELECT id FROM rounds WHERE meeting_id = '{meeting}'"));
        let meeting = MeetingId::from_uuid(meeting);
        let (mut counting, mut declaring, mut reading) = (Vec::new(), Vec::new(), Vec::new());
        for round in rounds.into_iter().map(RoundId::from_uuid) {
            let (client, by, now) = (self.client, self.organizer, SystemClock.now());
            let counted = timed(&mut counting, self.counting.result(client, meeting, round)).await.unwrap();
            let step = ResultStep { owner: client, meeting, round, by, now, seen: None, accepts_risk: false };
            timed(&mut declaring, self.results.declare(step)).await.unwrap();
            let shown = timed(&mut reading, self.recorded().result(client, meeting, round)).await.unwrap();
            assert_eq!(
                shown.votes_cast.heads, counted.result.result.tally.votes_cast.heads,
                "the record has another count"
            );
        }
        Times { counting: median(counting), declaring: median(declaring), reading: median(reading) }
    }

    /// Results without a cache of earlier ones.
    fn recorded(&self) -> RecordedResults {
        let records =
            Arc::new(PostgresRecords::new(self.database.db(), Arc::new(CanonicalRecords::new(Arc::clone(&self.keys)))));
        RecordedResults::new(RecordedResultPorts {
            results: Arc::clone(&self.counting),
            records: Arc::clone(&records) as _,
            live_records: records,
            timestamps: Arc::new(PostgresTimestamps::new(self.database.db())),
            declared: Arc::clone(&self.results),
            keys: Arc::clone(&self.keys),
        })
    }
}

/// Runs a call and notes its time.
async fn timed<T>(times: &mut Vec<Duration>, call: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let answer = call.await;
    times.push(begun.elapsed());
    answer
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ids(conn: &mut PgConnection, query: &str) -> Vec<Uuid> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let rows: Vec<Row> = diesel::sql_query(query).load(conn).unwrap();
    rows.into_iter().map(|row| row.id).collect()
}
