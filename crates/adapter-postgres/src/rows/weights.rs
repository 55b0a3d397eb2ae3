//! A person's values of kinds of weight, as `end_users.weights` has them: `{"<id of the kind>": "250.5"}`.

use std::collections::BTreeMap;

use diesel::deserialize::{FromSql, FromSqlRow, Result as ReadResult};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{Output, Result as WriteResult, ToSql};
use diesel::sql_types::Jsonb;
use plenum_kernel::{KindWeight, KindWeights, WeightKindId};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

/// The values of a row.
#[derive(Debug, FromSqlRow, AsExpression)]
#[diesel(sql_type = Jsonb)]
pub(crate) struct WeightsColumn(pub(crate) KindWeights);

/// The values as they are stored.
pub(crate) fn stored_weights(weights: &KindWeights) -> Value {
    Value::Object(weights.iter().map(|(kind, value)| (kind.to_string(), Value::String(value.to_string()))).collect())
}

impl ToSql<Jsonb, Pg> for WeightsColumn {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> WriteResult {
        <Value as ToSql<Jsonb, Pg>>::to_sql(&stored_weights(&self.0), &mut out.reborrow())
    }
}

impl FromSql<Jsonb, Pg> for WeightsColumn {
    fn from_sql(stored: PgValue<'_>) -> ReadResult<Self> {
        let stored: BTreeMap<Uuid, Decimal> = serde_json::from_value(<Value as FromSql<Jsonb, Pg>>::from_sql(stored)?)?;
        let value = |(kind, value)| (WeightKindId::from_uuid(kind), KindWeight::from_stored(value));
        Ok(Self(stored.into_iter().map(value).collect()))
    }
}
