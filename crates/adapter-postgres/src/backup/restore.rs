use std::collections::BTreeMap;
use std::io::{BufRead, Lines};

use diesel::connection::SimpleConnection;
use diesel::dsl::{exists, not, select};
use diesel::pg::PgConnection;
use diesel::sql_types::Text;
use diesel::{Connection, ExpressionMethods, QueryDsl, RunQueryDsl, sql_query};
use serde_json::Value;

use super::catalog::{self, Table};
use super::{BACKUP_FORMAT, BackupError, BackupSize, connect};
use crate::pool::migrations;
use crate::schema::{prepared_registers, register, rounds};

/// The maximum number of rows in one insert …
const ROWS_AT_A_TIME: usize = 1_000;
/// … and their maximum length in bytes.
const BYTES_AT_A_TIME: usize = 1_000_000;
/// The maximum length of rows that PostgreSQL reads as jsonb. It reads jsonb once, and json again for each column. But a text
/// in jsonb has at most 256 MB, fewer than a large archive in hexadecimal. In json it has up to 1 GB.
const JSONB_BYTES: usize = 10_000_000;

/// Restores a backup of [`back_up`](super::back_up) into an empty database, and migrates it. Either everything is restored,
/// or nothing is changed.
///
/// # Errors
/// Fails when the database has rows, or the lines are not a backup that this version knows.
pub async fn restore<R: BufRead + Send + 'static>(url: &str, lines: R) -> Result<BackupSize, BackupError> {
    let url = url.to_owned();
    tokio::task::spawn_blocking(move || {
        let mut conn = connect(&url)?;
        // An instance that starts meanwhile waits for the tables, as it does while another one creates them.
        migrations::locked(&mut conn, |conn| {
            conn.transaction(|conn| Restoring::begin(conn, lines.lines())?.finish(conn))
        })
    })
    .await?
}

struct Restoring<R> {
    lines: Lines<R>,
    sequences: BTreeMap<String, i64>,
    tables: Vec<Table>,
    loaded: BTreeMap<String, u64>,
}

impl<R: BufRead> Restoring<R> {
    /// Creates the tables in the version of the backup.
    fn begin(conn: &mut PgConnection, mut lines: Lines<R>) -> Result<Self, BackupError> {
        let header = lines.next().ok_or_else(|| damaged("it is empty"))??;
        let header: Value = serde_json::from_str(&header).map_err(|_| damaged("it has no header"))?;
        if header["format"] != BACKUP_FORMAT {
            return Err(damaged("it is something else, or of another form"));
        }
        let migrations = texts(&header["migrations"]).ok_or_else(|| damaged("the header lacks the migrations"))?;
        let sequences = numbers(&header["sequences"]).ok_or_else(|| damaged("the header lacks the sequences"))?;
        refuse_rows(conn)?;
        if let Some(unknown) = migrations::unknown(&migrations)? {
            return Err(BackupError::Newer(unknown));
        }
        migrations::make_empty(conn, &migrations)?;
        Ok(Self { lines, sequences, tables: catalog::tables(conn)?, loaded: BTreeMap::new() })
    }

    fn finish(mut self, conn: &mut PgConnection) -> Result<BackupSize, BackupError> {
        // Checks keys at the end and not for each row, so that tables may come in any order, even if they refer to each
        // other. No trigger runs: its effects are in the backup.
        let (keys, triggers) = (catalog::foreign_keys(conn)?, catalog::triggers(conn)?);
        for key in &keys {
            conn.batch_execute(&format!("ALTER TABLE {} DROP CONSTRAINT {}", key.table, key.name))?;
        }
        for trigger in &triggers {
            conn.batch_execute(&format!("ALTER TABLE {} DISABLE TRIGGER {}", trigger.table, trigger.name))?;
        }
        let expected = self.load(conn)?;
        conn.batch_execute("SET CONSTRAINTS ALL IMMEDIATE")?;
        for trigger in &triggers {
            conn.batch_execute(&format!(
                "ALTER TABLE {} {} TRIGGER {}",
                trigger.table, trigger.enabling, trigger.name
            ))?;
        }
        for key in &keys {
            conn.batch_execute(&format!("ALTER TABLE {} ADD CONSTRAINT {} {}", key.table, key.name, key.definition))?;
        }
        self.set_sequences(conn)?;
        self.compare(conn, &expected)?;
        for table in &self.tables {
            conn.batch_execute(&format!("ANALYZE {}", table.name))?;
        }
        migrations::migrate_on(conn)?;
        require_rounds_of_register(conn)?;
        Ok(BackupSize { tables: self.loaded.len(), rows: self.loaded.values().sum() })
    }

    /// Loads all tables, and returns the expected number of rows of each.
    fn load(&mut self, conn: &mut PgConnection) -> Result<BTreeMap<String, u64>, BackupError> {
        let mut insertion: Option<Insertion> = None;
        while let Some(line) = self.lines.next() {
            let line = line?;
            if line.starts_with('[') {
                let insertion = insertion.as_mut().ok_or_else(|| damaged("a row has no table"))?;
                insertion.add(conn, &line)?;
                continue;
            }
            if let Some(insertion) = insertion.take() {
                let (table, rows) = insertion.finish(conn)?;
                self.loaded.insert(table, rows);
            }
            let line: Value = serde_json::from_str(&line).map_err(|_| damaged("a line of it is broken"))?;
            if let Some(name) = line["table"].as_str() {
                insertion = Some(Insertion::into(self.table(name, &line["columns"])?));
            } else {
                return counts(&line["rows"]).ok_or_else(|| damaged("its last line is broken"));
            }
        }
        Err(damaged("its end is missing"))
    }

    /// The table of this name, which must have these columns.
    fn table(&self, name: &str, columns: &Value) -> Result<&Table, BackupError> {
        let table = self.tables.iter().find(|table| table.name == name);
        let table = table.ok_or_else(|| damaged(&format!("the table {name} is none of Plenum's")))?;
        if self.loaded.contains_key(name) {
            return Err(damaged(&format!("the table {name} is in it twice")));
        }
        if texts(columns).is_none_or(|columns| columns != table.column_names()) {
            return Err(damaged(&format!("the table {name} has other columns")));
        }
        Ok(table)
    }

    fn set_sequences(&self, conn: &mut PgConnection) -> Result<(), BackupError> {
        for (sequence, value) in &self.sequences {
            sql_query(format!("SELECT setval($1::regclass, {value})")).bind::<Text, _>(sequence).execute(conn)?;
        }
        Ok(())
    }

    /// Whether all tables exist with the expected numbers of rows.
    fn compare(&self, conn: &mut PgConnection, expected: &BTreeMap<String, u64>) -> Result<(), BackupError> {
        for table in &self.tables {
            let expected = expected.get(&table.name).copied();
            let there = u64::try_from(catalog::count(conn, &table.name)?).ok();
            if expected.is_none() || there != expected || self.loaded.get(&table.name).copied() != expected {
                return Err(damaged(&format!("rows of the table {} are missing", table.name)));
            }
        }
        Ok(())
    }
}

/// A trigger requires this of each statement in place of a key (decision 97), and no trigger has run.
fn require_rounds_of_register(conn: &mut PgConnection) -> Result<(), BackupError> {
    let is_prepared = prepared_registers::table.filter(prepared_registers::round_id.eq(register::round_id));
    let orphans = register::table
        .filter(not(exists(rounds::table.filter(rounds::id.eq(register::round_id)))))
        .filter(not(exists(is_prepared)));
    if select(exists(orphans)).get_result(conn)? {
        return Err(damaged("the register has an entry of a round that is not in it"));
    }
    Ok(())
}

fn refuse_rows(conn: &mut PgConnection) -> Result<(), BackupError> {
    for table in catalog::tables(conn)? {
        if catalog::has_rows(conn, &table)? {
            return Err(BackupError::NotEmpty(table.name));
        }
    }
    Ok(())
}

/// Rows collected for an insert.
struct Insertion {
    table: String,
    /// The statement up to the rows.
    statement: String,
    /// The waiting rows as a JSON array without its end.
    rows: String,
    waiting: usize,
    inserted: u64,
}

impl Insertion {
    fn into(table: &Table) -> Self {
        let values: Vec<String> = table
            .columns
            .iter()
            .enumerate()
            .map(|(place, column)| format!("(one ->> {place})::{}", column.kind))
            .collect();
        let statement = format!(
            "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM",
            table.name,
            table.column_names().join(", "),
            values.join(", ")
        );
        Self { table: table.name.clone(), statement, rows: String::new(), waiting: 0, inserted: 0 }
    }

    fn add(&mut self, conn: &mut PgConnection, row: &str) -> Result<(), BackupError> {
        self.rows.push(if self.waiting == 0 { '[' } else { ',' });
        self.rows.push_str(row);
        self.waiting += 1;
        if self.waiting >= ROWS_AT_A_TIME || self.rows.len() >= BYTES_AT_A_TIME {
            self.insert(conn)?;
        }
        Ok(())
    }

    fn insert(&mut self, conn: &mut PgConnection) -> Result<(), BackupError> {
        if self.waiting == 0 {
            return Ok(());
        }
        self.rows.push(']');
        let form = form(self.rows.len());
        let statement = format!("{} {form}_array_elements($1::{form}) AS one", self.statement);
        let inserted = sql_query(statement).bind::<Text, _>(&self.rows).execute(conn)?;
        self.inserted += u64::try_from(inserted).unwrap_or(u64::MAX);
        self.rows = String::new();
        self.waiting = 0;
        Ok(())
    }

    fn finish(mut self, conn: &mut PgConnection) -> Result<(String, u64), BackupError> {
        self.insert(conn)?;
        Ok((self.table, self.inserted))
    }
}

/// The type as which PostgreSQL reads rows of this length.
fn form(bytes: usize) -> &'static str {
    if bytes > JSONB_BYTES { "json" } else { "jsonb" }
}

fn damaged(what: &str) -> BackupError {
    BackupError::Damaged(what.to_owned())
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn numbers(value: &Value) -> Option<BTreeMap<String, i64>> {
    value.as_object()?.iter().map(|(name, number)| Some((name.clone(), number.as_i64()?))).collect()
}

fn counts(value: &Value) -> Option<BTreeMap<String, u64>> {
    value.as_object()?.iter().map(|(name, number)| Some((name.clone(), number.as_u64()?))).collect()
}

#[cfg(test)]
mod tests {
    use plenum_result_format::MAX_ARCHIVE_BYTES;

    use super::*;

    #[test]
    fn rows_with_texts_that_jsonb_refuses_are_read_as_json() {
        assert_eq!(form(268_435_456), "json");
        assert_eq!(form(BYTES_AT_A_TIME), "jsonb");
    }

    /// A value in PostgreSQL has less than 2^30 bytes.
    #[test]
    fn the_largest_archive_in_hexadecimal_is_a_possible_value() {
        assert_eq!((2 * MAX_ARCHIVE_BYTES) >> 30, 0);
    }
}
