//! The people who may vote in a meeting or hold proxies in it, with those who are checked in.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Numeric, Text, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::{ClientId, EndUserId};
use plenum_meetings::{AttendanceFilter, Attendee, PresenceFilter, PresentSince};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::clients::groups::groups_of;
use crate::meetings::rows::natural;
use crate::rows::columns::count;
use crate::rows::weight_kinds::{kind_in_force, weight_by};
use crate::schema::{end_users, proxies, proxy_settings};
use crate::voting::eligible::would_be_registered;

/// The holders of proxies in the meeting `$2` who may vote in no other way, where the settings let anybody hold proxies: as
/// `holder`. Only if they can be checked in are their principals represented. Holders are found by key.
macro_rules! holders_without_vote {
    () => {
        concat!(
            "(SELECT DISTINCT proxies.holder_id \
              FROM proxy_settings \
              JOIN proxies ON proxies.client_id = proxy_settings.client_id \
                          AND proxies.meeting_id = proxy_settings.meeting_id AND proxies.revoked_at IS NULL \
              WHERE proxy_settings.meeting_id = $2 AND proxy_settings.is_on AND proxy_settings.holders = 'ANYBODY' \
             ) AS held \
             CROSS JOIN LATERAL (SELECT end_users.id, end_users.name, end_users.username, end_users.search_text \
                                 FROM end_users WHERE end_users.id = held.holder_id AND end_users.is_active OFFSET 0) AS holder \
             WHERE holder.id NOT IN (SELECT meant.id FROM ",
            would_be_registered!(),
            ")"
        )
    };
}

/// The people of the meeting `$2` who match the search `$1` and the presence `$4`. Each check-in is found by key: an offset keeps
/// PostgreSQL from joining by outdated statistics.
const PEOPLE: &str = concat!(
    "(SELECT person.id, person.name, person.username, person.weight, person.may_vote, there.since, there.noted_at, \
             there.by_name, there.number \
      FROM (SELECT meant.id, meant.name, meant.username, ",
    weight_by!("meant", kind_in_force!()),
    " AS weight, true AS may_vote, meant.search_text FROM ",
    would_be_registered!("name", "username", "weight", "weights", "search_text"),
    " UNION ALL SELECT holder.id, holder.name, holder.username, 0, false, holder.search_text FROM ",
    holders_without_vote!(),
    ") AS person \
      LEFT JOIN LATERAL (SELECT people_present.since, presence_entries.noted_at, presence_entries.by_name, \
                                presence_entries.number \
                         FROM people_present \
                         JOIN presence_entries ON presence_entries.meeting_id = people_present.meeting_id \
                                              AND presence_entries.number = people_present.number \
                         WHERE people_present.meeting_id = $2 AND people_present.end_user_id = person.id \
                         OFFSET 0) AS there ON true \
      WHERE ($1 IS NULL OR strpos(person.search_text, lower($1)) > 0) \
        AND ($4 IS NULL OR (there.number IS NOT NULL) = $4)) AS attendee"
);

/// Whether the person `$1` may vote in the meeting `$2`, or holds proxies in it. `$3` is null: exclusions belong to a question.
const MAY_BE_CHECKED_IN: &str = concat!(
    "SELECT EXISTS (SELECT FROM ",
    would_be_registered!(),
    " AND meant.id = $1) OR EXISTS (SELECT FROM ",
    holders_without_vote!(),
    " AND holder.id = $1) AS is_so"
);

/// Whether a person may vote in a meeting, or holds proxies in it.
pub(super) fn may_be_checked_in(conn: &mut PgConnection, meeting: Uuid, end_user: Uuid) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = Bool)]
        is_so: bool,
    }
    let row: Row = diesel::sql_query(MAY_BE_CHECKED_IN)
        .bind::<SqlUuid, _>(end_user)
        .bind::<SqlUuid, _>(meeting)
        .bind::<Nullable<SqlUuid>, _>(None::<Uuid>)
        .get_result(conn)?;
    Ok(row.is_so)
}

/// A list of the people of a meeting.
pub(super) struct PeopleOf<'a> {
    pub(super) owner: ClientId,
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
        self.complete(conn, rows)
    }

    /// All people by name, without their groups and proxies, which a file of the attendance does not show.
    pub(super) fn plain(&self, conn: &mut PgConnection) -> QueryResult<Vec<Attendee>> {
        let statement = format!("SELECT * FROM {PEOPLE} ORDER BY lower(attendee.name), attendee.id");
        let rows: Vec<AttendeeRow> = bound!(self, statement).load(conn)?;
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
        self.complete(conn, rows)
    }

    /// Adds the groups and proxies of these people, each with one statement for all.
    fn complete(&self, conn: &mut PgConnection, rows: Vec<AttendeeRow>) -> QueryResult<Vec<Attendee>> {
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let mut groups = groups_of(conn, self.owner, &ids)?;
        let proxies = self.proxies(conn)?;
        let mut holders = self.holders(conn, &ids)?;
        let attendee = |row: AttendeeRow| {
            let id = row.id;
            let names = groups.remove(&id).unwrap_or_default().into_iter().map(|group| group.name).collect();
            let held = proxies.get(&id).copied().unwrap_or_default();
            let given = holders.remove(&id).unwrap_or_default();
            Ok(Attendee { groups: names, proxies: held, holders: given, ..Attendee::try_from(row)? })
        };
        rows.into_iter().map(attendee).collect()
    }

    /// The number of proxies of the meeting that each holder has.
    fn proxies(&self, conn: &mut PgConnection) -> QueryResult<HashMap<Uuid, u64>> {
        let held: Vec<(Uuid, i64)> = proxies::table
            .inner_join(proxy_settings::table.on(proxy_settings::meeting_id.eq(proxies::meeting_id)))
            .filter(proxies::client_id.eq(self.owner.as_uuid()).and(proxies::meeting_id.eq(self.meeting)))
            .filter(proxies::revoked_at.is_null().and(proxy_settings::is_on))
            .group_by(proxies::holder_id)
            .select((proxies::holder_id, count_star()))
            .load(conn)?;
        held.into_iter().map(|(holder, number)| Ok((holder, count(number)?))).collect()
    }

    /// The names of the holders to whom these people gave proxies for the meeting.
    fn holders(&self, conn: &mut PgConnection, people: &[Uuid]) -> QueryResult<HashMap<Uuid, Vec<String>>> {
        let given: Vec<(Uuid, String)> = proxies::table
            .inner_join(proxy_settings::table.on(proxy_settings::meeting_id.eq(proxies::meeting_id)))
            .inner_join(end_users::table.on(end_users::id.eq(proxies::holder_id)))
            .filter(proxies::client_id.eq(self.owner.as_uuid()).and(proxies::meeting_id.eq(self.meeting)))
            .filter(proxies::revoked_at.is_null().and(proxy_settings::is_on).and(end_users::is_active))
            .filter(proxies::principal_id.eq_any(people))
            .order((proxies::granted_at, proxies::id))
            .select((proxies::principal_id, end_users::name))
            .load(conn)?;
        let mut holders: HashMap<Uuid, Vec<String>> = HashMap::new();
        for (principal, holder) in given {
            let names = holders.entry(principal).or_default();
            if !names.contains(&holder) {
                names.push(holder);
            }
        }
        Ok(holders)
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
    #[diesel(sql_type = Bool)]
    may_vote: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    since: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    noted_at: Option<DateTime<Utc>>,
    #[diesel(sql_type = Nullable<Text>)]
    by_name: Option<String>,
    #[diesel(sql_type = Nullable<Integer>)]
    number: Option<i32>,
}

impl TryFrom<AttendeeRow> for Attendee {
    type Error = diesel::result::Error;

    fn try_from(row: AttendeeRow) -> QueryResult<Self> {
        let number = row.number.map(natural).transpose()?;
        let present = row.since.zip(row.noted_at).zip(row.by_name).zip(number);
        Ok(Self {
            id: EndUserId::from_uuid(row.id),
            name: row.name,
            username: row.username,
            weight: row.weight.normalize(),
            may_vote: row.may_vote,
            groups: Vec::new(),
            proxies: 0,
            holders: Vec::new(),
            present: present.map(|(((at, noted_at), by), number)| PresentSince { at, noted_at, by, number }),
        })
    }
}
