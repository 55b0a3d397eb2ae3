//! Whether the elected of declared elections accept, and who has the seats then.

use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{ClientId, MeetingId, RoundId};
use plenum_voting::{
    DrawnLot, NewSeatAnswer, NotedSeatAnswer, Round, RoundPapers, RoundStatus, SeatAnswer, SeatAnswerContext,
    SeatAnswerError, SeatAnswerRequest, Succession, decide_seat_answer,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::meetings::questions::has_next_ballot;
use crate::meetings::rows::{natural, number};
use crate::pool::failure::{Abort, damaged};
use crate::schema::{rounds, seat_answers};
use crate::voting::records::count_papers;
use crate::voting::results::load_countable;
use crate::voting::round_log::account_name;
use crate::voting::rows::round_status_text;
use crate::voting::steps::LockedMeeting;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = seat_answers, check_for_backend(Pg))]
struct SeatAnswerRow {
    round_id: Uuid,
    number: i32,
    client_id: Uuid,
    candidate: i32,
    answer: String,
    noted_at: DateTime<Utc>,
    noted_by: String,
    is_continued: bool,
    before: Value,
    seated: Value,
    drawn: Value,
    tied: Value,
}

#[derive(Serialize, Deserialize)]
struct StoredLot {
    stage: u32,
    order: Vec<u32>,
    is_of_lists: bool,
}

/// The noted answers of a meeting, the earliest first.
pub(crate) fn load_seat_answers(
    conn: &mut PgConnection,
    owner: ClientId,
    meeting: MeetingId,
) -> QueryResult<Vec<NotedSeatAnswer>> {
    let rows: Vec<SeatAnswerRow> = seat_answers::table
        .inner_join(rounds::table.on(rounds::id.eq(seat_answers::round_id)))
        .filter(seat_answers::client_id.eq(owner.as_uuid()))
        .filter(rounds::client_id.eq(owner.as_uuid()).and(rounds::meeting_id.eq(meeting.as_uuid())))
        .order((seat_answers::noted_at, seat_answers::number))
        .select(SeatAnswerRow::as_select())
        .load(conn)?;
    rows.into_iter().map(NotedSeatAnswer::try_from).collect()
}

/// Notes an answer in its locked meeting. Returns whether it is new.
pub(crate) fn store_seat_answer(conn: &mut PgConnection, new: NewSeatAnswer) -> Result<bool, Abort<SeatAnswerError>> {
    let SeatAnswerRequest { owner, meeting, round, by, candidate, answer } = new.request;
    let missing = || Abort::Refused(SeatAnswerError::RoundNotFound);
    let locked = LockedMeeting::lock(conn, owner.as_uuid(), meeting.as_uuid())?.ok_or_else(missing)?;
    let found = load_countable(conn, owner, meeting, round)?.ok_or_else(missing)?;
    if is_superseded(conn, (owner, meeting), &found.round)? {
        return Err(Abort::Refused(SeatAnswerError::Superseded));
    }
    let papers: RoundPapers = count_papers(conn, found)?;
    let rows: Vec<SeatAnswerRow> = seat_answers::table
        .filter(seat_answers::round_id.eq(round.as_uuid()))
        .order(seat_answers::number)
        .select(SeatAnswerRow::as_select())
        .load(conn)?;
    let noted: Vec<NotedSeatAnswer> = rows.into_iter().map(NotedSeatAnswer::try_from).collect::<QueryResult<_>>()?;
    let at = locked.time(conn, new.at)?;
    let is_continued = has_next_ballot(conn, locked.id, round)?;
    let context = SeatAnswerContext { papers: &papers, noted: &noted, is_continued };
    let decided = decide_seat_answer(context, (candidate, answer)).map_err(Abort::Refused)?;
    let Some((before, succession)) = decided else { return Ok(false) };
    let Succession { seated, drawn, tied } = succession;
    let drawn: Vec<StoredLot> = drawn
        .into_iter()
        .map(|DrawnLot { stage, order, is_of_lists }| StoredLot { stage, order, is_of_lists })
        .collect();
    let row = SeatAnswerRow {
        round_id: round.as_uuid(),
        number: i32::try_from(noted.len() + 1).map_err(damaged)?,
        client_id: owner.as_uuid(),
        candidate: number(candidate),
        answer: answer_text(answer).to_owned(),
        // Answers follow one another by their times, also where the clocks of servers differ.
        noted_at: noted.last().map_or(at, |last| last.at.max(at)),
        noted_by: account_name(conn, by.as_uuid())?,
        is_continued,
        before: Value::from(before),
        seated: Value::from(seated),
        drawn: serde_json::to_value(drawn).map_err(damaged)?,
        tied: Value::from(tied),
    };
    diesel::insert_into(seat_answers::table).values(row).execute(conn)?;
    Ok(true)
}

/// Whether a re-vote is declared: of this ballot, or of one that it continues.
fn is_superseded(conn: &mut PgConnection, (owner, meeting): (ClientId, MeetingId), round: &Round) -> QueryResult<bool> {
    if has_declared_revote(conn, round)? {
        return Ok(true);
    }
    let mut followed = followed_round(round);
    while let Some(id) = followed {
        let Some(before) = load_countable(conn, owner, meeting, id)? else { break };
        if has_declared_revote(conn, &before.round)? {
            return Ok(true);
        }
        followed = followed_round(&before.round);
    }
    Ok(false)
}

/// The round of the ballot that this one continues.
fn followed_round(round: &Round) -> Option<RoundId> {
    round.wording.election.as_ref()?.follows.map(|ballot| ballot.round)
}

/// Whether a later round of the same question is declared.
fn has_declared_revote(conn: &mut PgConnection, round: &Round) -> QueryResult<bool> {
    let later = rounds::table
        .filter(rounds::question_id.eq(round.question_id.as_uuid()))
        .filter(rounds::number.gt(number(round.number)))
        .filter(rounds::status.eq(round_status_text(RoundStatus::Declared)));
    diesel::select(exists(later)).get_result(conn)
}

impl TryFrom<SeatAnswerRow> for NotedSeatAnswer {
    type Error = diesel::result::Error;

    fn try_from(row: SeatAnswerRow) -> QueryResult<Self> {
        let lots: Vec<StoredLot> = serde_json::from_value(row.drawn).map_err(damaged)?;
        let succession = Succession {
            seated: serde_json::from_value(row.seated).map_err(damaged)?,
            drawn: lots
                .into_iter()
                .map(|StoredLot { stage, order, is_of_lists }| DrawnLot { stage, order, is_of_lists })
                .collect(),
            tied: serde_json::from_value(row.tied).map_err(damaged)?,
        };
        Ok(Self {
            round: RoundId::from_uuid(row.round_id),
            at: row.noted_at,
            by: row.noted_by,
            candidate: natural(row.candidate)?,
            answer: answer_of(&row.answer)?,
            is_continued: row.is_continued,
            before: serde_json::from_value(row.before).map_err(damaged)?,
            succession,
        })
    }
}

const fn answer_text(answer: SeatAnswer) -> &'static str {
    match answer {
        SeatAnswer::Accepted => "ACCEPTED",
        SeatAnswer::Declined => "DECLINED",
        SeatAnswer::TakenBack => "TAKEN_BACK",
    }
}

fn answer_of(text: &str) -> QueryResult<SeatAnswer> {
    match text {
        "ACCEPTED" => Ok(SeatAnswer::Accepted),
        "DECLINED" => Ok(SeatAnswer::Declined),
        "TAKEN_BACK" => Ok(SeatAnswer::TakenBack),
        other => Err(damaged(format!("unknown answer {other}"))),
    }
}
