//! Instances on one database notice each other.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::testkit::TestDatabase;
use plenum_adapter_postgres::{InstanceLock, LockAttempt, ServingInstance, Sharing, serving_instances};

const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The lock, or the instances that exclude this one.
async fn take(database: &TestDatabase, sharing: Sharing) -> Result<InstanceLock, Vec<ServingInstance>> {
    match InstanceLock::take(&database.settings(), sharing).await.unwrap() {
        LockAttempt::Taken(lock) => Ok(lock),
        LockAttempt::Excluded(others) => Err(others),
    }
}

/// Waits until these many instances serve the database, and returns them.
async fn until_serving(database: &TestDatabase, number: usize) -> Vec<ServingInstance> {
    let deadline = Instant::now() + TIME_LIMIT;
    loop {
        let serving = serving_instances(database.url()).await.unwrap();
        if serving.len() == number {
            return serving;
        }
        assert!(Instant::now() < deadline, "{serving:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_instance_without_messages_excludes_every_other_one_until_it_ends() {
    let (database, elsewhere) = (TestDatabase::without_tables().await, TestDatabase::without_tables().await);
    let first = take(&database, Sharing::Alone).await.unwrap();
    for sharing in [Sharing::Alone, Sharing::WithOthers] {
        let others = take(&database, sharing).await.err().unwrap();
        assert_eq!(others, serving_instances(database.url()).await.unwrap());
        assert_eq!(others.len(), 1);
        assert!(others[0].is_alone && others[0].to_string().contains(" since "), "{}", others[0]);
    }
    assert!(take(&elsewhere, Sharing::Alone).await.is_ok(), "another schema is another installation");
    drop(first);
    until_serving(&database, 0).await;
    assert!(take(&database, Sharing::Alone).await.is_ok());
}

#[tokio::test]
async fn instances_with_messages_share_a_database_and_exclude_one_without() {
    let database = TestDatabase::without_tables().await;
    let first = take(&database, Sharing::WithOthers).await.unwrap();
    let second = take(&database, Sharing::WithOthers).await.unwrap();
    let others = take(&database, Sharing::Alone).await.err().unwrap();
    assert_eq!(others.len(), 2);
    assert!(others.iter().all(|other| !other.is_alone), "{others:?}");
    drop((first, second));
    until_serving(&database, 0).await;
    assert!(take(&database, Sharing::Alone).await.is_ok());
}

#[tokio::test]
async fn a_lock_whose_session_was_ended_is_taken_again() {
    let database = TestDatabase::without_tables().await;
    let _lock = take(&database, Sharing::Alone).await.unwrap();
    let before = until_serving(&database, 1).await;
    let end_all = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity \
                   WHERE application_name = current_schema() AND pid <> pg_backend_pid()";
    database.connection().batch_execute(end_all).unwrap();
    assert_ne!(until_serving(&database, 1).await, before);
    assert!(take(&database, Sharing::WithOthers).await.is_err());
}
