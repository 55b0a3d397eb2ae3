//! Lists, searches and counts with 20,000 end users in one client, next to other clients of the same size.
//!
//! Times of different machines cannot be compared. So each is printed next to a reference from the same run: the same
//! call in a client of 200, and `ILIKE` over the three columns that a search covers.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints what it measured, or fails")]

use plenum_voting::testkit::PlainRecords;
use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Bool, Text, Uuid as SqlUuid};
use diesel::{PgConnection, QueryResult, QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{PostgresEndUsers, PostgresMeetings};
use plenum_clients::{EndUserFilter, EndUserStore};
use plenum_kernel::{ClientId, PageRequest, SearchText};
use plenum_meetings::{MeetingFilter, MeetingStore};
use uuid::Uuid;

const LARGE: u32 = 20_000;
const SMALL: u32 = 200;
const PAGE_SIZE: u32 = 50;
/// The number of measurements of each call.
const RUNS: usize = 31;

/// Six clients of 20,000 end users and one of 200, each with a meeting for everyone. Their rows are mixed on the disk,
/// as after years of use.
const DATA: &str = "
    INSERT INTO clients
        SELECT gen_random_uuid(), 'Client ' || n, 'client-' || n, 'c@example.org', 'ACTIVE', 'BASIC', now()
        FROM generate_series(1, 7) AS n;
    INSERT INTO end_users
        SELECT gen_random_uuid(), clients.id, 'voter-' || n,
               (ARRAY['Anna', 'Jürgen', 'Øystein', 'Marie', 'Lukas', 'Sophie', 'Özlem', 'Zoë'])[1 + n % 8] || ' '
               || (ARRAY['Müller', 'Schmidt', 'Meier', 'Weber', 'Østergaard', 'Fischer', 'Schäfer'])[1 + n % 7] || ' '
               || md5(n::text || clients.id),
               CASE WHEN n % 3 > 0 THEN 'voter' || n || '@mail.example.org' END,
               'Bahnhofstrasse ' || n || ', 8001 Zürich', 1 + n % 5, n % 20 > 0,
               '$2b$12$' || md5(n::text) || md5('x' || n), NULL, now()
        FROM generate_series(1, 20000) AS n, clients
        WHERE n <= 200 OR client_code <> 'client-7'
        ORDER BY n;
    INSERT INTO meetings (id, client_id, title, status, scheduled_start_time, scheduled_end_time, is_recurring,
                          has_participant_list, created_at)
        SELECT gen_random_uuid(), id, 'Assembly', 'DRAFT', now(), now() + interval '1 hour', false, false, now()
        FROM clients;";

#[tokio::main]
async fn main() {
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    conn.batch_execute(DATA).unwrap();
    vacuum(&mut conn);
    let (large, small) = (client(&mut conn, "client-1"), client(&mut conn, "client-7"));

    println!("{LARGE} end users in a client, against {SMALL}");
    let end_users = PostgresEndUsers::new(database.db());
    let pages = [
        ("first page", None, 1),
        ("page in the middle", None, 2),
        ("last page", None, 0),
        ("search, one found", Some("voter199@"), 1),
        ("search, a seventh found", Some("MÜLLER"), 1),
        ("search, all found", Some("voter"), 1),
    ];
    for (name, search, page) in pages {
        let of_large = median(async || list(&end_users, large, search, page_number(page, LARGE)).await).await;
        let of_small = median(async || list(&end_users, small, search, page_number(page, SMALL)).await).await;
        print(name, of_large, "in the small client", of_small);
    }
    let of_large = median(async || {
        let _ = end_users.stats(large).await.unwrap();
    })
    .await;
    let of_small = median(async || {
        let _ = end_users.stats(small).await.unwrap();
    })
    .await;
    print("stats", of_large, "in the small client", of_small);
    let meetings = PostgresMeetings::new(database.db(), Arc::new(PlainRecords));
    let filter = MeetingFilter::default();
    let of_large = median(async || {
        let _ = meetings.list(large, &filter).await.unwrap();
    })
    .await;
    let of_small = median(async || {
        let _ = meetings.list(small, &filter).await.unwrap();
    })
    .await;
    print("meetings for everyone", of_large, "in the small client", of_small);

    println!("{LARGE} end users in a client, against ILIKE over three columns");
    for (name, search) in [
        ("search, one found", "voter199@"),
        ("search, a seventh found", "MÜLLER"),
        ("search, all found", "voter"),
        ("search, none found", "nobody at all"),
    ] {
        let searched = median(async || list(&end_users, large, Some(search), 1).await).await;
        let plain = median(async || ilike(&mut conn, large, search)).await;
        print(name, searched, "by ILIKE", plain);
    }
}

/// Does the work of autovacuum after an import, and repeats it while another transaction of the server prevents it.
fn vacuum(conn: &mut PgConnection) {
    const IS_DONE: &str = "SELECT relallvisible = relpages AS is_done FROM pg_class WHERE oid = 'end_users'::regclass";
    #[derive(QueryableByName)]
    struct Outcome {
        #[diesel(sql_type = Bool)]
        is_done: bool,
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        conn.batch_execute("VACUUM ANALYZE clients, end_users, meetings").unwrap();
        let outcome: Outcome = diesel::sql_query(IS_DONE).get_result(conn).unwrap();
        if outcome.is_done {
            return;
        }
        assert!(Instant::now() < deadline, "something holds back the vacuum");
    }
}

fn client(conn: &mut PgConnection, code: &str) -> ClientId {
    #[derive(QueryableByName)]
    struct Id {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let found: QueryResult<Id> =
        diesel::sql_query("SELECT id FROM clients WHERE client_code = $1").bind::<Text, _>(code).get_result(conn);
    ClientId::from_uuid(found.unwrap().id)
}

/// The first, the middle or the last page of a client with this number of end users.
fn page_number(page: u32, end_users: u32) -> u32 {
    let last = end_users / PAGE_SIZE;
    match page {
        0 => last,
        1 => 1,
        _ => last / page,
    }
}

async fn list(end_users: &PostgresEndUsers, client: ClientId, search: Option<&str>, page: u32) {
    let filter = EndUserFilter {
        search: search.and_then(SearchText::parse),
        page: Some(PageRequest { page, page_size: PAGE_SIZE }),
        ..EndUserFilter::default()
    };
    end_users.list(client, &filter).await.unwrap();
}

/// The first page and the number of matches of `ILIKE`, read as the store reads them.
fn ilike(conn: &mut PgConnection, client: ClientId, search: &str) {
    const FITTING: &str =
        "FROM end_users WHERE client_id = $1 AND (name ILIKE $2 OR username ILIKE $2 OR email ILIKE $2)";
    const COLUMNS: &str = "id, client_id, username, name, email, address, weight, is_active, last_login_at, created_at";
    let pattern = SearchText::parse(search).unwrap().as_like_pattern();
    let statements = [
        format!("SELECT {COLUMNS} {FITTING} ORDER BY lower(name), id LIMIT {PAGE_SIZE}"),
        format!("SELECT count(*) {FITTING}"),
    ];
    conn.build_transaction()
        .repeatable_read()
        .read_only()
        .run(|conn| {
            for statement in &statements {
                diesel::sql_query(statement)
                    .bind::<SqlUuid, _>(client.as_uuid())
                    .bind::<Text, _>(&pattern)
                    .execute(conn)?;
            }
            QueryResult::Ok(())
        })
        .unwrap();
}

/// The median of several calls, after some that warm up.
async fn median(mut call: impl AsyncFnMut()) -> Duration {
    let mut times = Vec::new();
    for run in 0..RUNS + 6 {
        let begun = Instant::now();
        call().await;
        if run >= 6 {
            times.push(begun.elapsed());
        }
    }
    times.sort();
    times[RUNS / 2]
}

fn print(name: &str, time: Duration, against: &str, other: Duration) {
    let ratio = time.as_secs_f64() / other.as_secs_f64();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
    println!(
        "  {name:<24} {:>8.2} ms, {against} {:>8.2} ms: {ratio:>6.2} times as long",
        milliseconds(time),
        milliseconds(other)
    );
}
