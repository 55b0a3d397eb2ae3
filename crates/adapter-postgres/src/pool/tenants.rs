//! Whose rows a connection may see and change: PostgreSQL itself keeps clients apart, by row level security (decision 34).
//!
//! Policies of the tables look at the setting `plenum.tenant`: a client's id, `all`, or nothing, and then nothing is seen.

use std::fmt;

use diesel::pg::PgConnection;
use plenum_kernel::{ClientId, PortFailure};

use crate::pool::database::Db;
use crate::pool::failure::Abort;
use crate::pool::origin::telling;

/// Makes sure that policies bind this connection. They never bind a superuser, so that such a login works as the role that
/// `migrate` has made for it. A connection that they do not bind cannot be used.
pub(crate) const BIND: &str = "
    DO $$
    BEGIN
        IF EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)) THEN
            -- A schema that is named after the login would be out of sight.
            PERFORM set_config('search_path',
                (SELECT string_agg(quote_ident(schema), ', ' ORDER BY place)
                 FROM unnest(current_schemas(false)) WITH ORDINALITY AS path (schema, place)), false);
            PERFORM set_config('role', 'plenum_tenant', false);
        END IF;
        IF NOT row_security_active('votes') THEN
            RAISE EXCEPTION 'row level security does not bind the role %', current_user
                USING HINT = 'It must neither be a superuser nor have BYPASSRLS.';
        END IF;
    END $$";

/// Makes the role for logins that no policy binds, and lets it at the tables that have policies, and at no others. Roles
/// belong to the whole server, and another database of it may make this one at the same moment.
pub(crate) const MAKE_ROLE: &str = "
    DO $$
    DECLARE
        kept_apart RECORD;
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolsuper OR rolbypassrls)) THEN
            RETURN;
        END IF;
        IF to_regrole('plenum_tenant') IS NULL THEN
            BEGIN
                CREATE ROLE plenum_tenant NOLOGIN NOSUPERUSER NOBYPASSRLS;
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO plenum_tenant', current_schema());
        GRANT SELECT ON __diesel_schema_migrations TO plenum_tenant;
        FOR kept_apart IN
            SELECT c.oid::regclass AS name
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relrowsecurity
        LOOP
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO plenum_tenant', kept_apart.name);
        END LOOP;
    END $$";

/// How a connection sees all clients, until it is told otherwise.
pub(crate) const SEE_ALL: &str = "SET plenum.tenant = 'all'";

/// How a transaction begins whose statements all see the same moment.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Whose rows may be seen and changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tenant {
    /// Nobody's.
    Nobody,
    /// Those of one client.
    Client(ClientId),
    /// Those of all clients, and of those who belong to none.
    All,
}

/// As it stands in the setting. Nothing that a caller wrote comes here.
impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody => Ok(()),
            Self::Client(client) => write!(f, "{}", client.as_uuid()),
            Self::All => f.write_str("all"),
        }
    }
}

impl Tenant {
    /// Sets it for a connection.
    pub(crate) fn set(self) -> String {
        format!("SET plenum.tenant = '{self}'")
    }

    /// Begins a transaction in which it is set, on one way there and back.
    fn begin(self, begin: &str) -> String {
        format!("{begin}; SET LOCAL plenum.tenant = '{self}'")
    }
}

/// The database with the rows of one client, or of all. Nothing else gets at the tables of clients.
#[derive(Clone, Copy)]
pub(crate) struct Scoped<'a> {
    db: &'a Db,
    tenant: Tenant,
}

impl<'a> Scoped<'a> {
    /// These rows of the database.
    pub(crate) const fn new(db: &'a Db, tenant: Tenant) -> Self {
        Self { db, tenant }
    }

    /// Runs one statement, which is a transaction of its own.
    pub(crate) async fn run<T, F>(self, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> diesel::QueryResult<T> + Send + 'static,
    {
        self.db.run_as(self.tenant, work).await
    }

    /// Reads by several statements that all see the same moment.
    pub(crate) async fn snapshot<T, F>(self, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> diesel::QueryResult<T> + Send + 'static,
    {
        self.db.transact(self.tenant.begin(SNAPSHOT), move |conn| Ok(work(conn)?)).await
    }

    /// Runs a transaction that is committed when `work` succeeds, and leaves no trace otherwise. The audit log tells its
    /// changes on behalf of whom the caller works for.
    pub(crate) async fn transaction<T, E, F>(self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<PortFailure> + Send + 'static,
        F: FnOnce(&mut PgConnection) -> Result<T, Abort<E>> + Send + 'static,
    {
        let mut begin = self.tenant.begin("BEGIN");
        if let Some(telling) = telling() {
            begin = format!("{begin}; {telling}");
        }
        self.db.transact(begin, work).await
    }
}
