//! Decision rules and quorums in columns, in the same form as in files and in the API.

use std::sync::Arc;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::result::QueryResult;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Jsonb;
use plenum_kernel::election::ElectionRule;
use plenum_kernel::{
    AtOpening, DecisionRule, MeetingQuorum, NotedQuorum, PlannedQuorum, PresenceRule, Quorum, Secrecy,
};
use plenum_result_format::{DecisionRuleFormat, PlannedQuorumFormat, QuorumFormat};
use serde_json::Value;

use crate::pool::failure::damaged;

/// A decision rule in a column.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct RuleColumn(pub(crate) DecisionRule);

/// A quorum in a column.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct QuorumColumn(pub(crate) Quorum);

/// A quorum with that for a second call in a column.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct PlannedQuorumColumn(pub(crate) PlannedQuorum);

/// The quorum that an attendance note keeps, in a column: JSON's null is no quorum.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct NotedQuorumColumn(pub(crate) Option<Quorum>);

/// The quorum of an attendance note from its column. Notes of earlier versions have no value.
pub(crate) fn noted_quorum(stored: Option<NotedQuorumColumn>) -> NotedQuorum {
    stored.map_or(NotedQuorum::OfMeeting, |NotedQuorumColumn(quorum)| NotedQuorum::Kept(quorum))
}

/// The terms of an election, if this is the rule of one.
pub(crate) fn election_of(rule: Option<RuleColumn>) -> Option<Arc<ElectionRule>> {
    match rule {
        Some(RuleColumn(DecisionRule::Election(rule))) => Some(Arc::from(rule)),
        _ => None,
    }
}

impl ToSql<Jsonb, Pg> for RuleColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let json = serde_json::to_value(DecisionRuleFormat::from(&self.0))?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for RuleColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let format: DecisionRuleFormat = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let rule =
            format.try_into().map_err(|(field, requirement)| format!("a decision rule's {field}: {requirement}"))?;
        Ok(Self(rule))
    }
}

impl ToSql<Jsonb, Pg> for QuorumColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let json = serde_json::to_value(QuorumFormat::from(self.0))?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl ToSql<Jsonb, Pg> for NotedQuorumColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let json = serde_json::to_value(self.0.map(QuorumFormat::from))?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for QuorumColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let format: QuorumFormat = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let quorum = format.try_into().map_err(|(field, requirement)| format!("a quorum's {field}: {requirement}"))?;
        Ok(Self(quorum))
    }
}

impl FromSql<Jsonb, Pg> for NotedQuorumColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let format: Option<QuorumFormat> = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let quorum = format.map(Quorum::try_from).transpose();
        Ok(Self(quorum.map_err(|(field, requirement)| format!("a quorum's {field}: {requirement}"))?))
    }
}

impl ToSql<Jsonb, Pg> for PlannedQuorumColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let json = serde_json::to_value(PlannedQuorumFormat::from(self.0))?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for PlannedQuorumColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let format: PlannedQuorumFormat = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let planned = format.try_into().map_err(|(field, requirement)| format!("a quorum's {field}: {requirement}"))?;
        Ok(Self(planned))
    }
}

/// The rule by which a round counts its present voters.
pub(crate) fn presence_rule(stored: &str) -> QueryResult<PresenceRule> {
    match stored {
        "CONNECTED_OR_VOTED" => Ok(PresenceRule::ConnectedOrVoted),
        "CHECKED_IN" => Ok(PresenceRule::CheckedIn),
        "LARGER_NUMBER" => Ok(PresenceRule::LargerNumber),
        other => Err(damaged(format!("rounds.presence is {other}"))),
    }
}

pub(crate) fn secrecy_text(secrecy: Secrecy) -> &'static str {
    match secrecy {
        Secrecy::Named => "NAMED",
        Secrecy::Unshown => "UNSHOWN",
        Secrecy::Secret => "SECRET",
    }
}

pub(crate) fn secrecy(stored: &str) -> QueryResult<Secrecy> {
    let level = Secrecy::ALL.into_iter().find(|level| secrecy_text(*level) == stored);
    level.ok_or_else(|| damaged(format!("secrecy is {stored}")))
}

/// The quorum of a meeting from its two columns.
pub(crate) fn meeting_quorum(
    stored: Option<PlannedQuorumColumn>,
    opening: Option<&str>,
) -> QueryResult<Option<MeetingQuorum>> {
    match (stored, opening.map(at_opening).transpose()?) {
        (Some(PlannedQuorumColumn(planned)), Some(at_opening)) => {
            MeetingQuorum::new(planned, at_opening).map(Some).map_err(|(_, requirement)| damaged(requirement))
        }
        (None, None) => Ok(None),
        _ => Err(damaged("a meeting has half a quorum")),
    }
}

pub(crate) fn at_opening_text(at_opening: AtOpening) -> &'static str {
    match at_opening {
        AtOpening::Warn => "WARN",
        AtOpening::Bar => "BAR",
    }
}

pub(crate) fn at_opening(text: &str) -> QueryResult<AtOpening> {
    match text {
        "WARN" => Ok(AtOpening::Warn),
        "BAR" => Ok(AtOpening::Bar),
        other => Err(damaged(format!("meetings.quorum_at_opening is {other}"))),
    }
}
