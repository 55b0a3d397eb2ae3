//! The people who may vote: the register of an open round, otherwise those who would be in it if it opened now.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Numeric, Text, Uuid as SqlUuid};
use plenum_kernel::EndUserId;
use plenum_meetings::People;
use plenum_meetings::live::Weights;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::rows::columns::count;
use crate::rows::weight_kinds::{kind_in_force, weight_by};
use crate::schema::rounds;
use crate::voting::round_proxies::{live_proxies, proxies_in_force, represented_by_record};
use crate::voting::rows::is_open;

/// The state of a meeting that decides who may vote.
#[derive(Clone, Copy)]
pub(crate) struct Eligibility {
    pub(crate) meeting: Uuid,
    /// The question on the screen, because people may be excluded from it.
    pub(crate) question: Option<Uuid>,
    /// Its round, if it is open.
    pub(crate) open_round: Option<Uuid>,
}

/// The end users whom a round of the question `$3` in the meeting `$2` registers: as `meant`, with their ids and these
/// columns. No other statement selects them.
///
/// Only one half of it reads people: with a list, those on it, for any number of the client's end users. With an offset
/// each is found by key and never joined: statistics of other lists might make PostgreSQL read all end users for a
/// short list. Exclusions and the members of groups are read once, too.
macro_rules! would_be_registered {
    ($($column:literal),*) => {
        concat!(
            "(SELECT end_users.id",
            $(", end_users.", $column,)*
            " FROM meetings \
             JOIN end_users ON end_users.client_id = meetings.client_id AND end_users.is_active \
             WHERE meetings.id = $2 AND NOT meetings.has_participant_list AND ",
            $crate::rows::test_data::has_a_vote!("end_users", "$2"),
            " UNION ALL \
             SELECT participants.end_user_id",
            $(", listed.", $column,)*
            " FROM meetings \
             JOIN participants ON participants.meeting_id = meetings.id \
             CROSS JOIN LATERAL (SELECT end_users.id",
            $(", end_users.", $column,)*
            " FROM end_users \
             WHERE end_users.id = participants.end_user_id AND end_users.is_active AND ",
            $crate::rows::test_data::has_a_vote!("end_users", "$2"),
            " OFFSET 0) AS listed \
             WHERE meetings.id = $2 AND meetings.has_participant_list) AS meant \
             WHERE meant.id NOT IN (SELECT exclusions.end_user_id FROM exclusions WHERE exclusions.question_id = $3) AND ",
            $crate::rows::audience::is_in_audience!("meant.id", "meetings", "$2"),
            " AND ",
            $crate::rows::audience::is_in_audience!("meant.id", "questions", "$3")
        )
    };
}

pub(crate) use would_be_registered;

/// Whether every vote of a question counts one, as [`plenum_kernel::Secrecy::counts_heads`] decides.
macro_rules! counts_heads {
    () => {
        "(questions.counts_heads OR questions.secrecy = 'SECRET' \
          AND questions.question_type NOT IN ('YES_NO', 'MULTIPLE_CHOICE'))"
    };
}

pub(crate) use counts_heads;

/// Whether somebody of [`would_be_registered`] is present or represented, or the meeting `$2` does not ask for that. Each set is
/// read once, as a hash table.
macro_rules! is_present_or_need_not_be {
    () => {
        concat!(
            "((SELECT meetings.check_in FROM meetings WHERE meetings.id = $2) = 'OFF' \
              OR meant.id IN (SELECT people_present.end_user_id FROM people_present WHERE people_present.meeting_id = $2) \
              OR meant.id IN (",
            represented_by_record!(proxies_in_force!()),
            "))"
        )
    };
}

/// Those of the register of an open round, or those who may vote now. Only one half of it reads rows.
macro_rules! may_vote {
    ($($condition:expr)?) => {
        concat!(
            "SELECT register.end_user_id AS id, register.weight FROM register WHERE register.round_id = $1 \
             UNION ALL \
             SELECT meant.id, CASE WHEN EXISTS (SELECT FROM questions WHERE questions.id = $3 AND ",
            counts_heads!(),
            ") THEN 1 ELSE ",
            weight_by!("meant", kind_in_force!()),
            " END AS weight FROM ",
            would_be_registered!("weight", "weights"),
            " AND $1 IS NULL",
            $(" AND ", $condition)?
        )
    };
}

const ELIGIBLE: &str = may_vote!(is_present_or_need_not_be!());

/// The people who may vote in the meeting `$2` by their weight of the kind `$4`. `$1` and `$3` are null.
const ELIGIBLE_BY_KIND: &str = concat!(
    "SELECT meant.id, ",
    weight_by!("meant", "$4"),
    " AS weight FROM ",
    would_be_registered!("weight", "weights"),
    " AND $1 IS NULL AND ",
    is_present_or_need_not_be!()
);

/// The same, present or not.
const ANYWHERE: &str = may_vote!();

/// The principals whose holder is among the connected people `$4`.
const REPRESENTED: &str = concat!(
    "SELECT standing.principal_id FROM (",
    live_proxies!(),
    ") AS standing WHERE standing.holder_id IN (SELECT unnest($4))"
);

impl Eligibility {
    /// The state of a meeting with this question on its screen.
    pub(crate) fn load(conn: &mut PgConnection, meeting: Uuid, question: Option<Uuid>) -> QueryResult<Self> {
        let open_round = rounds::table
            .filter(rounds::meeting_id.eq(meeting).and(is_open()))
            .select(rounds::id)
            .first(conn)
            .optional()?;
        Ok(Self { meeting, question, open_round })
    }

    /// All people who may vote, with their weights. In a meeting with check-in, those who are present or represented.
    pub(crate) fn weights(self, conn: &mut PgConnection) -> QueryResult<Weights> {
        self.weights_by(conn, ELIGIBLE)
    }

    /// All people who may vote, with their weights, also those who are not checked in.
    pub(crate) fn weights_anywhere(self, conn: &mut PgConnection) -> QueryResult<Weights> {
        self.weights_by(conn, ANYWHERE)
    }

    /// All people who may vote, with their weights by this kind, as an opening would register them.
    pub(crate) fn weights_of_kind(self, conn: &mut PgConnection, kind: Uuid) -> QueryResult<Weights> {
        let rows: Vec<WeightRow> = diesel::sql_query(ELIGIBLE_BY_KIND)
            .bind::<Nullable<SqlUuid>, _>(self.open_round)
            .bind::<SqlUuid, _>(self.meeting)
            .bind::<Nullable<SqlUuid>, _>(self.question)
            .bind::<Text, _>(kind.to_string())
            .load(conn)?;
        Ok(weights(rows))
    }

    fn weights_by(self, conn: &mut PgConnection, statement: &str) -> QueryResult<Weights> {
        let rows: Vec<WeightRow> = diesel::sql_query(statement)
            .bind::<Nullable<SqlUuid>, _>(self.open_round)
            .bind::<SqlUuid, _>(self.meeting)
            .bind::<Nullable<SqlUuid>, _>(self.question)
            .load(conn)?;
        Ok(weights(rows))
    }

    /// The number of these people who may vote, of those whom they represent by proxy, and of all who may. Connected people are found
    /// in a hash table: with statistics of an empty table a join might compare each person with every other.
    pub(crate) fn count(self, conn: &mut PgConnection, connected: Vec<Uuid>) -> QueryResult<Eligible> {
        let sums = format!(
            "SELECT count(*) FILTER (WHERE eligible.is_connected) AS present_heads, \
                    coalesce(sum(eligible.weight) FILTER (WHERE eligible.is_connected), 0) AS present_weight, \
                    count(*) FILTER (WHERE eligible.is_represented) AS represented_heads, \
                    coalesce(sum(eligible.weight) FILTER (WHERE eligible.is_represented), 0) AS represented_weight, \
                    count(*) AS heads, coalesce(sum(eligible.weight), 0) AS weight \
             FROM (SELECT meant.weight, meant.id IN (SELECT unnest($4)) AS is_connected, \
                          meant.id NOT IN (SELECT unnest($4)) AND meant.id IN ({REPRESENTED}) AS is_represented \
                   FROM ({ELIGIBLE}) AS meant) AS eligible"
        );
        let row: EligibleRow = diesel::sql_query(sums)
            .bind::<Nullable<SqlUuid>, _>(self.open_round)
            .bind::<SqlUuid, _>(self.meeting)
            .bind::<Nullable<SqlUuid>, _>(self.question)
            .bind::<Array<SqlUuid>, _>(connected)
            .get_result(conn)?;
        row.try_into()
    }
}

#[derive(QueryableByName)]
struct WeightRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
}

fn weights(rows: Vec<WeightRow>) -> Weights {
    rows.into_iter().map(|row| (EndUserId::from_uuid(row.id), row.weight)).collect()
}

/// The people who may vote.
pub(crate) struct Eligible {
    /// The present people among them: by their connection or, with check-in, by the record.
    pub(crate) present: People,
    /// Those who are not present, while the holder of their proxy is.
    pub(crate) represented: People,
    /// All of them.
    pub(crate) all: People,
}

/// The sums of a query over people who may vote.
#[derive(QueryableByName)]
pub(super) struct EligibleRow {
    #[diesel(sql_type = BigInt)]
    present_heads: i64,
    #[diesel(sql_type = Numeric)]
    present_weight: Decimal,
    #[diesel(sql_type = BigInt)]
    represented_heads: i64,
    #[diesel(sql_type = Numeric)]
    represented_weight: Decimal,
    #[diesel(sql_type = BigInt)]
    heads: i64,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
}

impl TryFrom<EligibleRow> for Eligible {
    type Error = diesel::result::Error;

    fn try_from(row: EligibleRow) -> QueryResult<Self> {
        Ok(Self {
            present: People { heads: count(row.present_heads)?, weight: row.present_weight.normalize() },
            represented: People { heads: count(row.represented_heads)?, weight: row.represented_weight.normalize() },
            all: People { heads: count(row.heads)?, weight: row.weight.normalize() },
        })
    }
}

#[cfg(test)]
mod tests {
    use plenum_kernel::testkit::CountingIds;
    use plenum_kernel::{ClientId, NewIds as _};

    use super::*;
    use crate::testkit::{TestDatabase, prepared_for_open_rounds};
    use crate::{Db, DbSettings};

    /// Every load of a live state asks for it.
    #[tokio::test]
    async fn the_open_round_is_asked_for_by_one_prepared_statement() {
        let database = TestDatabase::fresh().await;
        let db = Db::new(&DbSettings { pool_size: 1, ..DbSettings::new(database.url()) }).unwrap();
        let ids = CountingIds::new();
        for _ in 0..3 {
            let meeting = ids.next_uuid();
            let client = db.of(ClientId::new(&ids));
            let found = client.run(move |conn| Eligibility::load(conn, meeting, None)).await.unwrap();
            assert_eq!(found.open_round, None);
        }
        assert_eq!(prepared_for_open_rounds(&db).await, 1);
    }
}
