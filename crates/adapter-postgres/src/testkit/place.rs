//! The location of a test's database on the server, and its reuse.

use std::collections::VecDeque;
use std::mem::take;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use diesel::connection::SimpleConnection as _;
use diesel::pg::PgConnection;
use diesel::sql_types::Text;
use diesel::{Connection as _, QueryableByName, RunQueryDsl as _};
use plenum_embedded_postgres::testkit::TestServer;

use crate::pool::url;

/// The schemas of finished tests, the oldest first.
static LEFT_BEHIND: Mutex<VecDeque<Place>> = Mutex::new(VecDeque::new());

/// Ends remaining connections of the previous test, and empties every table, past the triggers that protect rows. Refuses if
/// there are many rows, because their space would stay.
const EMPTY: &str = "
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE application_name = current_schema() AND pid <> pg_backend_pid();
    SET session_replication_role = 'replica';
    DO $$
    DECLARE
        one RECORD;
        deleted BIGINT;
    BEGIN
        FOR one IN
            SELECT oid, oid::regclass AS name, relkind FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'S')
                AND relname <> '__diesel_schema_migrations'
        LOOP
            IF one.relkind = 'S' THEN
                PERFORM setval(one.oid, 1, false);
            ELSE
                EXECUTE format('DELETE FROM %s', one.name);
                GET DIAGNOSTICS deleted = ROW_COUNT;
                IF deleted > 1000 THEN
                    RAISE EXCEPTION 'the test before has left much behind';
                END IF;
            END IF;
        END LOOP;
        DELETE FROM pg_statistic
        WHERE starelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace);
    END $$";

/// A value that changes with any table, column, index, function, trigger, policy or rule: PostgreSQL stores with each of
/// their rows which transaction wrote it.
const STRUCTURE: &str = "
    WITH tables AS (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace),
    rows AS (
        SELECT xmin::text FROM pg_namespace WHERE nspname = current_schema()
        UNION ALL SELECT xmin::text FROM pg_class WHERE oid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_attribute WHERE attrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_attrdef WHERE adrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_constraint WHERE conrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_index WHERE indrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_policy WHERE polrelid IN (SELECT oid FROM tables)
        UNION ALL SELECT xmin::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        UNION ALL SELECT xmin::text FROM __diesel_schema_migrations
    )
    SELECT md5(string_agg(xmin, ' ' ORDER BY xmin)) AS structure FROM rows";

/// The kinds of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A schema.
    Schema,
    /// A schema owned by a role of the same name, which is not a superuser.
    Owned,
    /// A PostgreSQL database with a schema of the same name.
    Database,
}

/// A schema on the test server, or a database with one.
#[derive(Debug)]
pub(super) struct Place {
    name: String,
    kind: Kind,
    /// The structure before a test used it. `None` if no later test may use it.
    structure: Option<String>,
}

impl Place {
    /// A new schema. Blocks.
    pub(super) fn schema(kind: Kind) -> Self {
        let place = Self::new(kind);
        let name = &place.name;
        let made =
            format!("SET client_min_messages = 'warning'; DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}");
        let owned = format!("DROP ROLE IF EXISTS {name}; CREATE ROLE {name}; ALTER SCHEMA {name} OWNER TO {name}");
        let mut conn = connection(TestServer::shared().url());
        must(&mut conn, &made);
        if kind == Kind::Owned {
            must(&mut conn, &owned);
        }
        place
    }

    /// A new database. Blocks.
    pub(super) fn database() -> Self {
        let place = Self::new(Kind::Database);
        let mut conn = connection(TestServer::shared().url());
        // Separate statements: a database cannot be created or dropped in a transaction.
        must(&mut conn, &format!("DROP DATABASE IF EXISTS {}", place.name));
        must(&mut conn, &format!("CREATE DATABASE {} TEMPLATE template0", place.name));
        must(&mut connection(&place.url()), &format!("CREATE SCHEMA {}", place.name));
        place
    }

    /// The migrated schema of an earlier test, emptied. Blocks.
    pub(super) fn used() -> Option<Self> {
        loop {
            let mut place = left_behind().pop_front()?;
            if place.is_made_ready() {
                return Some(place);
            }
            place.structure = None;
        }
    }

    /// Empties the schema, and returns whether its structure is that of the migrations.
    fn is_made_ready(&self) -> bool {
        let mut conn = connection(&self.url());
        conn.batch_execute(EMPTY).is_ok() && structure(&mut conn) == self.structure
    }

    /// Allows later tests to use it, as long as its structure is the current one. Blocks.
    pub(super) fn kept(mut self) -> Self {
        if TestServer::shared().is_our_own() {
            self.structure = structure(&mut connection(&self.url()));
        }
        self
    }

    /// The address. Its connections have the name of the location.
    pub(super) fn url(&self) -> String {
        let name = &self.name;
        let mut url = TestServer::shared().url().to_owned();
        if self.kind == Kind::Database {
            url::add(&mut url, "dbname", name);
        }
        let role = if self.kind == Kind::Owned { format!("%20-crole%3D{name}") } else { String::new() };
        url::add(&mut url, "application_name", name);
        url::add(&mut url, "options", &format!("-csearch_path%3D{name}{role}"));
        url
    }

    fn new(kind: Kind) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let name = format!("test_{}_{}", std::process::id(), NUMBERS.fetch_add(1, Ordering::Relaxed));
        Self { name, kind, structure: None }
    }

    /// Does not wait long for statements that outlive their test: the server ends with the process.
    fn remove(&self) {
        let name = &self.name;
        let Ok(mut conn) = PgConnection::establish(TestServer::shared().url()) else { return };
        let removal = match self.kind {
            Kind::Schema | Kind::Owned => {
                format!("SET client_min_messages = 'error'; SET lock_timeout = '5s'; DROP SCHEMA {name} CASCADE")
            }
            Kind::Database => format!("DROP DATABASE {name} WITH (FORCE)"),
        };
        let _ = conn.batch_execute(&removal);
        if self.kind == Kind::Owned {
            let _ = conn.batch_execute(&format!("DROP ROLE {name}"));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        match self.structure.take() {
            Some(structure) => {
                left_behind().push_back(Self {
                    name: take(&mut self.name),
                    kind: self.kind,
                    structure: Some(structure),
                });
            }
            None => self.remove(),
        }
    }
}

fn left_behind() -> MutexGuard<'static, VecDeque<Place>> {
    LEFT_BEHIND.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connection(url: &str) -> PgConnection {
    PgConnection::establish(url).expect("the test server accepts connections")
}

fn must(conn: &mut PgConnection, statements: &str) {
    conn.batch_execute(statements).expect("the test server allows new schemas, roles and databases");
}

fn structure(conn: &mut PgConnection) -> Option<String> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Text)]
        structure: String,
    }
    diesel::sql_query(STRUCTURE).get_result(conn).ok().map(|row: Row| row.structure)
}

#[cfg(test)]
mod tests {
    use diesel::sql_types::BigInt;

    use super::*;
    use crate::pool::migrations::migrate;

    #[derive(Debug, PartialEq, QueryableByName)]
    struct Count {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }

    /// `None` on an external server, where each test has its own schema.
    async fn migrated() -> Option<Place> {
        let place = Place::schema(Kind::Schema);
        migrate(&place.url()).await.unwrap();
        TestServer::shared().is_our_own().then(|| place.kept())
    }

    #[tokio::test]
    async fn a_used_schema_is_emptied_although_its_rules_forbid_that_and_whoever_is_connected_is_ended() {
        let Some(place) = migrated().await else { return };
        let mut before = connection(&place.url());
        let rows = "INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at) \
                    VALUES (gen_random_uuid(), 'Club', 'club', 'club@example.org', 'ACTIVE', 'BASIC', now())";
        before.batch_execute(rows).unwrap();
        assert!(place.is_made_ready());
        assert!(before.batch_execute("SELECT 1").is_err(), "the connection of the test before goes on");
        let both = "SELECT (SELECT count(*) FROM clients) + (SELECT count(*) FROM audit_entries) AS number";
        let left: Count = diesel::sql_query(both).get_result(&mut connection(&place.url())).unwrap();
        assert_eq!(left, Count { number: 0 });
    }

    #[tokio::test]
    async fn a_schema_that_a_test_has_changed_or_filled_is_not_used_again() {
        let many = "INSERT INTO clients (id, name, client_code, contact_email, status, subscription_plan, created_at) \
                    SELECT gen_random_uuid(), 'Club', 'club-' || n, 'club@example.org', 'ACTIVE', 'BASIC', now() \
                    FROM generate_series(1, 1001) AS n";
        let policy = "DROP POLICY IF EXISTS none ON votes; ALTER TABLE votes DISABLE ROW LEVEL SECURITY";
        let function = "CREATE FUNCTION added() RETURNS int LANGUAGE sql AS 'SELECT 1'";
        for change in [policy, function, "DROP TABLE votes CASCADE", "DELETE FROM __diesel_schema_migrations", many] {
            let Some(place) = migrated().await else { return };
            connection(&place.url()).batch_execute(change).unwrap();
            assert!(!place.is_made_ready(), "{change}");
        }
    }
}
