//! The opening of a question for 10,000 people, with everything that a hall can have: groups, two kinds of weight, 2,000 proxies.
//!
//! Times of different machines cannot be compared. So it is printed beside the opening of a plain question for the same people in
//! the same run, and beside that opening as it was before halls had any of this, with the keys of that time; and both with a register
//! that was prepared before. They take turns.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints what it measured, or fails")]

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::{Text, Uuid as SqlUuid};
use diesel::{PgConnection, QueryableByName, RunQueryDsl as _};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresPreparedRegisters, PostgresRounds};
use plenum_kernel::testkit::{CountingIds, StillClock};
use plenum_kernel::{AccountId, ClientId, Clock as _, EndUserId, MeetingId, QuestionId, RoundId};
use plenum_voting::{PreparedRegisters as _, RegisterPreparation, RoundOpening, RoundStore as _};
use uuid::Uuid;

/// The number of measured openings of each kind, after two that warm up.
const RUNS: usize = 15;

/// Two meetings of 10,000 people with a question for each run: a plain one, and one with everything.
const DATA: &str = r#"
    INSERT INTO clients
        SELECT gen_random_uuid(), 'Assembly', 'assembly', 'c@example.org', 'ACTIVE', 'BASIC', now();
    INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
        SELECT gen_random_uuid(), id, 'CLIENT', 'o@example.org', '$2b$04$' || repeat('x', 53), 'Anna', 'Berg', now()
        FROM clients;
    INSERT INTO weight_kinds (id, client_id, name, decimals)
        SELECT gen_random_uuid(), clients.id, kind, 2 FROM clients, (VALUES ('Shares'), ('Capital')) AS kinds (kind);
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at, weights)
        SELECT gen_random_uuid(), clients.id, 'voter-' || n, 'Voter with a name ' || n, 1 + n % 5, true,
               '$2b$04$' || repeat('x', 53), now(),
               (SELECT jsonb_object_agg(id, (n * 1.25)::text) FROM weight_kinds)
        FROM clients, generate_series(1, 10000) AS n;
    INSERT INTO groups (id, client_id, name)
        SELECT gen_random_uuid(), clients.id, named.name
        FROM clients, (VALUES ('Members'), ('Common'), ('Preferred')) AS named (name);
    INSERT INTO group_members
        SELECT end_users.client_id, groups.id, end_users.id
        FROM end_users, groups
        WHERE groups.name = 'Members' OR (length(end_users.username) % 2 = 0) = (groups.name = 'Common');
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, started_at, is_recurring,
                          has_participant_list, created_at, weight_kind_id, group_ids)
        SELECT gen_random_uuid(), clients.id, title, 'ACTIVE', now(), now() + interval '1 hour', now(), false, false, now(),
               CASE title WHEN 'whole' THEN (SELECT id FROM weight_kinds WHERE name = 'Shares') END,
               CASE title WHEN 'whole' THEN (SELECT array_agg(id) FROM groups WHERE name = 'Members') ELSE '{}' END
        FROM clients, (VALUES ('plain'), ('whole')) AS titles (title);
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, secrecy,
                           created_at, second_weight_kind_id, decision_rule)
        SELECT gen_random_uuid(), client_id, id, n, 'Question ' || n, 'YES_NO', false, 'UNSHOWN', now(),
               CASE title WHEN 'whole' THEN (SELECT id FROM weight_kinds WHERE name = 'Capital') END,
               jsonb_build_object('kind', 'majority', 'onTie', 'rejected', 'conditions', jsonb_build_array(
                   jsonb_build_object('units', CASE title WHEN 'whole' THEN 'second_weight' ELSE 'weight' END,
                                      'base', 'yes_plus_no', 'comparison', 'more_than', 'numerator', 1, 'denominator', 2)))
                   || CASE title WHEN 'whole' THEN jsonb_build_object('inEach', (
                          SELECT jsonb_agg(groups.id) FROM groups WHERE groups.name <> 'Members')) ELSE '{}' END
        FROM meetings, generate_series(1, 17) AS n;
    INSERT INTO options (id, client_id, question_id, position, option_text, role)
        SELECT gen_random_uuid(), client_id, questions.id, place, initcap(role), role
        FROM questions, (VALUES (1, 'yes'), (2, 'no')) AS roles (place, role);
    INSERT INTO proxy_settings (meeting_id, client_id, is_on, principals_may_grant, holders, without_questions)
        SELECT id, client_id, true, false, 'PARTICIPANTS', '{}' FROM meetings WHERE title = 'whole';
    INSERT INTO proxies (id, client_id, meeting_id, principal_id, holder_id, granted_at, granted_by, is_by_principal)
        SELECT gen_random_uuid(), meetings.client_id, meetings.id, principal.id, holder.id, now(), 'Anna Berg', false
        FROM meetings
        JOIN end_users AS principal ON principal.username IN (SELECT 'voter-' || n FROM generate_series(1, 2000) AS n)
        JOIN end_users AS holder ON holder.username
            = 'voter-' || (5000 + substr(principal.username, 7)::int % 400)
        WHERE meetings.title = 'whole';
    ANALYZE;"#;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

fn ids(conn: &mut PgConnection, statement: &str, title: &str) -> Vec<Uuid> {
    let rows: Vec<Id> = diesel::sql_query(statement).bind::<Text, _>(title).load(conn).unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

/// A meeting whose questions are opened one after another.
struct Hall {
    client: ClientId,
    organizer: AccountId,
    meeting: MeetingId,
    questions: Vec<QuestionId>,
    connected: Vec<EndUserId>,
    ids: CountingIds,
    clock: StillClock,
    /// Prepares the register before each opening.
    prepared: Option<PostgresPreparedRegisters>,
}

impl Hall {
    fn of(conn: &mut PgConnection, title: &str) -> Self {
        let id = |conn: &mut PgConnection, statement| ids(conn, statement, title)[0];
        let questions = "SELECT questions.id FROM questions JOIN meetings ON meetings.id = meeting_id WHERE title = $1 \
                         ORDER BY position";
        let people = "SELECT id FROM end_users WHERE $1 <> ''";
        Self {
            client: ClientId::from_uuid(id(conn, "SELECT id FROM clients WHERE $1 <> ''")),
            organizer: AccountId::from_uuid(id(conn, "SELECT id FROM accounts WHERE $1 <> ''")),
            meeting: MeetingId::from_uuid(id(conn, "SELECT id FROM meetings WHERE title = $1")),
            questions: ids(conn, questions, title).into_iter().map(QuestionId::from_uuid).collect(),
            connected: ids(conn, people, title).into_iter().map(EndUserId::from_uuid).collect(),
            ids: CountingIds::new(),
            clock: StillClock::new(),
            prepared: None,
        }
    }

    fn prepared_by(self, database: &TestDatabase) -> Self {
        Self { prepared: Some(PostgresPreparedRegisters::new(database.db())), ..self }
    }

    /// Prepares the register, if this hall does.
    async fn prepare(&self) {
        if let Some(prepared) = &self.prepared {
            let (new_round, connected) = (RoundId::new(&self.ids), self.connected.clone());
            let preparation = RegisterPreparation { meeting: self.meeting, new_round, connected, at_least: 0 };
            assert!(prepared.prepare(preparation).await.unwrap());
        }
    }

    /// Opens a question, which ends the one before.
    async fn open(&self, rounds: &PostgresRounds, question: usize) -> Duration {
        self.prepare().await;
        self.clock.advance(chrono::TimeDelta::seconds(1));
        let opening = RoundOpening {
            owner: self.client,
            meeting: self.meeting,
            question: self.questions[question],
            new_round: RoundId::new(&self.ids),
            now: self.clock.now(),
            seen: None,
            by: self.organizer,
            connected: self.connected.clone(),
            revote: None,
            key: None,
            accepts_risk: false,
        };
        let begun = Instant::now();
        rounds.open(opening).await.unwrap();
        begun.elapsed()
    }
}

/// The keys that the tables of an opening had before there were groups, kinds of weight and proxies.
const AS_BEFORE: &str = "
    ALTER TABLE register
        ADD CONSTRAINT register_round_id_fkey FOREIGN KEY (round_id) REFERENCES rounds (id) ON DELETE CASCADE;
    DROP TRIGGER register_round_id_insert ON register;";

/// A database after these statements.
async fn filled(statements: &[&str]) -> (TestDatabase, PostgresRounds, PgConnection) {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    for statement in statements {
        conn.batch_execute(statement).unwrap();
    }
    let rounds = PostgresRounds::new(database.db());
    (database, rounds, conn)
}

#[tokio::main]
async fn main() {
    let (_now, rounds, mut conn) = filled(&[DATA]).await;
    let (_before, rounds_before, mut conn_before) = filled(&[DATA, AS_BEFORE]).await;
    let (database, rounds_prepared, mut conn_prepared) = filled(&[DATA]).await;
    let halls = [
        (&rounds, Hall::of(&mut conn, "whole")),
        (&rounds, Hall::of(&mut conn, "plain")),
        (&rounds_before, Hall::of(&mut conn_before, "plain")),
        (&rounds_prepared, Hall::of(&mut conn_prepared, "whole").prepared_by(&database)),
        (&rounds_prepared, Hall::of(&mut conn_prepared, "plain").prepared_by(&database)),
    ];
    let mut times = [const { Vec::new() }; 5];
    for question in 0..RUNS + 2 {
        for ((rounds, hall), times) in halls.iter().zip(&mut times) {
            let time = hall.open(rounds, question).await;
            if question >= 2 {
                times.push(time);
            }
        }
    }
    let [whole, plain, before, whole_prepared, plain_prepared] =
        times.map(|times| median(times).as_secs_f64() * 1_000.0);
    println!("open a question for 10,000 with groups, two weights and 2,000 proxies: {whole:.1} ms");
    println!("a plain question: {plain:.1} ms, so the whole takes {:.2} times as long", whole / plain);
    let ratio = whole / before;
    println!("a plain question before there were groups: {before:.1} ms, so the whole takes {ratio:.2} times as long");
    let ratio = whole_prepared / whole;
    println!("the whole with a prepared register: {whole_prepared:.1} ms, {ratio:.2} times as long as without");
    let ratio = plain_prepared / plain;
    println!("a plain question with a prepared register: {plain_prepared:.1} ms, {ratio:.2} times as long as without");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
