use async_trait::async_trait;
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure};
use plenum_meetings::{Invitation, Meeting, MeetingStatus, VoterMeetings};

use crate::Db;
use crate::meeting_rows::{MeetingRow, meeting_status_text};
use crate::schema::{clients, meetings, participants};

/// What voters may know of meetings, in PostgreSQL.
#[derive(Clone)]
pub struct PostgresVoterMeetings {
    db: Db,
}

impl PostgresVoterMeetings {
    /// Meetings in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

/// The rows that put `voter` on the list of the meeting in the surrounding query.
#[diesel::dsl::auto_type]
fn listings(voter: uuid::Uuid) -> _ {
    participants::table.filter(participants::meeting_id.eq(meetings::id)).filter(participants::end_user_id.eq(voter))
}

#[async_trait]
impl VoterMeetings for PostgresVoterMeetings {
    async fn list(&self, client: ClientId, voter: EndUserId) -> Result<Vec<Meeting>, PortFailure> {
        self.db
            .run(move |conn| {
                let is_running = meetings::status.eq(meeting_status_text(MeetingStatus::Active));
                let rows: Vec<MeetingRow> = meetings::table
                    .filter(meetings::client_id.eq(client.as_uuid()))
                    .filter(meetings::status.ne(meeting_status_text(MeetingStatus::Draft)))
                    .filter(not(meetings::has_participant_list).or(exists(listings(voter.as_uuid()))))
                    .order((is_running.desc(), meetings::scheduled_start_time, meetings::id))
                    .select(MeetingRow::as_select())
                    .load(conn)?;
                rows.into_iter().map(Meeting::try_from).collect()
            })
            .await
    }

    async fn find(&self, client: ClientId, voter: EndUserId, id: MeetingId) -> Result<Option<Invitation>, PortFailure> {
        self.db
            .run(move |conn| {
                let found: Option<(MeetingRow, String, bool)> = meetings::table
                    .inner_join(clients::table)
                    .filter(meetings::id.eq(id.as_uuid()))
                    .filter(meetings::client_id.eq(client.as_uuid()))
                    .filter(meetings::status.ne(meeting_status_text(MeetingStatus::Draft)))
                    .select((
                        MeetingRow::as_select(),
                        clients::name,
                        not(meetings::has_participant_list).or(exists(listings(voter.as_uuid()))),
                    ))
                    .first(conn)
                    .optional()?;
                found
                    .map(|(row, organization, is_invited)| {
                        Ok(Invitation { meeting: row.try_into()?, organization, is_invited })
                    })
                    .transpose()
            })
            .await
    }
}
