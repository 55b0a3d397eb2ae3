//! What a start needs of a database and its login, apart from tables.

use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{QueryableByName, RunQueryDsl as _};

use crate::pool::migrations::{MigrationError, with_own_connection};

/// Superusers have no limit of their own, and may use reserved connections (version 16 of PostgreSQL has two kinds of them). A negative limit is none.
const FITNESS: &str = "
    SELECT current_user::text AS login,
        current_setting('transaction_read_only') = 'on' AS is_read_only,
        current_setting('server_encoding') AS encoding,
        coalesce(has_schema_privilege(current_schema()::text, 'CREATE'), false) AS may_create_tables,
        EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND rolbypassrls AND NOT rolsuper)
            AND NOT coalesce(pg_has_role(current_user, to_regrole('plenum_tenant')::oid, 'MEMBER'), false) AS bypasses_policies,
        (SELECT min(connections) FROM (
            SELECT rolconnlimit::bigint AS connections FROM pg_roles WHERE rolname = session_user AND NOT rolsuper
            UNION ALL
            SELECT datconnlimit::bigint FROM pg_database, pg_roles
            WHERE datname = current_database() AND rolname = session_user AND NOT rolsuper
            UNION ALL
            SELECT current_setting('max_connections')::bigint
                - CASE WHEN rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::bigint
                    + coalesce(current_setting('reserved_connections', true)::bigint, 0) END
            FROM pg_roles WHERE rolname = session_user
        ) AS limits WHERE connections >= 0) AS connections";

/// What a start needs of a database and its login.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct DatabaseFitness {
    /// The name of the login.
    #[diesel(sql_type = Text)]
    pub login: String,
    /// Whether transactions only read.
    #[diesel(sql_type = Bool)]
    pub is_read_only: bool,
    /// The encoding of texts.
    #[diesel(sql_type = Text)]
    pub encoding: String,
    /// Whether there is a schema in which the login may create tables.
    #[diesel(sql_type = Bool)]
    pub may_create_tables: bool,
    /// Whether no policy binds the login, and it cannot become the role that policies bind.
    #[diesel(sql_type = Bool)]
    pub bypasses_policies: bool,
    /// The number of connections that the login may have.
    #[diesel(sql_type = BigInt)]
    pub connections: i64,
}

impl DatabaseFitness {
    /// Reads it. Changes nothing.
    ///
    /// # Errors
    /// Fails when the database cannot be reached.
    pub async fn of(url: &str) -> Result<Self, MigrationError> {
        with_own_connection(url, |conn| Ok(diesel::sql_query(FITNESS).get_result(conn)?)).await
    }
}
