//! Records of declared results.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::{exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};
use plenum_result_format::hexadecimal;
use plenum_voting::{
    AmendmentGap, Contradiction, CountableRound, LostRecord, RecordHead, RecordLink, RecordStub, RecordTimes,
    RecordWriter, Recordable, ResultRecords, RoundPapers, RoundStatus, SealedRecord, Standings, StoredRecord,
    UnrecordedResult,
};
use uuid::Uuid;

use crate::Db;
use crate::audit::trail::{head_of, links_after};
use crate::meetings::closings::record_heads;
use crate::meetings::records::meeting_head;
use crate::meetings::rows::natural;
use crate::pool::failure::damaged;
use crate::schema::{result_records, rounds};
use crate::voting::record_facts;
use crate::voting::record_times::{amendment_gaps, record_times};
use crate::voting::results::{load_countable, load_papers};
use crate::voting::rows::round_status_text;
use crate::voting::steps::LockedMeeting;

/// The maximum number of results that one call lists for recording.
const AT_ONCE: i64 = 100;

/// Records in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRecords {
    db: Db,
    writer: Arc<dyn RecordWriter>,
}

impl PostgresRecords {
    /// The store on this database. `writer` writes records later.
    pub fn new(db: Db, writer: Arc<dyn RecordWriter>) -> Self {
        Self { db, writer }
    }
}

#[async_trait]
impl ResultRecords for PostgresRecords {
    async fn heads(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RecordHead>, PortFailure> {
        self.db.of(owner).run(move |conn| record_heads(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn times(&self, owner: ClientId, meeting: MeetingId) -> Result<RecordTimes, PortFailure> {
        self.db.of(owner).snapshot(move |conn| record_times(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn load(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        rounds: Vec<RoundId>,
    ) -> Result<Vec<StoredRecord>, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let ids: Vec<Uuid> = rounds.into_iter().map(RoundId::as_uuid).collect();
                let rows: Vec<RecordRow> = result_records::table
                    .filter(result_records::client_id.eq(owner.as_uuid()))
                    .filter(result_records::meeting_id.eq(meeting.as_uuid()))
                    .filter(result_records::round_id.eq_any(ids))
                    .order(result_records::number)
                    .select(RecordRow::as_select())
                    .load(conn)?;
                rows.into_iter().map(StoredRecord::try_from).collect()
            })
            .await
    }

    async fn find(&self, hash: &str) -> Result<Option<(ClientId, MeetingId)>, PortFailure> {
        let hash = hash.to_owned();
        self.db
            .platform()
            .run(move |conn| {
                let found: Option<(Uuid, Uuid)> = result_records::table
                    .filter(result_records::hash.eq(hash))
                    .select((result_records::client_id, result_records::meeting_id))
                    .first(conn)
                    .optional()?;
                Ok(found.map(|(client, meeting)| (ClientId::from_uuid(client), MeetingId::from_uuid(meeting))))
            })
            .await
    }

    async fn by_hashes(&self, hashes: Vec<String>) -> Result<Vec<RecordStub>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let rows: Vec<(String, i32, DateTime<Utc>, String, Vec<u8>)> = result_records::table
                    .filter(result_records::hash.eq_any(hashes))
                    .select((
                        result_records::hash,
                        result_records::number,
                        result_records::recorded_at,
                        result_records::signing_key,
                        result_records::signature,
                    ))
                    .load(conn)?;
                let stub = |(hash, number, recorded_at, key, signature)| {
                    Ok(RecordStub { hash, number: natural(number)?, recorded_at, key, signature })
                };
                rows.into_iter().map(stub).collect()
            })
            .await
    }

    async fn unrecorded(&self, before: DateTime<Utc>) -> Result<Vec<UnrecordedResult>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| {
                let has_record = exists(result_records::table.filter(result_records::round_id.eq(rounds::id)));
                let rows: Vec<(Uuid, Uuid, Uuid)> = rounds::table
                    .filter(rounds::status.eq(round_status_text(RoundStatus::Declared)))
                    .filter(rounds::declared_at.lt(before))
                    .filter(not(has_record))
                    .order((rounds::declared_at, rounds::id))
                    .limit(AT_ONCE)
                    .select((rounds::client_id, rounds::meeting_id, rounds::id))
                    .load(conn)?;
                let result = |(client, meeting, round)| UnrecordedResult {
                    client: ClientId::from_uuid(client),
                    meeting: MeetingId::from_uuid(meeting),
                    round: RoundId::from_uuid(round),
                };
                Ok(rows.into_iter().map(result).collect())
            })
            .await
    }

    async fn meetings(&self, owner: Option<ClientId>, limit: u32) -> Result<Vec<(ClientId, MeetingId)>, PortFailure> {
        let scope = owner.map_or_else(|| self.db.platform(), |owner| self.db.of(owner));
        scope.run(move |conn| record_facts::meetings(conn, owner.map(ClientId::as_uuid), i64::from(limit))).await
    }

    async fn audit_hash(&self, owner: ClientId, number: u64) -> Result<Option<String>, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let after = number.saturating_sub(1);
                let Some(entry) = links_after(conn, owner.as_uuid(), after, 1)?.pop() else { return Ok(None) };
                if entry.linked_number()? != Some(number) {
                    return Ok(None);
                }
                Ok(Some(entry.into_file_entry(number)?.hash))
            })
            .await
    }

    async fn standings(&self, owner: ClientId, meeting: MeetingId) -> Result<Standings, PortFailure> {
        let platform = self.db.platform();
        platform.run(move |conn| record_facts::standings(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn contradictions(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<Contradiction>, PortFailure> {
        let own = self.db.of(owner);
        own.run(move |conn| record_facts::contradictions(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn amendment_gaps(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<AmendmentGap>, PortFailure> {
        self.db.of(owner).run(move |conn| amendment_gaps(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn orphans(&self, owner: ClientId, meeting: MeetingId) -> Result<Vec<RoundId>, PortFailure> {
        let own = self.db.of(owner);
        own.run(move |conn| record_facts::orphans(conn, owner.as_uuid(), meeting.as_uuid())).await
    }

    async fn lost(&self, owner: Option<ClientId>) -> Result<Vec<LostRecord>, PortFailure> {
        let scope = owner.map_or_else(|| self.db.platform(), |owner| self.db.of(owner));
        scope.run(move |conn| record_facts::lost(conn, owner.map(ClientId::as_uuid))).await
    }

    async fn record_later(&self, result: UnrecordedResult, now: DateTime<Utc>) -> Result<(), PortFailure> {
        let writer = Arc::clone(&self.writer);
        self.db.of(result.client).transaction(move |conn| Ok(record_later(conn, &*writer, result, now)?)).await
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = result_records, check_for_backend(Pg))]
pub(crate) struct RecordRow {
    round_id: Uuid,
    client_id: Uuid,
    meeting_id: Uuid,
    number: i32,
    hash: String,
    signing_key: String,
    signature: Vec<u8>,
    document: String,
}

impl TryFrom<RecordRow> for StoredRecord {
    type Error = diesel::result::Error;

    fn try_from(row: RecordRow) -> QueryResult<Self> {
        let RecordRow { document, hash, signing_key: key, signature, .. } = row;
        Ok(Self {
            client: ClientId::from_uuid(row.client_id),
            meeting: MeetingId::from_uuid(row.meeting_id),
            round: RoundId::from_uuid(row.round_id),
            number: natural(row.number)?,
            sealed: SealedRecord { document, hash, key, signature },
        })
    }
}

/// A declared round that gets its record.
pub(crate) struct NewRecord {
    /// The count of the round in its state after the declaration.
    pub(crate) papers: RoundPapers,
    /// The time of the record.
    pub(crate) at: DateTime<Utc>,
    /// Whether it was declared before there were records.
    pub(crate) is_later: bool,
}

/// Counts a round with its register.
pub(crate) fn count_papers(conn: &mut PgConnection, round: CountableRound) -> QueryResult<RoundPapers> {
    let register = load_papers(conn, round.round.id.as_uuid())?;
    Ok(RoundPapers::count(round, register))
}

/// Writes the record of a round in its locked meeting, and returns its hash.
pub(crate) fn write_record(conn: &mut PgConnection, writer: &dyn RecordWriter, new: NewRecord) -> QueryResult<String> {
    let NewRecord { papers, at, is_later } = new;
    let round = &papers.result.result.result.round;
    let (client, id) = (round.client_id, round.id);
    let (owner, meeting) = (client.as_uuid(), round.meeting_id.as_uuid());
    let head = meeting_head(conn, owner, meeting)?.ok_or_else(|| damaged("a locked meeting is gone"))?;
    let is_test: bool = rounds::table.find(id.as_uuid()).select(rounds::is_test).first(conn)?;
    let link = link_of(conn, owner, meeting)?;
    let number = i32::try_from(link.number).map_err(|_| damaged("a meeting has too many records"))?;
    let sealed = writer.seal(Recordable { client, meeting: head, papers, link, at, is_later });
    diesel::insert_into(result_records::table)
        .values((
            result_records::round_id.eq(id.as_uuid()),
            result_records::client_id.eq(owner),
            result_records::meeting_id.eq(meeting),
            result_records::number.eq(number),
            result_records::hash.eq(&sealed.hash),
            result_records::signing_key.eq(&sealed.key),
            result_records::signature.eq(&sealed.signature),
            result_records::recorded_at.eq(at),
            result_records::document.eq(&sealed.document),
            result_records::is_test.eq(is_test),
        ))
        .execute(conn)?;
    Ok(sealed.hash)
}

/// The links of the next record of a meeting.
fn link_of(conn: &mut PgConnection, client: Uuid, meeting: Uuid) -> QueryResult<RecordLink> {
    let last: Option<(i32, String)> = result_records::table
        .filter(result_records::client_id.eq(client).and(result_records::meeting_id.eq(meeting)))
        .order(result_records::number.desc())
        .select((result_records::number, result_records::hash))
        .first(conn)
        .optional()?;
    let (number, previous_hash) = match last {
        Some((number, hash)) => (natural(number)?, Some(hash)),
        None => (0, None),
    };
    let audit_head = head_of(conn, client)?.map(|(number, hash)| (number, hexadecimal(&hash)));
    Ok(RecordLink { number: number + 1, previous_hash, audit_head })
}

fn record_later(
    conn: &mut PgConnection,
    writer: &dyn RecordWriter,
    result: UnrecordedResult,
    now: DateTime<Utc>,
) -> QueryResult<()> {
    // Another instance may be recording the same round.
    if LockedMeeting::lock(conn, result.client.as_uuid(), result.meeting.as_uuid())?.is_none() {
        return Ok(());
    }
    let is_recorded = exists(result_records::table.find(result.round.as_uuid()));
    if diesel::select(is_recorded).get_result(conn)? {
        return Ok(());
    }
    let round = load_countable(conn, result.client, result.meeting, result.round)?;
    if let Some(round) = round.filter(|found| found.round.status == RoundStatus::Declared) {
        let papers = count_papers(conn, round)?;
        write_record(conn, writer, NewRecord { papers, at: now, is_later: true })?;
    }
    Ok(())
}
