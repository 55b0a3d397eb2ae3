use plenum_kernel::WeightKindId;

use crate::error::FieldCheck;

/// The requirement for the id of a kind of weight.
pub(crate) const WANTED_WEIGHT_KIND: &str = "Must be the id of a kind of weight of your organization.";

/// Reads the id of a kind of weight in this field. Another text is an error.
pub(crate) fn read_weight_kind(check: &mut FieldCheck, field: &str, id: Option<&str>) -> Option<WeightKindId> {
    let read = id?.parse();
    if read.is_err() {
        check.note(field, WANTED_WEIGHT_KIND.to_owned());
    }
    read.ok()
}
