use serde_json::Value;

use crate::process::support::{Serving, folder, plenum, text};

/// What somebody in the demonstration sees of it.
async fn counts(serving: &Serving) -> Value {
    let root = serving.sign_in("super@demo.example", "plenum-demo").await;
    let admin = serving.sign_in("admin@demo.example", "plenum-demo").await;
    let meetings = serving.get("/client/meetings", &admin).await;
    let meeting = text(&meetings[0]["id"]);
    let agenda = serving.get(&format!("/client/questions/meeting/{meeting}"), &admin).await;
    let types: Vec<String> =
        agenda.as_array().unwrap().iter().map(|question| text(&question["questionType"])).collect();
    serde_json::json!({
        "clients": serving.get("/clients/stats", &root).await["data"],
        "endUsers": serving.get("/client/end-users/stats", &admin).await["data"],
        "meetings": serving.get("/client/meetings/stats", &admin).await,
        "types": types,
    })
}

#[tokio::test]
async fn the_demonstration_prints_sign_ins_that_work_and_a_second_start_changes_nothing() {
    let folder = folder();
    let demo = || {
        let mut command = plenum(folder.path(), &["serve", "--demo"]);
        command.env_remove("PLENUM_SUPER_ADMIN_EMAIL").env_remove("PLENUM_SUPER_ADMIN_PASSWORD");
        command
    };
    let mut before = Value::Null;
    for start in ["first", "second"] {
        let serving = Serving::start_as(demo()).await;
        let said = serving.said();
        for wanted in ["super@demo.example / plenum-demo", "admin@demo.example / plenum-demo", "lena / plenum-demo"] {
            assert!(said.contains(wanted), "{start}: {said}");
        }
        let counted = counts(&serving).await;
        if before.is_null() {
            before = counted;
        } else {
            assert_eq!(counted, before);
        }
        for username in ["ada", "lena"] {
            let voter = serving.sign_in_voter("demo", username, "plenum-demo").await;
            let list = serving.get("/voting/meetings", &text(&voter["token"])).await;
            assert_eq!(list["meetings"][0]["status"], "SCHEDULED");
            let meeting = text(&list["meetings"][0]["id"]);
            let seen = serving.get(&format!("/voting/meetings/{meeting}"), &text(&voter["token"])).await;
            assert_eq!(seen["meeting"]["canResetVote"], true);
        }
    }
    assert_eq!(before["clients"]["total"], 1);
    assert_eq!(before["endUsers"]["total"], 12);
    assert_eq!(before["meetings"]["scheduled"], 1);
    let types = ["YES_NO", "MULTIPLE_CHOICE", "RATING", "PERCENTAGE", "OPEN_TEXT"];
    assert_eq!(before["types"], serde_json::json!(types));
}

#[tokio::test]
async fn a_demonstration_that_was_interrupted_is_completed_at_the_next_start() {
    let folder = folder();
    let serving = Serving::start_as(plenum(folder.path(), &["serve", "--demo"])).await;
    let admin = serving.sign_in("admin@demo.example", "plenum-demo").await;
    let meeting = text(&serving.get("/client/meetings", &admin).await[0]["id"]);
    // As it is between its first question and its announcement.
    let begun = serde_json::json!({ "status": "DRAFT" });
    let changed = serving.send("PUT", &format!("/client/meetings/{meeting}"), &admin, begun).await;
    assert_eq!(changed.status(), 200);
    serving.crash().await;

    let serving = Serving::start_as(plenum(folder.path(), &["serve", "--demo"])).await;
    let meetings = serving.get("/client/meetings", &admin).await;
    assert_eq!(meetings.as_array().unwrap().len(), 1);
    assert_eq!((&meetings[0]["status"], &meetings[0]["questionCount"]), (&"SCHEDULED".into(), &5.into()));
}

#[tokio::test]
async fn without_a_configured_super_administrator_one_is_made_up_and_printed_once() {
    let folder = folder();
    let plain = || {
        let mut command = plenum(folder.path(), &["serve"]);
        command.env_remove("PLENUM_SUPER_ADMIN_EMAIL").env_remove("PLENUM_SUPER_ADMIN_PASSWORD");
        command
    };
    let password = {
        let serving = Serving::start_as(plain()).await;
        let said = serving.said();
        let (_, rest) =
            said.split_once("The first super administrator is admin@plenum.example with the password ").unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    };
    let serving = Serving::start_as(plain()).await;
    assert!(!serving.said().contains("super administrator is"), "{}", serving.said());
    serving.sign_in("admin@plenum.example", &password).await;
}
