use std::collections::HashMap;

use async_trait::async_trait;
use diesel::dsl::count_star;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, Page, PortFailure};
use plenum_meetings::{
    InvitationTarget, Meeting, MeetingClient, MeetingDecision, MeetingFilter, MeetingOverview, MeetingSort,
    MeetingStats, MeetingStatus, MeetingStore, UpdateMeetingError,
};
use uuid::Uuid;

use crate::Db;
use crate::db::{Abort, damaged};
use crate::meeting_rows::{MeetingRow, meeting_status, meeting_status_text};
use crate::round_rows::{end_running_round, show_question};
use crate::rows::{allow_long_removal, count, lower};
use crate::schema::{clients, end_users, meetings, participants, questions};

/// Meetings in PostgreSQL.
#[derive(Clone)]
pub struct PostgresMeetings {
    db: Db,
}

impl PostgresMeetings {
    /// Meetings in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl MeetingStore for PostgresMeetings {
    async fn add(&self, meeting: Meeting) -> Result<(), PortFailure> {
        self.db
            .run(move |conn| {
                diesel::insert_into(meetings::table).values(MeetingRow::from(&meeting)).execute(conn)?;
                Ok(())
            })
            .await
    }

    async fn find(&self, owner: ClientId, id: MeetingId) -> Result<Option<MeetingOverview>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let row = meetings::table
                    .find(id.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(MeetingRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(overviews(conn, owner, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn list(&self, owner: ClientId, filter: &MeetingFilter) -> Result<Page<MeetingOverview>, PortFailure> {
        let filter = filter.clone();
        self.db
            .snapshot(move |conn| {
                let mut query = fitting(owner, &filter).select(MeetingRow::as_select());
                query = match filter.sort {
                    MeetingSort::LatestFirst => {
                        query.order((meetings::scheduled_start_time.desc(), meetings::id.desc()))
                    }
                    MeetingSort::TitleAscending => query.order((lower(meetings::title).asc(), meetings::id.asc())),
                    MeetingSort::TitleDescending => query.order((lower(meetings::title).desc(), meetings::id.desc())),
                };
                if let Some(page) = filter.page {
                    query = query.limit(i64::from(page.page_size)).offset(page.offset());
                }
                let rows: Vec<MeetingRow> = query.load(conn)?;
                let total = match filter.page {
                    Some(_) => count(fitting(owner, &filter).count().get_result(conn)?)?,
                    None => rows.len() as u64,
                };
                Ok(Page { rows: overviews(conn, owner, rows)?, total })
            })
            .await
    }

    async fn stats(&self, owner: ClientId) -> Result<MeetingStats, PortFailure> {
        self.db
            .run(move |conn| {
                let by_status: Vec<(String, i64)> = meetings::table
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .group_by(meetings::status)
                    .select((meetings::status, count_star()))
                    .load(conn)?;
                let mut stats = MeetingStats::default();
                for (status, number) in by_status {
                    let number = count(number)?;
                    stats.total += number;
                    match meeting_status(&status)? {
                        MeetingStatus::Draft => stats.draft = number,
                        MeetingStatus::Scheduled => stats.scheduled = number,
                        MeetingStatus::Active => stats.active = number,
                        MeetingStatus::Completed => stats.completed = number,
                        MeetingStatus::Cancelled => stats.cancelled = number,
                    }
                }
                Ok(stats)
            })
            .await
    }

    async fn update(
        &self,
        owner: ClientId,
        id: MeetingId,
        decide: MeetingDecision,
    ) -> Result<Meeting, UpdateMeetingError> {
        self.db
            .transaction(move |conn| {
                let mut meeting = lock(conn, owner, id)?;
                let was_active = meeting.status == MeetingStatus::Active;
                decide(&mut meeting).map_err(|rule| Abort::Refused(rule.into()))?;
                diesel::update(meetings::table.find(id.as_uuid())).set(MeetingRow::from(&meeting)).execute(conn)?;
                if was_active && meeting.status != MeetingStatus::Active {
                    let ended_at = meeting.ended_at.ok_or_else(|| damaged("a meeting ended at no time"))?;
                    end_running_round(conn, id.as_uuid(), ended_at)?;
                    show_question(conn, id.as_uuid(), None)?;
                }
                Ok(meeting)
            })
            .await
    }

    async fn find_by_link(&self, link: &str) -> Result<Option<InvitationTarget>, PortFailure> {
        let link = link.to_owned();
        self.db
            .run(move |conn| {
                let found: Option<(MeetingRow, ClientColumns)> = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::invitation_link.eq(link))
                    .filter(clients::status.eq("ACTIVE"))
                    .select((MeetingRow::as_select(), (clients::id, clients::name, clients::client_code)))
                    .first(conn)
                    .optional()?;
                found
                    .map(|(row, client)| {
                        Ok(InvitationTarget { meeting: row.try_into()?, client: meeting_client(client) })
                    })
                    .transpose()
            })
            .await
    }

    async fn remove(&self, owner: ClientId, id: MeetingId) -> Result<(), UpdateMeetingError> {
        self.db
            .transaction(move |conn| {
                lock(conn, owner, id)?.check_removal().map_err(|rule| Abort::Refused(rule.into()))?;
                allow_long_removal(conn)?;
                diesel::delete(meetings::table.find(id.as_uuid())).execute(conn)?;
                Ok(())
            })
            .await
    }
}

/// Locks the client's meeting.
fn lock(conn: &mut PgConnection, owner: ClientId, id: MeetingId) -> Result<Meeting, Abort<UpdateMeetingError>> {
    let row: MeetingRow = meetings::table
        .find(id.as_uuid())
        .filter(meetings::client_id.eq(owner.as_uuid()))
        .select(MeetingRow::as_select())
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(UpdateMeetingError::NotFound))?;
    Ok(row.try_into()?)
}

/// The client's meetings that fit the filter, in no order.
fn fitting(owner: ClientId, filter: &MeetingFilter) -> meetings::BoxedQuery<'static, Pg> {
    let mut query = meetings::table.filter(meetings::client_id.eq(owner.as_uuid())).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(meetings::status.eq(meeting_status_text(status)));
    }
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(
            meetings::title
                .ilike(pattern.clone())
                // A missing description fits nothing, and is not the unknown of SQL.
                .or(meetings::description.is_not_null().and(meetings::description.assume_not_null().ilike(pattern))),
        );
    }
    query
}

type ClientColumns = (Uuid, String, String);

fn meeting_client((id, name, code): ClientColumns) -> MeetingClient {
    MeetingClient { id: ClientId::from_uuid(id), name, code }
}

/// Adds the client and the counts, by one statement each for all meetings together.
fn overviews(conn: &mut PgConnection, owner: ClientId, rows: Vec<MeetingRow>) -> QueryResult<Vec<MeetingOverview>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let owner = owner.as_uuid();
    let client: ClientColumns =
        clients::table.find(owner).select((clients::id, clients::name, clients::client_code)).first(conn)?;
    let client = meeting_client(client);
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let question_counts: HashMap<Uuid, i64> = questions::table
        .filter(questions::client_id.eq(owner).and(questions::meeting_id.eq_any(&ids)))
        .group_by(questions::meeting_id)
        .select((questions::meeting_id, count_star()))
        .load::<(Uuid, i64)>(conn)?
        .into_iter()
        .collect();
    let participant_counts: HashMap<Uuid, i64> = participants::table
        .filter(participants::meeting_id.eq_any(&ids))
        .group_by(participants::meeting_id)
        .select((participants::meeting_id, count_star()))
        .load::<(Uuid, i64)>(conn)?
        .into_iter()
        .collect();
    let everybody: i64 = if rows.iter().all(|row| row.has_participant_list) {
        0
    } else {
        end_users::table.filter(end_users::client_id.eq(owner).and(end_users::is_active)).count().get_result(conn)?
    };
    rows.into_iter()
        .map(|row| {
            let listed = participant_counts.get(&row.id).copied().unwrap_or_default();
            let invited = if row.has_participant_list { listed } else { everybody };
            let questions = question_counts.get(&row.id).copied().unwrap_or_default();
            Ok(MeetingOverview {
                meeting: row.try_into()?,
                client: client.clone(),
                participant_count: count(invited)?,
                question_count: count(questions)?,
            })
        })
        .collect()
}
