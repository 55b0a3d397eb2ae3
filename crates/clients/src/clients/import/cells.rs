//! Cells of a row.

use plenum_kernel::Invalid;

use crate::{ImportField, ImportRow, RowFault};

/// The trimmed text, if it is not empty.
pub(super) fn filled(text: Option<&str>) -> Option<String> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The full name, or the first and the last name.
pub(super) fn full_name(row: &ImportRow) -> Option<String> {
    filled(row.name.as_deref()).or_else(|| {
        let parts = [filled(row.first_name.as_deref()), filled(row.last_name.as_deref())];
        filled(Some(&parts.into_iter().flatten().collect::<Vec<_>>().join(" ")))
    })
}

/// The value of a cell. Notes what is wrong with it.
pub(super) fn read<T>(
    faults: &mut Vec<RowFault>,
    field: ImportField,
    text: Option<&str>,
    parse: impl FnOnce(&str) -> Result<T, Invalid>,
) -> Option<T> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    parse(text).map_err(|wanted| faults.push(RowFault { field, wanted: wanted.to_string() })).ok()
}
