use std::io::Write;

use diesel::connection::SimpleConnection;
use diesel::pg::{PgConnection, PgRowByRowLoadingMode};
use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl, sql_query};
use serde_json::{Map, Value, json};

use super::catalog::{self, Table};
use super::{BACKUP_FORMAT, BackupError, BackupSize, connect};
use crate::pool::migrations::applied_on;

/// Writes the whole database in one snapshot, and returns the writer. Only changes of the tables themselves wait for it.
///
/// # Errors
/// Fails when the database cannot be reached or the lines cannot be written.
pub async fn back_up<W: Write + Send + 'static>(url: &str, mut out: W) -> Result<(W, BackupSize), BackupError> {
    let url = url.to_owned();
    tokio::task::spawn_blocking(move || {
        let size = take(&mut connect(&url)?, &mut out)?;
        Ok((out, size))
    })
    .await?
}

fn take(conn: &mut PgConnection, out: &mut impl Write) -> Result<BackupSize, BackupError> {
    let tables = catalog::tables(conn)?;
    if tables.is_empty() {
        return Err(BackupError::NoTables);
    }
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    conn.build_transaction().repeatable_read().read_only().run(|conn| {
        // Before the first read, so that the snapshot is no older than the locks: a table rewritten in between would seem empty.
        conn.batch_execute(&format!("LOCK TABLE {} IN ACCESS SHARE MODE", names.join(", ")))?;
        if catalog::tables(conn)? != tables {
            return Err(BackupError::Changing);
        }
        writeln!(out, "{}", header(conn)?)?;
        let (mut counts, mut rows) = (Map::new(), 0);
        for table in &tables {
            let count = copy(conn, table, out)?;
            counts.insert(table.name.clone(), json!(count));
            rows += count;
        }
        writeln!(out, "{}", json!({ "rows": counts }))?;
        Ok(BackupSize { tables: tables.len(), rows })
    })
}

fn header(conn: &mut PgConnection) -> Result<Value, BackupError> {
    let at: Line = sql_query("SELECT to_char(now(), 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS line").get_result(conn)?;
    let mut migrations = applied_on(conn)?;
    migrations.sort();
    let sequences: Map<String, Value> =
        catalog::sequences(conn)?.into_iter().map(|sequence| (sequence.name, json!(sequence.value))).collect();
    Ok(json!({
        "format": BACKUP_FORMAT, "program": env!("CARGO_PKG_VERSION"), "takenAt": at.line, "migrations": migrations,
        "sequences": sequences,
    }))
}

fn copy(conn: &mut PgConnection, table: &Table, out: &mut impl Write) -> Result<u64, BackupError> {
    writeln!(out, "{}", json!({ "table": table.name, "columns": table.column_names() }))?;
    let values: Vec<String> = table.columns.iter().map(|column| format!("{}::text", column.name)).collect();
    let rows = sql_query(format!(
        "SELECT array_to_json(ARRAY[{}]::text[])::text AS line FROM {}",
        values.join(", "),
        table.name
    ));
    let mut count = 0;
    // One row in memory at a time: a row of an archive or a record may be large.
    for row in rows.load_iter::<Line, PgRowByRowLoadingMode>(conn)? {
        writeln!(out, "{}", row?.line)?;
        count += 1;
    }
    Ok(count)
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}
