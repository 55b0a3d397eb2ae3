//! The register of a round, for organizers who search for people who have not voted.

use diesel::dsl::{auto_type, exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use plenum_kernel::{EndUserId, Page};
use plenum_voting::{RegisterEntry, RegisterFilter};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::rows::columns::{count, lower};
use crate::schema::{register, round_proxies, votes};
use crate::voting::rows::cast_on;

/// The votes of the outer query's entry. With an offset they are found by key for each entry and never joined: an open round
/// may be newer than the statistics, and a join planned by them might read every vote for each entry.
#[auto_type]
fn votes_of_entry() -> _ {
    let is_of_round = votes::round_id.eq(register::round_id);
    votes::table.filter(is_of_round).filter(votes::end_user_id.eq(register::end_user_id)).offset(0_i64)
}

/// The proxy of the outer query's entry, found by key as well.
#[auto_type]
fn proxy_of_entry() -> _ {
    let is_of_round = round_proxies::round_id.eq(register::round_id);
    round_proxies::table.filter(is_of_round).filter(round_proxies::principal_id.eq(register::end_user_id)).offset(0_i64)
}

/// A part of the register of a round, by name.
pub(crate) fn register_page(
    conn: &mut PgConnection,
    round: Uuid,
    filter: &RegisterFilter,
) -> QueryResult<Page<RegisterEntry>> {
    type Row = (Uuid, String, String, Decimal, Option<Decimal>, bool, Option<String>, Option<String>);
    let rows: Vec<Row> = fitting(round, filter)
        .select((
            register::end_user_id,
            register::name,
            register::username,
            register::weight,
            register::second_weight,
            exists(votes_of_entry()),
            votes_of_entry().select(votes::cast_on).single_value(),
            proxy_of_entry().select(round_proxies::holder_name).single_value(),
        ))
        .order((lower(register::name), register::end_user_id))
        .limit(i64::from(filter.page.page_size))
        .offset(filter.page.offset())
        .load(conn)?;
    let entry = |(id, name, username, weight, second_weight, has_voted, place, holder): Row| {
        Ok(RegisterEntry {
            end_user_id: EndUserId::from_uuid(id),
            name,
            username,
            weight: weight.normalize(),
            second_weight: second_weight.map(|second| second.normalize()),
            has_voted,
            cast_on: place.as_deref().map(cast_on).transpose()?,
            holder,
        })
    };
    let total = count(fitting(round, filter).count().get_result(conn)?)?;
    Ok(Page { rows: rows.into_iter().map(entry).collect::<QueryResult<_>>()?, total })
}

/// The entries of the round that match the filter, in no order.
fn fitting(round: Uuid, filter: &RegisterFilter) -> register::BoxedQuery<'static, Pg> {
    let mut query = register::table.filter(register::round_id.eq(round)).into_boxed();
    query = match filter.has_voted {
        Some(true) => query.filter(exists(votes_of_entry())),
        Some(false) => query.filter(not(exists(votes_of_entry()))),
        None => query,
    };
    if let Some(search) = &filter.search {
        let pattern = search.as_like_pattern();
        query = query.filter(register::name.ilike(pattern.clone()).or(register::username.ilike(pattern)));
    }
    query
}
