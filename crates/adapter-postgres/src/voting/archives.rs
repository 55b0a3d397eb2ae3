use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ArchiveId, MeetingId, Page, PageRequest, PortFailure};
use plenum_voting::{Archives, ImportedArchive};
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::natural;
use crate::pool::failure::{Abort, damaged};
use crate::rows::columns::count;
use crate::schema::archives;

/// Imported archives in PostgreSQL.
#[derive(Clone)]
pub struct PostgresArchives {
    db: Db,
}

impl PostgresArchives {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = archives, check_for_backend(Pg))]
struct ArchiveRow {
    id: Uuid,
    hash: String,
    organization_id: Uuid,
    organization: String,
    meeting_id: Uuid,
    title: String,
    scheduled_start: Option<DateTime<Utc>>,
    rounds: i32,
    signing_key: String,
    is_origin_known: bool,
    archived_at: DateTime<Utc>,
    imported_at: DateTime<Utc>,
}

impl TryFrom<ArchiveRow> for ImportedArchive {
    type Error = diesel::result::Error;

    fn try_from(row: ArchiveRow) -> QueryResult<Self> {
        Ok(Self {
            id: ArchiveId::from_uuid(row.id),
            hash: row.hash,
            organization_id: row.organization_id,
            organization: row.organization,
            meeting: MeetingId::from_uuid(row.meeting_id),
            title: row.title,
            scheduled_start: row.scheduled_start,
            rounds: natural(row.rounds)?,
            key: row.signing_key,
            is_origin_known: row.is_origin_known,
            archived_at: row.archived_at,
            imported_at: row.imported_at,
        })
    }
}

#[async_trait]
impl Archives for PostgresArchives {
    async fn keep(&self, archive: ImportedArchive, content: Vec<u8>) -> Result<bool, PortFailure> {
        self.db
            .platform()
            .transaction(move |conn| {
                let row = ArchiveRow {
                    id: archive.id.as_uuid(),
                    hash: archive.hash,
                    organization_id: archive.organization_id,
                    organization: archive.organization,
                    meeting_id: archive.meeting.as_uuid(),
                    title: archive.title,
                    scheduled_start: archive.scheduled_start,
                    rounds: i32::try_from(archive.rounds).map_err(damaged)?,
                    signing_key: archive.key,
                    is_origin_known: archive.is_origin_known,
                    archived_at: archive.archived_at,
                    imported_at: archive.imported_at,
                };
                let kept = diesel::insert_into(archives::table)
                    .values((row, archives::content.eq(content)))
                    .on_conflict_do_nothing()
                    .execute(conn)?;
                Ok(kept > 0)
            })
            .await
    }

    async fn list(&self, page: PageRequest) -> Result<Page<ImportedArchive>, PortFailure> {
        self.db
            .platform()
            .snapshot(move |conn| {
                let rows: Vec<ArchiveRow> = archives::table
                    .select(ArchiveRow::as_select())
                    .order((archives::imported_at.desc(), archives::id.desc()))
                    .limit(i64::from(page.page_size))
                    .offset(page.offset())
                    .load(conn)?;
                let total: i64 = archives::table.count().get_result(conn)?;
                let rows: QueryResult<Vec<ImportedArchive>> = rows.into_iter().map(ImportedArchive::try_from).collect();
                Ok(Page { rows: rows?, total: count(total)? })
            })
            .await
    }

    async fn content(&self, id: ArchiveId) -> Result<Option<Vec<u8>>, PortFailure> {
        self.db
            .platform()
            .run(move |conn| archives::table.find(id.as_uuid()).select(archives::content).first(conn).optional())
            .await
    }

    async fn remove(&self, id: ArchiveId) -> Result<bool, PortFailure> {
        let removed = self.db.platform().transaction(move |conn| {
            Ok::<_, Abort<PortFailure>>(diesel::delete(archives::table.find(id.as_uuid())).execute(conn)?)
        });
        Ok(removed.await? > 0)
    }
}
