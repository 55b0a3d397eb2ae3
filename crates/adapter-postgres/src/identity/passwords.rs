use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Text, Timestamptz, Uuid as SqlUuid};
use plenum_clients::{
    ClientStatus, NewReset, PasswordChange, PasswordHash, PasswordStore, ResetTokenHash, StoredCredentials,
};
use plenum_kernel::{Person, PortFailure};
use uuid::Uuid;

use crate::Db;
use crate::identity::accounts::{account_person, client_may_act};
use crate::identity::sessions::{end_sessions_but, keys};
use crate::rows::client_lock::lock_client;
use crate::rows::columns::client_status_text;
use crate::schema::{accounts, clients, end_users, password_resets};

/// Passwords in PostgreSQL.
#[derive(Clone)]
pub struct PostgresPasswords {
    db: Db,
}

impl PostgresPasswords {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl PasswordStore for PostgresPasswords {
    async fn of_person(&self, person: Person) -> Result<Option<StoredCredentials>, PortFailure> {
        self.db
            .of_person(person)
            .run(move |conn| {
                let (client, account, end_user) = keys(person);
                let found: Option<(String, bool, Option<String>)> = match (account, end_user) {
                    (Some(account), _) => accounts::table
                        .left_join(clients::table)
                        .filter(accounts::id.eq(account).and(accounts::client_id.is_not_distinct_from(client)))
                        .select((accounts::password_hash, sql::<Bool>("true"), clients::status.nullable()))
                        .first(conn)
                        .optional()?,
                    (None, end_user) => end_users::table
                        .inner_join(clients::table)
                        .filter(
                            end_users::id
                                .nullable()
                                .eq(end_user)
                                .and(end_users::client_id.nullable().is_not_distinct_from(client)),
                        )
                        .select((end_users::password_hash, end_users::is_active, clients::status.nullable()))
                        .first(conn)
                        .optional()?,
                };
                Ok(found.map(|(hash, is_active, status)| StoredCredentials {
                    person,
                    password_hash: PasswordHash::new(hash),
                    may_sign_in: is_active && client_may_act(client, status.as_deref()),
                }))
            })
            .await
    }

    async fn change(&self, change: PasswordChange) -> Result<bool, PortFailure> {
        self.db
            .of_person(change.person)
            .transaction(move |conn| {
                let PasswordChange { person, checked, new, kept, at } = change;
                let (client, account, end_user) = keys(person);
                if let Some(client) = client
                    && !lock_client(conn, client)?
                {
                    return Ok(false);
                }
                // Waits for a change in progress, and then compares with the password that was checked.
                let changed = match (account, end_user) {
                    (Some(account), _) => diesel::update(accounts::table.find(account))
                        .filter(accounts::client_id.is_not_distinct_from(client))
                        .filter(accounts::password_hash.eq(checked.as_str()))
                        .set(accounts::password_hash.eq(new.as_str()))
                        .execute(conn)?,
                    (None, end_user) => diesel::update(end_users::table)
                        .filter(
                            end_users::id
                                .nullable()
                                .eq(end_user)
                                .and(end_users::client_id.nullable().is_not_distinct_from(client)),
                        )
                        .filter(end_users::password_hash.eq(checked.as_str()))
                        // The setting by somebody else stays known: a reopened round tells it (decision 63).
                        .set(end_users::password_hash.eq(new.as_str()))
                        .execute(conn)?,
                };
                if changed == 0 {
                    return Ok(false);
                }
                end_sessions_but(conn, person, Some(kept), at)?;
                Ok(true)
            })
            .await
    }

    async fn store_reset(&self, reset: NewReset) -> Result<bool, PortFailure> {
        // Skips locked rows, so that no transaction waits: rows in use are removed the next time.
        const OUTDATED: &str = "
            DELETE FROM password_resets WHERE token_hash = ANY (ARRAY(
                SELECT token_hash FROM password_resets WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED))";
        const KEEP: &str = "
            INSERT INTO password_resets (token_hash, account_id, email, password_hash, expires_at)
            SELECT $1, id, email, password_hash, $5 FROM accounts WHERE id = $2 AND email = $3 AND password_hash = $4";
        let (_, Some(account), _) = keys(reset.person) else { return Ok(false) };
        self.db
            .platform()
            .transaction(move |conn| {
                diesel::sql_query(OUTDATED).bind::<Timestamptz, _>(reset.made_at).execute(conn)?;
                let kept = diesel::sql_query(KEEP)
                    .bind::<Binary, _>(reset.token.0)
                    .bind::<SqlUuid, _>(account)
                    .bind::<Text, _>(reset.email.as_str())
                    .bind::<Text, _>(reset.password_hash.as_str())
                    .bind::<Timestamptz, _>(reset.expires_at)
                    .execute(conn)?;
                Ok(kept > 0)
            })
            .await
    }

    async fn has_reset(&self, token: &ResetTokenHash, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        let token = token.clone();
        self.db.platform().run(move |conn| Ok(find_reset(conn, &token, now)?.is_some())).await
    }

    async fn reset(
        &self,
        token: &ResetTokenHash,
        new: PasswordHash,
        now: DateTime<Utc>,
    ) -> Result<Option<Person>, PortFailure> {
        let token = token.clone();
        self.db
            .platform()
            .transaction(move |conn| {
                let Some(FoundReset { account, client, checked }) = find_reset(conn, &token, now)? else {
                    return Ok(None);
                };
                if let Some(client) = client
                    && !lock_client(conn, client)?
                {
                    return Ok(None);
                }
                // Of several concurrent calls the first one changes the row that the others search for.
                let changed = diesel::update(accounts::table.find(account))
                    .filter(accounts::password_hash.eq(checked))
                    .set(accounts::password_hash.eq(new.as_str()))
                    .execute(conn)?;
                if changed == 0 {
                    return Ok(None);
                }
                diesel::delete(password_resets::table.filter(password_resets::account_id.eq(account))).execute(conn)?;
                let person = account_person(account, client);
                end_sessions_but(conn, person, None, now)?;
                Ok(Some(person))
            })
            .await
    }
}

/// A valid reset link.
struct FoundReset {
    account: Uuid,
    client: Option<Uuid>,
    checked: String,
}

fn find_reset(conn: &mut PgConnection, token: &ResetTokenHash, now: DateTime<Utc>) -> QueryResult<Option<FoundReset>> {
    let found: Option<(Uuid, Option<Uuid>, String)> = password_resets::table
        .inner_join(accounts::table.left_join(clients::table))
        .filter(password_resets::token_hash.eq(&token.0))
        .filter(password_resets::expires_at.gt(now))
        .filter(password_resets::email.eq(accounts::email))
        .filter(password_resets::password_hash.eq(accounts::password_hash))
        .filter(
            accounts::client_id
                .is_null()
                .or(clients::status.nullable().is_not_distinct_from(client_status_text(ClientStatus::Active))),
        )
        .select((accounts::id, accounts::client_id, accounts::password_hash))
        .first(conn)
        .optional()?;
    Ok(found.map(|(account, client, checked)| FoundReset { account, client, checked }))
}
