//! How the presentation shows the answers to text questions.

use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, PortFailure, RoundId};
use plenum_voting::{
    AnswerCuration, AnswerGroup, AnswerId, CurateError, CurationChange, CurationContext, CurationStore, GroupName,
    StoredCuration, decide_curation,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Db;
use crate::meetings::rows::natural;
use crate::pool::failure::{Abort, damaged};
use crate::schema::{answer_curations, rounds};
use crate::voting::steps::LockedMeeting;

/// Curations in PostgreSQL.
#[derive(Clone)]
pub struct PostgresCurations {
    db: Db,
}

impl PostgresCurations {
    /// The store on this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl CurationStore for PostgresCurations {
    async fn find(&self, owner: ClientId, meeting: MeetingId, round: RoundId) -> Result<StoredCuration, PortFailure> {
        self.db
            .of(owner)
            .run(move |conn| {
                let row: Option<CurationRow> = answer_curations::table
                    .inner_join(rounds::table.on(rounds::id.eq(answer_curations::round_id)))
                    .filter(answer_curations::client_id.eq(owner.as_uuid()))
                    .filter(answer_curations::round_id.eq(round.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .select(CurationRow::as_select())
                    .first(conn)
                    .optional()?;
                row.map_or_else(|| Ok(StoredCuration::default()), StoredCuration::try_from)
            })
            .await
    }

    async fn replace(&self, change: CurationChange) -> Result<(StoredCuration, bool), CurateError> {
        self.db.of(change.owner).transaction(move |conn| replace(conn, &change)).await
    }
}

/// The version of the curation of a round, if it shows answers.
pub(crate) fn shown_version(conn: &mut PgConnection, round: Uuid) -> QueryResult<Option<u32>> {
    let version: Option<i32> = answer_curations::table
        .find(round)
        .filter(answer_curations::is_shown)
        .select(answer_curations::version)
        .first(conn)
        .optional()?;
    version.map(natural).transpose()
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = answer_curations, check_for_backend(Pg))]
struct CurationRow {
    round_id: Uuid,
    client_id: Uuid,
    version: i32,
    is_shown: bool,
    picked: Value,
    groups: Value,
    hidden: Value,
}

/// A group in a column: its heading and the ids of its answers.
type GroupColumn = (String, Vec<String>);

impl TryFrom<CurationRow> for StoredCuration {
    type Error = diesel::result::Error;

    fn try_from(row: CurationRow) -> QueryResult<Self> {
        let groups: Vec<GroupColumn> = serde_json::from_value(row.groups).map_err(damaged)?;
        let groups = groups
            .into_iter()
            .map(|(name, answers)| Ok(AnswerGroup { name: GroupName::from_stored(name), answers: read_ids(answers)? }));
        let curation = AnswerCuration {
            is_shown: row.is_shown,
            picked: read_ids(serde_json::from_value(row.picked).map_err(damaged)?)?,
            groups: groups.collect::<QueryResult<_>>()?,
            hidden: read_ids(serde_json::from_value(row.hidden).map_err(damaged)?)?,
        };
        Ok(Self { version: natural(row.version)?, curation })
    }
}

impl CurationRow {
    fn new(round: RoundId, client: ClientId, stored: &StoredCuration) -> QueryResult<Self> {
        let StoredCuration { version, curation } = stored;
        let groups: Vec<GroupColumn> =
            curation.groups.iter().map(|group| (group.name.as_str().to_owned(), texts(&group.answers))).collect();
        Ok(Self {
            round_id: round.as_uuid(),
            client_id: client.as_uuid(),
            version: i32::try_from(*version).map_err(damaged)?,
            is_shown: curation.is_shown,
            picked: Value::from(texts(&curation.picked)),
            groups: serde_json::to_value(groups).map_err(damaged)?,
            hidden: Value::from(texts(&curation.hidden)),
        })
    }
}

fn texts(ids: &[AnswerId]) -> Vec<String> {
    ids.iter().map(AnswerId::to_string).collect()
}

fn read_ids(texts: Vec<String>) -> QueryResult<Vec<AnswerId>> {
    let read = |text: String| AnswerId::parse(&text).ok_or_else(|| damaged(format!("{text} is no id of an answer")));
    texts.into_iter().map(read).collect()
}

fn replace(conn: &mut PgConnection, change: &CurationChange) -> Result<(StoredCuration, bool), Abort<CurateError>> {
    let missing = || Abort::Refused(CurateError::RoundNotFound);
    // A re-vote and other changes of this curation wait for the same lock.
    let locked = LockedMeeting::lock(conn, change.owner.as_uuid(), change.meeting.as_uuid())?.ok_or_else(missing)?;
    let round = change.round.as_uuid();
    let found: Option<(Uuid, i32)> = rounds::table
        .find(round)
        .filter(rounds::meeting_id.eq(locked.id))
        .select((rounds::question_id, rounds::number))
        .first(conn)
        .optional()?;
    let (question, number) = found.ok_or_else(missing)?;
    let later = rounds::table.filter(rounds::question_id.eq(question).and(rounds::number.gt(number)));
    let is_superseded = diesel::select(exists(later)).get_result(conn)?;
    let row: Option<CurationRow> =
        answer_curations::table.find(round).select(CurationRow::as_select()).first(conn).optional()?;
    let stored = row.map(StoredCuration::try_from).transpose()?.unwrap_or_default();
    let context = CurationContext { stored, is_superseded };
    let decided = decide_curation(&context, change.seen, &change.curation);
    let Some(new) = decided.map_err(|rule| Abort::Refused(rule.into()))? else { return Ok((context.stored, false)) };
    let row = CurationRow::new(change.round, change.owner, &new)?;
    diesel::insert_into(answer_curations::table)
        .values(&row)
        .on_conflict(answer_curations::round_id)
        .do_update()
        .set(&row)
        .execute(conn)?;
    Ok((new, true))
}
