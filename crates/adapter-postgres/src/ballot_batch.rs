//! Ballots are written many at a time: one statement for a batch, and one more for those that were not counted.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::VoteId;
use plenum_voting::{Answer, Ballot, BoxAnswer, StoredVote};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::db::damaged;
use crate::round_rows::answer;

/// One statement, so that a vote, its check and its count are one.
///
/// * `gates`: waits behind whoever is about to end one of the rounds (see `end_running_round`), in a fixed order.
/// * `open_rounds`: locks the rounds that are open against being ended, until this is committed. If one is being ended
///   at this moment, this waits for the end and looks at the status again.
/// * `counted`: in the order of round and voter, so that two batches with the same voters never wait for each other
///   in a circle; of two ballots of one voter the earlier one wins. No conflict is named, so that the very same ballot
///   handed in twice at the same time is no error either.
/// * `counters`: each connection counts in rows of its own, so that no two wait for one row.
const COUNT: &str = "
    WITH ballots AS MATERIALIZED (
        SELECT *
        FROM unnest($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY
            AS ballot (vote_id, round_id, end_user_id, option_ids, number, answer_text, cast_at, place)
    ), gates AS MATERIALIZED (
        SELECT round_id, pg_advisory_xact_lock_shared(hashtextextended(round_id::text, 0))
        FROM (SELECT DISTINCT round_id FROM ballots ORDER BY round_id) AS named
    ), open_rounds AS MATERIALIZED (
        SELECT rounds.id
        FROM rounds
        WHERE rounds.id IN (SELECT round_id FROM gates) AND rounds.status = 'OPEN'
        ORDER BY rounds.id
        FOR SHARE OF rounds
    ), counted AS (
        INSERT INTO votes (id, round_id, end_user_id, option_ids, number, answer_text, cast_at)
        SELECT ballots.vote_id, ballots.round_id, ballots.end_user_id, ballots.option_ids::uuid[], ballots.number,
               ballots.answer_text, ballots.cast_at
        FROM ballots
        JOIN open_rounds ON open_rounds.id = ballots.round_id
        JOIN register ON register.round_id = ballots.round_id AND register.end_user_id = ballots.end_user_id
        JOIN end_users ON end_users.id = ballots.end_user_id AND end_users.is_active
        ORDER BY ballots.round_id, ballots.end_user_id, ballots.place
        ON CONFLICT DO NOTHING
        RETURNING id, round_id
    ), counters AS (
        INSERT INTO round_counters (round_id, writer, votes_cast)
        SELECT round_id, pg_backend_pid() % 32768, count(*)
        FROM counted
        GROUP BY round_id
        ORDER BY round_id
        ON CONFLICT ON CONSTRAINT round_counters_pkey
            DO UPDATE SET votes_cast = round_counters.votes_cast + excluded.votes_cast
    )
    SELECT id FROM counted";

/// Everything that may be the reason, as it is after the statement above.
const REASONS: &str = "
    SELECT ballot.place,
           votes.id AS vote_id, votes.option_ids, votes.number, votes.answer_text, votes.cast_at,
           coalesce(rounds.status = 'OPEN', false) AS is_open,
           register.end_user_id IS NOT NULL AND coalesce(end_users.is_active, false) AS may_vote
    FROM unnest($1, $2) WITH ORDINALITY AS ballot (round_id, end_user_id, place)
    LEFT JOIN votes ON votes.round_id = ballot.round_id AND votes.end_user_id = ballot.end_user_id
    LEFT JOIN rounds ON rounds.id = ballot.round_id
    LEFT JOIN register ON register.round_id = ballot.round_id AND register.end_user_id = ballot.end_user_id
    LEFT JOIN end_users ON end_users.id = ballot.end_user_id";

/// Counts the ballots or finds out why not, and fills in the answers. What is still unanswered after this was neither
/// counted nor refused for a reason that lasted.
///
/// On an error the answers that are filled in stand: they are about what is committed.
pub(crate) fn count_or_refuse(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    answers: &mut [Option<BoxAnswer>],
) -> QueryResult<()> {
    // Once more for those for whom everything changed between the two statements, such as a vote that was withdrawn.
    for _ in 0..2 {
        let open: Vec<usize> = (0..ballots.len()).filter(|place| answers[*place].is_none()).collect();
        if open.is_empty() {
            break;
        }
        count(conn, ballots, &open, answers)?;
        let refused: Vec<usize> = open.into_iter().filter(|place| answers[*place].is_none()).collect();
        if !refused.is_empty() {
            find_reasons(conn, ballots, &refused, answers)?;
        }
    }
    Ok(())
}

fn count(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    places: &[usize],
    answers: &mut [Option<BoxAnswer>],
) -> QueryResult<()> {
    #[derive(QueryableByName)]
    struct Counted {
        #[diesel(sql_type = SqlUuid)]
        id: Uuid,
    }
    let chosen = || places.iter().map(|place| ballots[*place]);
    let counted: Vec<Counted> = diesel::sql_query(COUNT)
        .bind::<Array<SqlUuid>, _>(chosen().map(|ballot| ballot.vote_id.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(chosen().map(|ballot| ballot.round_id.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(chosen().map(|ballot| ballot.voter.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(chosen().map(|ballot| options_text(&ballot.answer)).collect::<Vec<_>>())
        .bind::<Array<Nullable<Numeric>>, _>(chosen().map(|ballot| number(&ballot.answer)).collect::<Vec<_>>())
        .bind::<Array<Nullable<Text>>, _>(chosen().map(|ballot| text(&ballot.answer)).collect::<Vec<_>>())
        .bind::<Array<Timestamptz>, _>(chosen().map(|ballot| ballot.cast_at).collect::<Vec<_>>())
        .load(conn)?;
    let mut counted: std::collections::HashSet<Uuid> = counted.into_iter().map(|row| row.id).collect();
    for place in places {
        // Taken out, so that of the same ballot twice in one batch the first is counted and the other is a repeat.
        if counted.remove(&ballots[*place].vote_id.as_uuid()) {
            answers[*place] = Some(BoxAnswer::Counted);
        }
    }
    Ok(())
}

#[derive(QueryableByName)]
struct Reason {
    #[diesel(sql_type = BigInt)]
    place: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    vote_id: Option<Uuid>,
    #[diesel(sql_type = Nullable<Array<SqlUuid>>)]
    option_ids: Option<Vec<Uuid>>,
    #[diesel(sql_type = Nullable<Numeric>)]
    number: Option<Decimal>,
    #[diesel(sql_type = Nullable<Text>)]
    answer_text: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    cast_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Bool)]
    is_open: bool,
    #[diesel(sql_type = Bool)]
    may_vote: bool,
}

impl Reason {
    /// A vote stored before wins over every other reason.
    fn answer(self) -> QueryResult<Option<BoxAnswer>> {
        if let (Some(id), Some(cast_at)) = (self.vote_id, self.cast_at) {
            let answer = answer(self.option_ids, self.number, self.answer_text)?;
            return Ok(Some(BoxAnswer::VotedBefore(StoredVote { id: VoteId::from_uuid(id), answer, cast_at })));
        }
        if !self.is_open {
            return Ok(Some(BoxAnswer::NotOpen));
        }
        Ok((!self.may_vote).then_some(BoxAnswer::NotInRegister))
    }
}

fn find_reasons(
    conn: &mut PgConnection,
    ballots: &[&Ballot],
    places: &[usize],
    answers: &mut [Option<BoxAnswer>],
) -> QueryResult<()> {
    let chosen = || places.iter().map(|place| ballots[*place]);
    let reasons: Vec<Reason> = diesel::sql_query(REASONS)
        .bind::<Array<SqlUuid>, _>(chosen().map(|ballot| ballot.round_id.as_uuid()).collect::<Vec<_>>())
        .bind::<Array<SqlUuid>, _>(chosen().map(|ballot| ballot.voter.as_uuid()).collect::<Vec<_>>())
        .load(conn)?;
    for reason in reasons {
        // Counted from 1 by SQL.
        let place = usize::try_from(reason.place - 1).ok().and_then(|index| places.get(index));
        let place = *place.ok_or_else(|| damaged("a reason belongs to no ballot"))?;
        answers[place] = reason.answer()?;
    }
    Ok(())
}

/// The chosen options as an array of PostgreSQL; arrays of arrays of different lengths cannot be sent.
fn options_text(answer: &Answer) -> Option<String> {
    let Answer::Options(ids) = answer else { return None };
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    Some(format!("{{{}}}", ids.join(",")))
}

fn number(answer: &Answer) -> Option<Decimal> {
    match answer {
        Answer::Number(number) => Some(*number),
        Answer::Options(_) | Answer::Text(_) => None,
    }
}

fn text(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Text(text) => Some(text),
        Answer::Options(_) | Answer::Number(_) => None,
    }
}
