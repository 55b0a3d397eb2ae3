use std::collections::{HashMap, HashSet};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId, MeetingId, OptionId, PortFailure, QuestionId, RoundId};
use plenum_meetings::MeetingStatus;
use plenum_voting::{
    CountedVote, CurrentQuestion, Floor, LastRound, OpenRoundError, Opening, OpeningRule, Round, RoundOption,
    RoundOverview, RoundStatus, RoundStore, StoredVote, VoterRound, Wording, decide_opening, is_test_round,
};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Db;
use crate::db::{Abort, damaged};
use crate::meeting_rows::{OptionRow, QuestionRow, meeting_status_text, natural, number, option_role, question_type};
use crate::round_rows::{
    RoundRow, VoteRow, answer, end_running_round, last_round, overviews, round_status, round_status_text,
    show_question, with_options,
};
use crate::schema::{clients, meetings, questions, register, rounds, votes};

/// Rounds in PostgreSQL.
#[derive(Clone)]
pub struct PostgresRounds {
    db: Db,
}

impl PostgresRounds {
    /// Rounds in this database.
    pub fn new(db: Db) -> Self {
        Self { db }
    }
}

#[async_trait]
impl RoundStore for PostgresRounds {
    async fn open(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: QuestionId,
        new_round: RoundId,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError> {
        self.db
            .transaction(move |conn| {
                let (owner, meeting, question) = (owner.as_uuid(), meeting.as_uuid(), question.as_uuid());
                let is_active = lock_meeting(conn, owner, meeting)?;
                require_question(conn, meeting, question)?;
                let floor = Floor { is_active, last_round: load_last_round(conn, meeting, question)? };
                match decide_opening(&floor).map_err(|rule| Abort::Refused(rule.into()))? {
                    Opening::AlreadyOpen(_) => {}
                    Opening::New { number, replaces } => {
                        if let Some(empty) = replaces {
                            diesel::delete(rounds::table.find(empty.as_uuid())).execute(conn)?;
                        }
                        let is_test = is_test_meeting(conn, meeting)?;
                        freeze_round(conn, new_round.as_uuid(), question, number, is_test, now)?;
                        hand_over(conn, meeting, new_round.as_uuid(), now)?;
                    }
                    Opening::Reopen(round) => hand_over(conn, meeting, round.as_uuid(), now)?,
                }
                Ok(show_question(conn, meeting, Some(question))?)
            })
            .await
    }

    async fn show(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        question: Option<QuestionId>,
        now: DateTime<Utc>,
    ) -> Result<(), OpenRoundError> {
        self.db
            .transaction(move |conn| {
                let meeting = meeting.as_uuid();
                let is_active = lock_meeting(conn, owner.as_uuid(), meeting)?;
                let question = question.map(QuestionId::as_uuid);
                if let Some(question) = question {
                    require_question(conn, meeting, question)?;
                    if !is_active {
                        return Err(Abort::Refused(OpeningRule::MeetingNotActive.into()));
                    }
                }
                end_running_round(conn, meeting, now)?;
                Ok(show_question(conn, meeting, question)?)
            })
            .await
    }

    async fn current(
        &self,
        owner: ClientId,
        meeting: MeetingId,
    ) -> Result<Option<Option<CurrentQuestion>>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let meeting = meeting.as_uuid();
                let current: Option<Option<Uuid>> = meetings::table
                    .find(meeting)
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::current_question_id)
                    .first(conn)
                    .optional()?;
                match current {
                    None => Ok(None),
                    Some(None) => Ok(Some(None)),
                    Some(Some(question)) => {
                        current_question(conn, meeting, question).map(|current| Some(Some(current)))
                    }
                }
            })
            .await
    }

    async fn list(&self, owner: ClientId, meeting: MeetingId) -> Result<Option<Vec<RoundOverview>>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let known: Option<Uuid> = meetings::table
                    .find(meeting.as_uuid())
                    .filter(meetings::client_id.eq(owner.as_uuid()))
                    .select(meetings::id)
                    .first(conn)
                    .optional()?;
                let Some(meeting) = known else { return Ok(None) };
                let rows = rounds::table
                    .filter(rounds::client_id.eq(owner.as_uuid()).and(rounds::meeting_id.eq(meeting)))
                    .order((rounds::opened_at, rounds::id))
                    .select(RoundRow::as_select())
                    .load(conn)?;
                overviews(conn, rows).map(Some)
            })
            .await
    }

    async fn find_with_votes(
        &self,
        owner: ClientId,
        meeting: MeetingId,
        round: RoundId,
    ) -> Result<Option<(Round, Vec<CountedVote>)>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let row = rounds::table
                    .find(round.as_uuid())
                    .filter(rounds::client_id.eq(owner.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .select(RoundRow::as_select())
                    .first(conn)
                    .optional()?;
                let Some(round) = with_options(conn, row.into_iter().collect())?.pop() else { return Ok(None) };
                let votes = match round.status {
                    RoundStatus::Open => Vec::new(),
                    RoundStatus::Ended | RoundStatus::Declared => load_votes(conn, round.id.as_uuid())?,
                };
                Ok(Some((round, votes)))
            })
            .await
    }

    async fn last_of_question(
        &self,
        client: ClientId,
        meeting: MeetingId,
        question: QuestionId,
    ) -> Result<Option<Round>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let row = rounds::table
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .filter(rounds::question_id.eq(question.as_uuid()))
                    .order(rounds::number.desc())
                    .select(RoundRow::as_select())
                    .first(conn)
                    .optional()?;
                Ok(with_options(conn, row.into_iter().collect())?.pop())
            })
            .await
    }

    async fn rounds_of_voter(
        &self,
        client: ClientId,
        meeting: MeetingId,
        voter: EndUserId,
    ) -> Result<Vec<VoterRound>, PortFailure> {
        self.db
            .snapshot(move |conn| {
                let is_question = questions::id.eq(rounds::question_id);
                let last: Vec<(RoundRow, i32)> = rounds::table
                    .inner_join(questions::table.on(is_question))
                    .filter(rounds::client_id.eq(client.as_uuid()))
                    .filter(rounds::meeting_id.eq(meeting.as_uuid()))
                    .distinct_on(rounds::question_id)
                    .order((rounds::question_id, rounds::number.desc()))
                    .select((RoundRow::as_select(), questions::position))
                    .load(conn)?;
                voter_rounds(conn, last, voter.as_uuid())
            })
            .await
    }
}

/// The votes of a round, with the weights of its register.
fn load_votes(conn: &mut PgConnection, round: Uuid) -> QueryResult<Vec<CountedVote>> {
    type Row = (Option<Vec<Uuid>>, Option<Decimal>, Option<String>, Decimal);
    let is_entry = votes::round_id.eq(register::round_id).and(votes::end_user_id.eq(register::end_user_id));
    let rows: Vec<Row> = votes::table
        .inner_join(register::table.on(is_entry))
        .filter(votes::round_id.eq(round))
        .order(votes::id)
        .select((votes::option_ids, votes::number, votes::answer_text, register::weight))
        .load(conn)?;
    rows.into_iter()
        .map(|(option_ids, number, text, weight)| {
            Ok(CountedVote { answer: answer(option_ids, number, text)?, weight: weight.normalize() })
        })
        .collect()
}

/// Locks the client's meeting and says whether it is running.
fn lock_meeting(conn: &mut PgConnection, owner: Uuid, meeting: Uuid) -> Result<bool, Abort<OpenRoundError>> {
    let status: String = meetings::table
        .find(meeting)
        .filter(meetings::client_id.eq(owner))
        .select(meetings::status)
        .for_update()
        .first(conn)
        .optional()?
        .ok_or(Abort::Refused(OpenRoundError::MeetingNotFound))?;
    Ok(status == meeting_status_text(MeetingStatus::Active))
}

fn require_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> Result<(), Abort<OpenRoundError>> {
    let known = questions::table.find(question).filter(questions::meeting_id.eq(meeting));
    if diesel::select(exists(known)).get_result(conn)? {
        Ok(())
    } else {
        Err(Abort::Refused(OpenRoundError::QuestionNotFound))
    }
}

/// The last round of a question. Nothing about it changes while the meeting is locked, but votes come in if it is open.
fn load_last_round(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<Option<LastRound>> {
    let row: Option<(Uuid, i32, String)> = rounds::table
        .filter(rounds::meeting_id.eq(meeting).and(rounds::question_id.eq(question)))
        .order(rounds::number.desc())
        .select((rounds::id, rounds::number, rounds::status))
        .first(conn)
        .optional()?;
    row.map(|(id, number, status)| {
        Ok(LastRound {
            id: RoundId::from_uuid(id),
            number: natural(number)?,
            status: round_status(&status)?,
            has_votes: diesel::select(exists(votes::table.filter(votes::round_id.eq(id)))).get_result(conn)?,
        })
    })
    .transpose()
}

/// Opens a round in place of the one that is running. Its register is filled first: ballots of the running round wait
/// from its end until this is committed, and must not wait for thousands of rows.
fn hand_over(conn: &mut PgConnection, meeting: Uuid, round: Uuid, now: DateTime<Utc>) -> QueryResult<()> {
    register_eligible(conn, round, now)?;
    end_running_round(conn, meeting, now)?;
    diesel::update(rounds::table.find(round))
        .set((rounds::status.eq(round_status_text(RoundStatus::Open)), rounds::ended_at.eq(None::<DateTime<Utc>>)))
        .execute(conn)?;
    Ok(())
}

/// Whether a round that opens in this meeting now is there for tests.
fn is_test_meeting(conn: &mut PgConnection, meeting: Uuid) -> QueryResult<bool> {
    let (client, title): (String, String) = meetings::table
        .inner_join(clients::table)
        .filter(meetings::id.eq(meeting))
        .select((clients::name, meetings::title))
        .first(conn)?;
    Ok(is_test_round(&client, &title))
}

/// Makes a round with a copy of the question and its options, and an empty register. It is not open yet.
fn freeze_round(
    conn: &mut PgConnection,
    round: Uuid,
    question: Uuid,
    round_number: u32,
    is_test: bool,
    now: DateTime<Utc>,
) -> QueryResult<()> {
    diesel::sql_query(
        "INSERT INTO rounds (id, client_id, meeting_id, question_id, number, status, question_text, question_type, \
                             rating_max, max_choices, opened_at, ended_at, register_heads, register_weight, is_test) \
         SELECT $1, client_id, meeting_id, id, $2, 'ENDED', question_text, question_type, rating_max, max_choices, \
                $3, $3, 0, 0, $5 \
         FROM questions WHERE id = $4",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<Integer, _>(number(round_number))
    .bind::<Timestamptz, _>(now)
    .bind::<SqlUuid, _>(question)
    .bind::<Bool, _>(is_test)
    .execute(conn)?;
    diesel::sql_query(
        "INSERT INTO round_options (round_id, option_id, position, option_text, role) \
         SELECT $1, id, position, option_text, role FROM options WHERE question_id = $2",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<SqlUuid, _>(question)
    .execute(conn)?;
    Ok(())
}

/// Adds everyone to the register who is eligible at this moment and not in it yet.
fn register_eligible(conn: &mut PgConnection, round: Uuid, now: DateTime<Utc>) -> QueryResult<()> {
    let changed = diesel::sql_query(
        "WITH added AS ( \
             INSERT INTO register (round_id, end_user_id, username, name, weight, added_at) \
             SELECT rounds.id, end_users.id, end_users.username, end_users.name, end_users.weight, $2 \
             FROM rounds \
             JOIN meetings ON meetings.id = rounds.meeting_id \
             JOIN end_users ON end_users.client_id = meetings.client_id AND end_users.is_active \
             WHERE rounds.id = $1 \
               AND (NOT meetings.has_participant_list \
                    OR EXISTS (SELECT FROM participants \
                               WHERE participants.meeting_id = meetings.id \
                                 AND participants.end_user_id = end_users.id)) \
             ON CONFLICT ON CONSTRAINT register_pkey DO NOTHING \
             RETURNING weight \
         ) \
         UPDATE rounds \
         SET register_heads = register_heads + (SELECT count(*) FROM added), \
             register_weight = register_weight + (SELECT coalesce(sum(weight), 0) FROM added) \
         WHERE id = $1",
    )
    .bind::<SqlUuid, _>(round)
    .bind::<Timestamptz, _>(now)
    .execute(conn)?;
    if changed == 1 { Ok(()) } else { Err(damaged("the round that is being opened is gone")) }
}

fn current_question(conn: &mut PgConnection, meeting: Uuid, question: Uuid) -> QueryResult<CurrentQuestion> {
    let row = questions::table.find(question).select(QuestionRow::as_select()).first(conn)?;
    let position = natural(row.position)?;
    let last = last_round(conn, meeting, question)?;
    let last_round = overviews(conn, last.into_iter().collect())?.pop();
    let frozen = last_round.as_ref().filter(|last| last.round.status == RoundStatus::Open);
    let wording = match frozen {
        Some(open) => open.round.wording.clone(),
        None => agenda_wording(conn, row)?,
    };
    Ok(CurrentQuestion { question_id: QuestionId::from_uuid(question), position, wording, last_round })
}

/// The question as it stands on the agenda.
fn agenda_wording(conn: &mut PgConnection, row: QuestionRow) -> QueryResult<Wording> {
    let option = |option: OptionRow| {
        Ok(RoundOption {
            id: OptionId::from_uuid(option.id),
            text: option.option_text,
            position: natural(option.position)?,
            role: option_role(&option.role)?,
        })
    };
    let options = OptionRow::load(conn, &[row.id])?;
    Ok(Wording {
        text: row.question_text,
        question_type: question_type(&row.question_type)?,
        options: options.into_iter().map(option).collect::<QueryResult<_>>()?,
        rating_max: row.rating_max.map(natural).transpose()?,
        max_choices: row.max_choices.map(natural).transpose()?,
    })
}

/// Adds options, register and vote, by one statement each for all rounds together.
fn voter_rounds(conn: &mut PgConnection, last: Vec<(RoundRow, i32)>, voter: Uuid) -> QueryResult<Vec<VoterRound>> {
    let ids: Vec<Uuid> = last.iter().map(|(row, _)| row.id).collect();
    let registered: HashSet<Uuid> = register::table
        .filter(register::round_id.eq_any(&ids).and(register::end_user_id.eq(voter)))
        .select(register::round_id)
        .load(conn)?
        .into_iter()
        .collect();
    let vote_rows: Vec<VoteRow> = votes::table
        .filter(votes::round_id.eq_any(&ids).and(votes::end_user_id.eq(voter)))
        .select(VoteRow::as_select())
        .load(conn)?;
    let mut cast: HashMap<Uuid, StoredVote> = HashMap::new();
    for row in vote_rows {
        cast.insert(row.round_id, row.try_into()?);
    }
    let (rows, positions): (Vec<RoundRow>, Vec<i32>) = last.into_iter().unzip();
    let mut rounds: Vec<VoterRound> = with_options(conn, rows)?
        .into_iter()
        .zip(positions)
        .map(|(round, position)| {
            let id = round.id.as_uuid();
            Ok(VoterRound {
                round,
                position: natural(position)?,
                is_in_register: registered.contains(&id),
                vote: cast.remove(&id),
            })
        })
        .collect::<QueryResult<_>>()?;
    rounds.sort_by_key(|round| round.position);
    Ok(rounds)
}
