//! Lists of proxies.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, PageRequest, ProxyId};
use plenum_voting::{Proxy, ProxyFilter, ProxyPerson};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::scope_of;
use crate::rows::columns::count;
use crate::rows::weight_kinds::weight_by;

/// The filter of all proxies that are not revoked.
pub(super) fn everything() -> ProxyFilter {
    ProxyFilter { search: None, with_revoked: false, page: PageRequest { page: 1, page_size: u32::MAX } }
}

/// Proxies of a meeting, of one person if there is one.
pub(super) struct Listed {
    pub(super) owner: ClientId,
    pub(super) meeting: MeetingId,
    pub(super) person: Option<EndUserId>,
    pub(super) filter: ProxyFilter,
}

#[derive(QueryableByName)]
struct ListedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    principal_id: Uuid,
    #[diesel(sql_type = Text)]
    principal_name: String,
    #[diesel(sql_type = Text)]
    principal_username: String,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
    #[diesel(sql_type = SqlUuid)]
    holder_id: Uuid,
    #[diesel(sql_type = Text)]
    holder_name: String,
    #[diesel(sql_type = Text)]
    holder_username: String,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    question_ids: Option<Vec<Uuid>>,
    #[diesel(sql_type = Nullable<Text>)]
    note: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    reference: Option<String>,
    #[diesel(sql_type = Timestamptz)]
    granted_at: DateTime<Utc>,
    #[diesel(sql_type = Text)]
    granted_by: String,
    #[diesel(sql_type = Bool)]
    is_by_principal: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    revoked_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Text>)]
    revoked_by: Option<String>,
    #[diesel(sql_type = Bool)]
    rests: bool,
}

impl From<ListedRow> for Proxy {
    fn from(row: ListedRow) -> Self {
        Self {
            id: ProxyId::from_uuid(row.id),
            principal: ProxyPerson {
                id: EndUserId::from_uuid(row.principal_id),
                name: row.principal_name,
                username: row.principal_username,
            },
            weight: row.weight.normalize(),
            holder: ProxyPerson {
                id: EndUserId::from_uuid(row.holder_id),
                name: row.holder_name,
                username: row.holder_username,
            },
            scope: scope_of(row.question_ids),
            note: row.note,
            reference: row.reference,
            granted_at: row.granted_at,
            granted_by: row.granted_by,
            is_by_principal: row.is_by_principal,
            revoked: row.revoked_at.zip(row.revoked_by),
            rests: row.rests,
        }
    }
}

/// `$3` is the person, `$4` whether revoked ones are listed, `$5` the pattern of the search. People are found by key: a list may
/// be newer than the statistics.
const FITTING: &str = concat!(
    "
    FROM proxies
    CROSS JOIN LATERAL (SELECT end_users.name, end_users.username, ",
    weight_by!("end_users", "(SELECT meetings.weight_kind_id::text FROM meetings WHERE meetings.id = $2)"),
    " AS weight FROM end_users
                        WHERE end_users.id = proxies.principal_id OFFSET 0) AS principal
    CROSS JOIN LATERAL (SELECT end_users.name, end_users.username FROM end_users
                        WHERE end_users.id = proxies.holder_id OFFSET 0) AS holder
    WHERE proxies.client_id = $1 AND proxies.meeting_id = $2
      AND ($3 IS NULL OR proxies.principal_id = $3 OR proxies.holder_id = $3)
      AND ($4 OR proxies.revoked_at IS NULL)
      AND ($5 IS NULL OR principal.name ILIKE $5 OR principal.username ILIKE $5 OR holder.name ILIKE $5
           OR holder.username ILIKE $5 OR proxies.reference ILIKE $5)"
);

impl Listed {
    fn pattern(&self) -> Option<String> {
        self.filter.search.as_ref().map(|search| search.as_like_pattern())
    }

    pub(super) fn load(&self, conn: &mut PgConnection) -> QueryResult<Vec<Proxy>> {
        let rows: Vec<ListedRow> = diesel::sql_query(format!(
            "SELECT proxies.id, proxies.principal_id, principal.name AS principal_name, \
                    principal.username AS principal_username, principal.weight, proxies.holder_id, \
                    holder.name AS holder_name, holder.username AS holder_username, proxies.question_ids, proxies.note, \
                    proxies.reference, proxies.granted_at, proxies.granted_by, proxies.is_by_principal, \
                    proxies.revoked_at, proxies.revoked_by, \
                    proxy_rests(proxies.meeting_id, proxies.principal_id) AS rests {FITTING} \
             ORDER BY lower(principal.name), proxies.granted_at, proxies.id LIMIT $6 OFFSET $7"
        ))
        .bind::<SqlUuid, _>(self.owner.as_uuid())
        .bind::<SqlUuid, _>(self.meeting.as_uuid())
        .bind::<Nullable<SqlUuid>, _>(self.person.map(EndUserId::as_uuid))
        .bind::<Bool, _>(self.filter.with_revoked)
        .bind::<Nullable<Text>, _>(self.pattern())
        .bind::<BigInt, _>(i64::from(self.filter.page.page_size))
        .bind::<BigInt, _>(self.filter.page.offset())
        .load(conn)?;
        Ok(rows.into_iter().map(Proxy::from).collect())
    }

    pub(super) fn count(&self, conn: &mut PgConnection) -> QueryResult<u64> {
        #[derive(QueryableByName)]
        struct Row {
            #[diesel(sql_type = BigInt)]
            total: i64,
        }
        let row: Row = diesel::sql_query(format!("SELECT count(*) AS total {FITTING}"))
            .bind::<SqlUuid, _>(self.owner.as_uuid())
            .bind::<SqlUuid, _>(self.meeting.as_uuid())
            .bind::<Nullable<SqlUuid>, _>(self.person.map(EndUserId::as_uuid))
            .bind::<Bool, _>(self.filter.with_revoked)
            .bind::<Nullable<Text>, _>(self.pattern())
            .get_result(conn)?;
        count(row.total)
    }
}
