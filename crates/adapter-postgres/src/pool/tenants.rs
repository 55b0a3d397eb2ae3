//! Row level security (decision 34): PostgreSQL itself shows and changes only rows of one client.
//!
//! The policies of the tables read the setting `plenum.tenant`: the id of a client, `all`, or nothing, which shows no row.

use std::fmt;

use diesel::pg::PgConnection;
use plenum_kernel::{ClientId, PortFailure};

use crate::pool::database::Db;
use crate::pool::failure::Abort;
use crate::pool::origin::origin_statement;

/// Makes sure that policies bind this connection. They never bind a superuser, so such a login switches to the role that
/// `migrate` created for it. A connection that they do not bind cannot be used.
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

/// Creates the role for logins that no policy binds, with access to the tables that have policies and to no others. Roles
/// belong to the whole server, so another database may create it at the same moment.
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
            -- What is written once is never changed.
            IF kept_apart.name::text = ANY ('{result_records,closing_records,amendments,record_timestamps,unstamped_records,purges,seat_answers,presence_entries}') THEN
                EXECUTE format('REVOKE UPDATE ON %s FROM plenum_tenant', kept_apart.name);
            END IF;
        END LOOP;
    END $$";

/// Shows a connection all clients until the setting changes.
pub(crate) const SEE_ALL: &str = "SET plenum.tenant = 'all'";

/// Begins a transaction whose statements all see the same snapshot.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The rows that a connection may see and change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tenant {
    /// No rows of clients.
    Nobody,
    /// The rows of one client.
    Client(ClientId),
    /// The rows of all clients and of the platform.
    All,
}

/// The value of the setting. Contains no text of a caller.
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

    /// Begins a transaction with the setting, in one round trip.
    fn begin(self, begin: &str) -> String {
        format!("{begin}; SET LOCAL plenum.tenant = '{self}'")
    }
}

/// The database, limited to the rows of one client or open to all. There is no other access to tables of clients.
#[derive(Clone, Copy)]
pub(crate) struct Scoped<'a> {
    db: &'a Db,
    tenant: Tenant,
}

impl<'a> Scoped<'a> {
    /// Access to these rows.
    pub(crate) const fn new(db: &'a Db, tenant: Tenant) -> Self {
        Self { db, tenant }
    }

    /// Runs one statement, in a transaction of its own.
    pub(crate) async fn run<T, F>(self, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> diesel::QueryResult<T> + Send + 'static,
    {
        self.db.run_as(self.tenant, work).await
    }

    /// Reads by several statements that see the same snapshot.
    pub(crate) async fn snapshot<T, F>(self, work: F) -> Result<T, PortFailure>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> diesel::QueryResult<T> + Send + 'static,
    {
        self.db.transact(self.tenant.begin(SNAPSHOT), move |conn| Ok(work(conn)?)).await
    }

    /// Runs a transaction. Commits if `work` succeeds and rolls back otherwise. The audit log stores its changes with the
    /// current origin.
    pub(crate) async fn transaction<T, E, F>(self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<PortFailure> + Send + 'static,
        F: FnOnce(&mut PgConnection) -> Result<T, Abort<E>> + Send + 'static,
    {
        let mut begin = self.tenant.begin("BEGIN");
        if let Some(set_origin) = origin_statement() {
            begin = format!("{begin}; {set_origin}");
        }
        self.db.transact(begin, work).await
    }
}
