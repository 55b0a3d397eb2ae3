use plenum_result_format::{
    ARCHIVE_FORMAT, AUDIT_FORMAT, ArchiveFile, AuditFile, EARLIER_FORMAT, FORMAT, MAX_ARCHIVE_BYTES, ResultsFile,
    TableReader, UnreadableTable,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::SignedTable;
use crate::unique_members::has_unique_members;

/// The reason why a file cannot be verified at all.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file has another format.
    #[error("this is not a results file; export one as JSON from the results of a meeting, or from the audit log")]
    Foreign,
    /// This program does not know the format.
    #[error(
        "this file has the format {0:?}, and this program reads {FORMAT:?}, {EARLIER_FORMAT:?}, {ARCHIVE_FORMAT:?} and {AUDIT_FORMAT:?}: use \
         the `plenum` that wrote it"
    )]
    OtherVersion(String),
    /// The file has the right format, but invalid content.
    #[error("this file is damaged: {0}")]
    Damaged(serde_json::Error),
    /// A member occurs twice in an object, so readers would disagree about its value.
    #[error("this file is damaged: a member occurs twice in one object")]
    Ambiguous,
    /// The minutes as PDF, or another PDF.
    #[error(
        "a PDF cannot be verified as a file: the signature of minutes covers the record hashes in them. Open the address in \
         their QR code, and verify the JSON export of the results"
    )]
    Pdf,
    /// Bytes of another kind.
    #[error(
        "this is a file of another kind: verify results or an audit log, as JSON, CSV or XLSX, attendance or proxies, as CSV or \
         XLSX, or an archive"
    )]
    OtherKind,
    /// A table that has no signature.
    #[error(
        "this table is not signed, and nothing in it can be counted again: export the results or the audit log as JSON, or \
         export the table again, which signs it"
    )]
    UnsignedTable,
    /// A workbook that needs a password.
    #[error("this workbook is protected by a password")]
    Protected,
    /// A recount takes longer than the reader allows.
    #[error(
        "counting this file again takes too long here: it has too many seats, stages and ballots. Use `plenum verify`, which \
         has no such limit"
    )]
    TooMuchWork,
    /// The content exceeds the reader's limit, packed or unpacked.
    #[error("this file is larger than {0} bytes")]
    TooLarge(u64),
}

#[derive(Deserialize)]
struct Head {
    format: String,
}

/// A file that can be verified.
#[derive(Clone, Debug, PartialEq)]
pub enum Exported {
    /// The results of a meeting.
    Results(Box<ResultsFile>),
    /// An audit log.
    Audit(Box<AuditFile>),
    /// The archive of a meeting.
    Archive(Box<ArchiveFile>),
    /// A signed table of results or of an audit log.
    Table(Box<SignedTable>),
}

/// Reads tables, within a limit.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The reader.
    pub reader: &'a dyn TableReader,
    /// The greatest size of a table in bytes, also when unpacked.
    pub most: u64,
}

/// Reads a results file or an audit log, as JSON, as a CSV file or as a workbook, or an archive.
///
/// # Errors
/// States why the file cannot be verified.
pub fn read_exported(content: &[u8], tables: Tables<'_>) -> Result<Exported, Unreadable> {
    let bare = content.strip_prefix(MARK).unwrap_or(content);
    if bare.starts_with(b"%PDF-") {
        return Err(Unreadable::Pdf);
    }
    if !matches!(bare.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return read_table(content, tables);
    }
    read_json(bare)
}

/// Reads a results file, an audit log or an archive as JSON.
pub(crate) fn read_json(bare: &[u8]) -> Result<Exported, Unreadable> {
    // Other programs may have written the members in another order. A cut file can only be recognized by its beginning.
    let named = serde_json::from_slice::<Head>(bare).map(|head| head.format).unwrap_or_default();
    let is_of = |form: &str| named.starts_with(form) || begins_with(bare, form);
    if is_of("plenum-audit/") {
        return read_as(bare, AUDIT_FORMAT).map(|log| Exported::Audit(Box::new(log)));
    }
    if is_of("plenum-archive/") {
        return read_archive(bare, MAX_ARCHIVE_BYTES).map(|archive| Exported::Archive(Box::new(archive)));
    }
    read(bare).map(|results| Exported::Results(Box::new(results)))
}

fn read_archive(bare: &[u8], most: u64) -> Result<ArchiveFile, Unreadable> {
    if bare.len() as u64 > most {
        return Err(Unreadable::TooLarge(most));
    }
    read_as(bare, ARCHIVE_FORMAT)
}

fn read_as<T: DeserializeOwned>(bare: &[u8], format: &str) -> Result<T, Unreadable> {
    let head: Head = serde_json::from_slice(bare).map_err(Unreadable::Damaged)?;
    if head.format != format {
        return Err(Unreadable::OtherVersion(head.format));
    }
    if !has_unique_members(bare) {
        return Err(Unreadable::Ambiguous);
    }
    serde_json::from_slice(bare).map_err(Unreadable::Damaged)
}

fn read_table(content: &[u8], tables: Tables<'_>) -> Result<Exported, Unreadable> {
    let table = tables.reader.read_table(content, tables.most).map_err(|reason| match reason {
        UnreadableTable::Foreign => Unreadable::OtherKind,
        UnreadableTable::Protected => Unreadable::Protected,
        UnreadableTable::TooLarge => Unreadable::TooLarge(tables.most),
    })?;
    SignedTable::of(table).map(|table| Exported::Table(Box::new(table))).ok_or(Unreadable::UnsignedTable)
}

/// The byte order mark that some programs write before UTF-8.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a results file.
///
/// # Errors
/// States why the file cannot be verified.
pub fn read(content: &[u8]) -> Result<ResultsFile, Unreadable> {
    let content = content.strip_prefix(MARK).unwrap_or(content);
    let head: Head = serde_json::from_slice(content).map_err(|error| match error.classify() {
        // A truncated file still names its format at the beginning.
        _ if begins_with(content, "plenum-results/") => Unreadable::Damaged(error),
        _ => Unreadable::Foreign,
    })?;
    if !head.format.starts_with("plenum-results/") {
        return Err(Unreadable::Foreign);
    }
    if head.format != FORMAT && head.format != EARLIER_FORMAT {
        return Err(Unreadable::OtherVersion(head.format));
    }
    if !has_unique_members(content) {
        return Err(Unreadable::Ambiguous);
    }
    serde_json::from_slice(content).map_err(Unreadable::Damaged)
}

fn begins_with(content: &[u8], form: &str) -> bool {
    let beginning = String::from_utf8_lossy(&content[..content.len().min(200)]).replace(char::is_whitespace, "");
    beginning.starts_with(&format!("{{\"format\":\"{form}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_refused_beyond_its_limit_before_it_is_parsed() {
        let content = br#"{"format":"plenum-archive/1","#;
        assert!(matches!(read_archive(content, 10), Err(Unreadable::TooLarge(10))));
        assert!(matches!(read_archive(content, 1_000), Err(Unreadable::Damaged(_))));
    }
}
