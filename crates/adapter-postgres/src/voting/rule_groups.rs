//! The groups that a decision rule names: a round freezes them with their names, and its register who is in which.

use std::collections::HashMap;
use std::fmt::Write as _;

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Numeric, SmallInt, Uuid as SqlUuid};
use plenum_kernel::{DecisionRule, GroupId, NamedGroup};
use plenum_voting::Count;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::rows::columns::count;
use crate::rows::terms::RuleColumn;
use crate::schema::{groups, questions, rounds};
use crate::voting::register_weight::RegisterWeight;
use crate::voting::round_proxies::represented_members;

/// The groups that the rule of a question names, as `rounds.rule_groups` stores them. `None` without such groups.
pub(super) fn rule_groups_of(conn: &mut PgConnection, question: Uuid) -> QueryResult<Option<Value>> {
    let rule: Option<RuleColumn> = questions::table.find(question).select(questions::decision_rule).first(conn)?;
    let named = rule.as_ref().map(|RuleColumn(rule)| DecisionRule::groups(rule)).unwrap_or_default();
    if named.is_empty() {
        return Ok(None);
    }
    let ids: Vec<Uuid> = named.iter().map(|group| group.as_uuid()).collect();
    let found: Vec<(Uuid, String)> =
        groups::table.filter(groups::id.eq_any(&ids)).select((groups::id, groups::name)).load(conn)?;
    let name = |id: &Uuid| found.iter().find(|(known, _)| known == id).map(|(_, name)| name.as_str());
    // A group that is gone, which only a change of the database can be, has no members and no name.
    Ok(Some(ids.iter().map(|id| json!({ "id": id, "name": name(id).unwrap_or_default() })).collect()))
}

/// The frozen groups, in the order of the rule.
pub(super) fn read_rule_groups(stored: Option<Value>) -> QueryResult<Vec<NamedGroup>> {
    let Some(stored) = stored else { return Ok(Vec::new()) };
    let read = |group: &Value| {
        let id = GroupId::from_uuid(group.get("id")?.as_str()?.parse().ok()?);
        Some(NamedGroup { id, name: group.get("name")?.as_str()?.to_owned() })
    };
    let groups: Option<Vec<NamedGroup>> = stored.as_array().and_then(|groups| groups.iter().map(read).collect());
    groups.ok_or_else(|| damaged("rounds.rule_groups cannot be read"))
}

/// The places of a person's groups in the frozen list of a round, as a register stores them. `person` is the column with their id.
pub(super) fn places_in(conn: &mut PgConnection, round: Uuid, person: &str) -> QueryResult<Option<String>> {
    let stored: Option<Value> = rounds::table.find(round).select(rounds::rule_groups).first(conn)?;
    places(stored, person)
}

/// The same by the list that a round of this question would freeze now.
pub(super) fn places_for_question(
    conn: &mut PgConnection,
    question: Uuid,
    person: &str,
) -> QueryResult<Option<String>> {
    places(rule_groups_of(conn, question)?, person)
}

/// The members of each group are read once, and found in a hash table, as in [`is_in_audience`](crate::rows::audience::is_in_audience).
/// The text contains nothing but ids and numbers.
fn places(stored: Option<Value>, person: &str) -> QueryResult<Option<String>> {
    let groups = read_rule_groups(stored)?;
    if groups.is_empty() {
        return Ok(None);
    }
    let mut places = String::new();
    for (place, group) in groups.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        write!(
            places,
            "{comma}CASE WHEN {person} IN (SELECT unnest(ARRAY(SELECT group_members.end_user_id FROM group_members \
                                                               WHERE group_members.group_id = '{}'))) \
                         THEN {place}::smallint END",
            group.id
        )
        .map_err(|_| damaged("a statement could not be written"))?;
    }
    Ok(Some(format!("nullif(array_remove(ARRAY[{places}], NULL), '{{}}')")))
}

/// Gives a person who enters the register of a round alone the places of their groups.
pub(super) fn place_latecomer(conn: &mut PgConnection, round: Uuid, end_user: Uuid) -> QueryResult<()> {
    let Some(places) = places_in(conn, round, "register.end_user_id")? else { return Ok(()) };
    diesel::sql_query(format!("UPDATE register SET groups = {places} WHERE round_id = $1 AND end_user_id = $2"))
        .bind::<SqlUuid, _>(round)
        .bind::<SqlUuid, _>(end_user)
        .execute(conn)?;
    Ok(())
}

/// The members of a group in a register.
#[derive(Clone, Copy, Default)]
pub(super) struct Members {
    /// All of them.
    pub(super) register: Count,
    /// Those who were connected at opening.
    pub(super) connected: Count,
    /// Those who are represented, and for whom nobody has voted.
    pub(super) represented: Count,
}

/// The members of each group in the registers of these rounds, which the tenant MUST see. By round and place of the group.
pub(super) fn count_members(
    conn: &mut PgConnection,
    rounds: Vec<Uuid>,
    by: RegisterWeight,
) -> QueryResult<HashMap<(Uuid, usize), Members>> {
    #[derive(QueryableByName)]
    struct Row {
        #[diesel(sql_type = SqlUuid)]
        round_id: Uuid,
        #[diesel(sql_type = SmallInt)]
        place: i16,
        #[diesel(sql_type = BigInt)]
        heads: i64,
        #[diesel(sql_type = Numeric)]
        weight: Decimal,
        #[diesel(sql_type = BigInt)]
        connected_heads: i64,
        #[diesel(sql_type = Numeric)]
        connected_weight: Decimal,
    }
    if rounds.is_empty() {
        return Ok(HashMap::new());
    }
    let represented = represented_members(conn, &rounds, by)?;
    let statement = by.read(
        "SELECT register.round_id, member.place, count(*) AS heads, coalesce(sum(register.weight), 0) AS weight, \
                count(*) FILTER (WHERE register.was_connected) AS connected_heads, \
                coalesce(sum(register.weight) FILTER (WHERE register.was_connected), 0) AS connected_weight \
         FROM register CROSS JOIN LATERAL unnest(register.groups) AS member (place) \
         WHERE register.round_id = ANY($1) \
         GROUP BY register.round_id, member.place",
    );
    let rows: Vec<Row> = diesel::sql_query(statement).bind::<Array<SqlUuid>, _>(rounds).load(conn)?;
    let counted = |row: Row| {
        let place = usize::try_from(row.place).map_err(damaged)?;
        let register = Count { heads: count(row.heads)?, weight: row.weight.normalize() };
        let connected = Count { heads: count(row.connected_heads)?, weight: row.connected_weight.normalize() };
        let represented = represented.get(&(row.round_id, place)).copied().unwrap_or_default();
        Ok(((row.round_id, place), Members { register, connected, represented }))
    };
    rows.into_iter().map(counted).collect()
}

/// The places as the domain has them.
pub(crate) fn group_places(stored: Option<Vec<i16>>) -> Vec<u16> {
    stored.unwrap_or_default().into_iter().filter_map(|place| u16::try_from(place).ok()).collect()
}
