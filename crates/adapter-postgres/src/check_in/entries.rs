//! Stored entries about who came and went.

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{EndUserId, PresenceEntryId};
use plenum_meetings::{PresenceEntry, PresenceKind, PresenceRole};
use uuid::Uuid;

use crate::meetings::rows::natural;
use crate::pool::failure::damaged;
use crate::schema::presence_entries;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = presence_entries, check_for_backend(Pg))]
pub(super) struct EntryRow {
    pub(super) meeting_id: Uuid,
    pub(super) number: i32,
    pub(super) client_id: Uuid,
    pub(super) id: Uuid,
    pub(super) end_user_id: Uuid,
    pub(super) username: String,
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) happened_at: DateTime<Utc>,
    pub(super) noted_at: DateTime<Utc>,
    pub(super) by_role: String,
    pub(super) by_name: String,
}

impl TryFrom<EntryRow> for PresenceEntry {
    type Error = diesel::result::Error;

    fn try_from(row: EntryRow) -> QueryResult<Self> {
        Ok(Self {
            id: PresenceEntryId::from_uuid(row.id),
            number: natural(row.number)?,
            end_user: EndUserId::from_uuid(row.end_user_id),
            username: row.username,
            name: row.name,
            kind: kind(&row.kind)?,
            at: row.happened_at,
            noted_at: row.noted_at,
            role: role(&row.by_role)?,
            by: row.by_name,
        })
    }
}

pub(super) fn kind_text(kind: PresenceKind) -> &'static str {
    match kind {
        PresenceKind::In => "IN",
        PresenceKind::Out => "OUT",
    }
}

fn kind(text: &str) -> QueryResult<PresenceKind> {
    match text {
        "IN" => Ok(PresenceKind::In),
        "OUT" => Ok(PresenceKind::Out),
        other => Err(damaged(format!("presence_entries.kind is {other}"))),
    }
}

fn role(text: &str) -> QueryResult<PresenceRole> {
    match text {
        "ORGANIZER" => Ok(PresenceRole::Organizer),
        "DESK" => Ok(PresenceRole::Desk),
        "SELF" => Ok(PresenceRole::Person),
        other => Err(damaged(format!("presence_entries.by_role is {other}"))),
    }
}

/// The entry with this number.
pub(super) fn entry(conn: &mut PgConnection, meeting: Uuid, number: i32) -> QueryResult<PresenceEntry> {
    let row: EntryRow = presence_entries::table.find((meeting, number)).select(EntryRow::as_select()).first(conn)?;
    row.try_into()
}
