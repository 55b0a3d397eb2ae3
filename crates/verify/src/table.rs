//! Signed tables: CSV files and workbooks. Their cells have words and rounded figures for people, which cannot be
//! recounted. So only the signature is checked.

use plenum_result_format::{TableFile, TableSeal};

use crate::report::Differences;
use crate::signatures::{check_keys, is_signed, origin_of};
use crate::{KnownKeys, Origin, Refusal};

/// A table with the lines of a signature.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedTable {
    /// The table without the value of its signature.
    table: TableFile,
    /// The content of the lines. `None` if they are damaged.
    seal: Option<TableSeal>,
}

impl SignedTable {
    /// The signature of this table. `None` if it has none.
    pub(crate) fn of(mut table: TableFile) -> Option<Self> {
        if !table.claims_signature() {
            return None;
        }
        let value = table.take_value();
        let seal = value.and_then(|value| TableSeal::read(&table.signature_lines(), value));
        Some(Self { table, seal })
    }

    /// The table's statements about itself. `None` if these lines are damaged.
    pub fn seal(&self) -> Option<&TableSeal> {
        self.seal.as_ref()
    }

    /// Checks the signature.
    ///
    /// # Errors
    /// Returns a refusal if something was changed.
    pub(crate) fn check_origin(&self, known: &KnownKeys) -> Result<Origin, Refusal> {
        let mut found = Differences::default();
        for part in &self.table.foreign_parts {
            found.wants(part, "it", "missing: an exported workbook has no such part, and it can hide cells");
        }
        let Some(seal) = &self.seal else {
            found.wants("Signature", "other lines", "the lines of a signature, with its value in the last one");
            return Err(Refusal(found.all));
        };
        let signature = &seal.signature;
        if let Some(key) = check_keys(&mut found, signature)
            && !is_signed(key, &self.table.message(), &signature.value)
        {
            found.wants("Signature", &signature.value, "the signature of these cells: something was changed");
        }
        let origin = origin_of(&mut found, signature, known);
        if found.all.is_empty() { Ok(origin) } else { Err(Refusal(found.all)) }
    }
}
