//! Compares the tables with `expected_schema.txt`.
//!
//! The file is generated from the migrated database:
//! `PLENUM_BLESS=1 cargo test -p plenum-adapter-postgres --test it schema_file`. Tables start at the margin. Below each are
//! its columns, constraints, indexes, triggers and policies, with kind, name and definition.
//!
//! The definitions are the same text on every supported version of PostgreSQL:
//! * constraints only of kinds that every version lists (PostgreSQL 18 lists NOT NULL, too; here it is with the column);
//! * without pretty printing, which leaves out different parts in different versions;
//! * with unqualified names, because the schema is on the search path. Of an index and a trigger the part with the table's
//!   name is left out, because PostgreSQL always qualifies it there;
//! * in an order of our own, independent of collations.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::Text;

const EXPECTED: &str = include_str!("expected_schema.txt");

/// The current schema except the table of migrations, which has a check of its own. An index of a constraint is not listed
/// again.
const LISTING: &str = "
    WITH tables AS (
        SELECT c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relname <> '__diesel_schema_migrations'
    )
    SELECT t.relname::text AS table_name, 'column' AS kind, a.attname::text AS name,
           format_type(a.atttypid, a.atttypmod)
               || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
               || CASE WHEN d.adbin IS NULL THEN ''
                       WHEN a.attgenerated = 's' THEN ' GENERATED ' || pg_get_expr(d.adbin, d.adrelid) || ' STORED'
                       WHEN a.attgenerated <> '' THEN ' GENERATED ' || pg_get_expr(d.adbin, d.adrelid)
                       ELSE ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) END AS definition
    FROM tables t
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT t.relname::text, 'constraint', r.conname::text,
           regexp_replace(pg_get_constraintdef(r.oid), '[[:space:]]+', ' ', 'g')
    FROM tables t JOIN pg_constraint r ON r.conrelid = t.oid AND r.contype IN ('p', 'u', 'f', 'c')
    UNION ALL
    SELECT t.relname::text, 'index', i.relname::text,
           CASE WHEN x.indisunique THEN 'UNIQUE ' ELSE '' END
               || substring(pg_get_indexdef(x.indexrelid) FROM 'USING .*')
               || CASE WHEN x.indisvalid THEN '' ELSE ' INVALID' END
    FROM tables t
    JOIN pg_index x ON x.indrelid = t.oid
    JOIN pg_class i ON i.oid = x.indexrelid
    WHERE NOT EXISTS (SELECT FROM pg_constraint r WHERE r.conindid = x.indexrelid AND r.contype IN ('p', 'u'))
    UNION ALL
    SELECT t.relname::text, 'trigger', g.tgname::text,
           regexp_replace(pg_get_triggerdef(g.oid), '^CREATE (?:CONSTRAINT )?TRIGGER [^ ]+ (.*) ON [^ ]+ (.*)$', '\\1 \\2')
               || CASE g.tgenabled WHEN 'O' THEN '' ELSE ' NOT AS USUAL' END
    FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal
    UNION ALL
    SELECT t.relname::text, 'row_security', 'state',
           CASE WHEN NOT t.relrowsecurity THEN 'off' WHEN t.relforcerowsecurity THEN 'forced' ELSE 'not forced' END
    FROM tables t
    UNION ALL
    SELECT t.relname::text, 'policy', p.polname::text,
           regexp_replace(
               CASE WHEN p.polpermissive THEN '' ELSE 'RESTRICTIVE ' END
                   || CASE p.polcmd WHEN '*' THEN 'ALL' ELSE p.polcmd::text END
                   || CASE WHEN p.polroles = '{0}' THEN '' ELSE ' TO SOME' END
                   || coalesce(' USING ' || pg_get_expr(p.polqual, p.polrelid), '')
                   || coalesce(' WITH CHECK ' || pg_get_expr(p.polwithcheck, p.polrelid), ''),
               '[[:space:]]+', ' ', 'g')
    FROM tables t JOIN pg_policy p ON p.polrelid = t.oid";

#[derive(QueryableByName)]
struct PartRow {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Text)]
    definition: String,
}

/// The definition of each part of a table, by kind and name.
type Parts = BTreeMap<(String, String), String>;

/// The parts of each table, by its name.
type Listing = BTreeMap<String, Parts>;

/// The differences of the current schema from the expected one.
pub(super) fn differences_on(conn: &mut PgConnection) -> QueryResult<Vec<String>> {
    Ok(differences(&read(EXPECTED), &listing_on(conn)?))
}

/// The current schema in the form of `expected_schema.txt`.
#[cfg(feature = "testkit")]
pub(crate) fn listing_text(conn: &mut PgConnection) -> QueryResult<String> {
    let mut text = String::from("# Written from the migrations by tests/it/schema_file.rs.\n");
    for (table, parts) in listing_on(conn)? {
        text.push_str(&format!("\n{table}\n"));
        for ((kind, name), definition) in parts {
            text.push_str(&format!("    {kind} {name} {definition}\n"));
        }
    }
    Ok(text)
}

fn listing_on(conn: &mut PgConnection) -> QueryResult<Listing> {
    let rows: Vec<PartRow> = diesel::sql_query(LISTING).load(conn)?;
    let mut listing = Listing::new();
    for row in rows {
        listing.entry(row.table_name).or_default().insert((row.kind, row.name), row.definition);
    }
    Ok(listing)
}

/// Parses the output of `listing_text`. None of our names contains a space.
fn read(text: &str) -> Listing {
    let mut listing = Listing::new();
    let mut table = "";
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.trim_start().splitn(3, ' ');
        match (line.starts_with(' '), words.next(), words.next(), words.next()) {
            (true, Some(kind), Some(name), Some(definition)) => {
                let part = (kind.to_owned(), name.to_owned());
                listing.entry(table.to_owned()).or_default().insert(part, definition.to_owned());
            }
            _ => table = line,
        }
    }
    listing
}

/// Missing and changed parts, and additional parts of our tables. Additional plain indexes are allowed: they change the
/// speed of a query, not its result. Tables of other programs are ignored.
fn differences(expected: &Listing, found: &Listing) -> Vec<String> {
    let mut differences = Vec::new();
    for (table, expected_parts) in expected {
        let Some(there) = found.get(table) else {
            differences.push(format!("The table {table} is missing."));
            continue;
        };
        for (part @ (kind, name), definition) in expected_parts {
            match there.get(part) {
                None => differences.push(format!("The {kind} {name} of {table} is missing.")),
                Some(other) if other != definition => {
                    differences
                        .push(format!("The {kind} {name} of {table} is \"{other}\" instead of \"{definition}\"."));
                }
                Some(_) => {}
            }
        }
        for (part @ (kind, name), definition) in there {
            let only_helps = kind == "index" && !definition.starts_with("UNIQUE ");
            if !only_helps && !expected_parts.contains_key(part) {
                differences.push(format!("The {kind} {name} of {table} is not expected."));
            }
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "# Comment.\n\nseats\n    column id uuid NOT NULL\n    index seats_idx USING btree (id)\n";

    fn differences_to(found: &str) -> Vec<String> {
        differences(&read(SMALL), &read(found))
    }

    #[test]
    fn the_expected_schema_is_read_as_a_whole() {
        let expected = read(EXPECTED);
        assert!(expected.len() >= 14, "{:?}", expected.keys());
        assert!(expected.values().all(|parts| parts.len() >= 4));
        assert_eq!(expected["votes"][&("column".to_owned(), "option_ids".to_owned())], "uuid[]");
    }

    #[test]
    fn the_same_differs_in_nothing() {
        assert!(differences_to(SMALL).is_empty());
    }

    #[test]
    fn missing_and_changed_parts_are_named() {
        assert_eq!(differences_to(""), ["The table seats is missing."]);
        assert_eq!(
            differences_to("seats\n    column id text\n"),
            [
                "The column id of seats is \"text\" instead of \"uuid NOT NULL\".",
                "The index seats_idx of seats is missing."
            ]
        );
    }

    #[test]
    fn additional_parts_are_named_unless_they_are_plain_indexes() {
        let more = "    index another USING btree (id)\n    index seats_key UNIQUE USING btree (id)\n    \
                    column row integer\nothers\n    column id uuid\n";
        assert_eq!(
            differences_to(&format!("{SMALL}{more}")),
            ["The column row of seats is not expected.", "The index seats_key of seats is not expected."]
        );
    }
}
