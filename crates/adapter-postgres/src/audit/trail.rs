use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Jsonb, Nullable, Text, Uuid as SqlUuid};
use plenum_clients::{AuditEntry, AuditFilter, AuditScope, AuditTrail, ChainState, NotedAct};
use plenum_kernel::{ClientId, Origin, Person, PortFailure};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::Db;
use crate::audit::rows::{AuditRow, natural};
use crate::pool::failure::Abort;
use crate::pool::origin::{current_origin, on_behalf_of, set_origin};
use crate::pool::tenants::Scoped;
use crate::rows::client_lock::lock_client;
use crate::schema::{audit_entries, audit_heads};

/// The maximum number of actions that wait to be recorded in the background.
const ASIDE: usize = 100;

/// The maximum number of concurrent readers of the log.
const READS: usize = 2;

/// The audit log in PostgreSQL. Triggers of the tables write changes of rows into it.
#[derive(Clone)]
pub struct PostgresAuditTrail {
    db: Db,
    /// A search may read a whole chain, and must leave connections to voters.
    reads: Db,
    aside: Arc<Semaphore>,
}

impl PostgresAuditTrail {
    /// The log of this database.
    pub fn new(db: Db) -> Self {
        Self { reads: db.at_most(READS), db, aside: Arc::new(Semaphore::new(ASIDE)) }
    }

    fn rows(&self, scope: AuditScope) -> Scoped<'_> {
        match scope {
            AuditScope::Platform => self.reads.platform(),
            AuditScope::Client(client) => self.reads.of(client),
        }
    }
}

#[async_trait]
impl AuditTrail for PostgresAuditTrail {
    async fn note(&self, act: NotedAct) -> Result<(), PortFailure> {
        self.db
            .platform()
            .transaction(move |conn| {
                // Links for new passwords are created in the background, long after the request.
                if let NotedAct::PasswordResetAsked(_, address) = act {
                    set_origin(conn, Origin { acting: None, address })?;
                }
                write(conn, &Note::of(act))
            })
            .await
    }

    fn note_in_background(&self, act: NotedAct) {
        let Ok(place) = Arc::clone(&self.aside).try_acquire_owned() else {
            tracing::warn!("failed sign-ins come faster than the audit log takes them");
            return;
        };
        let (trail, origin) = (self.clone(), current_origin());
        tokio::spawn(async move {
            let _place = place;
            let noted = match origin {
                Some(origin) => on_behalf_of(origin, trail.note(act)).await,
                None => trail.note(act).await,
            };
            if let Err(failure) = noted {
                tracing::error!(error = &failure as &dyn Error, "could not note a failed sign-in in the audit log");
            }
        });
    }

    async fn list(&self, scope: AuditScope, filter: &AuditFilter, limit: u32) -> Result<Vec<AuditEntry>, PortFailure> {
        let filter = filter.clone();
        self.rows(scope)
            .run(move |conn| {
                let rows: Vec<AuditRow> = fitting(scope, &filter)
                    .select(AuditRow::as_select())
                    .order((audit_entries::noted_at.desc(), audit_entries::id.desc()))
                    .limit(i64::from(limit))
                    .load(conn)?;
                rows.into_iter().map(AuditEntry::try_from).collect()
            })
            .await
    }

    async fn chain_state(&self, scope: AuditScope) -> Result<ChainState, PortFailure> {
        self.rows(scope).snapshot(move |conn| state_of(conn, scope.chain())).await
    }

    async fn chain_after(&self, scope: AuditScope, number: u64, limit: u32) -> Result<Vec<AuditEntry>, PortFailure> {
        self.rows(scope)
            .run(move |conn| {
                let rows = links_after(conn, scope.chain(), number, limit)?;
                rows.into_iter().map(AuditEntry::try_from).collect()
            })
            .await
    }
}

/// The end of a chain.
pub(crate) fn state_of(conn: &mut PgConnection, chain: Uuid) -> QueryResult<ChainState> {
    let head = head_of(conn, chain)?;
    let waiting: i64 = audit_entries::table
        .filter(audit_entries::chain.eq(chain).and(audit_entries::number.is_null()))
        .count()
        .get_result(conn)?;
    Ok(ChainState { head, waiting: natural(waiting)? })
}

/// The number and the hash of the last link of a chain.
pub(crate) fn head_of(conn: &mut PgConnection, chain: Uuid) -> QueryResult<Option<(u64, Vec<u8>)>> {
    let head: Option<(i64, Vec<u8>)> =
        audit_heads::table.find(chain).select((audit_heads::number, audit_heads::hash)).first(conn).optional()?;
    head.map(|(number, hash)| natural(number).map(|number| (number, hash))).transpose()
}

/// The links of a chain after this number.
pub(crate) fn links_after(conn: &mut PgConnection, chain: Uuid, number: u64, limit: u32) -> QueryResult<Vec<AuditRow>> {
    audit_entries::table
        .filter(audit_entries::chain.eq(chain))
        .filter(audit_entries::number.gt(i64::try_from(number).unwrap_or(i64::MAX)))
        .order(audit_entries::number)
        .limit(i64::from(limit))
        .select(AuditRow::as_select())
        .load(conn)
}

/// The entries that match the filter, in no order. Entries of one chain are stored together, by time.
fn fitting(scope: AuditScope, filter: &AuditFilter) -> audit_entries::BoxedQuery<'static, Pg> {
    let mut query = audit_entries::table.filter(audit_entries::chain.eq(scope.chain())).into_boxed();
    if let Some(kind) = filter.kind {
        query = query.filter(audit_entries::kind.eq(kind));
    }
    if let Some(from) = filter.from {
        query = query.filter(audit_entries::noted_at.ge(from));
    }
    if let Some(until) = filter.until {
        query = query.filter(audit_entries::noted_at.lt(until));
    }
    if let Some(place) = filter.behind {
        query = query
            .filter(audit_entries::noted_at.le(place.at))
            .filter(audit_entries::noted_at.lt(place.at).or(audit_entries::id.lt(place.id)));
    }
    if let Some(person) = &filter.person {
        let pattern = person.as_like_pattern();
        query = query.filter(
            audit_entries::by_name
                .ilike(pattern.clone())
                .assume_not_null()
                .or(audit_entries::subject_name.ilike(pattern).assume_not_null()),
        );
    }
    if let Some(search) = &filter.search {
        query = query.filter(
            diesel::dsl::sql::<diesel::sql_types::Bool>(
                "concat_ws(chr(31), by_name, subject_name, meeting_title, from_address, changes::text) ILIKE ",
            )
            .bind::<Text, _>(search.as_like_pattern()),
        );
    }
    query
}

/// An action as an entry.
struct Note {
    kind: &'static str,
    client: Option<Uuid>,
    subject: &'static str,
    id: Option<Uuid>,
    changes: Value,
}

impl Note {
    fn of_person(kind: &'static str, person: Person) -> Self {
        let (subject, id) = match person {
            Person::SuperAdmin { account } | Person::ClientAdmin { account, .. } => ("account", account.as_uuid()),
            Person::EndUser { end_user, .. } => ("end_user", end_user.as_uuid()),
        };
        let client = person.client().map(ClientId::as_uuid);
        Self { kind, client, subject, id: Some(id), changes: json!([]) }
    }

    fn of(act: NotedAct) -> Self {
        let of_client = |client: ClientId, kind, subject, id| Self {
            kind,
            client: Some(client.as_uuid()),
            subject,
            id: Some(id),
            changes: json!([]),
        };
        let format = |format: &str| json!([["format", null, format]]);
        match act {
            NotedAct::SignInFailed(person) => Self::of_person("sign_in_failed", person),
            NotedAct::PasswordResetAsked(person, _) => Self::of_person("password_reset_asked", person),
            // Not recorded for the client itself: the platform's log would show it, too.
            NotedAct::EndUsersExported(client) => {
                Self { id: None, ..of_client(client, "end_users_exported", "end_users", client.as_uuid()) }
            }
            NotedAct::CredentialsExported(client, end_user) => {
                of_client(client, "credentials_exported", "end_user", end_user.as_uuid())
            }
            NotedAct::ResultsExported(client, meeting, name) => {
                Self { changes: format(name), ..of_client(client, "results_exported", "meeting", meeting.as_uuid()) }
            }
            NotedAct::ProxiesExported(client, meeting, name) => {
                Self { changes: format(name), ..of_client(client, "proxies_exported", "meeting", meeting.as_uuid()) }
            }
            NotedAct::ReportsExported => {
                Self { kind: "reports_exported", client: None, subject: "platform", id: None, changes: json!([]) }
            }
            NotedAct::AuditLogExported(scope, name) => {
                let client = match scope {
                    AuditScope::Platform => None,
                    AuditScope::Client(client) => Some(client.as_uuid()),
                };
                Self { kind: "audit_log_exported", client, subject: "audit_log", id: None, changes: format(name) }
            }
        }
    }
}

/// Writes an entry unless its client is deleted. Fails while the client is being changed or removed: an action that must be
/// recorded first must not succeed while the removal of the client is undecided.
fn write(conn: &mut PgConnection, note: &Note) -> Result<(), Abort<PortFailure>> {
    if let Some(client) = note.client
        && !lock_client(conn, client)?
    {
        return Ok(());
    }
    const WRITE: &str = "
        SELECT audit_event(audit_author(), $1, $2, $3, $4,
            CASE $3 WHEN 'end_user' THEN audit_person_name('END_USER', $4)
                    WHEN 'account' THEN audit_person_name('CLIENT', $4)
                    WHEN 'meeting' THEN (SELECT title FROM meetings WHERE id = $4) END,
            NULL, $5)";
    diesel::sql_query(WRITE)
        .bind::<Text, _>(note.kind)
        .bind::<Nullable<SqlUuid>, _>(note.client)
        .bind::<Text, _>(note.subject)
        .bind::<Nullable<SqlUuid>, _>(note.id)
        .bind::<Jsonb, _>(&note.changes)
        .execute(conn)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_without_a_client_is_recorded_for_the_platform() {
        assert_eq!(Note::of(NotedAct::ReportsExported).client, None);
        assert_eq!(Note::of(NotedAct::AuditLogExported(AuditScope::Platform, "csv")).client, None);
    }
}
