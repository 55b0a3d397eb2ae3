//! The sessions that people see and end themselves.

use chrono::{DateTime, Utc};
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Timestamptz};
use plenum_clients::{OwnSession, SessionOrigin};
use plenum_kernel::{Person, PortFailure, SessionId};
use uuid::Uuid;

use crate::identity::sessions::{end_sessions_but, keys};
use crate::pool::failure::Abort;
use crate::rows::client_lock::lock_client;
use crate::schema::{accounts, end_users, sessions};

diesel::define_sql_function! {
    /// The first of two optional times.
    fn coalesce(one: Nullable<Timestamptz>, other: Timestamptz) -> Timestamptz;
}

/// The active sessions of a person at `now`, the most recently used one first.
pub(crate) fn own_sessions(
    conn: &mut PgConnection,
    person: Person,
    now: DateTime<Utc>,
    limit: u32,
) -> QueryResult<Vec<OwnSession>> {
    let (client, account, end_user) = keys(person);
    let going_on = sessions::table.filter(sessions::ended_at.is_null().and(sessions::expires_at.gt(now))).into_boxed();
    let own = match account {
        Some(account) => going_on.filter(sessions::account_id.eq(account)),
        None => going_on.filter(sessions::client_id.eq(client)).filter(sessions::end_user_id.eq(end_user)),
    };
    let last_used_at = coalesce(sessions::last_used_at, sessions::started_at);
    let rows: Vec<OwnSessionRow> = own
        .order((last_used_at.desc(), sessions::id.desc()))
        .limit(limit.into())
        .select(OwnSessionRow::as_select())
        .load(conn)?;
    Ok(rows.into_iter().map(OwnSession::from).collect())
}

/// Ends a session of this person, and returns whether it was active.
pub(crate) fn end_own_session(
    conn: &mut PgConnection,
    person: Person,
    session: SessionId,
    now: DateTime<Utc>,
) -> QueryResult<bool> {
    let (client, account, end_user) = keys(person);
    let ended = diesel::update(sessions::table.find(session.as_uuid()))
        .filter(sessions::client_id.is_not_distinct_from(client))
        .filter(sessions::account_id.is_not_distinct_from(account))
        .filter(sessions::end_user_id.is_not_distinct_from(end_user))
        .filter(sessions::ended_at.is_null().and(sessions::expires_at.gt(now)))
        .set(sessions::ended_at.eq(now))
        .execute(conn)?;
    Ok(ended > 0)
}

/// Ends all active sessions of this person except `kept`, and returns their number. Fails as [`lock_client`] does, because none
/// of them would have ended.
pub(crate) fn end_own_sessions(
    conn: &mut PgConnection,
    person: Person,
    kept: Option<SessionId>,
    now: DateTime<Utc>,
) -> Result<u64, Abort<PortFailure>> {
    if lock_person(conn, person)? { Ok(end_sessions_but(conn, person, kept, now)?) } else { Ok(0) }
}

/// Locks the person against changes and removal until the transaction commits, in the common order: client, person,
/// sessions. Returns whether the person exists.
pub(crate) fn lock_person(conn: &mut PgConnection, person: Person) -> Result<bool, Abort<PortFailure>> {
    let (client, account, end_user) = keys(person);
    if let Some(client) = client
        && !lock_client(conn, client)?
    {
        return Ok(false);
    }
    let found: Option<Uuid> = match (account, end_user) {
        (Some(account), _) => {
            accounts::table.find(account).select(accounts::id).for_no_key_update().first(conn).optional()?
        }
        (None, end_user) => end_users::table
            .filter(end_users::id.nullable().eq(end_user))
            .select(end_users::id)
            .for_no_key_update()
            .first(conn)
            .optional()?,
    };
    Ok(found.is_some())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions, check_for_backend(Pg))]
struct OwnSessionRow {
    id: Uuid,
    remember_me: bool,
    started_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    from_address: Option<String>,
    device: Option<String>,
    last_used_at: Option<DateTime<Utc>>,
}

impl From<OwnSessionRow> for OwnSession {
    fn from(row: OwnSessionRow) -> Self {
        Self {
            id: SessionId::from_uuid(row.id),
            // An invalid address counts as none.
            origin: SessionOrigin {
                address: row.from_address.and_then(|address| address.parse().ok()),
                device: row.device,
            },
            remember_me: row.remember_me,
            started_at: row.started_at,
            last_used_at: row.last_used_at.unwrap_or(row.started_at),
            expires_at: row.expires_at,
        }
    }
}
