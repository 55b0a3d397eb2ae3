//! The entries of the audit log about one meeting.

use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure};
use plenum_result_format::{ArchivedAudit, AuditFileEntry, AuditHead, MAX_ARCHIVED_ENTRIES, MeetingAudit, hexadecimal};
use tokio::time::sleep;
use uuid::Uuid;

use crate::Db;
use crate::audit::chain::AuditChains;
use crate::audit::rows::{AuditRow, natural};
use crate::audit::trail::state_of;
use crate::pool::failure::damaged;
use crate::schema::audit_entries;

/// The maximum number of concurrent readers: each may read a whole chain, and must leave connections to voters.
const READS: usize = 2;

/// The maximum number of attempts to link the client's last entries, such as the one about the meeting's end.
const LINKINGS: u32 = 20;

/// The pause between two attempts, because another instance may be linking.
const LINKING_PAUSE: Duration = Duration::from_millis(50);

/// The audit log of meetings in PostgreSQL.
#[derive(Clone)]
pub struct PostgresMeetingAudit {
    db: Db,
    chains: AuditChains,
}

impl PostgresMeetingAudit {
    /// The log of this database.
    pub fn new(db: &Db) -> Self {
        let db = db.at_most(READS);
        Self { chains: AuditChains::new(db.clone()), db }
    }

    async fn linked(&self, client: ClientId, meeting: MeetingId) -> Result<ArchivedAudit, PortFailure> {
        let (chain, meeting) = (client.as_uuid(), meeting.as_uuid());
        self.db.of(client).snapshot(move |conn| archived(conn, chain, meeting)).await
    }
}

#[async_trait]
impl MeetingAudit for PostgresMeetingAudit {
    async fn of_meeting(&self, client: ClientId, meeting: MeetingId) -> Result<ArchivedAudit, PortFailure> {
        let mut audit = self.linked(client, meeting).await?;
        for _ in 0..LINKINGS {
            if audit.waiting == 0 {
                break;
            }
            self.chains.link().await?;
            sleep(LINKING_PAUSE).await;
            audit = self.linked(client, meeting).await?;
        }
        Ok(audit)
    }
}

fn archived(conn: &mut PgConnection, chain: Uuid, meeting: Uuid) -> QueryResult<ArchivedAudit> {
    let state = state_of(conn, chain)?;
    let head = state.head.map(|(number, hash)| AuditHead { number, hash: hexadecimal(&hash) });
    let nothing = ArchivedAudit { head, waiting: state.waiting, left_out: 0, entries: Vec::new() };
    let Some(life) = Life::of(conn, chain, meeting)? else { return Ok(nothing) };
    let total: i64 = life.entries(chain, meeting).count().get_result(conn)?;
    let rows: Vec<AuditRow> = life
        .entries(chain, meeting)
        .order(audit_entries::number.desc())
        .limit(i64::from(MAX_ARCHIVED_ENTRIES))
        .select(AuditRow::as_select())
        .load(conn)?;
    let left_out = natural(total)?.saturating_sub(rows.len() as u64);
    let entries: QueryResult<Vec<AuditFileEntry>> = rows.into_iter().rev().map(linked).collect();
    Ok(ArchivedAudit { left_out, entries: entries?, ..nothing })
}

fn linked(row: AuditRow) -> QueryResult<AuditFileEntry> {
    let number = row.linked_number()?.ok_or_else(|| damaged("an entry without a number was asked for by it"))?;
    row.into_file_entry(number)
}

/// The titles and the time of a meeting, according to the log.
struct Life {
    titles: Vec<String>,
    from: DateTime<Utc>,
    /// The time of its deletion.
    until: Option<DateTime<Utc>>,
}

impl Life {
    fn of(conn: &mut PgConnection, chain: Uuid, meeting: Uuid) -> QueryResult<Option<Self>> {
        let own: Vec<(DateTime<Utc>, String, Option<String>)> = audit_entries::table
            .filter(audit_entries::chain.eq(chain))
            .filter(audit_entries::subject_kind.eq("meeting").and(audit_entries::subject_id.eq(meeting)))
            .order((audit_entries::noted_at, audit_entries::id))
            .select((audit_entries::noted_at, audit_entries::kind, audit_entries::subject_name))
            .load(conn)?;
        let Some(from) = own.first().map(|(at, ..)| *at) else { return Ok(None) };
        let until = own.iter().find(|(_, kind, _)| kind == "meeting_deleted").map(|(at, ..)| *at);
        let mut titles: Vec<String> = own.into_iter().filter_map(|(_, _, title)| title).collect();
        titles.sort();
        titles.dedup();
        Ok(Some(Self { titles, from, until }))
    }

    fn entries(&self, chain: Uuid, meeting: Uuid) -> audit_entries::BoxedQuery<'static, Pg> {
        let is_own = audit_entries::subject_kind.eq("meeting").and(audit_entries::subject_id.eq(meeting));
        let names_it = audit_entries::subject_kind
            .ne("meeting")
            .and(audit_entries::meeting_title.eq_any(self.titles.clone()).assume_not_null());
        let mut entries = audit_entries::table
            .filter(audit_entries::chain.eq(chain))
            .filter(audit_entries::number.is_not_null())
            .filter(audit_entries::noted_at.ge(self.from))
            .filter(is_own.assume_not_null().or(names_it))
            .into_boxed();
        if let Some(until) = self.until {
            entries = entries.filter(audit_entries::noted_at.le(until));
        }
        entries
    }
}
