use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{count as count_of, not, sql};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Timestamptz};
use plenum_clients::{
    ClientStatus, DeviceMark, NewSession, OpenedSession, OwnSession, PresentedToken, RefreshTokenHash, Renewal,
    Rotation, SessionState, SessionStats, SessionStore, Spending, Successor,
};
use plenum_kernel::{ClientId, EndUserId, Person, PortFailure, SessionId};
use uuid::Uuid;

use crate::Db;
use crate::identity::accounts::{account_person, client_may_act, end_user_person};
use crate::identity::join_links::use_join_link;
use crate::identity::own_sessions::{end_own_session, end_own_sessions, own_sessions};
use crate::identity::second_factors::spend;
use crate::pool::failure::damaged;
use crate::rows::client_lock::lock_client;
use crate::rows::columns::{client_status_text, count};
use crate::rows::end_user_owner::is_of;
use crate::rows::test_data::is_of_a_real_client;
use crate::schema::{accounts, clients, end_users, refresh_tokens, sessions};

diesel::define_sql_function! {
    /// The later of two times.
    fn greatest(one: Timestamptz, other: Timestamptz) -> Timestamptz;
}

/// Sessions in PostgreSQL.
#[derive(Clone)]
pub struct PostgresSessions {
    db: Db,
}

impl PostgresSessions {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl SessionStore for PostgresSessions {
    async fn open(&self, session: NewSession) -> Result<bool, PortFailure> {
        self.db
            .of_person(session.person)
            .transaction(move |conn| {
                let token = session.first_token;
                let (client_id, account_id, end_user_id) = keys(session.person);
                // The order of locks of every removal: client, person, sessions, tokens.
                if let Some(client) = client_id
                    && !lock_client(conn, client)?
                {
                    return Ok(false);
                }
                // Each new session removes the person's outdated ones, so that few are left for the hourly job.
                let outdated = diesel::delete(sessions::table).filter(sessions::expires_at.le(token.issued_at));
                let password = session.password_hash.as_str();
                // Waits for a change of the password in progress, and then compares with the password that was checked.
                match session.person {
                    Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => {
                        // Locks before the first change, so that an invalid token leaves no trace.
                        let known: Option<Uuid> = accounts::table
                            .find(account.as_uuid())
                            .filter(accounts::password_hash.eq(password))
                            .select(accounts::id)
                            .for_no_key_update()
                            .first(conn)
                            .optional()?;
                        let Some(account_id) = known else { return Ok(false) };
                        if !spend(conn, account_id, &session.second_factor, token.issued_at)? {
                            return Ok(false);
                        }
                        diesel::update(accounts::table.find(account_id))
                            .set(accounts::last_login_at.eq(token.issued_at))
                            .execute(conn)?;
                        outdated.filter(sessions::account_id.eq(account.as_uuid())).execute(conn)?;
                    }
                    Person::EndUser { end_user, client } => {
                        if let Some(link) = &session.join_link
                            && !use_join_link(conn, link, end_user.as_uuid(), &token)?
                        {
                            return Ok(false);
                        }
                        let known = diesel::update(end_users::table.find(end_user.as_uuid()))
                            .filter(is_of(client))
                            .filter(end_users::is_active.and(end_users::password_hash.eq(password)))
                            .set(end_users::last_login_at.eq(token.issued_at))
                            .execute(conn)?;
                        if known == 0 {
                            return Ok(false);
                        }
                        outdated
                            .filter(sessions::client_id.eq(client.as_uuid()))
                            .filter(sessions::end_user_id.eq(end_user.as_uuid()))
                            .execute(conn)?;
                    }
                }
                diesel::insert_into(sessions::table)
                    .values((
                        sessions::id.eq(session.id.as_uuid()),
                        sessions::client_id.eq(client_id),
                        sessions::account_id.eq(account_id),
                        sessions::end_user_id.eq(end_user_id),
                        sessions::remember_me.eq(session.remember_me),
                        sessions::started_at.eq(token.issued_at),
                        sessions::expires_at.eq(token.expires_at),
                        sessions::from_address.eq(session.origin.address.map(|address| address.to_string())),
                        sessions::device.eq(session.origin.device),
                        sessions::last_used_at.eq(token.issued_at),
                    ))
                    .execute(conn)?;
                let row = TokenRow {
                    token_hash: token.hash.0,
                    session_id: session.id.as_uuid(),
                    issued_at: token.issued_at,
                    expires_at: token.expires_at,
                };
                diesel::insert_into(refresh_tokens::table).values(row).execute(conn)?;
                Ok(true)
            })
            .await
    }

    async fn opened_with(&self, first_token: RefreshTokenHash) -> Result<Option<OpenedSession>, PortFailure> {
        self.db.platform().run(move |conn| opened_with(conn, &first_token)).await
    }

    async fn rotate(&self, renewal: Renewal, now: DateTime<Utc>) -> Result<Rotation, PortFailure> {
        self.db.platform().transaction(move |conn| Ok(rotate(conn, renewal, now)?)).await
    }

    async fn end(&self, session: SessionId, now: DateTime<Utc>) -> Result<(), PortFailure> {
        self.db.platform().transaction(move |conn| Ok(end_session(conn, session, now)?)).await
    }

    async fn of_person(&self, person: Person, now: DateTime<Utc>, limit: u32) -> Result<Vec<OwnSession>, PortFailure> {
        self.db.of_person(person).run(move |conn| own_sessions(conn, person, now, limit)).await
    }

    async fn end_of_person(&self, person: Person, session: SessionId, now: DateTime<Utc>) -> Result<bool, PortFailure> {
        self.db.of_person(person).transaction(move |conn| Ok(end_own_session(conn, person, session, now)?)).await
    }

    async fn end_all(&self, person: Person, kept: Option<SessionId>, now: DateTime<Utc>) -> Result<u64, PortFailure> {
        self.db.of_person(person).transaction(move |conn| end_own_sessions(conn, person, kept, now)).await
    }

    async fn stats(&self, now: DateTime<Utc>) -> Result<SessionStats, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let is_active = clients::status.eq(client_status_text(ClientStatus::Active));
                let (of_accounts, of_end_users): (i64, i64) = sessions::table
                    .left_join(clients::table)
                    .left_join(end_users::table.on(sessions::end_user_id.eq(end_users::id.nullable())))
                    .filter(sessions::expires_at.gt(now).and(sessions::ended_at.is_null()))
                    .filter(sessions::client_id.is_null().or(is_active.nullable().assume_not_null()))
                    .filter(sessions::end_user_id.is_null().or(end_users::is_active.nullable().assume_not_null()))
                    .filter(sql::<Bool>(is_of_a_real_client!("sessions")))
                    .filter(sessions::end_user_id.is_null().or(not(end_users::is_test.nullable().assume_not_null())))
                    .select((count_of(sessions::account_id), count_of(sessions::end_user_id)))
                    .first(conn)?;
                Ok(SessionStats { accounts: count(of_accounts)?, end_users: count(of_end_users)? })
            })
            .await
    }

    async fn session_state(&self, session: SessionId) -> Result<Option<SessionState>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| Ok(session_state_of(conn, session.as_uuid())?.map(|(session_state, _)| session_state)))
            .await
    }

    async fn active_among(&self, sessions: Vec<SessionId>) -> Result<HashMap<SessionId, Person>, PortFailure> {
        let sessions: Vec<Uuid> = sessions.into_iter().map(SessionId::as_uuid).collect();
        self.db.platform().run(move |conn| active_among(conn, &sessions)).await
    }

    async fn sweep(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, PortFailure> {
        // Skips locked rows, so that no transaction waits: rows in use are left for the next run.
        const SESSIONS: &str = "
            DELETE FROM sessions WHERE id = ANY (ARRAY(
                SELECT id FROM sessions WHERE expires_at < $1 OR ended_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
        const TOKENS: &str = "
            DELETE FROM refresh_tokens WHERE token_hash = ANY (ARRAY(
                SELECT token_hash FROM refresh_tokens WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED))";
        self.db
            .platform()
            .transaction(move |conn| {
                let mut removed = 0;
                for statement in [SESSIONS, TOKENS] {
                    removed += diesel::sql_query(statement)
                        .bind::<Timestamptz, _>(before)
                        .bind::<BigInt, _>(i64::from(limit))
                        .execute(conn)?;
                }
                Ok(removed as u64)
            })
            .await
    }
}

fn opened_with(conn: &mut PgConnection, first_token: &RefreshTokenHash) -> QueryResult<Option<OpenedSession>> {
    let found: Option<(Uuid, DateTime<Utc>, Option<DateTime<Utc>>)> = refresh_tokens::table
        .find(&first_token.0)
        .select((refresh_tokens::session_id, refresh_tokens::issued_at, refresh_tokens::used_at))
        .first(conn)
        .optional()?;
    let Some((id, started_at, used_at)) = found else { return Ok(None) };
    let state = session_state_of(conn, id)?;
    Ok(state.map(|(session_state, _)| OpenedSession {
        id: SessionId::from_uuid(id),
        session_state,
        started_at,
        is_renewed: used_at.is_some(),
    }))
}

fn rotate(conn: &mut PgConnection, renewal: Renewal, now: DateTime<Utc>) -> QueryResult<Rotation> {
    // Locks the session before its tokens, like a removal. Of two tabs with one token the second waits, and then sees the
    // successor.
    lock_session_of(conn, &renewal.presented.0)?;
    let found: Option<PresentedRow> = refresh_tokens::table
        .find(&renewal.presented.0)
        .for_update()
        .select(PresentedRow::as_select())
        .first(conn)
        .optional()?;
    let Some(PresentedRow { session_id: id, expires_at, used_at, used_for }) = found else {
        return Ok(Rotation::Refused);
    };
    let Some((session_state, row)) = session_state_of(conn, id)? else { return Ok(Rotation::Refused) };
    let session = SessionId::from_uuid(id);
    let successor = successor_of(conn, id, &renewal.next)?;
    let (remember_me, renewals_until) = (row.remember_me, row.renewals_until);
    let token = PresentedToken {
        session,
        session_state,
        remember_me,
        expires_at,
        used_at,
        used_for,
        successor,
        renewals_until,
    };
    let renewals = (sessions::last_used_at.eq(now), sessions::renewals_until.eq(token.next_renewals(now)));
    let of_session = sessions::table.find(id);
    match token.spend(&renewal, now) {
        Spending::Over => return Ok(Rotation::Refused),
        Spending::TooOften { retry_after } => return Ok(Rotation::TooOften { retry_after }),
        Spending::Stolen => {
            end_session(conn, session, now)?;
            return Ok(Rotation::Stolen { session });
        }
        Spending::First => {
            let used_by = refresh_tokens::used_by.eq(renewal.by.0);
            diesel::update(refresh_tokens::table.find(&renewal.presented.0))
                .set((refresh_tokens::used_at.eq(now), used_by, refresh_tokens::used_for.eq(renewal.id)))
                .execute(conn)?;
            // A session may last for years. Tokens too old to be recognized as stolen are not kept.
            diesel::delete(refresh_tokens::table)
                .filter(refresh_tokens::session_id.eq(id))
                .filter(refresh_tokens::expires_at.le(now))
                .execute(conn)?;
            let next_expiry = token.next_expiry(now);
            let row = TokenRow { token_hash: renewal.next.0, session_id: id, issued_at: now, expires_at: next_expiry };
            diesel::insert_into(refresh_tokens::table).values(row).execute(conn)?;
            // Never earlier: the clocks of instances differ, and the last token decides.
            let expiry = sessions::expires_at.eq(greatest(sessions::expires_at, next_expiry));
            diesel::update(of_session).set((expiry, renewals)).execute(conn)?;
        }
        Spending::Again => {
            diesel::update(of_session).set(renewals).execute(conn)?;
        }
    }
    Ok(Rotation::Renewed { session, person: session_state.person })
}

/// The state of a token's successor in this session.
fn successor_of(conn: &mut PgConnection, session: Uuid, next: &RefreshTokenHash) -> QueryResult<Successor> {
    type Use = (Option<DateTime<Utc>>, Option<Vec<u8>>);
    let found: Option<Use> = refresh_tokens::table
        .find(&next.0)
        .filter(refresh_tokens::session_id.eq(session))
        .select((refresh_tokens::used_at, refresh_tokens::used_by))
        .first(conn)
        .optional()?;
    Ok(match found {
        None => Successor::Missing,
        Some((None, _)) => Successor::Unused,
        Some((Some(_), by)) => Successor::Used(by.map(DeviceMark)),
    })
}

/// Client, account and end user of a session.
pub(crate) fn keys(person: Person) -> (Option<Uuid>, Option<Uuid>, Option<Uuid>) {
    match person {
        Person::SuperAdmin { account } => (None, Some(account.as_uuid()), None),
        Person::ClientAdmin { account, client } => (Some(client.as_uuid()), Some(account.as_uuid()), None),
        Person::EndUser { end_user, client } => (Some(client.as_uuid()), None, Some(end_user.as_uuid())),
    }
}

/// Sessions with their clients and end users.
#[diesel::dsl::auto_type]
fn with_owners() -> _ {
    sessions::table
        .left_join(clients::table)
        .left_join(end_users::table.on(sessions::end_user_id.eq(end_users::id.nullable())))
}

/// Whether the owner may still act, with the stored data of the session.
fn session_state_of(conn: &mut PgConnection, session: Uuid) -> QueryResult<Option<(SessionState, SessionStateRow)>> {
    let row: Option<SessionStateRow> =
        with_owners().filter(sessions::id.eq(session)).select(SessionStateRow::as_select()).first(conn).optional()?;
    row.map(|row| Ok((row.state()?, row))).transpose()
}

/// Those of these sessions whose owners may still act.
fn active_among(conn: &mut PgConnection, sessions: &[Uuid]) -> QueryResult<HashMap<SessionId, Person>> {
    let rows: Vec<SessionStateRow> =
        with_owners().filter(sessions::id.eq_any(sessions)).select(SessionStateRow::as_select()).load(conn)?;
    let mut active = HashMap::new();
    for row in rows {
        let SessionState { person, is_active } = row.state()?;
        if is_active {
            active.insert(SessionId::from_uuid(row.id), person);
        }
    }
    Ok(active)
}

/// A refresh token that is presented.
#[derive(Queryable, Selectable)]
#[diesel(table_name = refresh_tokens, check_for_backend(diesel::pg::Pg))]
struct PresentedRow {
    session_id: Uuid,
    expires_at: DateTime<Utc>,
    used_at: Option<DateTime<Utc>>,
    used_for: Option<Uuid>,
}

/// A refresh token to insert.
#[derive(Insertable)]
#[diesel(table_name = refresh_tokens)]
struct TokenRow {
    token_hash: Vec<u8>,
    session_id: Uuid,
    issued_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
}

/// Locks the session that a refresh token belongs to, if there is one.
fn lock_session_of(conn: &mut PgConnection, token: &[u8]) -> QueryResult<()> {
    let session = refresh_tokens::table.find(token).select(refresh_tokens::session_id).single_value();
    sessions::table
        .filter(sessions::id.nullable().eq(session))
        .select(sessions::id)
        .for_no_key_update()
        .first::<Uuid>(conn)
        .optional()?;
    Ok(())
}

/// Ends all active sessions of a person. The person's row MUST be locked.
pub(crate) fn end_sessions_of(conn: &mut PgConnection, person: Person, now: DateTime<Utc>) -> QueryResult<()> {
    end_sessions_but(conn, person, None, now).map(drop)
}

/// Ends all active sessions of a person except `kept`, and returns their number. The person's row MUST be locked.
pub(crate) fn end_sessions_but(
    conn: &mut PgConnection,
    person: Person,
    kept: Option<SessionId>,
    now: DateTime<Utc>,
) -> QueryResult<u64> {
    let (client, account, end_user) = keys(person);
    let kept = kept.map(SessionId::as_uuid);
    let going_on = diesel::update(sessions::table)
        .filter(sessions::ended_at.is_null())
        .filter(sessions::id.nullable().is_distinct_from(kept));
    let ended = sessions::ended_at.eq(now);
    let number = match (account, end_user) {
        (Some(account), _) => going_on.filter(sessions::account_id.eq(account)).set(ended).execute(conn)?,
        (None, end_user) => going_on
            .filter(sessions::client_id.eq(client))
            .filter(sessions::end_user_id.eq(end_user))
            .set(ended)
            .execute(conn)?,
    };
    Ok(number as u64)
}

/// Ends all active sessions of these end users. Their rows MUST be locked.
pub(crate) fn end_sessions_of_end_users(
    conn: &mut PgConnection,
    client: ClientId,
    end_users: &[EndUserId],
    now: DateTime<Utc>,
) -> QueryResult<()> {
    let ids: Vec<Uuid> = end_users.iter().map(|id| id.as_uuid()).collect();
    diesel::update(sessions::table)
        .filter(sessions::ended_at.is_null())
        .filter(sessions::client_id.eq(client.as_uuid()))
        .filter(sessions::end_user_id.eq_any(ids))
        .set(sessions::ended_at.eq(now))
        .execute(conn)?;
    Ok(())
}

/// Keeps the first end.
fn end_session(conn: &mut PgConnection, session: SessionId, now: DateTime<Utc>) -> QueryResult<()> {
    diesel::update(sessions::table.find(session.as_uuid()))
        .filter(sessions::ended_at.is_null())
        .set(sessions::ended_at.eq(now))
        .execute(conn)?;
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions, check_for_backend(diesel::pg::Pg))]
struct SessionStateRow {
    id: Uuid,
    client_id: Option<Uuid>,
    account_id: Option<Uuid>,
    end_user_id: Option<Uuid>,
    remember_me: bool,
    ended_at: Option<DateTime<Utc>>,
    renewals_until: Option<DateTime<Utc>>,
    #[diesel(select_expression = clients::status.nullable())]
    client_status: Option<String>,
    #[diesel(select_expression = end_users::is_active.nullable())]
    end_user_is_active: Option<bool>,
}

impl SessionStateRow {
    fn state(&self) -> QueryResult<SessionState> {
        let person = match (self.account_id, self.end_user_id, self.client_id) {
            (Some(account), None, client) => account_person(account, client),
            (None, Some(end_user), Some(client)) => end_user_person(end_user, client),
            _ => return Err(damaged(format!("the session {} belongs to nobody", self.id))),
        };
        let is_active = self.ended_at.is_none()
            && client_may_act(self.client_id, self.client_status.as_deref())
            && self.end_user_is_active.unwrap_or(true);
        Ok(SessionState { person, is_active })
    }
}
