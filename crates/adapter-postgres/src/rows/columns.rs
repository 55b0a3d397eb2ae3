//! Columns that several stores read and write in the same way.

use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::result::{Error, QueryResult};
use diesel::sql_types::Text;
use plenum_clients::{Account, AccountRole, ClientStatus};
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::schema::accounts;

diesel::define_sql_function! {
    /// Lower case by the database's rules, as its indexes use it.
    fn lower(text: Text) -> Text;
}

/// The stored status of a client.
pub(crate) fn client_status_text(status: ClientStatus) -> &'static str {
    match status {
        ClientStatus::Active => "ACTIVE",
        ClientStatus::Inactive => "INACTIVE",
        ClientStatus::Suspended => "SUSPENDED",
    }
}

/// The status of a client from its stored `text`.
pub(crate) fn client_status(text: &str) -> QueryResult<ClientStatus> {
    match text {
        "ACTIVE" => Ok(ClientStatus::Active),
        "INACTIVE" => Ok(ClientStatus::Inactive),
        "SUSPENDED" => Ok(ClientStatus::Suspended),
        other => Err(damaged(format!("clients.status is {other}"))),
    }
}

/// Allows the statements of this transaction more time: they remove years of rounds and votes at once.
pub(crate) fn allow_long_removal(conn: &mut PgConnection) -> QueryResult<()> {
    conn.batch_execute("SET LOCAL statement_timeout = '15min'")
}

/// A count of rows.
pub(crate) fn count(number: i64) -> QueryResult<u64> {
    u64::try_from(number).map_err(|error| Error::DeserializationError(Box::new(error)))
}

/// A count that triggers maintain (decision 31). Writes past the triggers may have made it negative; the integrity check
/// reports that, and lists still work.
pub(crate) fn kept(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// A new account.
#[derive(diesel::Insertable)]
#[diesel(table_name = accounts)]
pub(crate) struct NewAccountRow {
    id: Uuid,
    client_id: Option<Uuid>,
    role: &'static str,
    email: String,
    password_hash: String,
    first_name: String,
    last_name: String,
    created_at: chrono::DateTime<chrono::Utc>,
}

impl From<&Account> for NewAccountRow {
    fn from(account: &Account) -> Self {
        let (role, client_id) = match account.role {
            AccountRole::SuperAdmin => ("SUPER_ADMIN", None),
            AccountRole::ClientAdmin(client) => ("CLIENT", Some(client.as_uuid())),
        };
        Self {
            id: account.id.as_uuid(),
            client_id,
            role,
            email: account.email.as_str().to_owned(),
            password_hash: account.password_hash.as_str().to_owned(),
            first_name: account.first_name.as_str().to_owned(),
            last_name: account.last_name.as_str().to_owned(),
            created_at: account.created_at,
        }
    }
}
