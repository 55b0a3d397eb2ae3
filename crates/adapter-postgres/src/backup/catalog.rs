use diesel::pg::PgConnection;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::{QueryableByName, RunQueryDsl, sql_query};

use super::LEFT_OUT;

/// A table to copy. Its name is quoted if necessary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

/// A column with values of its own, not generated from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: String,
}

impl Table {
    pub(super) fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }
}

/// The tables of the current schema, except those that are left out.
pub(super) fn tables(conn: &mut PgConnection) -> QueryResult<Vec<Table>> {
    let rows: Vec<ColumnRow> = sql_query(
        "SELECT quote_ident(tables.relname) AS table_name, quote_ident(columns.attname) AS column_name,
                format_type(columns.atttypid, columns.atttypmod) AS kind
         FROM pg_class AS tables JOIN pg_attribute AS columns ON columns.attrelid = tables.oid
         WHERE tables.relnamespace = current_schema()::regnamespace
           AND tables.relkind IN ('r', 'p') AND NOT tables.relispartition
           AND tables.relname <> '__diesel_schema_migrations'
           AND columns.attnum > 0 AND NOT columns.attisdropped AND columns.attgenerated = ''
         ORDER BY tables.relname COLLATE \"C\", columns.attnum",
    )
    .load(conn)?;
    let mut tables: Vec<Table> = Vec::new();
    for row in rows.into_iter().filter(|row| !LEFT_OUT.contains(&row.table_name.as_str())) {
        let column = Column { name: row.column_name, kind: row.kind };
        match tables.last_mut().filter(|table| table.name == row.table_name) {
            Some(table) => table.columns.push(column),
            None => tables.push(Table { name: row.table_name, columns: vec![column] }),
        }
    }
    Ok(tables)
}

/// The state of each sequence that has been used.
pub(super) fn sequences(conn: &mut PgConnection) -> QueryResult<Vec<Sequence>> {
    sql_query(
        "SELECT quote_ident(sequencename) AS name, last_value AS value FROM pg_sequences
         WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename",
    )
    .load(conn)
}

/// A foreign key.
pub(super) struct Key {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) definition: String,
}

/// The foreign keys of the schema, in the order of their creation, which is the order of their actions.
pub(super) fn foreign_keys(conn: &mut PgConnection) -> QueryResult<Vec<Key>> {
    let rows: Vec<KeyRow> = sql_query(
        "SELECT conrelid::regclass::text AS table_name, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
         FROM pg_constraint
         WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0 ORDER BY oid",
    )
    .load(conn)?;
    Ok(rows
        .into_iter()
        .map(|KeyRow { table_name, name, definition }| Key { table: table_name, name, definition })
        .collect())
}

/// An active trigger, and the mode in which it is active.
pub(super) struct Trigger {
    pub(super) table: String,
    pub(super) name: String,
    pub(super) enabling: &'static str,
}

/// The triggers of the schema, except internal ones.
pub(super) fn triggers(conn: &mut PgConnection) -> QueryResult<Vec<Trigger>> {
    let rows: Vec<TriggerRow> = sql_query(
        "SELECT tgrelid::regclass::text AS table_name, quote_ident(tgname) AS name, tgenabled::text AS mode
         FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
         WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal AND tgenabled <> 'D' AND tgparentid = 0
         ORDER BY pg_trigger.oid",
    )
    .load(conn)?;
    let enabling = |mode: &str| match mode {
        "A" => "ENABLE ALWAYS",
        "R" => "ENABLE REPLICA",
        _ => "ENABLE",
    };
    Ok(rows
        .into_iter()
        .map(|row| Trigger { enabling: enabling(&row.mode), table: row.table_name, name: row.name })
        .collect())
}

/// Whether a table has rows.
pub(super) fn has_rows(conn: &mut PgConnection, table: &Table) -> QueryResult<bool> {
    let answer: Answer = sql_query(format!("SELECT EXISTS (SELECT FROM {}) AS answer", table.name)).get_result(conn)?;
    Ok(answer.answer)
}

/// The number of rows in a table.
pub(super) fn count(conn: &mut PgConnection, table: &str) -> QueryResult<i64> {
    let answer: Number = sql_query(format!("SELECT count(*) AS number FROM {table}")).get_result(conn)?;
    Ok(answer.number)
}

#[derive(QueryableByName)]
struct ColumnRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    kind: String,
}

/// The last number of a sequence.
#[derive(QueryableByName)]
pub(super) struct Sequence {
    #[diesel(sql_type = Text)]
    pub(super) name: String,
    #[diesel(sql_type = BigInt)]
    pub(super) value: i64,
}

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

#[derive(QueryableByName)]
struct TriggerRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    mode: String,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    answer: bool,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}
