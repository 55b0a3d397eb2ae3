//! Purges of old evidence.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Jsonb, Nullable, Text, Uuid as SqlUuid};
use plenum_kernel::{MeetingId, PortFailure, RoundId};
use plenum_voting::{
    DuePurge, KnownTimes, PurgeDocuments, PurgeOrder, PurgeScope, PurgeStore, Purgeable, PurgeableMeeting, Purged,
    PurgedBy, RecordWriter, SealedRecord, StoredPurge,
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::natural;
use crate::pool::failure::damaged;
use crate::rows::columns::allow_long_removal;
use crate::schema::{
    amendments, audit_entries, clients, closing_records, meetings, purges, record_timestamps, result_records, rounds,
};
use crate::voting::purge_check::{separate, unchanged};
use crate::voting::purge_clock::known_times;
use crate::voting::purges_due::{DueSearch, Wanted, due_entries, due_meetings};

/// The maximum number of meetings of one purge: each stays locked until its end.
const AT_ONCE: i64 = 20;

/// Purges in PostgreSQL.
#[derive(Clone)]
pub struct PostgresPurges {
    db: Db,
    writer: Arc<dyn RecordWriter>,
}

impl PostgresPurges {
    /// The store on this database. `writer` writes the documents.
    pub fn new(db: Db, writer: Arc<dyn RecordWriter>) -> Self {
        Self { db, writer }
    }
}

#[async_trait]
impl PurgeStore for PostgresPurges {
    async fn due(&self, scope: PurgeScope, limit: u32) -> Result<DuePurge, PortFailure> {
        let writer = Arc::clone(&self.writer);
        self.db
            .platform()
            .snapshot(move |conn| {
                let search = DueSearch { scope, client: None, except: &[], limit: i64::from(limit) };
                let found = due_meetings(conn, search)?;
                let (meetings, refused) = separate(conn, &*writer, scope.before, found)?;
                let found = match Wanted::of(scope) {
                    Some(wanted) => due_entries(conn, scope.before, wanted, &[])?,
                    None => Vec::new(),
                };
                let entries: QueryResult<Vec<_>> =
                    found.into_iter().filter_map(|due| unchanged(conn, &due).transpose()).collect();
                Ok(DuePurge { meetings, refused, entries: entries? })
            })
            .await
    }

    async fn purge(
        &self,
        chain: Uuid,
        order: PurgeOrder,
        except: Vec<MeetingId>,
    ) -> Result<Option<Purged>, PortFailure> {
        let writer = Arc::clone(&self.writer);
        let part = Part { chain, except: except.into_iter().map(MeetingId::as_uuid).collect() };
        self.db.platform().transaction(move |conn| Ok(purge(conn, &*writer, &part, order)?)).await
    }

    async fn known_times(&self, before: DateTime<Utc>) -> Result<KnownTimes, PortFailure> {
        known_times(&self.db, before).await
    }
}

/// The documents of purges in PostgreSQL.
#[derive(Clone)]
pub struct PostgresPurgeDocuments {
    db: Db,
}

impl PostgresPurgeDocuments {
    /// The documents in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl PurgeDocuments for PostgresPurgeDocuments {
    async fn documents(&self, chain: Option<Uuid>) -> Result<Vec<StoredPurge>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let mut query = purges::table.order((purges::client_id, purges::number)).into_boxed();
                if let Some(chain) = chain {
                    query = query.filter(purges::client_id.eq(chain));
                }
                let rows: Vec<PurgeRow> = query.select(PurgeRow::as_select()).load(conn)?;
                rows.into_iter().map(StoredPurge::try_from).collect()
            })
            .await
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = purges, check_for_backend(Pg))]
struct PurgeRow {
    client_id: Uuid,
    number: i32,
    hash: String,
    signing_key: String,
    signature: Vec<u8>,
    document: String,
}

impl TryFrom<PurgeRow> for StoredPurge {
    type Error = diesel::result::Error;

    fn try_from(row: PurgeRow) -> QueryResult<Self> {
        let PurgeRow { client_id: chain, number, hash, signing_key: key, signature, document } = row;
        Ok(Self { chain, number: natural(number)?, sealed: SealedRecord { document, hash, key, signature } })
    }
}

/// The chain of a purge, and the meetings of its client that it leaves alone.
struct Part {
    chain: Uuid,
    except: Vec<Uuid>,
}

fn purge(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    part: &Part,
    order: PurgeOrder,
) -> QueryResult<Option<Purged>> {
    allow_long_removal(conn)?;
    take_turn(conn)?;
    let chain = part.chain;
    let ids = lock_due_meetings(conn, writer, part, order.scope)?;
    let meetings = purgeable(conn, chain, &ids)?;
    let found = match Wanted::of(order.scope) {
        Some(_) => due_entries(conn, order.scope.before, Wanted::Chain(chain), &ids)?.pop(),
        None => None,
    };
    let entries = found.map(|due| unchanged(conn, &due)).transpose()?.flatten();
    if meetings.is_empty() && entries.is_none() {
        return Ok(None);
    }
    let records = meetings.iter().map(|meeting| meeting.records.len() + meeting.closings.len()).sum::<usize>();
    let mut purged = Purged { meetings: meetings.len() as u64, records: records as u64, ..Purged::default() };
    let (number, previous_hash) = last_purge(conn, chain)?;
    let note = Note::of(&meetings, entries.as_ref().map(|entries| (entries.first, entries.last)), &order);
    let until = entries.as_ref().map(|entries| entries.last);
    let at = order.at;
    let number = number + 1;
    let sealed = writer.purge(Purgeable { chain, number: natural(number)?, previous_hash, order, meetings, entries });
    // First the document, without which the database refuses to remove anything.
    store(conn, NewPurge { chain, number, at, until, sealed: &sealed })?;
    purged.entries = remove(conn, chain, &ids, until)?;
    purged.document = sealed.hash;
    note.write(conn, chain, &purged.document)?;
    Ok(Some(purged))
}

/// One purge at a time, also of several instances.
fn take_turn(conn: &mut PgConnection) -> QueryResult<()> {
    diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended(current_schema()::text, 3))").execute(conn)?;
    Ok(())
}

/// The due meetings of a client, those that still exist locked: so that none of them gets a record or starts again. Those that
/// are due by their rows only are passed over.
fn lock_due_meetings(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    part: &Part,
    scope: PurgeScope,
) -> QueryResult<Vec<Uuid>> {
    let chain = part.chain;
    if chain.is_nil() {
        return Ok(Vec::new());
    }
    let mut passed_over = part.except.clone();
    loop {
        let search = DueSearch { scope, client: Some(chain), except: &passed_over, limit: AT_ONCE };
        let ids: Vec<Uuid> = due_meetings(conn, search)?.iter().map(|due| due.meeting.as_uuid()).collect();
        let of_client = meetings::table.filter(meetings::client_id.eq(chain).and(meetings::id.eq_any(&ids)));
        of_client.order(meetings::id).select(meetings::id).for_update().load::<Uuid>(conn)?;
        // Again, with the locks.
        let mut found = due_meetings(conn, search)?;
        found.retain(|due| ids.contains(&due.meeting.as_uuid()));
        let (proven, refused) = separate(conn, writer, scope.before, found)?;
        if !proven.is_empty() || refused.is_empty() {
            return Ok(proven.into_iter().map(|due| due.meeting.as_uuid()).collect());
        }
        passed_over.extend(refused.into_iter().map(|refused| refused.meeting.as_uuid()));
    }
}

/// The meetings with the hashes of what is removed.
fn purgeable(conn: &mut PgConnection, chain: Uuid, ids: &[Uuid]) -> QueryResult<Vec<PurgeableMeeting>> {
    let records: Vec<(Uuid, Uuid, i32, String)> = result_records::table
        .filter(result_records::client_id.eq(chain).and(result_records::meeting_id.eq_any(ids)))
        .order((result_records::meeting_id, result_records::number))
        .select((result_records::meeting_id, result_records::round_id, result_records::number, result_records::hash))
        .load(conn)?;
    let closings: Vec<(Uuid, i32, String)> = closing_records::table
        .filter(closing_records::client_id.eq(chain).and(closing_records::meeting_id.eq_any(ids)))
        .order((closing_records::meeting_id, closing_records::number))
        .select((closing_records::meeting_id, closing_records::number, closing_records::hash))
        .load(conn)?;
    let noted: Vec<(Uuid, i64)> = amendments::table
        .filter(amendments::client_id.eq(chain).and(amendments::meeting_id.eq_any(ids)))
        .group_by(amendments::meeting_id)
        .select((amendments::meeting_id, diesel::dsl::count_star()))
        .load(conn)?;
    let meeting = |id: &Uuid| {
        let of = |other: &Uuid| other == id;
        let records = records.iter().filter(|(meeting, ..)| of(meeting));
        let records: QueryResult<Vec<_>> = records
            .map(|(_, round, number, hash)| Ok((RoundId::from_uuid(*round), natural(*number)?, hash.clone())))
            .collect();
        let closings = closings.iter().filter(|(meeting, ..)| of(meeting));
        let closings: QueryResult<Vec<_>> =
            closings.map(|(_, number, hash)| Ok((natural(*number)?, hash.clone()))).collect();
        let amendments = noted.iter().find(|(meeting, _)| of(meeting)).map_or(0, |(_, number)| *number);
        Ok(PurgeableMeeting {
            meeting: MeetingId::from_uuid(*id),
            records: records?,
            closings: closings?,
            amendments: u32::try_from(amendments).map_err(damaged)?,
        })
    };
    ids.iter().map(meeting).collect()
}

/// The number and the hash of the last purge of a chain.
fn last_purge(conn: &mut PgConnection, chain: Uuid) -> QueryResult<(i32, Option<String>)> {
    let last: Option<(i32, String)> = purges::table
        .filter(purges::client_id.eq(chain))
        .order(purges::number.desc())
        .select((purges::number, purges::hash))
        .first(conn)
        .optional()?;
    Ok(last.map_or((0, None), |(number, hash)| (number, Some(hash))))
}

#[derive(Clone, Copy)]
struct NewPurge<'a> {
    chain: Uuid,
    number: i32,
    at: DateTime<Utc>,
    until: Option<u64>,
    sealed: &'a SealedRecord,
}

fn store(conn: &mut PgConnection, new: NewPurge<'_>) -> QueryResult<()> {
    let NewPurge { chain, number, at, until, sealed } = new;
    diesel::insert_into(purges::table)
        .values((
            purges::client_id.eq(chain),
            purges::number.eq(number),
            purges::hash.eq(&sealed.hash),
            purges::signing_key.eq(&sealed.key),
            purges::signature.eq(&sealed.signature),
            purges::purged_at.eq(at),
            purges::document.eq(&sealed.document),
            purges::audit_until.eq(until.map(i64::try_from).transpose().map_err(damaged)?),
            // The database itself writes the transaction.
            purges::made_in.eq(0_i64),
        ))
        .execute(conn)?;
    Ok(())
}

/// Removes what the document names, and returns the number of entries of the audit log.
fn remove(conn: &mut PgConnection, chain: Uuid, ids: &[Uuid], until: Option<u64>) -> QueryResult<u64> {
    diesel::delete(rounds::table.filter(rounds::client_id.eq(chain).and(rounds::meeting_id.eq_any(ids))))
        .execute(conn)?;
    diesel::delete(meetings::table.filter(meetings::client_id.eq(chain).and(meetings::id.eq_any(ids))))
        .execute(conn)?;
    let of_client = record_timestamps::client_id.eq(chain);
    diesel::delete(record_timestamps::table.filter(of_client.and(record_timestamps::meeting_id.eq_any(ids))))
        .execute(conn)?;
    let of_client = result_records::client_id.eq(chain);
    diesel::delete(result_records::table.filter(of_client.and(result_records::meeting_id.eq_any(ids))))
        .execute(conn)?;
    let of_client = closing_records::client_id.eq(chain);
    diesel::delete(closing_records::table.filter(of_client.and(closing_records::meeting_id.eq_any(ids))))
        .execute(conn)?;
    let of_client = amendments::client_id.eq(chain);
    diesel::delete(amendments::table.filter(of_client.and(amendments::meeting_id.eq_any(ids)))).execute(conn)?;
    let Some(until) = until else { return Ok(0) };
    let until = i64::try_from(until).map_err(damaged)?;
    let gone = audit_entries::table.filter(audit_entries::chain.eq(chain).and(audit_entries::number.le(until)));
    Ok(diesel::delete(gone).execute(conn)? as u64)
}

/// The entry of the audit log about a purge.
struct Note(Vec<Value>);

impl Note {
    fn of(meetings: &[PurgeableMeeting], entries: Option<(u64, u64)>, order: &PurgeOrder) -> Self {
        let by = match &order.by {
            PurgedBy::Rule => "retention rule".to_owned(),
            PurgedBy::Command(None) => "command".to_owned(),
            PurgedBy::Command(Some(operator)) => format!("command: {operator}"),
        };
        let mut changes = vec![json!(["by", null, by]), json!(["before", null, order.scope.before.to_rfc3339()])];
        for meeting in meetings {
            changes.push(json!(["meeting", meeting.meeting.to_string(), null]));
            changes.extend(meeting.records.iter().map(|(_, _, hash)| json!(["record", hash, null])));
            changes.extend(meeting.closings.iter().map(|(_, hash)| json!(["closing_record", hash, null])));
        }
        changes.extend(entries.map(|(first, last)| json!(["entries", format!("{first} to {last}"), null])));
        Self(changes)
    }

    /// Writes it into the log of the client and that of the platform. The log of a client that was deleted ends with its
    /// deletion.
    fn write(mut self, conn: &mut PgConnection, chain: Uuid, document: &str) -> QueryResult<()> {
        const WRITE: &str = "SELECT audit_event(audit_author(), 'evidence_purged', $1, $2, $3, $4, NULL, $5)";
        self.0.push(json!(["document", null, document]));
        let name: Option<String> = clients::table.find(chain).select(clients::name).first(conn).optional()?;
        let subject = if chain.is_nil() { "platform" } else { "client" };
        diesel::sql_query(WRITE)
            .bind::<Nullable<SqlUuid>, _>(name.is_some().then_some(chain))
            .bind::<Text, _>(subject)
            .bind::<Nullable<SqlUuid>, _>((!chain.is_nil()).then_some(chain))
            .bind::<Nullable<Text>, _>(name)
            .bind::<Jsonb, _>(Value::Array(self.0))
            .execute(conn)?;
        Ok(())
    }
}
