//! SQL for people's weights by kinds (decision 92), and the kinds that rounds keep.

use plenum_kernel::{WeightDecimals, WeightKind, WeightKindId};
use serde_json::Value;
use uuid::Uuid;

use crate::pool::failure::damaged;
use diesel::QueryResult;

/// The weight of a person by the kind whose id is `$kind` as a text: the ordinary one if it is null. Whoever has no value of the kind
/// has none. `$person` MUST have the columns `weight` and `weights`.
macro_rules! weight_by {
    ($person:literal, $kind:expr) => {
        concat!(
            "CASE WHEN ",
            $kind,
            " IS NULL THEN ",
            $person,
            ".weight ELSE coalesce((",
            $person,
            ".weights ->> ",
            $kind,
            ")::numeric, 0) END"
        )
    };
}

/// The second weight of a person by the kind whose id is `$kind` as a text. Null if it is null: there is no second weight.
macro_rules! second_weight_by {
    ($person:literal, $kind:expr) => {
        concat!(
            "CASE WHEN ",
            $kind,
            " IS NOT NULL THEN ",
            $crate::rows::weight_kinds::weight_by!($person, $kind),
            " END"
        )
    };
}

/// The kind that the round `$1` counts as weight. It is read once for a statement.
macro_rules! kind_of_round {
    () => {
        "(SELECT rounds.weight_kind ->> 'id' FROM rounds WHERE rounds.id = $1)"
    };
}

/// The second kind of the round `$1`.
macro_rules! second_kind_of_round {
    () => {
        "(SELECT rounds.second_weight_kind ->> 'id' FROM rounds WHERE rounds.id = $1)"
    };
}

/// The kind that a question counts as weight, or else its meeting: columns of `questions` and `meetings`. An election of persons
/// counts the ordinary weight.
macro_rules! kind_of {
    () => {
        "CASE questions.question_type WHEN 'ELECTION' THEN NULL ELSE coalesce(questions.weight_kind_id, meetings.weight_kind_id) END"
    };
}

/// The kind by which people are weighed for the question `$3` of the meeting `$2`, or for the meeting if it is null.
macro_rules! kind_in_force {
    () => {
        concat!(
            "(SELECT (",
            $crate::rows::weight_kinds::kind_of!(),
            ")::text FROM meetings LEFT JOIN questions ON questions.id = $3 WHERE meetings.id = $2)"
        )
    };
}

/// The row of `weight_kinds` as a round keeps it.
macro_rules! kind_as_kept {
    () => {
        "jsonb_build_object('id', weight_kinds.id, 'name', weight_kinds.name, 'unit', weight_kinds.unit, \
                            'decimals', weight_kinds.decimals)"
    };
}

pub(crate) use {
    kind_as_kept, kind_in_force, kind_of, kind_of_round, second_kind_of_round, second_weight_by, weight_by,
};

/// The columns of a kind: id, name, unit, decimals.
pub(crate) type KindColumns = (Uuid, String, Option<String>, i16);

/// A kind as it is stored.
pub(crate) fn stored_kind((id, name, unit, decimals): KindColumns) -> QueryResult<WeightKind> {
    let decimals = WeightDecimals::new(i64::from(decimals)).map_err(|wanted| damaged(wanted.to_string()))?;
    Ok(WeightKind { id: WeightKindId::from_uuid(id), name, unit, decimals })
}

/// A kind as a round keeps it.
pub(crate) fn read_kind(stored: Option<Value>) -> QueryResult<Option<WeightKind>> {
    let Some(stored) = stored else { return Ok(None) };
    let read = || {
        Some(WeightKind {
            id: WeightKindId::from_uuid(stored.get("id")?.as_str()?.parse().ok()?),
            name: stored.get("name")?.as_str()?.to_owned(),
            unit: stored.get("unit").and_then(Value::as_str).map(str::to_owned),
            decimals: WeightDecimals::new(stored.get("decimals")?.as_i64()?).ok()?,
        })
    };
    read().map(Some).ok_or_else(|| damaged("a kind of weight of a round cannot be read"))
}
