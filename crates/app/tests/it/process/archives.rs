//! Archives on the command line.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::process::support::{Hall, PASSWORD, ROOT_EMAIL, Serving, folder, plenum, run, stdout, text};

/// The output of a command in this folder, and its exit code.
fn said(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = run(plenum(folder, arguments));
    (stdout(&output), output.status.code())
}

/// Declares a result of one vote, and returns the hash of its record.
async fn declare(serving: &Serving, hall: &Hall) -> String {
    let round = hall.path(&format!("/rounds/{}", hall.round));
    serving.try_vote(&hall.vote_path(), &hall.token_of(0)).await.unwrap();
    serving.call("PUT", &hall.path("/current-question"), &hall.admin, json!({ "questionId": null })).await;
    let declared = serving.call("POST", &format!("{round}/declare"), &hall.admin, Value::Null).await;
    text(&declared["record"]["hash"])
}

#[tokio::test]
async fn an_archive_is_shown_verified_and_imported_once() {
    let (home, elsewhere) = (folder(), folder());
    let serving = Serving::start(home.path()).await;
    let hall = Hall::new(&serving, 1).await;
    let record = declare(&serving, &hall).await;
    let archive = serving.get(&hall.path("/archive"), &hall.admin).await;
    let key = text(&archive["signature"]["key"]);
    for folder in [home.path(), elsewhere.path()] {
        fs::write(folder.join("archive.json"), archive.to_string()).unwrap();
    }

    let (shown, code) = said(home.path(), &["archive", "show", "archive.json", "--minutes", "minutes.pdf"]);
    assert_eq!(code, Some(0), "{shown}");
    for words in ["General assembly, Rowing Club", "Item 1, round 1: Agreed?", "1 of 1 voted", &record, "declared by"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains(&format!("Verdict: signed by {key} and consistent.")), "{shown}");
    assert!(fs::read(home.path().join("minutes.pdf")).unwrap().starts_with(b"%PDF"));
    // Without the key, the origin is not proven, unless the key is named.
    assert_eq!(said(elsewhere.path(), &["archive", "show", "archive.json"]).1, Some(3));
    assert_eq!(said(elsewhere.path(), &["verify", "archive.json"]).1, Some(3));
    assert_eq!(said(elsewhere.path(), &["verify", "archive.json", "--key", &key]).1, Some(0));

    let mut forged = archive.clone();
    forged["results"]["meeting"]["title"] = json!("Another assembly");
    fs::write(home.path().join("forged.json"), forged.to_string()).unwrap();
    fs::write(home.path().join("cut.json"), &archive.to_string()[..5_000]).unwrap();
    for (command, file, code) in
        [("show", "forged.json", 1), ("import", "forged.json", 1), ("show", "cut.json", 2), ("import", "cut.json", 2)]
    {
        assert_eq!(said(home.path(), &["archive", command, file]).1, Some(code), "{command} {file}");
    }
    let (first, code) = said(home.path(), &["archive", "import", "archive.json"]);
    assert!(code == Some(0) && first.starts_with("Imported General assembly"), "{first}");
    fs::write(home.path().join("archive.json"), serde_json::to_string_pretty(&archive).unwrap()).unwrap();
    let (again, code) = said(home.path(), &["archive", "import", "archive.json"]);
    assert!(code == Some(0) && again.starts_with("Was imported before: General assembly"), "{again}");
    let id = first.split(['(', ')']).nth(1).unwrap();
    let (read, code) = said(home.path(), &["archive", "read", id, "--output", "again.json"]);
    assert!(code == Some(0) && read.contains("Item 1, round 1: Agreed?"), "{read}");
    assert_eq!(fs::read_to_string(home.path().join("again.json")).unwrap(), archive.to_string());
    let listed = || said(home.path(), &["archive", "list"]).0;
    let imported = |listed: &str| listed.matches("General assembly, Rowing Club, 1 round, signed by").count();
    assert_eq!(imported(&listed()), 1, "{}", listed());
    assert_eq!(said(home.path(), &["archive", "remove", id]).1, Some(0));
    assert_eq!(imported(&listed()), 0, "{}", listed());
    assert_eq!(said(home.path(), &["archive", "remove", id]).1, Some(1));
}

/// Elects Nadia, and notes that she declines.
async fn elect(serving: &Serving, hall: &Hall) {
    let body = json!({
        "meetingId": hall.meeting, "questionText": "Who?", "questionType": "ELECTION", "options": ["Nadia", "Tomas"],
        "decisionRule": { "kind": "election", "election": { "method": "approval" } },
    });
    let question = text(&serving.call("POST", "/client/questions", &hall.admin, body).await["id"]);
    let shown = hall.path("/current-question");
    let opened = serving.call("PUT", &shown, &hall.admin, json!({ "questionId": question })).await;
    let round = hall.path(&format!("/rounds/{}", text(&opened["currentQuestion"]["roundId"])));
    let vote = format!("/voting/meetings/{}/questions/{question}/vote", hall.meeting);
    serving.call("POST", &vote, &hall.token_of(0), json!({ "answers": ["1"] })).await;
    serving.call("PUT", &shown, &hall.admin, json!({ "questionId": null })).await;
    serving.call("POST", &format!("{round}/declare"), &hall.admin, Value::Null).await;
    let declined = json!({ "candidate": 1, "answer": "declined" });
    serving.call("POST", &format!("{round}/seat-answers"), &hall.admin, declined).await;
}

#[tokio::test]
async fn the_archive_of_a_deleted_meeting_is_written_from_its_records() {
    let home = folder();
    let serving = Serving::start(home.path()).await;
    let hall = Hall::new(&serving, 1).await;
    let record = declare(&serving, &hall).await;
    elect(&serving, &hall).await;
    let write = ["archive", "write", "deleted.json", "--record", &record];
    assert_eq!(said(home.path(), &write).1, Some(1), "the meeting still exists");
    serving.call("POST", &hall.path("/end"), &hall.admin, Value::Null).await;
    serving.call("DELETE", &hall.path(""), &hall.admin, Value::Null).await;
    let root = serving.sign_in(ROOT_EMAIL, PASSWORD).await;
    let clients = serving.get("/clients", &root).await;
    let client = text(&clients["data"][0]["id"]);
    serving.call("DELETE", &format!("/clients/{client}"), &root, Value::Null).await;

    let (listed, _) = said(home.path(), &["archive", "list"]);
    assert!(listed.contains(&format!("{}  General assembly, Rowing Club, 2 records", hall.meeting)), "{listed}");
    let (written, code) = said(home.path(), &write);
    assert_eq!(code, Some(0), "{written}");
    assert!(written.contains("The answers of the elected were deleted with the meeting"), "{written}");
    let file: Value = serde_json::from_slice(&fs::read(home.path().join("deleted.json")).unwrap()).unwrap();
    assert_eq!(file["results"].get("elections"), None, "nobody knows who accepted");
    assert_eq!(said(home.path(), &write).1, Some(1), "a file is never replaced");
    let (shown, code) = said(home.path(), &["archive", "show", "deleted.json"]);
    assert_eq!(code, Some(0), "{shown}");
    for words in [
        "The meeting was deleted.",
        "Item 1, round 1: Agreed?",
        "1 of 1 voted",
        &record,
        "meeting_deleted by Anna Berg",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert_eq!(said(home.path(), &["archive", "write", "none.json", "--record", &"0".repeat(64)]).1, Some(1));
    let (verified, code) = said(home.path(), &["verify", "--database"]);
    assert_eq!(code, Some(0), "{verified}");
}
