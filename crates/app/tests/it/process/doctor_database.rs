//! `plenum doctor` finds each database on which `plenum serve` fails.

use diesel::connection::SimpleConnection as _;
use diesel::{Connection as _, PgConnection};
use plenum_adapter_postgres::testkit::StoppableServer;
use tokio::task::{block_in_place, spawn_blocking};

use crate::process::support::{folder, plenum, run, stderr, stdout};

/// One after the other, because a database cannot be made in a transaction.
fn execute(url: &str, statements: &[&str]) {
    let mut conn = PgConnection::establish(url).unwrap();
    for statement in statements {
        conn.batch_execute(statement).unwrap();
    }
}

/// A database in another encoding than the server's.
fn make_western(url: &str) {
    let statement = "CREATE DATABASE western ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0";
    let mut conn = PgConnection::establish(url).unwrap();
    // Version 14 of PostgreSQL has only this provider, and does not know its name.
    if conn.batch_execute(&format!("{statement} LOCALE_PROVIDER libc")).is_err() {
        conn.batch_execute(statement).unwrap();
    }
}

/// The address of another database of the server, for another login.
fn address(server: &StoppableServer, login: &str, database: &str) -> String {
    let rest = server.url().strip_prefix("postgres://plenum@").unwrap();
    format!("postgres://{login}@{}/{database}", rest.strip_suffix("/plenum").unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_names_what_a_login_and_a_database_lack() {
    let server = spawn_blocking(StoppableServer::start).await.unwrap();
    block_in_place(|| {
        execute(
            server.url(),
            &[
                "CREATE ROLE guest LOGIN",
                "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
                "CREATE DATABASE silent",
                "ALTER DATABASE silent SET default_transaction_read_only = on",
                "CREATE ROLE passer LOGIN BYPASSRLS",
                "CREATE DATABASE passed OWNER passer",
                "CREATE ROLE few LOGIN CONNECTION LIMIT 5",
                "CREATE DATABASE few OWNER few",
            ],
        );
        make_western(server.url());
        // Before version 15 of PostgreSQL, the owner of a database does not own the schema.
        execute(&address(&server, "plenum", "passed"), &["GRANT CREATE ON SCHEMA public TO PUBLIC"]);
        execute(&address(&server, "plenum", "few"), &["GRANT CREATE ON SCHEMA public TO PUBLIC"]);
        for (login, database, words, level) in [
            ("guest", "plenum", "The login guest may not create tables in DATABASE_URL.", "FAIL"),
            ("plenum", "silent", "DATABASE_URL accepts no writes from the login plenum.", "FAIL"),
            ("plenum", "western", "DATABASE_URL stores texts in LATIN1, and Plenum needs UTF8.", "FAIL"),
            ("passer", "passed", "The login passer has BYPASSRLS", "FAIL"),
            ("few", "few", "The login few may have 5 connections to DATABASE_URL, and one instance needs 18.", "warn"),
        ] {
            let folder = folder();
            let url = address(&server, login, database);
            let command = |what| {
                let mut command = plenum(folder.path(), &[what]);
                command.env("DATABASE_URL", &url);
                run(command)
            };
            let found = command("doctor");
            assert_eq!(found.status.success(), level == "warn", "{words}: {}", stdout(&found));
            assert!(stdout(&found).contains(&format!("{level}  {words}")), "{words}: {}", stdout(&found));
            if level == "FAIL" {
                let refused = command("serve");
                assert_eq!(refused.status.code(), Some(1), "{words}: {}", stderr(&refused));
            }
        }
        let folder = folder();
        let mut well = plenum(folder.path(), &["doctor"]);
        well.env("DATABASE_URL", server.url());
        assert!(run(well).status.success(), "the server's own login lacks nothing");
    });
}
