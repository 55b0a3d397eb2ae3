//! Rules for every table.

use diesel::pg::PgConnection;
use diesel::sql_types::{Array, Bool, Text};
use diesel::{QueryableByName, RunQueryDsl};
use plenum_adapter_postgres::testkit::TestDatabase;

/// A constraint, or an index that belongs to none.
#[derive(Debug, QueryableByName)]
struct Rule {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    name: String,
    /// `p`, `u`, `f`, `c` as in `pg_constraint`, `i` for an index, `n` for a unique index.
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Array<Text>)]
    columns: Vec<String>,
    #[diesel(sql_type = Bool)]
    cascades: bool,
}

fn rules(conn: &mut PgConnection) -> Vec<Rule> {
    diesel::sql_query(
        "SELECT c.relname::text AS table_name, r.conname::text AS name, r.contype::text AS kind,
                ARRAY(SELECT a.attname::text FROM unnest(r.conkey) WITH ORDINALITY AS part (attnum, position)
                      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = part.attnum
                      ORDER BY part.position) AS columns,
                r.confdeltype = 'c' AS cascades
         FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid
         WHERE r.connamespace = current_schema()::regnamespace AND r.contype IN ('p', 'u', 'f', 'c')
           AND c.relname <> '__diesel_schema_migrations'
         UNION ALL
         SELECT c.relname::text, i.relname::text, CASE WHEN x.indisunique THEN 'n' ELSE 'i' END,
                ARRAY(SELECT pg_get_indexdef(x.indexrelid, part, true)
                      FROM generate_series(1, x.indnkeyatts) AS part ORDER BY part),
                false
         FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relname <> '__diesel_schema_migrations'
           AND NOT EXISTS (SELECT FROM pg_constraint r WHERE r.conindid = x.indexrelid AND r.contype IN ('p', 'u'))",
    )
    .load(conn)
    .unwrap()
}

fn is_index(rule: &Rule) -> bool {
    matches!(rule.kind.as_str(), "p" | "u" | "i" | "n")
}

/// The column itself, or the first one in an expression such as its lower case.
fn column_in(indexed: &str) -> &str {
    let inner = indexed.trim_start_matches("lower").trim_start_matches("COALESCE").trim_start_matches('(');
    inner.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or(inner)
}

#[tokio::test]
async fn every_constraint_is_named_after_its_table_and_columns() {
    let database = TestDatabase::fresh().await;
    let rules = rules(&mut database.connection());
    assert!(rules.len() > 50, "the query finds the constraints");
    for rule in rules {
        let Rule { table_name, name, columns, .. } = &rule;
        let columns = columns.join("_");
        let is_well_named = match rule.kind.as_str() {
            "p" => *name == format!("{table_name}_pkey"),
            "u" => *name == format!("{table_name}_{columns}_key"),
            "f" => *name == format!("{table_name}_{columns}_fkey"),
            // A check may have a name of its own, and the name of an index may leave out columns that only sort.
            "c" => name.starts_with(&format!("{table_name}_")) && name.ends_with("_check"),
            "n" => name.starts_with(&format!("{table_name}_{}_", rule.columns[0])) && name.ends_with("_key"),
            "i" => {
                name.starts_with(&format!("{table_name}_{}_", column_in(&rule.columns[0]))) && name.ends_with("_idx")
            }
            other => panic!("unknown kind {other}"),
        };
        assert!(is_well_named, "{rule:?}");
    }
}

#[tokio::test]
async fn every_table_with_a_client_has_a_key_and_an_index_that_start_with_it() {
    #[derive(QueryableByName)]
    struct Table {
        #[diesel(sql_type = Text)]
        name: String,
    }
    let database = TestDatabase::fresh().await;
    let mut conn = database.connection();
    let rules = rules(&mut conn);
    let tables: Vec<Table> = diesel::sql_query(
        "SELECT table_name::text AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND column_name = 'client_id' ORDER BY 1",
    )
    .load(&mut conn)
    .unwrap();
    assert!(tables.len() >= 8);
    for table in tables {
        let mut of_table = rules.iter().filter(|rule| {
            rule.table_name == table.name && rule.columns.first().is_some_and(|name| name == "client_id")
        });
        // Records outlive their client.
        let outlives =
            ["amendments", "closing_records", "purges", "record_timestamps", "result_records", "unstamped_records"]
                .contains(&table.name.as_str());
        let has_key = outlives || of_table.clone().any(|rule| rule.kind == "f");
        assert!(has_key, "{} has no foreign key from client_id", table.name);
        assert!(of_table.any(is_index), "{} has no index that starts with client_id", table.name);
    }
}

#[tokio::test]
async fn rows_are_removed_with_their_parents() {
    let database = TestDatabase::fresh().await;
    for rule in rules(&mut database.connection()) {
        // A meeting refers to its current question, but the deletion of one does not delete the other. A kind of weight that a
        // meeting or a question counts by is not deleted.
        let is_reference = rule.name == "meetings_id_current_question_id_fkey"
            || rule.columns.iter().any(|column| column.ends_with("weight_kind_id"));
        if rule.kind == "f" && !is_reference {
            assert!(rule.cascades, "{rule:?}");
        }
    }
}

#[tokio::test]
async fn every_foreign_key_finds_its_rows_by_an_index() {
    let database = TestDatabase::fresh().await;
    let rules = rules(&mut database.connection());
    for key in rules.iter().filter(|rule| rule.kind == "f") {
        let is_indexed = rules
            .iter()
            .filter(|rule| rule.table_name == key.table_name && is_index(rule))
            .any(|index| key.columns.contains(&index.columns[0]));
        assert!(is_indexed, "{key:?}");
    }
}

#[tokio::test]
async fn every_table_is_kept_apart_by_a_policy_that_binds_its_owner_too() {
    #[derive(Debug, QueryableByName)]
    struct Table {
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = Bool)]
        is_forced: bool,
        #[diesel(sql_type = Array<Text>)]
        policies: Vec<String>,
    }
    let database = TestDatabase::fresh().await;
    let tables: Vec<Table> = diesel::sql_query(
        "SELECT c.relname::text AS name, c.relrowsecurity AND c.relforcerowsecurity AS is_forced,
                ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
         FROM pg_class c
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
           AND c.relname <> '__diesel_schema_migrations'",
    )
    .load(&mut database.connection())
    .unwrap();
    assert!(tables.len() >= 24, "the query finds the tables");
    for table in tables {
        assert!(table.is_forced, "a migration must call keep_apart for {table:?}");
        // With several policies, each one admits rows.
        assert_eq!(table.policies, [format!("{}_tenant_policy", table.name)]);
    }
}
