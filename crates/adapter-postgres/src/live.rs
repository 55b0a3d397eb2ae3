use async_trait::async_trait;
use diesel::dsl::exists;
use diesel::prelude::*;
use plenum_kernel::{ClientId, EndUserId, MeetingId, PortFailure, QuestionId, RoundId};
use plenum_meetings::Meeting;
use plenum_meetings::live::{LiveFacts, LiveQuestion, LiveRound, LiveSource};
use uuid::Uuid;

use crate::Db;
use crate::meeting_rows::{MeetingRow, QuestionRow, natural, question_type};
use crate::round_rows::{RoundRow, last_round, votes_cast};
use crate::rows::count;
use crate::schema::{clients, meetings, options, questions, round_options, votes};

/// The live picture of meetings, from PostgreSQL.
#[derive(Clone)]
pub struct PostgresLive {
    db: Db,
}

impl PostgresLive {
    /// Pictures of what is in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl LiveSource for PostgresLive {
    async fn load(&self, meeting: MeetingId) -> Result<Option<LiveFacts>, PortFailure> {
        self.db.snapshot(move |conn| load(conn, meeting.as_uuid())).await
    }

    async fn votes_cast(&self, round: RoundId) -> Result<u64, PortFailure> {
        self.db.run(move |conn| votes_cast(conn, round.as_uuid())).await
    }

    async fn has_voted(&self, round: RoundId, voter: EndUserId) -> Result<bool, PortFailure> {
        self.db
            .run(move |conn| {
                let vote = votes::table
                    .filter(votes::round_id.eq(round.as_uuid()))
                    .filter(votes::end_user_id.eq(voter.as_uuid()));
                diesel::select(exists(vote)).get_result(conn)
            })
            .await
    }

    async fn who_voted(&self, round: RoundId) -> Result<Vec<EndUserId>, PortFailure> {
        self.db
            .run(move |conn| {
                let voters: Vec<Uuid> = votes::table
                    .filter(votes::round_id.eq(round.as_uuid()))
                    .order(votes::end_user_id)
                    .select(votes::end_user_id)
                    .load(conn)?;
                Ok(voters.into_iter().map(EndUserId::from_uuid).collect())
            })
            .await
    }
}

fn load(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<Option<LiveFacts>> {
    type Found = (MeetingRow, Option<Uuid>, Uuid, String, String);
    let found: Option<Found> = meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting))
        // The screens of an organization that is not active go dark with its sessions.
        .filter(clients::status.eq("ACTIVE"))
        .select((
            MeetingRow::as_select(),
            meetings::current_question_id,
            clients::id,
            clients::name,
            clients::client_code,
        ))
        .first(conn)
        .optional()?;
    let Some((row, current, client, client_name, client_code)) = found else { return Ok(None) };
    let question_count: i64 = questions::table
        .filter(questions::client_id.eq(client).and(questions::meeting_id.eq(meeting)))
        .count()
        .get_result(conn)?;
    let question = current.map(|question| live_question(conn, meeting, question)).transpose()?;
    let meeting = Meeting::try_from(row)?;
    Ok(Some(LiveFacts {
        meeting_id: meeting.id,
        client_id: ClientId::from_uuid(client),
        client_name,
        client_code,
        title: meeting.title.as_str().to_owned(),
        description: meeting.description.map(|text| text.as_str().to_owned()),
        status: meeting.status,
        scheduled_start: meeting.schedule.start(),
        scheduled_end: meeting.schedule.end(),
        question_count: count(question_count)?,
        question,
    }))
}

/// The question in the words of its round while that is open, else as it stands on the agenda.
fn live_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<LiveQuestion> {
    let row = questions::table.find(question).select(QuestionRow::as_select()).first(conn)?;
    let last = last_round(conn, meeting, question)?;
    let round = last.as_ref().map(|last| live_round(conn, last)).transpose()?;
    let (text, kind, rating_max, max_choices, options) = match last.filter(RoundRow::is_open) {
        Some(open) => {
            let options = round_options::table
                .filter(round_options::round_id.eq(open.id))
                .order(round_options::position)
                .select(round_options::option_text)
                .load(conn)?;
            (open.question_text, open.question_type, open.rating_max, open.max_choices, options)
        }
        None => {
            let options = options::table
                .filter(options::question_id.eq(question))
                .order(options::position)
                .select(options::option_text)
                .load(conn)?;
            (row.question_text, row.question_type, row.rating_max, row.max_choices, options)
        }
    };
    Ok(LiveQuestion {
        id: QuestionId::from_uuid(question),
        text,
        question_type: question_type(&kind)?,
        options,
        rating_max: rating_max.map(natural).transpose()?,
        max_choices: max_choices.map(natural).transpose()?,
        position: natural(row.position)?,
        round,
    })
}

fn live_round(conn: &mut PgConnection, row: &RoundRow) -> QueryResult<LiveRound> {
    Ok(LiveRound {
        id: RoundId::from_uuid(row.id),
        is_open: row.is_open(),
        opened_at: row.opened_at,
        register_size: u64::from(natural(row.register_heads)?),
        votes_cast: votes_cast(conn, row.id)?,
    })
}
