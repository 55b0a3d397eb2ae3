//! The people who may vote in a meeting, with those who are checked in.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::EndUserId;
use plenum_meetings::{AttendanceFilter, Attendee, PresenceFilter, PresentSince};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::meetings::rows::natural;
use crate::rows::columns::count;
use crate::rows::weight_kinds::{kind_in_force, weight_by};
use crate::voting::eligible::would_be_registered;

/// The people of the meeting `$2` who match the search `$1` and the presence `$4`. Each check-in is found by key: an offset keeps
/// PostgreSQL from joining by outdated statistics.
const PEOPLE: &str = concat!(
    "(SELECT person.id, person.name, person.username, person.weight, there.since, there.by_name, there.number \
      FROM (SELECT meant.id, meant.name, meant.username, ",
    weight_by!("meant", kind_in_force!()),
    " AS weight, meant.search_text FROM ",
    would_be_registered!("name", "username", "weight", "weights", "search_text"),
    ") AS person \
      LEFT JOIN LATERAL (SELECT people_present.since, presence_entries.by_name, presence_entries.number \
                         FROM people_present \
                         JOIN presence_entries ON presence_entries.meeting_id = people_present.meeting_id \
                                              AND presence_entries.number = people_present.number \
                         WHERE people_present.meeting_id = $2 AND people_present.end_user_id = person.id \
                         OFFSET 0) AS there ON true \
      WHERE ($1 IS NULL OR strpos(person.search_text, lower($1)) > 0) \
        AND ($4 IS NULL OR (there.number IS NOT NULL) = $4)) AS attendee"
);

/// Whether the person `$1` may vote in the meeting `$2`. `$3` is null: exclusions belong to a question.
const ELIGIBLE_PERSON: &str =
    concat!("SELECT EXISTS (SELECT FROM ", would_be_registered!(), " AND meant.id = $1) AS is_so");

/// Whether a person may vote in a meeting.
pub(super) fn eligible_person(conn: &mut PgConnection, meeting: Uuid, end_user: Uuid) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        is_so: bool,
    }
    let row: Row = diesel::sql_query(ELIGIBLE_PERSON)
        .bind::<SqlUuid, _>(end_user)
        .bind::<SqlUuid, _>(meeting)
        .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
        .get_result(conn)?;
    Ok(row.is_so)
}

/// A list of the people of a meeting.
pub(super) struct PeopleOf<'a> {
    pub(super) meeting: Uuid,
    pub(super) filter: &'a AttendanceFilter,
}

/// Binds the parameters of [`PEOPLE`].
macro_rules! bound {
    ($of:expr, $statement:expr) => {
        diesel::sql_query($statement)
            .bind::<Nullable<Text>, _>($of.filter.search.as_ref().map(|search| search.as_str().to_owned()))
            .bind::<SqlUuid, _>($of.meeting)
            .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
            .bind::<Nullable<Bool>, _>($of.filter.presence.map(|presence| presence == PresenceFilter::Present))
    };
}

impl PeopleOf<'_> {
    /// The page of the filter, by name.
    pub(super) fn page(&self, conn: &mut PgConnection) -> QueryResult<Vec<Attendee>> {
        let (limit, offset) =
            self.filter.page.map_or((None, 0), |page| (Some(i64::from(page.page_size)), page.offset()));
        let statement = format!("SELECT * FROM {PEOPLE} ORDER BY lower(attendee.name), attendee.id LIMIT $5 OFFSET $6");
        let rows: Vec<AttendeeRow> =
            bound!(self, statement).bind::<Nullable<BigInt>, _>(limit).bind::<BigInt, _>(offset).load(conn)?;
        rows.into_iter().map(Attendee::try_from).collect()
    }

    /// The number of people that match the filter.
    pub(super) fn total(&self, conn: &mut PgConnection) -> QueryResult<u64> {
        #[derive(QueryableByName)]
        struct Total {
            #[diesel(sql_type = BigInt)]
            total: i64,
        }
        let statement = format!("SELECT count(*) AS total FROM {PEOPLE}");
        count(bound!(self, statement).get_result::<Total>(conn)?.total)
    }

    /// Up to `limit` people in the order of their ids.
    pub(super) fn after(
        &self,
        conn: &mut PgConnection,
        after: Option<EndUserId>,
        limit: i64,
    ) -> QueryResult<Vec<Attendee>> {
        let statement =
            format!("SELECT * FROM {PEOPLE} WHERE $5 IS NULL OR attendee.id > $5 ORDER BY attendee.id LIMIT $6");
        let rows: Vec<AttendeeRow> = bound!(self, statement)
            .bind::<Nullable<SqlUuid>, _>(after.map(EndUserId::as_uuid))
            .bind::<BigInt, _>(limit)
            .load(conn)?;
        rows.into_iter().map(Attendee::try_from).collect()
    }
}

#[derive(QueryableByName)]
struct AttendeeRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    username: String,
    #[diesel(sql_type = Numeric)]
    weight: Decimal,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    since: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Text>)]
    by_name: Option<String>,
    #[diesel(sql_type = Nullable<Integer>)]
    number: Option<i32>,
}

impl TryFrom<AttendeeRow> for Attendee {
    type Error = diesel::result::Error;

    fn try_from(row: AttendeeRow) -> QueryResult<Self> {
        let number = row.number.map(natural).transpose()?;
        let present = row.since.zip(row.by_name).zip(number);
        Ok(Self {
            id: EndUserId::from_uuid(row.id),
            name: row.name,
            username: row.username,
            weight: row.weight.normalize(),
            present: present.map(|((at, by), number)| PresentSince { at, by, number }),
        })
    }
}
