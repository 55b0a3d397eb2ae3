use futures_util::future::join_all;
use plenum_adapter_postgres::testkit::TestDatabase;

use crate::process::support::{ABSENT_NATS, PASSWORD, ROOT_EMAIL, Serving, folder, plenum};

#[tokio::test]
async fn instances_that_start_together_on_an_empty_database_all_serve_the_same_super_administrator() {
    let keys = folder();
    let (database, folders) = (TestDatabase::without_tables().await, [folder(), folder(), folder()]);
    let starts = folders.iter().map(|folder| {
        let mut command = plenum(folder.path(), &["serve"]);
        command
            .env("DATABASE_URL", database.url())
            .env("PLENUM_JWT_SECRET", "one key for all of the instances")
            .env("PLENUM_NATS_URL", ABSENT_NATS)
            .env("PLENUM_EVIDENCE_KEY_FILE", keys.path().join("evidence-key"));
        Serving::start_as(command)
    });
    for serving in join_all(starts).await {
        serving.sign_in(ROOT_EMAIL, PASSWORD).await;
        assert!(!serving.log().contains("exists already"), "{}", serving.log());
    }
}
