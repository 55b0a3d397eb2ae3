//! The public check of exported files and of record hashes.

use plenum_adapter_security::EvidenceKeyRing;
use plenum_records::sign_results;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::support::{Answer, Caller, TestApp, TestMeeting, TestVoter};

/// A file that can be verified.
pub(crate) fn empty_log() -> Value {
    let (chain, at) = (Uuid::nil(), "2026-11-22T11:00:00Z");
    json!({ "format": "plenum-audit/1", "chain": chain, "exportedAt": at, "waiting": 0, "head": null, "entries": [] })
}

/// A meeting with a declared result.
struct Hall {
    app: TestApp,
    meeting: TestMeeting,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter("ada").await;
        let meeting = club.meeting().await;
        let question = meeting.ask_yes_no().await;
        let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
        ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
        meeting.clear().await;
        meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
        Self { app, meeting }
    }

    async fn export(&self, format: &str) -> Vec<u8> {
        download(&self.meeting.admin, &self.meeting.path(&format!("/results/export?format={format}"))).await
    }

    async fn check(&self, content: impl Into<Vec<u8>>) -> Answer {
        let request = self.app.anyone().request("POST", "/public/verify");
        let request = request.header("content-type", "application/octet-stream").body(content.into());
        Answer::read(request.send().await.unwrap()).await
    }
}

async fn download(caller: &Caller, path: &str) -> Vec<u8> {
    let answer = caller.request("GET", path).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    answer.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn each_export_is_signed_and_a_change_is_found() {
    let hall = Hall::new().await;
    let admin = &hall.meeting.admin;
    for (path, kind) in [
        (hall.meeting.path("/results/export?format=json"), "results"),
        (hall.meeting.path("/results/export?format=csv"), "results_table"),
        (hall.meeting.path("/results/export?format=xlsx"), "results_table"),
        (hall.meeting.path("/archive"), "archive"),
        ("/client/audit/export?format=json".to_owned(), "audit_log"),
        ("/client/audit/export?format=csv&kind=signed_in".to_owned(), "audit_table"),
        ("/client/audit/export?format=xlsx".to_owned(), "audit_table"),
        (hall.meeting.path("/attendance/export"), "attendance_table"),
        (hall.meeting.path("/attendance/export?format=xlsx"), "attendance_table"),
        (hall.meeting.path("/proxies/export"), "proxies_table"),
        (hall.meeting.path("/proxies/export?format=xlsx"), "proxies_table"),
    ] {
        let found = hall.check(download(admin, &path).await).await.gives(200)["data"].clone();
        assert_eq!((&found["verdict"], &found["kind"]), (&json!("signed"), &json!(kind)), "{path}: {found}");
        if !kind.starts_with("audit") {
            assert_eq!(found["organization"], "Rowing Club", "{path}");
            assert_eq!(found["title"], "General assembly", "{path}");
            assert_eq!(found["records"][0]["isKnown"], true, "{path}: {found}");
            assert_eq!(found["records"][0]["number"], 1, "{path}");
        }
    }
    let json = String::from_utf8(hall.export("json").await).unwrap();
    let changed = hall.check(json.replacen("\"heads\": 1", "\"heads\": 2", 1)).await.gives(200)["data"].clone();
    assert_eq!(changed["verdict"], "not_consistent");
    assert!(!changed["rounds"][0]["differences"].as_array().unwrap().is_empty(), "{changed}");
    hall.app.link_audit_log().await;
    let log = String::from_utf8(download(admin, "/client/audit/export?format=json").await).unwrap();
    for forged in ["{\"note\":\"FORGED\",\"number\":", "{\"byNames\":\"Mallory\",\"number\":"] {
        let entries = log.replace("\n{\"number\":", &format!("\n{forged}"));
        assert_ne!(entries, log);
        let changed = hall.check(entries).await.gives(200)["data"].clone();
        assert_eq!(changed["verdict"], "not_consistent", "{forged}: {changed}");
    }
    let csv = String::from_utf8(hall.export("csv").await).unwrap();
    let attendance = download(admin, &hall.meeting.path("/attendance/export?publicUrl=https://vote.example.org")).await;
    let attendance = String::from_utf8(attendance).unwrap();
    assert!(attendance.contains("https://vote.example.org/verify"), "{attendance}");
    for changed in [csv.replacen("has voted", "has not voted", 1), attendance.replacen("ada,1,no", "ada,1,yes", 1)] {
        let changed = hall.check(changed).await.gives(200)["data"].clone();
        assert_eq!(changed["verdict"], "not_consistent", "{changed}");
        assert!(changed["differences"][0]["expected"].as_str().unwrap().contains("something was changed"), "{changed}");
    }
}

#[tokio::test]
async fn a_file_of_attendance_or_proxies_names_the_origin_of_its_page() {
    let hall = Hall::new().await;
    for path in ["/attendance/export", "/proxies/export"] {
        let refused = hall.meeting.admin.get(&hall.meeting.path(&format!("{path}?publicUrl=nowhere&format=pdf"))).await;
        let fields = refused.refuses(422, "invalid_input")["fields"].clone();
        assert!(fields["publicUrl"].is_array() && fields["format"].is_array(), "{fields}");
    }
}

/// Opens a secret question, lets everybody vote, counts and declares.
async fn vote_in_secret(meeting: &TestMeeting, fields: Value, votes: &[(&TestVoter, &str)]) {
    let mut all = json!({ "secrecy": "secret" });
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let question = meeting.ask(all["questionType"].as_str().unwrap(), all.clone()).await;
    let path = meeting.path("/current-question?acceptRisk=true");
    let opened = meeting.admin.put(&path, json!({ "questionId": question })).await.gives(200);
    let round = meeting.path(&format!("/rounds/{}", opened["currentQuestion"]["roundId"].as_str().unwrap()));
    for (voter, answer) in votes {
        voter.vote(meeting, &question, &[answer]).await.gives(201);
    }
    meeting.clear().await;
    meeting.admin.post(&format!("{round}/count?acceptRisk=true"), Value::Null).await.gives(200);
    meeting.admin.post(&format!("{round}/declare"), Value::Null).await.gives(200);
}

#[tokio::test]
async fn secret_and_unshown_rounds_say_what_was_counted_again() {
    let hall = Hall::new().await;
    let club = hall.app.client("Chess Club").await;
    let (ada, ben, cleo) =
        (club.voter("ada").await, club.voter("ben").await, club.voter_of_weight("cleo", "2.5").await);
    let meeting = club.meeting().await;
    let yes_no = json!({ "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"] });
    let votes = [(&ada, "Yes"), (&ben, "No"), (&cleo, "Yes")];
    vote_in_secret(&meeting, yes_no.clone(), &votes[..2]).await;
    vote_in_secret(&meeting, yes_no.clone(), &votes).await;
    let by_heads = json!({ "questionType": "YES_NO", "options": ["Yes", "No", "Abstain"], "countsHeads": true });
    vote_in_secret(&meeting, by_heads, &votes).await;
    vote_in_secret(&meeting, json!({ "questionType": "RATING" }), &[(&ada, "5"), (&cleo, "3")]).await;
    vote_in_secret(&meeting, json!({ "questionType": "OPEN_TEXT" }), &[(&ada, "Trees"), (&cleo, "Trees")]).await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    for (voter, answer) in votes {
        voter.vote(&meeting, &question, &[answer]).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&round).await.gives(200);

    let exported = download(&meeting.admin, &meeting.path("/results/export?format=json")).await;
    let file: Value = serde_json::from_slice(&exported).unwrap();
    let listed = |index: usize| file["rounds"][index]["ballots"].as_array().unwrap().len();
    assert_eq!([0, 1, 2, 3, 4, 5].map(listed), [2, 0, 2, 2, 1, 0], "{file}");
    assert_eq!(file["rounds"][1]["urn"]["receipts"].as_array().unwrap().len(), 3);
    let found = hall.check(exported).await.gives(200)["data"].clone();
    assert_eq!(found["verdict"], "signed", "{found}");
    let rounds = found["rounds"].as_array().unwrap();
    let recounted: Vec<_> = rounds.iter().map(|round| round["isRecounted"].as_bool().unwrap()).collect();
    assert_eq!(recounted, [true, false, true, true, true, false]);
    assert_eq!(rounds[0]["method"], "Counted again from all answers");
    let sums = "Only the sums are kept, because weights differ: checked against marks, receipts and hash";
    assert_eq!(rounds[1]["method"], sums);
    let unshown = "Only the sums are listed, because few voters have the same weight: checked against marks";
    assert_eq!(rounds[5]["method"], unshown);
    for format in ["csv", "xlsx", "pdf"] {
        download(&meeting.admin, &meeting.path(&format!("/results/export?format={format}"))).await;
    }
}

#[tokio::test]
async fn a_file_by_another_key_or_without_one_has_no_known_origin() {
    let hall = Hall::new().await;
    let mut file = plenum_verify::read(&hall.export("json").await).unwrap();
    let other = EvidenceKeyRing::generate("2026-11-01T08:00:00Z".parse().unwrap());
    for round in &mut file.rounds {
        // A forger has no signature of the record, and leaves the record out.
        (round.result.record, round.seal, round.result.declared) = (None, None, None);
        round.result.log.retain(|entry| entry.kind != plenum_result_format::LogKind::Declared);
        round.result.status = plenum_result_format::ResultStatus::Counted;
    }
    sign_results(&mut file, &other);
    let forged = hall.check(serde_json::to_vec(&file).unwrap()).await.gives(200)["data"].clone();
    assert_eq!(forged["verdict"], "origin_unknown", "{forged}");
    assert_eq!(forged["key"], json!(plenum_kernel::EvidenceKeys::fingerprint(&other)));
    file.signature = None;
    let unsigned = hall.check(serde_json::to_vec(&file).unwrap()).await.gives(200)["data"].clone();
    assert_eq!((&unsigned["verdict"], &unsigned["key"]), (&json!("origin_unknown"), &Value::Null));
}

#[tokio::test]
async fn a_file_that_is_not_an_export_is_refused_with_a_reason() {
    let hall = Hall::new().await;
    for (content, code, words) in [
        (b"{}".to_vec(), "unverifiable_file", "not a results file"),
        (b"{\"format\":\"plenum-results/2\",".to_vec(), "unverifiable_file", "damaged"),
        (hall.export("pdf").await, "unverifiable_file", "QR code"),
        (b"PK\x03\x04 and no workbook".to_vec(), "unverifiable_file", "another kind"),
        (vec![0xff, 0xd8, 0xff, 0x00], "unverifiable_file", "another kind"),
        (b"Hello".to_vec(), "unverifiable_file", "another kind"),
        (Vec::new(), "unverifiable_file", "another kind"),
        (b"Section,What\r\nMeeting,Title\r\n".to_vec(), "unsigned_table", "not signed"),
    ] {
        let refused = hall.check(content).await.refuses(422, code);
        assert!(refused["error"].as_str().unwrap().contains(words), "{refused}");
    }
    let large = hall.check(vec![b' '; 8 * 1024 * 1024 + 1]).await;
    large.refuses(413, "body_too_large");
}

#[tokio::test]
async fn files_are_limited_for_each_network() {
    let hall = Hall::new().await;
    let mut statuses = Vec::new();
    for _ in 0..40 {
        statuses.push(hall.check("x").await.status);
    }
    assert_eq!(statuses[..30], [422; 30]);
    assert!(statuses.contains(&429), "{statuses:?}");
    let refused = hall.check("x").await;
    assert!(refused.header("retry-after").is_some());
    refused.refuses(429, "too_many_tries");
}

#[tokio::test]
async fn a_record_hash_says_whether_it_is_known_and_names_nobody() {
    let hall = Hall::new().await;
    let file: Value = serde_json::from_slice(&hall.export("json").await).unwrap();
    let hash = file["rounds"][0]["result"]["record"]["hash"].as_str().unwrap();
    let find = async |body: Value| hall.app.anyone().post("/public/verify/records", body).await;
    let unknown = "0".repeat(64);
    let answer = find(json!({ "hashes": [hash.to_uppercase(), unknown] })).await;
    assert!(!answer.text.contains("Rowing"), "{}", answer.text);
    let records = answer.gives(200)["data"]["records"].clone();
    assert_eq!(
        (&records[0]["hash"], &records[0]["isKnown"], &records[0]["number"]),
        (&json!(hash), &json!(true), &json!(1))
    );
    let nobody = json!({ "hash": unknown, "isKnown": false, "number": null, "recordedAt": null, "key": null });
    assert_eq!(records[1], nobody);
    for hashes in [json!([]), json!(["xyz"]), json!([&hash[1..]])] {
        find(json!({ "hashes": hashes })).await.refuses(422, "invalid_input");
    }
    let too_long = find(json!({ "hashes": [hash], "signature": "0".repeat(129) })).await;
    assert_eq!((too_long.status, too_long.wrong_fields()), (422, vec!["signature".to_owned()]), "{}", too_long.text);
    let signature = "0".repeat(128);
    let forged = find(json!({ "hashes": [hash], "signature": signature })).await.gives(200);
    assert_eq!(forged["data"]["minutesKey"], Value::Null, "no such minutes were signed");
}
