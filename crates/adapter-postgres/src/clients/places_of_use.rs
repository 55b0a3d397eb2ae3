//! The meetings and questions that refer to a group or a kind of weight, which keep it from being deleted.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid as SqlUuid};
use plenum_clients::PlaceOfUse;
use plenum_kernel::ClientId;
use uuid::Uuid;

use crate::rows::columns::count;

/// The number of places that a refusal names.
const NAMED_PLACES: i64 = 5;

/// Conditions, in which `$2` is the id that is looked for.
pub(super) struct References {
    /// Whether a row of `meetings` refers to it.
    pub(super) of_meetings: &'static str,
    /// Whether a row of `questions` does.
    pub(super) of_questions: &'static str,
}

/// The newest places of a client that refer to this id, and the number of others.
pub(super) struct PlacesOfUse {
    pub(super) places: Vec<PlaceOfUse>,
    pub(super) more: u64,
}

/// The places that refer to this id. `None` if there are none.
pub(super) fn places_of_use(
    conn: &mut PgConnection,
    owner: ClientId,
    id: Uuid,
    references: &References,
) -> QueryResult<Option<PlacesOfUse>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Nullable<Text>)]
        question: Option<String>,
        #[diesel(sql_type = Text)]
        meeting: String,
        #[diesel(sql_type = BigInt)]
        total: i64,
    }
    let References { of_meetings, of_questions } = references;
    let rows: Vec<Row> = diesel::sql_query(format!(
        "SELECT used.question, used.meeting, count(*) OVER () AS total \
         FROM (SELECT NULL AS question, meetings.title AS meeting, meetings.created_at FROM meetings \
               WHERE meetings.client_id = $1 AND ({of_meetings}) \
               UNION ALL \
               SELECT questions.question_text, meetings.title, questions.created_at \
               FROM questions JOIN meetings ON meetings.id = questions.meeting_id \
               WHERE questions.client_id = $1 AND ({of_questions})) AS used \
         ORDER BY used.created_at DESC, used.meeting LIMIT $3"
    ))
    .bind::<SqlUuid, _>(owner.as_uuid())
    .bind::<SqlUuid, _>(id)
    .bind::<BigInt, _>(NAMED_PLACES)
    .load(conn)?;
    let Some(total) = rows.first().map(|row| row.total) else { return Ok(None) };
    let more = count(total)?.saturating_sub(rows.len() as u64);
    let place = |row: Row| match row.question {
        Some(question) => PlaceOfUse::Question { question, meeting: row.meeting },
        None => PlaceOfUse::Meeting(row.meeting),
    };
    Ok(Some(PlacesOfUse { places: rows.into_iter().map(place).collect(), more }))
}
