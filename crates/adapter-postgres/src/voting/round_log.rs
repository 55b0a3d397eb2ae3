//! The stored log of rounds.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Array, Nullable, Timestamptz, Uuid as SqlUuid};
use plenum_kernel::EndUserId;
use plenum_voting::{LogEntry, LogKind, LoggedPerson};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::pool::failure::damaged;
use crate::schema::{accounts, round_log};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = round_log, check_for_backend(Pg))]
struct LogRow {
    id: Uuid,
    round_id: Uuid,
    logged_at: DateTime<Utc>,
    kind: String,
    done_by: Option<String>,
    end_user_id: Option<Uuid>,
    username: Option<String>,
    name: Option<String>,
    weight: Option<Decimal>,
    reason: Option<String>,
}

/// The last of the actions since `$2` that were logged in these meetings. Almost none are so new. By way of the meetings'
/// rounds, each step would read all their logs.
const LAST_LOGGED: &str = "
    SELECT max(new.logged_at) AS logged_at
    FROM (SELECT round_id, logged_at FROM round_log WHERE logged_at >= $2 OFFSET 0) AS new
    CROSS JOIN LATERAL (
        SELECT FROM rounds
        WHERE rounds.id = new.round_id AND rounds.meeting_id IN (SELECT unnest($1)) OFFSET 0) AS of_meetings";

#[derive(QueryableByName)]
struct LastLogged {
    #[diesel(sql_type = Nullable<Timestamptz>)]
    logged_at: Option<DateTime<Utc>>,
}

/// The time of the last logged action in these meetings, if it is not earlier than `since`.
pub(crate) fn last_logged(
    conn: &mut PgConnection,
    meetings: Vec<Uuid>,
    since: DateTime<Utc>,
) -> QueryResult<Option<DateTime<Utc>>> {
    let query = diesel::sql_query(LAST_LOGGED).bind::<Array<SqlUuid>, _>(meetings).bind::<Timestamptz, _>(since);
    Ok(query.get_result::<LastLogged>(conn)?.logged_at)
}

/// Adds an entry to the log of a round.
pub(crate) fn log(conn: &mut PgConnection, id: Uuid, round: Uuid, entry: LogEntry) -> QueryResult<()> {
    let person = entry.person.as_ref();
    let row = LogRow {
        id,
        round_id: round,
        logged_at: entry.at,
        kind: kind_text(entry.kind).to_owned(),
        done_by: entry.by,
        end_user_id: person.map(|person| person.end_user_id.as_uuid()),
        username: person.map(|person| person.username.clone()),
        name: person.map(|person| person.name.clone()),
        weight: person.map(|person| person.weight),
        reason: entry.reason,
    };
    diesel::insert_into(round_log::table).values(row).execute(conn)?;
    Ok(())
}

diesel::define_sql_function! {
    /// Ids that the API does not show.
    fn gen_random_uuid() -> diesel::sql_types::Uuid;
}

/// An action on a round as a whole.
pub(crate) struct RoundAction<'a> {
    pub(crate) round: Uuid,
    pub(crate) kind: LogKind,
    /// The name of the organizer.
    pub(crate) by: &'a str,
    pub(crate) at: DateTime<Utc>,
}

/// Logs an action on a round as a whole. The database creates the id, because no caller needs it.
pub(crate) fn log_action(conn: &mut PgConnection, action: &RoundAction<'_>) -> QueryResult<()> {
    diesel::insert_into(round_log::table)
        .values((
            round_log::id.eq(gen_random_uuid()),
            round_log::round_id.eq(action.round),
            round_log::logged_at.eq(action.at),
            round_log::kind.eq(kind_text(action.kind)),
            round_log::done_by.eq(action.by),
        ))
        .execute(conn)?;
    Ok(())
}

/// An accepted risk to the secrecy of a round.
pub(crate) struct RiskAccepted<'a> {
    /// The action with which it was accepted.
    pub(crate) action: &'a RoundAction<'a>,
    /// The risk.
    pub(crate) sentence: &'a str,
}

/// Logs that an organizer accepted a risk.
pub(crate) fn log_risk(conn: &mut PgConnection, risk: &RiskAccepted<'_>) -> QueryResult<()> {
    diesel::insert_into(round_log::table)
        .values((
            round_log::id.eq(gen_random_uuid()),
            round_log::round_id.eq(risk.action.round),
            round_log::logged_at.eq(risk.action.at),
            round_log::kind.eq(kind_text(LogKind::RiskAccepted)),
            round_log::done_by.eq(risk.action.by),
            round_log::reason.eq(risk.sentence),
        ))
        .execute(conn)?;
    Ok(())
}

/// The name of an account in logs: first and last name, or the email address if both are empty.
pub(crate) fn account_name(conn: &mut PgConnection, account: Uuid) -> QueryResult<String> {
    let (first, last, email): (String, String, String) = accounts::table
        .find(account)
        .select((accounts::first_name, accounts::last_name, accounts::email))
        .first(conn)?;
    let name = format!("{first} {last}").trim().to_owned();
    Ok(if name.is_empty() { email } else { name })
}

/// The logs of these rounds, each with the earliest entry first. Rounds without entries are left out.
pub(crate) fn logs_of(conn: &mut PgConnection, rounds: &[Uuid]) -> QueryResult<HashMap<Uuid, Vec<LogEntry>>> {
    let rows: Vec<LogRow> = round_log::table
        .filter(round_log::round_id.eq_any(rounds))
        .order((round_log::logged_at, round_log::position, round_log::id))
        .select(LogRow::as_select())
        .load(conn)?;
    let mut logs: HashMap<Uuid, Vec<LogEntry>> = HashMap::new();
    for row in rows {
        logs.entry(row.round_id).or_default().push(row.try_into()?);
    }
    Ok(logs)
}

impl TryFrom<LogRow> for LogEntry {
    type Error = diesel::result::Error;

    fn try_from(row: LogRow) -> QueryResult<Self> {
        let person = match (row.end_user_id, row.username, row.name, row.weight) {
            (Some(id), Some(username), Some(name), Some(weight)) => {
                Some(LoggedPerson { end_user_id: EndUserId::from_uuid(id), username, name, weight: weight.normalize() })
            }
            _ => None,
        };
        Ok(Self { at: row.logged_at, kind: kind(&row.kind)?, by: row.done_by, person, reason: row.reason })
    }
}

pub(crate) fn kind_text(kind: LogKind) -> &'static str {
    match kind {
        LogKind::Opened => "OPENED",
        LogKind::Ended => "ENDED",
        LogKind::Reopened => "REOPENED",
        LogKind::Joined => "JOINED",
        LogKind::Counted => "COUNTED",
        LogKind::Declared => "DECLARED",
        LogKind::Admitted => "ADMITTED",
        LogKind::Excluded => "EXCLUDED",
        LogKind::PasswordSet => "PASSWORD_SET",
        LogKind::RiskAccepted => "RISK_ACCEPTED",
        LogKind::Voided => "VOIDED",
    }
}

fn kind(text: &str) -> QueryResult<LogKind> {
    match text {
        "OPENED" => Ok(LogKind::Opened),
        "ENDED" => Ok(LogKind::Ended),
        "REOPENED" => Ok(LogKind::Reopened),
        "JOINED" => Ok(LogKind::Joined),
        "COUNTED" => Ok(LogKind::Counted),
        "DECLARED" => Ok(LogKind::Declared),
        "ADMITTED" => Ok(LogKind::Admitted),
        "EXCLUDED" => Ok(LogKind::Excluded),
        "PASSWORD_SET" => Ok(LogKind::PasswordSet),
        "RISK_ACCEPTED" => Ok(LogKind::RiskAccepted),
        "VOIDED" => Ok(LogKind::Voided),
        _ => Err(damaged("a round's log holds a kind that is not known")),
    }
}
