//! The removal of expired sessions.

use diesel::connection::SimpleConnection as _;
use diesel::sql_types::BigInt;
use diesel::{QueryableByName, RunQueryDsl as _, sql_query};
use plenum_adapter_postgres::testkit::TestDatabase;

use crate::process::support::{PASSWORD, ROOT_EMAIL, Serving, folder, plenum, until};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[tokio::test]
async fn the_start_deletes_long_expired_sessions_and_no_others() {
    let folder = folder();
    let database = TestDatabase::fresh().await;
    let command = || {
        let mut command = plenum(folder.path(), &["serve"]);
        command.env("DATABASE_URL", database.url());
        command
    };
    let mut connection = database.connection();
    let mut count = || sql_query("SELECT count(*) FROM sessions").get_result::<Count>(&mut connection).unwrap().count;

    let serving = Serving::start_as(command()).await;
    for _ in 0..2 {
        serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    }
    drop(serving);
    database
        .connection()
        .batch_execute(
            "UPDATE sessions SET ended_at = now() - interval '25 hours'
             WHERE id = (SELECT id FROM sessions ORDER BY id LIMIT 1)",
        )
        .unwrap();
    assert_eq!(count(), 2);

    let _serving = Serving::start_as(command()).await;
    until("the session goes", || count() == 1).await;
}
