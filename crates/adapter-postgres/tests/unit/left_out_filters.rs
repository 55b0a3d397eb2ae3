//! The effect of a deliberately omitted condition: PostgreSQL neither shows nor changes rows of other clients, for any
//! statement.

use std::collections::BTreeSet;
use std::error::Error as _;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Array, Bool, Text};
use plenum_kernel::{ClientId, PortFailure};
use uuid::Uuid;

use crate::pool::failure::Abort;
use crate::pool::servers::{Lineage, Servers};
use crate::pool::tenants::Scoped;
use crate::schema::{end_users, meetings};
use crate::testkit::TestDatabase;
use crate::voting::ballot_box::connect;
use crate::voting::rows::load_votes;
use crate::{Db, DbSettings, check_row_security, migrate};

const ONE: ClientId = ClientId::from_uuid(id(1, 0));
const OTHER: ClientId = ClientId::from_uuid(id(2, 0));

/// Like the function of the same name below.
const fn id(client: u128, number: u128) -> Uuid {
    Uuid::from_u128((client << 96) + number)
}

/// Two clients with the same data, and a person who belongs to none.
const TWO_CLIENTS: &str = "
    SET plenum.tenant = 'all';
    CREATE FUNCTION id(client integer, number integer) RETURNS uuid LANGUAGE sql IMMUTABLE
        RETURN (lpad(client::text, 8, '0') || lpad(number::text, 24, '0'))::uuid;
    CREATE TEMPORARY TABLE pair (client, owner) AS SELECT client, id(client, 0) FROM generate_series(1, 2) AS client;
    INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
        SELECT owner, 'Club', 'club-' || client, 'club@example.org', 'ACTIVE', 'BASIC', now() FROM pair;
    INSERT INTO accounts (id, client_id, role, email, password_hash, first_name, last_name, created_at)
        SELECT id(client, 1), owner, 'CLIENT', client || '@example.org', 'hash', 'Ada', 'Admin', now() FROM pair
        UNION ALL SELECT id(3, 1), NULL, 'SUPER_ADMIN', 'root@example.org', 'hash', 'Sue', 'Super', now();
    INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
        SELECT id(client, 2), owner, 'ben', 'Ben', 1, true, 'hash', now() FROM pair;
    INSERT INTO sessions (id, client_id, end_user_id, remember_me, started_at, expires_at)
        SELECT id(client, 3), owner, id(client, 2), false, now(), now() FROM pair;
    INSERT INTO refresh_tokens (token_hash, session_id, issued_at, expires_at)
        SELECT client::text::bytea, id(client, 3), now(), now() FROM pair;
    INSERT INTO password_resets (token_hash, account_id, email, password_hash, expires_at)
        SELECT client::text::bytea, id(client, 1), client || '@example.org', 'hash', now() FROM pair;
    INSERT INTO second_factors (account_id, secret_sealed, created_at) SELECT id(client, 1), 'sealed', now() FROM pair;
    INSERT INTO recovery_codes (account_id, code_hash) SELECT id(client, 1), 'hash' FROM pair;
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        SELECT id(client, 4), owner, 'Assembly', 'ACTIVE', now(), now() + interval '1 hour', false, true, now() FROM pair;
    INSERT INTO groups (id, client_id, name) SELECT id(client, 13), owner, 'Delegates' FROM pair;
    INSERT INTO group_members (client_id, group_id, end_user_id) SELECT owner, id(client, 13), id(client, 2) FROM pair;
    INSERT INTO weight_kinds (id, client_id, name, decimals) SELECT id(client, 14), owner, 'Shares', 0 FROM pair;
    INSERT INTO participants (client_id, meeting_id, end_user_id) SELECT owner, id(client, 4), id(client, 2) FROM pair;
    INSERT INTO invitations (client_id, meeting_id, end_user_id, status, email, tries, site_address, time_zone, queued_at, due_at)
        SELECT owner, id(client, 4), id(client, 2), 'PENDING', 'ben@example.org', 0, '', 'UTC', now(), now() FROM pair;
    INSERT INTO remarks (id, client_id, meeting_id, kind, remark_text, written_at, written_by)
        SELECT id(client, 5), owner, id(client, 4), 'REMARK', 'Late', now(), 'Ada' FROM pair;
    INSERT INTO attendance (client_id, meeting_id, noted_at, present_heads, present_weight, eligible_heads, eligible_weight)
        SELECT owner, id(client, 4), now(), 1, 1, 1, 1 FROM pair;
    INSERT INTO rehearsals (meeting_id, client_id, id, started_at, started_by)
        SELECT id(client, 4), owner, id(client, 6), now(), 'Ada' FROM pair;
    INSERT INTO rehearsal_answers (rehearsal_id, end_user_id, received_at)
        SELECT id(client, 6), id(client, 2), now() FROM pair;
    INSERT INTO questions (id, client_id, meeting_id, position, question_text, question_type, is_required, created_at)
        SELECT id(client, 7), owner, id(client, 4), 1, 'Agreed?', 'YES_NO', true, now() FROM pair;
    INSERT INTO options (id, client_id, question_id, position, option_text, role)
        SELECT id(client, 8), owner, id(client, 7), 1, 'Yes', 'yes' FROM pair;
    INSERT INTO exclusions (question_id, end_user_id, reason, excluded_at, excluded_by)
        SELECT id(client, 7), id(client, 2), 'Interest', now(), 'Ada' FROM pair;
    INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, opened_at,
                        register_heads, register_weight)
        SELECT id(client, 9), owner, id(client, 4), id(client, 7), 1, 'OPEN', 'Agreed?', 'YES_NO', now(), 1, 1 FROM pair;
    INSERT INTO round_options (round_id, option_id, position, option_text, role)
        SELECT id(client, 9), id(client, 8), 1, 'Yes', 'yes' FROM pair;
    INSERT INTO round_log (id, round_id, logged_at, kind, done_by)
        SELECT id(client, 10), id(client, 9), now(), 'OPENED', 'Ada' FROM pair;
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(client, 9), id(client, 2), 'ben', 'Ben', 1, now() FROM pair;
    INSERT INTO votes (id, round_id, end_user_id, option_ids, cast_at)
        SELECT id(client, 11), id(client, 9), id(client, 2), ARRAY[id(client, 8)], now() FROM pair;
    INSERT INTO round_counters (round_id, writer, votes_cast) SELECT id(client, 9), 1, 1 FROM pair;
    INSERT INTO result_records (round_id, client_id, meeting_id, number, hash, signing_key, signature, recorded_at, document,
                                is_test)
        SELECT id(client, 9), owner, id(client, 4), 1, repeat(client::text, 64), 'key', 'signature', now(), '{}', false FROM pair;
    INSERT INTO closing_records (meeting_id, number, client_id, hash, signing_key, signature, recorded_at, document, is_test)
        SELECT id(client, 4), 1, owner, repeat((client + 2)::text, 64), 'key', 'signature', now(), '{}', false FROM pair;
    INSERT INTO record_timestamps (hash, client_id, meeting_id, token, authority, stamped_at, requested_at, received_at, is_test)
        SELECT md5(owner::text) || md5(owner::text), owner, id(client, 4), 'token', 'authority', now(), now(), now(), false
        FROM pair;
    INSERT INTO amendments (meeting_id, number, client_id, closing, subject, subject_id, field, is_test)
        SELECT id(client, 4), 1, owner, 1, 'MEETING', id(client, 4), 'title', false FROM pair;
    INSERT INTO purges (client_id, number, hash, signing_key, signature, purged_at, document, made_in)
        SELECT owner, 1, repeat('0', 64), 'key', 'signature', now(), '{}', 0 FROM pair;
    INSERT INTO join_links (id, client_id, end_user_id, meeting_id, token_hash, password_hash, is_single_use, made_at)
        SELECT id(client, 12), owner, id(client, 2), id(client, 4), client::text::bytea, 'hash', false, now() FROM pair;
    INSERT INTO desks (id, client_id, meeting_id, name, token_hash, made_at, made_by)
        SELECT id(client, 13), owner, id(client, 4), 'Desk 1', client::text::bytea, now(), 'Ada' FROM pair;
    INSERT INTO presence_entries (meeting_id, number, client_id, id, end_user_id, username, name, kind, happened_at, noted_at,
                                  by_role, by_name)
        SELECT id(client, 4), 1, owner, id(client, 14), id(client, 2), 'ben', 'Ben', 'IN', now(), now(), 'DESK', 'Desk 1'
        FROM pair;
    INSERT INTO people_present (meeting_id, end_user_id, client_id, since, number)
        SELECT id(client, 4), id(client, 2), owner, now(), 1 FROM pair;
    INSERT INTO join_codes (join_link_id, client_id, code_hash, made_at, expires_at, tries)
        SELECT id(client, 12), owner, 'hash', now(), now(), 0 FROM pair;
    INSERT INTO join_link_settings (client_id, asks) SELECT owner, 'PASSWORD' FROM pair;
    INSERT INTO client_branding (client_id, accent_color) SELECT owner, '#0f5e5a' FROM pair;
    INSERT INTO answer_curations (round_id, client_id, version, is_shown, picked, groups, hidden)
        SELECT id(client, 9), owner, 1, true, '[]', '[]', '[]' FROM pair;
    INSERT INTO seat_answers (round_id, number, client_id, candidate, answer, noted_at, noted_by, is_continued, before,
                              seated, drawn, tied)
        SELECT id(client, 9), 1, owner, 1, 'ACCEPTED', now(), 'Ada', false, '[1]', '[1]', '[]', '[]' FROM pair;
    INSERT INTO proxy_settings (meeting_id, client_id, is_on, principals_may_grant, holders, without_questions)
        SELECT id(client, 4), owner, true, true, 'ANYBODY', '{}' FROM pair;
    INSERT INTO prepared_registers SELECT id(client, 4), owner, id(client, 90) FROM pair;
    INSERT INTO register (round_id, end_user_id, username, name, weight, added_at)
        SELECT id(client, 90), id(client, 2), 'ada', 'Ada', 1, 'epoch' FROM pair;
    INSERT INTO proxies (id, client_id, meeting_id, principal_id, holder_id, granted_at, granted_by, is_by_principal)
        SELECT id(client, 21), owner, id(client, 4), id(client, 2), id(client, 2), now(), 'Ada', false FROM pair;
    INSERT INTO round_proxies (round_id, principal_id, proxy_id, holder_id, holder_name, holder_username,
                               was_represented)
        SELECT id(client, 9), id(client, 2), id(client, 21), id(client, 2), 'Ben', 'ben', false FROM pair;
    INSERT INTO paper_batches (id, client_id, round_id, number, state, entered_at, entered_by_id, entered_by, ballots)
        SELECT id(client, 22), owner, id(client, 9), 1, 'WAITING', now(), id(client, 2), 'Ada', 1 FROM pair;
    INSERT INTO paper_ballots (batch_id, end_user_id, client_id, answer_text, outcome)
        SELECT id(client, 22), id(client, 2), owner, 'Yes', 'WAITING' FROM pair;
    INSERT INTO issued_ballots (id, client_id, round_id, end_user_id, desk_id, issued_at)
        SELECT id(client, 23), owner, id(client, 9), id(client, 2), id(client, 13), now() FROM pair;
    INSERT INTO urns (round_id, client_id, public_key, holders)
        SELECT id, client_id, decode(repeat('04', 65), 'hex'), 1 FROM rounds;
    INSERT INTO urn_shares SELECT round_id, client_id, decode(repeat('07', 32), 'hex') FROM urns;
    INSERT INTO audit_heads (chain, number, hash) SELECT owner, 1, 'hash' FROM pair;";

/// A table with its columns that can be written.
#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    row: String,
}

/// The end of a transaction that must leave nothing.
enum Undone {
    Touched(usize),
    Failed(PortFailure),
}

impl From<PortFailure> for Undone {
    fn from(failure: PortFailure) -> Self {
        Self::Failed(failure)
    }
}

/// All tables except those of the installation, which belong to no client.
fn tables(database: &TestDatabase) -> Vec<Table> {
    diesel::sql_query(
        "SELECT c.relname::text AS name,
                ARRAY(SELECT a.attname::text FROM pg_attribute a
                      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                      ORDER BY a.attnum) AS columns
         FROM pg_class c
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
           AND c.relname NOT IN ('__diesel_schema_migrations', 'archives', 'demonstration', 'installation_keys')
         ORDER BY 1",
    )
    .load(&mut database.connection())
    .unwrap()
}

/// One connection, so that each call gets it in the state after the previous one.
fn one_connection(database: &TestDatabase) -> Db {
    Db::new(&DbSettings { pool_size: 1, ..DbSettings::new(database.url()) }).unwrap()
}

fn every_row(table: &str) -> String {
    format!("SELECT to_jsonb(everything)::text AS row FROM {table} AS everything")
}

async fn rows(scope: Scoped<'_>, table: &str) -> BTreeSet<String> {
    let statement = every_row(table);
    let rows = scope.run(move |conn| diesel::sql_query(statement).load::<Row>(conn)).await.unwrap();
    rows.into_iter().map(|row| row.row).collect()
}

async fn unscoped_rows(db: &Db, table: &str) -> usize {
    let statement = every_row(table);
    db.without_tenant(move |conn| diesel::sql_query(statement).load::<Row>(conn)).await.unwrap().len()
}

/// The number of rows that the statement changes; the change is rolled back.
async fn touched(scope: Scoped<'_>, statement: String) -> usize {
    let outcome: Result<(), Undone> = scope
        .transaction(move |conn| Err(Abort::Refused(Undone::Touched(diesel::sql_query(statement).execute(conn)?))))
        .await;
    match outcome {
        Err(Undone::Touched(number)) => number,
        Err(Undone::Failed(failure)) => panic!("{:?}", failure.source()),
        Ok(()) => panic!("it was committed"),
    }
}

async fn every_table_is_kept_apart(database: &TestDatabase) {
    database.connection().batch_execute(TWO_CLIENTS).unwrap();
    let db = one_connection(database);
    let tables = tables(database);
    assert!(tables.len() >= 24, "the query finds the tables");
    for Table { name, columns } in tables {
        let own = rows(db.of(ONE), &name).await;
        let others = rows(db.of(OTHER), &name).await;
        let all = rows(db.platform(), &name).await;
        assert!(!own.is_empty() && own.len() == others.len(), "{name}: {own:?}, {others:?}");
        assert!(own.is_disjoint(&others) && own.is_subset(&all) && others.is_subset(&all), "{name}");
        let of_nobody = all.iter().filter(|row| !own.contains(*row) && !others.contains(*row));
        assert_eq!(of_nobody.count() > 0, ["accounts", "audit_entries"].contains(&name.as_str()), "{name}");
        assert_eq!(unscoped_rows(&db, &name).await, 0, "{name} without a tenant");

        // The audit log and records are changed by nobody.
        let is_kept = [
            "amendments",
            "closing_records",
            "presence_entries",
            "purges",
            "record_timestamps",
            "result_records",
            "seat_answers",
            "unstamped_records",
        ]
        .contains(&name.as_str());
        if !name.starts_with("audit_") && !is_kept {
            let first = &columns[0];
            assert_eq!(touched(db.of(ONE), format!("UPDATE {name} SET {first} = {first}")).await, own.len(), "{name}");
            assert_eq!(touched(db.of(ONE), format!("DELETE FROM {name}")).await, own.len(), "{name}");
        }
        let columns = columns.join(", ");
        let insert = format!(
            "INSERT INTO {name} ({columns}) SELECT {columns} FROM jsonb_populate_record(NULL::{name}, $1::jsonb)"
        );
        let foreign = others.into_iter().next().unwrap();
        let inserted =
            db.of(ONE).run(move |conn| diesel::sql_query(insert).bind::<Text, _>(foreign).execute(conn)).await;
        let failure = inserted.unwrap_err();
        let reason = failure.source().unwrap().to_string();
        assert!(reason.contains("row-level security"), "{name}: {reason}");
    }
}

#[tokio::test]
async fn every_table_is_kept_apart_although_a_superuser_connects() {
    every_table_is_kept_apart(&TestDatabase::fresh().await).await;
}

#[tokio::test]
async fn every_table_is_kept_apart_although_its_owner_connects() {
    every_table_is_kept_apart(&TestDatabase::of_an_ordinary_owner().await).await;
}

#[tokio::test]
async fn statements_of_stores_without_their_filter_find_their_own_client_alone() {
    let database = TestDatabase::fresh().await;
    database.connection().batch_execute(TWO_CLIENTS).unwrap();
    let db = one_connection(&database);
    for (scope, finds) in [(db.of(ONE), 0), (db.of(OTHER), 1), (db.platform(), 1)] {
        // As `PostgresEndUsers::find` and `PostgresMeetings::list`, which filter by the client.
        let people = scope.run(|conn| end_users::table.find(id(2, 2)).count().get_result::<i64>(conn)).await.unwrap();
        assert_eq!(people, finds);
        let found = scope
            .snapshot(|conn| meetings::table.select(meetings::client_id).load::<Uuid>(conn))
            .await
            .unwrap()
            .contains(&OTHER.as_uuid());
        assert_eq!(found, finds == 1);
        // This one never filters: the owner of the round was checked before.
        let votes = scope.run(|conn| load_votes(conn, id(2, 9))).await.unwrap();
        assert_eq!(votes.len() as i64, finds);
        // In a transaction it checks the owner once, and the transaction goes on as before.
        let (votes, others) = scope
            .snapshot(|conn| {
                let votes = load_votes(conn, id(2, 9))?.len();
                Ok((votes, end_users::table.find(id(2, 2)).count().get_result::<i64>(conn)?))
            })
            .await
            .unwrap();
        assert_eq!((votes as i64, others), (finds, finds));
    }
}

#[tokio::test]
async fn nothing_is_left_of_a_transaction_that_panicked() {
    let database = TestDatabase::fresh().await;
    database.connection().batch_execute(TWO_CLIENTS).unwrap();
    let db = one_connection(&database);
    let panicking = db.clone();
    let outcome = tokio::spawn(async move {
        let work = |conn: &mut PgConnection| -> Result<(), Abort<PortFailure>> {
            diesel::delete(meetings::table).execute(conn)?;
            panic!("on purpose")
        };
        panicking.of(ONE).transaction(work).await
    })
    .await;
    assert!(outcome.unwrap_err().is_panic());
    assert_eq!(rows(db.platform(), "meetings").await.len(), 2);
    assert_eq!(unscoped_rows(&db, "meetings").await, 0);
}

fn servers(database: &TestDatabase) -> Servers {
    Servers::of(database.url(), &Lineage::default()).unwrap()
}

#[tokio::test]
async fn the_writers_of_ballots_are_bound_and_see_all() {
    #[derive(Debug, QueryableByName)]
    struct State {
        #[diesel(sql_type = Bool)]
        is_bound: bool,
        #[diesel(sql_type = Text)]
        tenant: String,
    }
    let database = TestDatabase::fresh().await;
    let mut conn = connect(&servers(&database)).unwrap().conn;
    let state: State = diesel::sql_query(
        "SELECT row_security_active('votes') AS is_bound, current_setting('plenum.tenant') AS tenant",
    )
    .get_result(&mut conn)
    .unwrap();
    assert!(state.is_bound && state.tenant == "all", "{state:?}");
}

#[tokio::test]
async fn a_database_without_row_level_security_is_not_served() {
    let database = TestDatabase::fresh().await;
    check_row_security(database.url()).await.unwrap();
    database.connection().batch_execute("ALTER TABLE votes DISABLE ROW LEVEL SECURITY").unwrap();
    let refusal = check_row_security(database.url()).await.unwrap_err();
    let reason = refusal.source().unwrap().to_string();
    assert_eq!(reason, "row level security does not bind the role plenum_tenant");
    assert!(migrate(database.url()).await.is_err());
    assert!(connect(&servers(&database)).is_err());
    let db = one_connection(&database);
    assert!(db.platform().run(|conn| meetings::table.count().get_result::<i64>(conn)).await.is_err());
    assert!(db.of(ONE).snapshot(|conn| meetings::table.count().get_result::<i64>(conn)).await.is_err());
    db.ping().await.unwrap();
}
