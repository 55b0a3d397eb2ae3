//! Decisions of ties of an election, kept with the round in a column.

use chrono::{DateTime, Utc};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgConnection, PgValue};
use diesel::prelude::*;
use diesel::serialize::{self, Output, ToSql};
use diesel::sql_types::Jsonb;
use plenum_result_format::TieMatterName;
use plenum_voting::elections::{Candidate, Decided, Tie, TieDecision, TieMatter};
use plenum_voting::{DecideTieError, MadeTieDecision, NewTieDecision, RoundStatus};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pool::failure::Abort;
use crate::schema::rounds;
use crate::voting::round_log::account_name;
use crate::voting::rows::round_status_text;
use crate::voting::steps::LockedMeeting;

/// The decisions of a round, in their order.
#[derive(Debug, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct TieDecisionsColumn(pub(crate) Vec<MadeTieDecision>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredDecision {
    stage: u32,
    matter: TieMatterName,
    numbers: Vec<u32>,
    wanted: u32,
    seed: Option<String>,
    order: Option<Vec<u32>>,
    drawn_by: Option<String>,
    witnessed_by: Option<String>,
    at: DateTime<Utc>,
    decided_by: Option<String>,
}

impl From<&MadeTieDecision> for StoredDecision {
    fn from(made: &MadeTieDecision) -> Self {
        let TieDecision { tie, decided } = &made.decision;
        let (seed, order) = match decided {
            Decided::Lot { seed } => (Some(seed.clone()), None),
            Decided::LotByHand { order } | Decided::RunOff { order } => (None, Some(order.clone())),
        };
        let matter = match tie.matter {
            TieMatter::Seats { .. } => TieMatterName::Seats,
            TieMatter::Exclusion { .. } => TieMatterName::Exclusion,
            TieMatter::FirstSurplus { .. } => TieMatterName::FirstSurplus,
            TieMatter::ListSeats { .. } => TieMatterName::ListSeats,
        };
        Self {
            stage: tie.stage,
            matter,
            numbers: tie.numbers(),
            wanted: u32::try_from(tie.wanted()).unwrap_or(u32::MAX),
            seed,
            order,
            drawn_by: made.drawn_by.clone(),
            witnessed_by: made.witnessed_by.clone(),
            at: made.at,
            decided_by: made.decided_by.clone(),
        }
    }
}

impl TryFrom<StoredDecision> for MadeTieDecision {
    type Error = &'static str;

    fn try_from(stored: StoredDecision) -> Result<Self, Self::Error> {
        let candidates = || stored.numbers.iter().map(|number| Candidate::numbered(*number)).collect();
        let matter = match stored.matter {
            TieMatterName::Seats => TieMatter::Seats { candidates: candidates(), seats: stored.wanted },
            TieMatterName::Exclusion => TieMatter::Exclusion { candidates: candidates() },
            TieMatterName::FirstSurplus => TieMatter::FirstSurplus { candidates: candidates() },
            TieMatterName::ListSeats => TieMatter::ListSeats { lists: stored.numbers, seats: stored.wanted },
        };
        let decided = match (stored.seed, stored.order) {
            (Some(seed), None) => Decided::Lot { seed },
            (None, Some(order)) => Decided::LotByHand { order },
            _ => return Err("a decision of a tie has neither a seed nor an order, or both"),
        };
        Ok(Self {
            decision: TieDecision { tie: Tie { stage: stored.stage, matter }, decided },
            drawn_by: stored.drawn_by,
            witnessed_by: stored.witnessed_by,
            at: stored.at,
            decided_by: stored.decided_by,
        })
    }
}

impl ToSql<Jsonb, Pg> for TieDecisionsColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        let stored: Vec<StoredDecision> = self.0.iter().map(Into::into).collect();
        let json = serde_json::to_value(stored)?;
        <Value as ToSql<Jsonb, Pg>>::to_sql(&json, &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for TieDecisionsColumn {
    fn from_sql(stored: PgValue<'_>) -> deserialize::Result<Self> {
        let stored: Vec<StoredDecision> = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        Ok(Self(stored.into_iter().map(TryInto::try_into).collect::<Result<_, _>>()?))
    }
}

/// Adds a decision to those of a counted round, in its locked meeting.
pub(crate) fn store_tie_decision(conn: &mut PgConnection, new: NewTieDecision) -> Result<(), Abort<DecideTieError>> {
    let other = || Abort::Refused(DecideTieError::OtherTie);
    let locked = LockedMeeting::lock(conn, new.owner.as_uuid(), new.meeting.as_uuid())?.ok_or_else(other)?;
    let counted = rounds::table
        .find(new.round.as_uuid())
        .filter(rounds::meeting_id.eq(locked.id))
        .filter(rounds::status.eq(round_status_text(RoundStatus::Ended)))
        .filter(rounds::counted_at.is_not_null());
    let made: Option<TieDecisionsColumn> = counted.select(rounds::tie_decisions).first(conn).optional()?;
    let TieDecisionsColumn(mut made) = made.filter(|made| made.0.len() == new.before).ok_or_else(other)?;
    let (at, decided_by) = (locked.time(conn, new.at)?, account_name(conn, new.by.as_uuid())?);
    let NewTieDecision { decision, drawn_by, witnessed_by, .. } = new;
    made.push(MadeTieDecision { decision, drawn_by, witnessed_by, at, decided_by: Some(decided_by) });
    diesel::update(rounds::table.find(new.round.as_uuid()))
        .set(rounds::tie_decisions.eq(TieDecisionsColumn(made)))
        .execute(conn)?;
    // It is no step: it changes nothing that another organizer could have decided on.
    Ok(())
}
