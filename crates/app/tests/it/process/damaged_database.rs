//! The effects of an overwritten page of the database, for an operator.

use plenum_adapter_postgres::testkit::{StoppableServer, file_of};
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::process::support::{Hall, Serving, folder, plenum, run, stderr, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_page_is_reported_by_response_readiness_log_and_doctor() {
    let folder = folder();
    let mut database = spawn_blocking(StoppableServer::start).await.unwrap();
    let url = database.url().to_owned();
    let command = |what| {
        let mut command = plenum(folder.path(), &[what]);
        command.env("DATABASE_URL", &url);
        command
    };
    let serving = Serving::start_as(command("serve")).await;
    let hall = Hall::new(&serving, 1).await;
    assert!(run(command("doctor")).status.success(), "nothing is damaged yet");
    drop(serving);
    let file = file_of(&url, "questions");
    let database = spawn_blocking(move || {
        database.stop();
        database.damage(&file);
        database.start_again();
        database
    });
    let database = database.await.unwrap();
    assert_eq!(database.url(), url);

    let serving = Serving::start_as(command("serve")).await;
    let path = format!("/client/questions/meeting/{}", hall.meeting);
    let answer = serving.send("GET", &path, &hall.admin, Value::Null).await;
    let (status, body): (_, Value) = (answer.status().as_u16(), answer.json().await.unwrap());
    assert_eq!((status, &body["code"]), (500, &"database_damaged".into()), "{body}");
    let answer = serving.send("GET", "/health/ready", "", Value::Null).await;
    assert_eq!(answer.status(), 503);
    let body = answer.text().await.unwrap();
    assert!(body.contains("The files of the database are damaged") && body.contains("Restore a backup"), "{body}");
    until("the damage is logged", || serving.log().contains("damaged")).await;

    let doctor = run(command("doctor"));
    assert_eq!(doctor.status.code(), Some(1), "{}", stderr(&doctor));
    assert!(stderr(&doctor).contains("DATABASE_URL is damaged: "), "{}", stderr(&doctor));
}
