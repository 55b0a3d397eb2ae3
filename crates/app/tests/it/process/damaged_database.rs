//! The effects of an overwritten page of the database, for an operator.

use plenum_adapter_postgres::testkit::{StoppableServer, file_of};
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::process::support::{Hall, Serving, folder, plenum, run, stderr};

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_page_is_called_so_to_who_asked_to_a_monitor_in_the_log_and_by_the_doctor() {
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
    let (status, told): (_, Value) = (answer.status().as_u16(), answer.json().await.unwrap());
    assert_eq!((status, &told["code"]), (500, &"database_damaged".into()), "{told}");
    let answer = serving.send("GET", "/health/ready", "", Value::Null).await;
    assert_eq!(answer.status(), 503);
    let told = answer.text().await.unwrap();
    assert!(told.contains("The files of the database are damaged") && told.contains("Restore a backup"), "{told}");
    assert!(serving.complaints().contains("damaged"), "{}", serving.complaints());

    let doctor = run(command("doctor"));
    assert_eq!(doctor.status.code(), Some(1), "{}", stderr(&doctor));
    assert!(stderr(&doctor).contains("DATABASE_URL is damaged: "), "{}", stderr(&doctor));
}
