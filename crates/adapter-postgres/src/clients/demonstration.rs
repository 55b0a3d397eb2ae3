//! The demonstration in a database, and its end. See decision 45.

use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::PasswordHash;
use uuid::Uuid;

use crate::clients::organizations::remove_all;
use crate::pool::migrations::{MigrationError, locked, with_own_connection};

/// The names of the people of the demonstration.
#[derive(Clone, Debug)]
pub struct DemonstrationNames {
    /// The code of its organization.
    pub client_code: String,
    /// The address of its super administrator.
    pub super_admin: String,
    /// The address of its organizer.
    pub organizer: String,
    /// The usernames of its voters.
    pub voters: Vec<String>,
    /// The end of their addresses, after the username.
    pub mail_domain: String,
}

/// A person with a name of the demonstration.
#[derive(Clone, Debug)]
pub struct DemonstrationPerson {
    /// The id of the row.
    pub id: Uuid,
    /// The organization. `None` for a super administrator.
    pub client: Option<Uuid>,
    /// Whether it is a row of `end_users`, otherwise of `accounts`.
    pub is_voter: bool,
    /// The name that the person signs in with.
    pub sign_in: String,
    /// The hash of the current password.
    pub password_hash: PasswordHash,
}

/// The findings in a database. Tables may be missing, or be those of an older version.
#[derive(Clone, Debug, Default)]
pub struct DemonstrationFindings {
    /// Whether the installation is marked as a demonstration.
    pub is_marked: bool,
    /// Whether there is no account and no organization yet.
    pub is_empty: bool,
    /// The organizations that have the demonstration's organizer.
    pub demonstration_clients: Vec<Uuid>,
    /// The names of all others except test data.
    pub other_clients: Vec<String>,
    /// The addresses of super administrators outside of the demonstration.
    pub other_super_admins: Vec<String>,
    /// People with names of the demonstration.
    pub people: Vec<DemonstrationPerson>,
}

/// The changes that end a demonstration, besides its mark.
#[derive(Clone, Debug)]
pub struct DemonstrationEnding {
    /// Organizations to remove, with all their data.
    pub clients: Vec<Uuid>,
    /// Super administrators to remove.
    pub super_admins: Vec<Uuid>,
    /// Organizers who get the new password.
    pub organizers: Vec<Uuid>,
    /// Voters who get the new password.
    pub voters: Vec<Uuid>,
    /// The hash of a random password that is not kept.
    pub password_hash: PasswordHash,
}

/// Looks for a demonstration. Changes nothing, and works on databases of older versions.
///
/// # Errors
/// Fails when the database cannot be reached or refuses.
pub async fn find_demonstration(url: &str, names: DemonstrationNames) -> Result<DemonstrationFindings, MigrationError> {
    with_own_connection(url, move |conn| Ok(find_on(conn, &names)?)).await
}

/// Marks the installation as a demonstration. The database must be up to date.
///
/// # Errors
/// Fails when the database cannot be reached or refuses.
pub async fn mark_demonstration(url: &str) -> Result<(), MigrationError> {
    const MARK: &str = "INSERT INTO demonstration DEFAULT VALUES ON CONFLICT DO NOTHING";
    with_own_connection(url, |conn| Ok(conn.batch_execute(MARK)?)).await
}

/// Removes the demonstration in one transaction. The database must be up to date.
///
/// # Errors
/// Fails when the database cannot be reached or refuses.
pub async fn end_demonstration(url: &str, ending: DemonstrationEnding) -> Result<(), MigrationError> {
    with_own_connection(url, move |conn| {
        locked(conn, |conn| conn.transaction(|conn| end_on(conn, &ending)).map_err(MigrationError::Query))
    })
    .await
}

#[derive(QueryableByName)]
struct TablesRow {
    #[diesel(sql_type = Bool)]
    has_clients: bool,
    #[diesel(sql_type = Bool)]
    has_mark: bool,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct ClientRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Bool)]
    is_demonstration: bool,
}

#[derive(QueryableByName)]
struct PersonRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    client_id: Option<Uuid>,
    #[diesel(sql_type = Bool)]
    is_voter: bool,
    #[diesel(sql_type = Text)]
    sign_in: String,
    #[diesel(sql_type = Text)]
    password_hash: String,
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    line: String,
}

fn find_on(conn: &mut PgConnection, names: &DemonstrationNames) -> QueryResult<DemonstrationFindings> {
    let tables: TablesRow = sql_query(
        "SELECT to_regclass('clients') IS NOT NULL AND to_regclass('accounts') IS NOT NULL AS has_clients,
                to_regclass('demonstration') IS NOT NULL AS has_mark",
    )
    .get_result(conn)?;
    if !tables.has_clients {
        return Ok(DemonstrationFindings { is_empty: true, ..DemonstrationFindings::default() });
    }
    let mut number = |query: &str| sql_query(query).get_result(conn).map(|row: NumberRow| row.number);
    let is_marked = tables.has_mark && number("SELECT count(*) AS number FROM demonstration")? > 0;
    let is_empty = number("SELECT (SELECT count(*) FROM clients) + (SELECT count(*) FROM accounts) AS number")? == 0;
    // By name and not by `is_test`, which older versions do not have.
    let clients: Vec<ClientRow> = sql_query(
        "SELECT id, name, EXISTS (SELECT FROM accounts WHERE client_id = clients.id AND email = $1) AS is_demonstration
         FROM clients WHERE NOT starts_with(name, 'TEST_') ORDER BY name",
    )
    .bind::<Text, _>(&names.organizer)
    .load(conn)?;
    let (demonstrations, others): (Vec<_>, Vec<_>) = clients.into_iter().partition(|client| client.is_demonstration);
    let super_admins: Vec<TextRow> = sql_query(
        "SELECT email AS line FROM accounts WHERE role = 'SUPER_ADMIN' AND email <> $1 ORDER BY created_at, id",
    )
    .bind::<Text, _>(&names.super_admin)
    .load(conn)?;
    Ok(DemonstrationFindings {
        is_marked,
        is_empty,
        demonstration_clients: demonstrations.into_iter().map(|client| client.id).collect(),
        other_clients: others.into_iter().map(|client| client.name).collect(),
        other_super_admins: super_admins.into_iter().map(|row| row.line).collect(),
        people: people_on(conn, names)?,
    })
}

fn people_on(conn: &mut PgConnection, names: &DemonstrationNames) -> QueryResult<Vec<DemonstrationPerson>> {
    let rows: Vec<PersonRow> = sql_query(
        "SELECT id, client_id, false AS is_voter, email AS sign_in, password_hash
         FROM accounts WHERE email IN ($1, $2)
         UNION ALL
         SELECT e.id, e.client_id, true, e.username || ' of ' || c.name, e.password_hash
         FROM end_users e JOIN clients c ON c.id = e.client_id
         WHERE lower(e.username) = ANY ($3)
           AND (c.client_code = $4 OR lower(e.email) = lower(e.username) || '@' || $5)
         ORDER BY is_voter, sign_in",
    )
    .bind::<Text, _>(&names.super_admin)
    .bind::<Text, _>(&names.organizer)
    .bind::<Array<Text>, _>(&names.voters)
    .bind::<Text, _>(&names.client_code)
    .bind::<Text, _>(&names.mail_domain)
    .load(conn)?;
    let person = |row: PersonRow| DemonstrationPerson {
        id: row.id,
        client: row.client_id,
        is_voter: row.is_voter,
        sign_in: row.sign_in,
        password_hash: PasswordHash::new(row.password_hash),
    };
    Ok(rows.into_iter().map(person).collect())
}

fn end_on(conn: &mut PgConnection, ending: &DemonstrationEnding) -> QueryResult<()> {
    let now: DateTime<Utc> = diesel::select(diesel::dsl::now.into_sql::<Timestamptz>()).get_result(conn)?;
    for client in &ending.clients {
        remove_all(conn, *client, now)?;
    }
    // The removal of an organization switches the audit log off; the following statements are recorded again.
    conn.batch_execute("SET LOCAL plenum.removes_client = ''")?;
    sql_query("DELETE FROM accounts WHERE id = ANY ($1)")
        .bind::<Array<SqlUuid>, _>(&ending.super_admins)
        .execute(conn)?;
    for (table, people) in [("accounts", &ending.organizers), ("end_users", &ending.voters)] {
        sql_query(format!("UPDATE {table} SET password_hash = $2 WHERE id = ANY ($1)"))
            .bind::<Array<SqlUuid>, _>(people)
            .bind::<Text, _>(ending.password_hash.as_str())
            .execute(conn)?;
    }
    sql_query("DELETE FROM password_resets WHERE account_id = ANY ($1)")
        .bind::<Array<SqlUuid>, _>(&ending.organizers)
        .execute(conn)?;
    sql_query(
        "UPDATE sessions SET ended_at = now()
         WHERE ended_at IS NULL AND (account_id = ANY ($1) OR end_user_id = ANY ($2))",
    )
    .bind::<Array<SqlUuid>, _>(&ending.organizers)
    .bind::<Array<SqlUuid>, _>(&ending.voters)
    .execute(conn)?;
    conn.batch_execute("DELETE FROM demonstration")
}
