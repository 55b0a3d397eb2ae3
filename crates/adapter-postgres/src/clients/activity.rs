use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{BoxedSqlQuery, SqlQuery};
use diesel::sql_types::{BigInt, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{Activity, ActivityKind, ActivitySource, ClientCode, ClientName, ClientReference};
use plenum_kernel::{ClientId, PortFailure};
use uuid::Uuid;

use crate::Db;
use crate::pool::failure::damaged;
use crate::rows::columns::{client_status, count};
use crate::rows::test_data::{counts_in_its_client, is_of_a_real_client};

/// Recent activity, read from PostgreSQL.
#[derive(Clone)]
pub struct PostgresActivity {
    db: Db,
}

impl PostgresActivity {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl ActivitySource for PostgresActivity {
    async fn of_client(&self, owner: ClientId, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        let sources = SOURCES.iter().map(|source| source.newest(&source.of_client("$2")));
        let query = feed(sources, limit).bind::<SqlUuid, _>(owner.as_uuid());
        self.db.of(owner).run(move |conn| read(query, conn)).await
    }

    async fn of_platform(&self, limit: u32) -> Result<Vec<Activity>, PortFailure> {
        let sources = [&CLIENTS].into_iter().chain(SOURCES).map(|source| source.newest(source.of_platform));
        let query = feed(sources, limit);
        self.db.platform().run(move |conn| read(query, conn)).await
    }
}

/// A table whose rows, or groups of rows, are activities.
struct Source {
    /// The order of the kind among activities of the same moment ([`ActivityKind::place`]).
    place: u8,
    table: &'static str,
    /// The column of the time.
    at: &'static str,
    /// The column of the client.
    client: &'static str,
    /// The column that orders activities of the same moment.
    id: &'static str,
    /// The expression of the subject.
    subject: &'static str,
    /// The expression of the count.
    heads: &'static str,
    /// Whether rows within a short time form one activity.
    is_grouped: bool,
    /// The condition of rows that a client sees.
    counts_in_its_client: &'static str,
    /// The condition of rows that the platform sees.
    of_platform: &'static str,
}

impl Source {
    const fn new(place: u8, of: &Table, at: &'static str, subject: &'static str) -> Self {
        Self {
            place,
            table: of.name,
            at,
            client: "client_id",
            id: "id",
            subject,
            heads: "NULL::bigint",
            is_grouped: false,
            counts_in_its_client: of.counts_in_its_client,
            of_platform: of.of_platform,
        }
    }

    /// The condition of rows that the client with the id `client` sees.
    fn of_client(&self, client: &str) -> String {
        format!("{table}.client_id = {client} AND {counts}", table = self.table, counts = self.counts_in_its_client)
    }

    /// The newest `$1` rows that satisfy `also`. They are at the end of an index by client and time, or by time alone, so that
    /// only these rows and test data are read.
    fn newest(&self, also: &str) -> String {
        if self.is_grouped {
            return self.newest_groups(also);
        }
        let Self { place, table, at, client, id, subject, heads, .. } = self;
        format!(
            "(SELECT {place}::smallint AS place, {at} AS at, {client} AS client_id, {id} AS id, {subject} AS subject, \
                     {heads} AS heads \
              FROM {table} WHERE {at} IS NOT NULL AND {also} ORDER BY {at} DESC, {id} DESC LIMIT $1)"
        )
    }

    /// The same for rows in groups: rows of one moment come from one import, and rows within a short time form one activity.
    /// From the newest row on, the index finds the next gap, as often as lines are needed. The newest lines come first, so no
    /// sort is needed.
    fn newest_groups(&self, also: &str) -> String {
        let Self { place, table, at, client, subject, .. } = self;
        let short = SHORT_TIME;
        format!(
            "(WITH RECURSIVE times AS ( \
                  (SELECT 1::bigint AS number, {at} AS until FROM {table} WHERE {also} ORDER BY {at} DESC LIMIT 1) \
                  UNION ALL \
                  SELECT times.number + 1, \
                         (SELECT {at} FROM {table} WHERE {also} AND {at} <= times.until - {short} ORDER BY {at} DESC LIMIT 1) \
                  FROM times WHERE times.until IS NOT NULL AND times.number < $1) \
              SELECT {place}::smallint AS place, line.at, line.client_id, line.client_id AS id, \
                     {subject} AS subject, line.heads \
              FROM times CROSS JOIN LATERAL \
                  (SELECT max(act.at) AS at, act.client_id, sum(act.heads)::bigint AS heads FROM \
                      (SELECT {at} AS at, {client} AS client_id, count(*) AS heads FROM {table} \
                       WHERE {also} AND {at} <= times.until AND {at} > times.until - {short} \
                       GROUP BY {at}, {client} OFFSET 0) AS act \
                   GROUP BY act.client_id, CASE WHEN act.heads > 1 THEN act.at END \
                   ORDER BY 1 DESC, 2 DESC LIMIT $1) AS line \
              LIMIT $1)"
        )
    }
}

/// The time within which people who are added one by one form one activity.
const SHORT_TIME: &str = "interval '10 minutes'";

/// A table with activities, and the condition of its rows.
struct Table {
    name: &'static str,
    counts_in_its_client: &'static str,
    of_platform: &'static str,
}

const ACCOUNTS: Table =
    Table { name: "accounts", counts_in_its_client: "true", of_platform: is_of_a_real_client!("accounts") };
const END_USERS: Table = Table {
    name: "end_users",
    counts_in_its_client: counts_in_its_client!("end_users"),
    of_platform: concat!("NOT end_users.is_test AND ", is_of_a_real_client!("end_users")),
};
const MEETINGS: Table = Table {
    name: "meetings",
    counts_in_its_client: counts_in_its_client!("meetings"),
    of_platform: concat!("NOT meetings.is_test AND ", is_of_a_real_client!("meetings")),
};
/// Rows that count as their meeting does.
const ROUNDS: Table = Table {
    name: "rounds",
    counts_in_its_client: concat!(
        "(SELECT ",
        counts_in_its_client!("meetings"),
        " FROM meetings WHERE meetings.id = rounds.meeting_id)"
    ),
    of_platform: concat!(
        "(SELECT NOT meetings.is_test FROM meetings WHERE meetings.id = rounds.meeting_id) AND ",
        is_of_a_real_client!("rounds")
    ),
};

const CLIENTS: Source = Source {
    client: "id",
    ..Source::new(
        1,
        &Table { name: "clients", counts_in_its_client: "false", of_platform: "NOT is_test" },
        "created_at",
        "name",
    )
};

/// Rows of clients, and of super administrators, who have none.
const SOURCES: &[Source] = &[
    Source::new(2, &ACCOUNTS, "last_login_at", "first_name || ' ' || last_name"),
    Source { is_grouped: true, ..Source::new(3, &END_USERS, "created_at", "NULL::text") },
    Source::new(4, &MEETINGS, "created_at", "title"),
    Source::new(5, &MEETINGS, "started_at", "title"),
    Source { heads: "register_heads::bigint", ..Source::new(6, &ROUNDS, "ended_at", "question_text") },
    Source::new(7, &ROUNDS, "opened_at", "question_text"),
    Source::new(8, &MEETINGS, "ended_at", "title"),
];

/// The time of the last activity that the client with the id `client` sees, as an expression.
pub(crate) fn newest_in(client: &str) -> String {
    let newest = SOURCES.iter().map(|source| {
        let Source { table, at, .. } = source;
        format!("(SELECT max({table}.{at}) FROM {table} WHERE {})", source.of_client(client))
    });
    format!("greatest({})", newest.collect::<Vec<_>>().join(", "))
}

/// The newest `limit` activities of all sources. Votes are counted only for the rounds that are shown, and each finds its own
/// client (`OFFSET 0`): a plan for an unknown limit would read all of them.
fn feed(sources: impl Iterator<Item = String>, limit: u32) -> BoxedSqlQuery<'static, Pg, SqlQuery> {
    let sources: Vec<String> = sources.collect();
    let sources = sources.join(" UNION ALL ");
    let statement = format!(
        "SELECT entry.place, entry.at, entry.subject, entry.heads, \
                (SELECT coalesce(sum(votes_cast), 0) FROM round_counters \
                 WHERE entry.place = 6 AND round_id = entry.id) AS votes_cast, \
                clients.id AS client_id, clients.name, clients.client_code, clients.status \
         FROM ({sources} ORDER BY at DESC, place DESC, id DESC LIMIT $1) AS entry \
         LEFT JOIN LATERAL (SELECT * FROM clients WHERE id = entry.client_id OFFSET 0) AS clients ON true \
         ORDER BY entry.at DESC, entry.place DESC, entry.id DESC"
    );
    diesel::sql_query(statement).into_boxed().bind::<BigInt, _>(i64::from(limit))
}

fn read(query: BoxedSqlQuery<'static, Pg, SqlQuery>, conn: &mut PgConnection) -> QueryResult<Vec<Activity>> {
    let rows: Vec<ActivityRow> = query.load(conn)?;
    rows.into_iter().map(Activity::try_from).collect()
}

#[derive(QueryableByName)]
struct ActivityRow {
    #[diesel(sql_type = SmallInt)]
    place: i16,
    #[diesel(sql_type = Timestamptz)]
    at: DateTime<Utc>,
    #[diesel(sql_type = Nullable<Text>)]
    subject: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    heads: Option<i64>,
    #[diesel(sql_type = BigInt)]
    votes_cast: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    client_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    client_code: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    status: Option<String>,
}

impl ActivityRow {
    fn client(&mut self) -> QueryResult<Option<ClientReference>> {
        let (Some(id), Some(name), Some(code), Some(status)) =
            (self.client_id, self.name.take(), self.client_code.take(), self.status.take())
        else {
            return Ok(None);
        };
        Ok(Some(ClientReference {
            id: ClientId::from_uuid(id),
            name: ClientName::from_stored(name),
            code: ClientCode::from_stored(code),
            status: client_status(&status)?,
        }))
    }

    fn kind(self) -> QueryResult<ActivityKind> {
        let subject = self.subject.unwrap_or_default();
        let heads = count(self.heads.unwrap_or_default())?;
        Ok(match self.place {
            1 => ActivityKind::ClientCreated,
            2 => ActivityKind::AccountSignedIn { name: subject },
            3 => ActivityKind::EndUsersAdded { number: heads },
            4 => ActivityKind::MeetingCreated { title: subject },
            5 => ActivityKind::MeetingStarted { title: subject },
            6 => ActivityKind::RoundEnded {
                question: subject,
                votes_cast: count(self.votes_cast)?,
                register_heads: heads,
            },
            7 => ActivityKind::RoundOpened { question: subject },
            8 => ActivityKind::MeetingEnded { title: subject },
            other => return Err(damaged(format!("an activity has the place {other}"))),
        })
    }
}

impl TryFrom<ActivityRow> for Activity {
    type Error = diesel::result::Error;

    fn try_from(mut row: ActivityRow) -> Result<Self, Self::Error> {
        let (at, client) = (row.at, row.client()?);
        Ok(Self { at, kind: row.kind()?, client })
    }
}

#[cfg(test)]
mod tests {
    use diesel::connection::SimpleConnection as _;

    use super::*;
    use crate::testkit::TestDatabase;

    /// Ten end users in each of two hundred clients, and then five thousand test people in one of them.
    const MANY: &str = "
        INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at)
            SELECT gen_random_uuid(), 'Club', 'club-' || n, 'club@example.org', 'ACTIVE', 'BASIC', now()
            FROM generate_series(1, 200) AS n;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT gen_random_uuid(), id, n, 'Voter', 1, true, 'hash', now() - n * interval '1 day'
            FROM clients, generate_series(1, 10) AS n;
        INSERT INTO end_users (id, client_id, username, name, weight, is_active, password_hash, created_at)
            SELECT gen_random_uuid(), id, 'test-' || n, 'TEST_Voter', 1, true, 'hash', now() + n * interval '1 second'
            FROM clients, generate_series(1, 5000) AS n WHERE client_code = 'club-1';
        -- Without names it would lock the tables of other tests, which share the database.
        ANALYZE clients, end_users;
        SET max_parallel_workers_per_gather = 0";

    /// The rows and index entries of end users that this connection has read.
    fn read_so_far(conn: &mut PgConnection) -> i64 {
        #[derive(QueryableByName)]
        struct Sum {
            #[diesel(sql_type = BigInt)]
            sum: i64,
        }
        let row: Sum = diesel::sql_query(
            "SELECT pg_stat_get_xact_tuples_returned('end_users'::regclass) \
                    + (SELECT sum(pg_stat_get_xact_tuples_returned(indexrelid)) FROM pg_index \
                       WHERE indrelid = 'end_users'::regclass)::bigint AS sum",
        )
        .get_result(conn)
        .unwrap();
        row.sum
    }

    #[tokio::test]
    async fn thousands_of_test_people_who_came_last_are_not_read_for_the_platform() {
        let database = TestDatabase::fresh().await;
        let mut conn = database.connection();
        conn.batch_execute(MANY).unwrap();
        let entries = conn.transaction(|conn| {
            let before = read_so_far(conn);
            let sources = [&CLIENTS].into_iter().chain(SOURCES).map(|source| source.newest(source.of_platform));
            let entries = read(feed(sources, 10), conn)?;
            let read = read_so_far(conn) - before;
            // The 2,000 people of the activities that are shown are counted.
            assert!(read <= 2_500, "{read}");
            QueryResult::Ok(entries)
        });
        assert_eq!(entries.unwrap().len(), 10);
    }
}
