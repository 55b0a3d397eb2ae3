//! Generates `src/schema.rs` and `src/diagnostics/expected_schema.txt` from the migrated database, without diesel's command
//! line, and compares them with the files.
//!
//! After a new migration: `PLENUM_BLESS=1 cargo test -p plenum-adapter-postgres --test it schema_file`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use diesel::pg::PgConnection;
use diesel::sql_types::{Array, Bool, Text};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;

#[tokio::test]
async fn schema_rs_is_fresh() {
    let database = TestDatabase::fresh().await;
    bless_or_compare("src/schema.rs", schema_of(&mut database.connection()));
}

#[tokio::test]
async fn the_expected_schema_is_fresh() {
    let database = TestDatabase::fresh().await;
    bless_or_compare("src/diagnostics/expected_schema.txt", database.schema_listing());
}

fn bless_or_compare(file: &str, generated: String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let committed = std::fs::read_to_string(&path).expect("the file is there");
    let is_fresh = committed == generated;
    if std::env::var_os("PLENUM_BLESS").is_some() {
        // An untouched file needs no new build.
        if !is_fresh {
            std::fs::write(&path, generated).expect("the file can be written");
        }
        return;
    }
    assert!(
        is_fresh,
        "{file} is not what the migrations make; \
         run PLENUM_BLESS=1 cargo test -p plenum-adapter-postgres --test it schema_file"
    );
}

#[derive(QueryableByName)]
struct ColumnRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Text)]
    type_name: String,
    #[diesel(sql_type = Bool)]
    is_nullable: bool,
    #[diesel(sql_type = Array<Text>)]
    primary_key: Vec<String>,
}

#[derive(QueryableByName)]
struct ForeignKeyRow {
    #[diesel(sql_type = Text)]
    child: String,
    #[diesel(sql_type = Text)]
    parent: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

const COLUMNS: &str = "
    SELECT c.relname::text AS table_name, a.attname::text AS column_name, t.typname::text AS type_name,
           NOT a.attnotnull AS is_nullable,
           ARRAY(SELECT k.attname::text
                 FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS part (attnum, position), pg_attribute k
                 WHERE i.indrelid = c.oid AND i.indisprimary AND k.attrelid = c.oid AND k.attnum = part.attnum
                 ORDER BY part.position) AS primary_key
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> '__diesel_schema_migrations'
    ORDER BY c.relname COLLATE \"C\", a.attnum";

/// Keys of one column that refer to the parent's primary key and are the only one between two tables: diesel can join these
/// by itself.
const FOREIGN_KEYS: &str = "
    SELECT child.relname::text AS child, parent.relname::text AS parent, min(a.attname)::text AS column_name
    FROM pg_constraint f
    JOIN pg_namespace n ON n.oid = f.connamespace
    JOIN pg_class child ON child.oid = f.conrelid
    JOIN pg_class parent ON parent.oid = f.confrelid
    JOIN pg_index i ON i.indrelid = f.confrelid AND i.indisprimary AND i.indnkeyatts = 1 AND i.indkey[0] = f.confkey[1]
    JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
    WHERE n.nspname = current_schema() AND f.contype = 'f' AND cardinality(f.conkey) = 1
    GROUP BY child.relname, parent.relname
    HAVING count(*) = 1
    ORDER BY child.relname COLLATE \"C\", parent.relname COLLATE \"C\"";

fn schema_of(conn: &mut PgConnection) -> String {
    let columns: Vec<ColumnRow> = diesel::sql_query(COLUMNS).load(conn).unwrap();
    let foreign_keys: Vec<ForeignKeyRow> = diesel::sql_query(FOREIGN_KEYS).load(conn).unwrap();
    let mut tables: BTreeMap<&str, Vec<&ColumnRow>> = BTreeMap::new();
    for column in &columns {
        tables.entry(&column.table_name).or_default().push(column);
    }

    let mut text = String::from("// @generated from the migrations by tests/it/schema_file.rs.\n");
    for (table, columns) in &tables {
        let primary_key = columns[0].primary_key.join(", ");
        writeln!(text, "\ndiesel::table! {{\n    {table} ({primary_key}) {{").unwrap();
        for column in columns {
            writeln!(text, "        {} -> {},", column.column_name, sql_type(column)).unwrap();
        }
        text.push_str("    }\n}\n");
    }
    text.push('\n');
    for key in &foreign_keys {
        writeln!(text, "diesel::joinable!({} -> {} ({}));", key.child, key.parent, key.column_name).unwrap();
    }
    text.push_str("\ndiesel::allow_tables_to_appear_in_same_query!(\n");
    for table in tables.keys() {
        writeln!(text, "    {table},").unwrap();
    }
    text.push_str(");\n");
    text
}

/// Unlike diesel's own tool, elements of an array are not nullable: none of our arrays has NULLs in it.
fn sql_type(column: &ColumnRow) -> String {
    let (is_array, element) = match column.type_name.strip_prefix('_') {
        Some(element) => (true, element),
        None => (false, column.type_name.as_str()),
    };
    let mut sql_type = match element {
        "bool" => "Bool",
        "bytea" => "Bytea",
        "date" => "Date",
        "int2" => "Int2",
        "int4" => "Int4",
        "int8" => "Int8",
        "jsonb" => "Jsonb",
        "numeric" => "Numeric",
        "text" => "Text",
        "timestamptz" => "Timestamptz",
        "uuid" => "Uuid",
        other => panic!("{}.{}: add the type {other} here", column.table_name, column.column_name),
    }
    .to_owned();
    if is_array {
        sql_type = format!("Array<{sql_type}>");
    }
    if column.is_nullable {
        sql_type = format!("Nullable<{sql_type}>");
    }
    sql_type
}
