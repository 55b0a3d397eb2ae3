//! Signed tables: CSV files and workbooks whose last lines, or last sheet, contain a signature of all cells.

use serde_json::{Value, json};

use crate::{AuditHead, FileSignature, PublicKey, canonical, sha256};

/// The name and version of the signed form of tables.
pub const TABLE_FORMAT: &str = "plenum-table/1";

/// The name of the last sheet of a signed workbook, and the first cell of the last lines of a signed CSV file.
pub const SIGNATURE_SECTION: &str = "Signature";

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TableCell {
    /// An empty cell.
    #[default]
    Empty,
    /// A text.
    Text(String),
    /// A number of a workbook. Numbers of a CSV file are texts.
    Number(f64),
    /// A value that no exported table contains, such as a date or a formula, as a text.
    Other(String),
}

impl TableCell {
    fn value(&self) -> Value {
        match self {
            Self::Empty => json!(""),
            Self::Text(text) => json!(text),
            Self::Number(number) => json!(number),
            Self::Other(text) => json!({ "other": text }),
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }
}

/// A row that is not blank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableRow {
    /// Its number, from 1.
    pub number: u32,
    /// Its cells, starting with the first column.
    pub cells: Vec<TableCell>,
}

impl TableRow {
    /// A JSON array of the number and the cells up to the last one with content.
    fn form(&self) -> Vec<u8> {
        let filled = self.filled().last().map_or(0, |last| last + 1);
        let mut values = vec![json!(self.number)];
        values.extend(self.cells[..filled].iter().map(TableCell::value));
        canonical(&values)
    }

    /// The columns of the cells with content.
    fn filled(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.cells).filter(|(_, cell)| cell.value() != json!("")).map(|(column, _)| column)
    }

    /// The texts of the cells with content.
    fn texts(&self) -> Vec<&str> {
        self.cells.iter().filter_map(TableCell::text).collect()
    }
}

/// A sheet of a workbook, or a CSV file, whose only sheet has no name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableSheet {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<TableRow>,
}

/// The content of a CSV file or a workbook.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableFile {
    /// The sheets, in their order.
    pub sheets: Vec<TableSheet>,
    /// Parts of a workbook that could display other content than its cells, such as pictures. An exported workbook has
    /// none.
    pub foreign_parts: Vec<String>,
}

impl TableFile {
    /// The canonical form: a line for each sheet and row, each of them a JSON array.
    pub fn form(&self) -> Vec<u8> {
        let mut form = format!("{TABLE_FORMAT}\n").into_bytes();
        for sheet in &self.sheets {
            form.extend(canonical(&[&sheet.name]));
            form.push(b'\n');
            for row in &sheet.rows {
                form.extend(row.form());
                form.push(b'\n');
            }
        }
        form
    }

    /// The signed message of this table without the value of its signature.
    pub fn message(&self) -> Vec<u8> {
        format!("{TABLE_FORMAT}\n{}\n", sha256(&self.form())).into_bytes()
    }

    /// Whether the table has lines of a signature, complete or not.
    pub fn claims_signature(&self) -> bool {
        let is_signed = |sheet: &TableSheet| match sheet.name.as_str() {
            "" => sheet.rows.iter().any(is_of_signature),
            name => name == SIGNATURE_SECTION,
        };
        self.sheets.iter().any(is_signed)
    }

    /// Removes the value of the signature, which is in the last row. `None` if the last row is another one, or if it is
    /// not exactly as it was written: below the line before it, with text in the same columns.
    pub fn take_value(&mut self) -> Option<String> {
        let rows = &mut self.sheets.last_mut()?.rows;
        let [.., before, last] = &rows[..] else { return None };
        let is_as_written =
            is_of_signature(last) && last.number == before.number + 1 && last.filled().eq(before.filled());
        let (TableSeal::VALUE, value) = pair(last).filter(|_| is_as_written)? else { return None };
        let value = value.to_owned();
        rows.pop();
        Some(value)
    }

    /// The lines of the signature, each with its name and its content, before the value is removed or after.
    pub fn signature_lines(&self) -> Vec<(&str, &str)> {
        let Some(last) = self.sheets.last() else { return Vec::new() };
        let is_sheet = last.name == SIGNATURE_SECTION;
        let mut lines: Vec<_> = last.rows.iter().rev().take_while(|row| is_sheet || is_of_signature(row)).collect();
        lines.reverse();
        lines.into_iter().filter_map(pair).collect()
    }
}

fn pair(row: &TableRow) -> Option<(&str, &str)> {
    match row.texts()[..] {
        [.., name, content] => Some((name, content)),
        _ => None,
    }
}

fn is_of_signature(row: &TableRow) -> bool {
    row.cells.first().and_then(TableCell::text) == Some(SIGNATURE_SECTION)
}

/// The statements of a signed table about itself, in its last lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSeal {
    /// The kind of content, such as [`Self::RESULTS`].
    pub content: String,
    /// The title of the meeting. Empty for an audit log.
    pub title: String,
    /// The name of the organization. Empty for an audit log.
    pub organization: String,
    /// The time of the export, for people.
    pub exported_at: String,
    /// The hashes of the records of declared results, in the order of the table. In a table without results, those that
    /// the meeting had at the time of the export.
    pub records: Vec<String>,
    /// The end of the audit log at the time of the export. `None` for results and for an empty log.
    pub audit_head: Option<AuditHead>,
    /// The address of the page that checks the file.
    pub verify_at: String,
    /// The key, all keys, and the value of the signature.
    pub signature: FileSignature,
}

impl TableSeal {
    /// The content of a table of results.
    pub const RESULTS: &'static str = "Results of a meeting";
    /// The content of a table of an audit log.
    pub const AUDIT_LOG: &'static str = "Entries of an audit log";
    /// The content of a table of the people at a meeting.
    pub const ATTENDANCE: &'static str = "Attendance of a meeting";
    /// The content of a table of the proxies for a meeting.
    pub const PROXIES: &'static str = "Proxies of a meeting";

    const FORMAT: &'static str = "Format";
    const CONTENT: &'static str = "Content";
    const TITLE: &'static str = "Meeting";
    const ORGANIZATION: &'static str = "Organization";
    const EXPORTED: &'static str = "Exported (UTC)";
    const RECORD: &'static str = "Record";
    const AUDIT_ENTRIES: &'static str = "Length of the audit log";
    const AUDIT_HASH: &'static str = "Last hash of the audit log";
    const COVERS: &'static str = "Covers";
    const CHECK: &'static str = "Check at";
    const FINGERPRINT: &'static str = "Signed with the key";
    const KEY: &'static str = "Public key";
    /// The name of the last line, with the value.
    pub const VALUE: &'static str = "Signature";

    /// Whether this is the name and the content of the first line.
    pub fn is_first_line(name: &str, content: &str) -> bool {
        (name, content) == (Self::FORMAT, TABLE_FORMAT)
    }

    /// The lines before the value, each with its name and its content.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let mut lines = vec![(Self::FORMAT, TABLE_FORMAT.to_owned()), (Self::CONTENT, self.content.clone())];
        for (name, text) in [(Self::TITLE, &self.title), (Self::ORGANIZATION, &self.organization)] {
            // In the form of the table's cells: one line, cut to the length of a cell.
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(1_000).collect::<String>();
            lines.extend((!text.is_empty()).then_some((name, text)));
        }
        lines.push((Self::EXPORTED, self.exported_at.clone()));
        lines.extend(self.records.iter().map(|hash| (Self::RECORD, hash.clone())));
        if let Some(head) = &self.audit_head {
            lines.push((Self::AUDIT_ENTRIES, head.number.to_string()));
            lines.push((Self::AUDIT_HASH, head.hash.clone()));
        }
        let covers = "The content of every cell. Not how a program shows it: colors, widths, hidden rows and columns.";
        lines.push((Self::COVERS, covers.to_owned()));
        lines.push((Self::CHECK, self.verify_at.clone()));
        lines.push((Self::FINGERPRINT, self.signature.key.clone()));
        // Published keys can always be serialized.
        let key = |key: &PublicKey| (Self::KEY, serde_json::to_string(key).unwrap_or_default());
        lines.extend(self.signature.keys.iter().map(key));
        lines
    }

    /// Reads the lines. `None` if a required one is missing, repeated or unreadable.
    pub fn read(lines: &[(&str, &str)], value: String) -> Option<Self> {
        let all = |name: &str| lines.iter().filter(|line| line.0 == name).map(|line| line.1).collect::<Vec<_>>();
        let one = |name: &str| match all(name)[..] {
            [content] => Some(content.to_owned()),
            _ => None,
        };
        if one(Self::FORMAT)? != TABLE_FORMAT {
            return None;
        }
        let keys = all(Self::KEY).into_iter().map(|key| serde_json::from_str(key).ok()).collect::<Option<Vec<_>>>()?;
        let number = one(Self::AUDIT_ENTRIES).and_then(|number| number.parse().ok());
        Some(Self {
            content: one(Self::CONTENT)?,
            title: one(Self::TITLE).unwrap_or_default(),
            organization: one(Self::ORGANIZATION).unwrap_or_default(),
            exported_at: one(Self::EXPORTED)?,
            records: all(Self::RECORD).into_iter().map(str::to_owned).collect(),
            audit_head: number.zip(one(Self::AUDIT_HASH)).map(|(number, hash)| AuditHead { number, hash }),
            verify_at: one(Self::CHECK)?,
            signature: FileSignature { key: one(Self::FINGERPRINT)?, keys, value },
        })
    }
}

/// The reason why a table cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableTable {
    /// The content is neither a CSV file nor a workbook.
    #[error("it is neither a CSV file nor a workbook (.xlsx)")]
    Foreign,
    /// The workbook needs a password.
    #[error("the workbook is protected by a password")]
    Protected,
    /// The content is larger than the limit, unpacked.
    #[error("it is too large")]
    TooLarge,
}

/// Reads the cells of exported tables.
pub trait TableReader: Send + Sync {
    /// Reads a CSV file or a workbook of at most `most` bytes, also when unpacked. Blocks the thread.
    ///
    /// # Errors
    /// States why it cannot be read.
    fn read_table(&self, content: &[u8], most: u64) -> Result<TableFile, UnreadableTable>;
}
