//! The kinds of weight that meetings and questions name.

use std::collections::BTreeSet;

use diesel::prelude::*;
use plenum_kernel::{ClientId, WeightKindId};
use plenum_meetings::{FormError, Question, UpdateMeetingError};
use uuid::Uuid;

use crate::pool::failure::Abort;
use crate::schema::weight_kinds;

/// Those of these kinds that the client has. Locks them against deletion, until what refers to them is stored.
fn lock_kinds(
    conn: &mut PgConnection,
    owner: ClientId,
    ids: impl IntoIterator<Item = WeightKindId>,
) -> QueryResult<BTreeSet<WeightKindId>> {
    let ids: BTreeSet<Uuid> = ids.into_iter().map(WeightKindId::as_uuid).collect();
    if ids.is_empty() {
        return Ok(BTreeSet::new());
    }
    let locked: Vec<Uuid> = weight_kinds::table
        .filter(weight_kinds::client_id.eq(owner.as_uuid()).and(weight_kinds::id.eq_any(ids)))
        .order(weight_kinds::id)
        .select(weight_kinds::id)
        .for_key_share()
        .load(conn)?;
    Ok(locked.into_iter().map(WeightKindId::from_uuid).collect())
}

/// The first kind of one of these questions that the client does not have, as an error of its field. Locks the others.
pub(super) fn unknown_kind_of(
    conn: &mut PgConnection,
    owner: ClientId,
    questions: &[Question],
) -> QueryResult<Option<FormError>> {
    let known = lock_kinds(conn, owner, questions.iter().flat_map(|question| question.weights.kinds()))?;
    Ok(questions.iter().find_map(|question| question.unknown_weight_kind(|kind| known.contains(&kind))))
}

/// Refuses kinds that the client does not have. Locks the others.
pub(super) fn require_kinds(
    conn: &mut PgConnection,
    owner: ClientId,
    kinds: impl IntoIterator<Item = WeightKindId>,
) -> Result<(), Abort<UpdateMeetingError>> {
    let kinds: BTreeSet<WeightKindId> = kinds.into_iter().collect();
    let known = lock_kinds(conn, owner, kinds.iter().copied())?;
    if known == kinds { Ok(()) } else { Err(Abort::Refused(UpdateMeetingError::UnknownWeightKind)) }
}
