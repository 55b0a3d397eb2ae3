//! The archive of a meeting: downloaded, verified on its own, tampered with, and kept after deletions.

use plenum_adapter_documents::Documents;
use plenum_adapter_postgres::{AuditChains, PostgresMeetingAudit, PostgresRecords, PostgresTimestamps};
use plenum_app::{EvidenceCheck, EvidenceFindings};
use plenum_kernel::{Clock as _, MeetingId};
use plenum_records::{KeptStores, kept_results};
use plenum_result_format::{ArchiveFile, MeetingAudit as _};
use plenum_verify::{
    Exported, KnownKeys, Origin, Tables, Unreadable, check_archive, check_archive_origin, read_exported, verify,
};
use plenum_voting::ResultRecords as _;
use serde_json::{Value, json};

use crate::http::support::{Organization, TestApp, TestMeeting};

/// A meeting with a declared result.
struct Held {
    app: TestApp,
    club: Organization,
    meeting: TestMeeting,
}

impl Held {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter("ada").await;
        let meeting = club.meeting().await;
        let questions = meeting.with_questions().await;
        let round = meeting.open(&questions[0]).await["roundId"].as_str().unwrap().to_owned();
        assert_eq!(ada.vote(&meeting, &questions[0], &["Yes"]).await.status, 201);
        meeting.clear().await;
        meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
        let held = Self { app, club, meeting };
        held.link().await;
        held
    }

    /// Links all entries of the audit log.
    async fn link(&self) {
        let chains = AuditChains::new(self.app.database.db());
        for chain in chains.all().await.unwrap() {
            while chains.state(chain).await.unwrap().waiting > 0 {
                chains.link().await.unwrap();
            }
        }
    }

    async fn archive(&self) -> Value {
        self.meeting.admin.get(&self.meeting.path("/archive?timeZone=Europe/Berlin")).await.gives(200)
    }
}

fn read(content: &[u8]) -> Result<Exported, Unreadable> {
    read_exported(content, Tables { reader: &Documents::new(), most: u64::MAX })
}

fn archive_of(content: &str) -> Option<ArchiveFile> {
    match read(content.as_bytes()) {
        Ok(Exported::Archive(archive)) => Some(*archive),
        _ => None,
    }
}

/// Whether `plenum verify` calls this signed and consistent, if the key is known.
fn is_whole(content: &str, key: &str) -> bool {
    let Some(archive) = archive_of(content) else { return false };
    let known = KnownKeys::Own(vec![key.to_owned()]);
    let origin = check_archive_origin(content.as_bytes(), &archive, &known);
    matches!(origin, Ok(Origin::Signed(_))) && check_archive(&archive).is_empty() && verify(&archive.results).agrees()
}

#[tokio::test]
async fn an_archive_contains_results_minutes_and_log_and_is_signed() {
    let held = Held::new().await;
    let file = held.archive().await;
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    assert!(is_whole(&file.to_string(), &key), "{file}");
    assert_eq!(file["isMeetingDeleted"], json!(false));
    assert_eq!(file["minutes"]["timeZone"], json!("Europe/Berlin"));
    let archive = archive_of(&file.to_string()).unwrap();
    assert!(archive.minutes.content().unwrap().starts_with(b"%PDF"));
    let kinds: Vec<&str> = archive.audit.entries.iter().map(|entry| entry.kind.as_str()).collect();
    for kind in ["meeting_created", "question_created", "round_opened", "result_declared"] {
        assert!(kinds.contains(&kind), "{kind}: {kinds:?}");
    }
    for kind in ["end_user_created", "signed_in"] {
        assert!(!kinds.contains(&kind), "{kind} is not about the meeting: {kinds:?}");
    }
    // The results in it can be verified alone.
    assert!(matches!(read(file["results"].to_string().as_bytes()), Ok(Exported::Results(_))));
}

#[tokio::test]
async fn files_of_a_re_vote_after_a_round_without_a_declared_result_are_consistent() {
    let held = Held::new().await;
    let (meeting, ben) = (&held.meeting, held.club.voter("ben").await);
    let questions = [meeting.ask_yes_no().await, meeting.ask_yes_no().await];
    for (question, is_counted) in questions.iter().zip([false, true]) {
        let first = meeting.open(question).await["roundId"].clone();
        ben.vote(meeting, question, &["Yes"]).await.gives(201);
        meeting.clear().await;
        if is_counted {
            meeting.count(&first).await.gives(200);
        }
        let again = json!({ "questionId": question, "reason": "Somebody was cut off" });
        let again = meeting.admin.post(&meeting.path("/rounds"), again).await.gives(201);
        ben.vote(meeting, question, &["No"]).await.gives(201);
        meeting.clear().await;
        let second = again["currentQuestion"]["roundId"].as_str().unwrap();
        meeting.admin.post(&meeting.path(&format!("/rounds/{second}/declare")), Value::Null).await.gives(200);
    }
    held.link().await;
    let file = held.archive().await;
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    assert!(is_whole(&file.to_string(), &key), "{file}");
    let uncounted = file["results"]["uncounted"].as_array().unwrap();
    assert_eq!((uncounted.len(), &uncounted[0]["questionId"]), (1, &json!(questions[0])));
    meeting.admin.post(&meeting.path("/end"), Value::Null).await.gives(200);
    held.link().await;
    assert!(is_whole(&held.archive().await.to_string(), &key), "of the completed meeting");
    // Its records know nothing of the first rounds.
    meeting.admin.delete(&meeting.path("")).await.gives(200);
    let (keys, writer) = held.app.record_writer();
    let db = held.app.database.db();
    let (records, timestamps) = (PostgresRecords::new(db.clone(), writer), PostgresTimestamps::new(db));
    let hash = file["results"]["rounds"][0]["result"]["record"]["hash"].as_str().unwrap();
    let place = records.find(hash).await.unwrap().expect("the record is still there");
    let stores = KeptStores { records: &records, timestamps: &timestamps };
    let now = plenum_adapter_security::SystemClock.now();
    let kept = kept_results(stores, &*keys, place, now).await.unwrap().unwrap();
    assert!(verify(&kept).agrees(), "{:?}", verify(&kept));
    assert_eq!(kept.rounds.iter().map(|round| round.result.number).collect::<Vec<_>>(), [1, 2, 2]);
}

#[tokio::test]
async fn a_changed_or_cut_archive_is_not_consistent() {
    let held = Held::new().await;
    let file = held.archive().await;
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    let changes: [(&str, Value); 11] = [
        ("/archivedAt", json!("2026-11-21T20:30:00Z")),
        ("/organizationId", json!("00000000-0000-0000-0000-000000000000")),
        ("/isMeetingDeleted", json!(true)),
        ("/results/meeting/title", json!("Another meeting")),
        ("/results/rounds/0/result/questionText", json!("Another question?")),
        ("/results/rounds/0/register/0/name", json!("Somebody else")),
        ("/results/rounds", json!([])),
        ("/minutes/pdf", json!("JVBERi0=")),
        ("/audit/head/number", json!(1_000_000)),
        ("/audit/entries/0/byName", json!("Nobody")),
        ("/audit/entries", json!([])),
    ];
    for (place, value) in changes {
        let mut changed = file.clone();
        let old = changed.pointer_mut(place).unwrap_or_else(|| panic!("{place} is in the archive"));
        assert_ne!(*old, value, "{place}");
        *old = value;
        assert!(!is_whole(&changed.to_string(), &key), "{place}");
    }
    let text = file.to_string();
    let cut = serde_json::to_string(&archive_of(&text).unwrap()).unwrap();
    assert!(matches!(read(&cut.as_bytes()[..cut.len() / 2]), Err(Unreadable::Damaged(_))));
    let mut unsigned = file.clone();
    unsigned["signature"] = Value::Null;
    let unsigned = unsigned.to_string();
    let archive = archive_of(&unsigned).unwrap();
    assert!(check_archive_origin(unsigned.as_bytes(), &archive, &KnownKeys::None).is_err());
    // Without the key, the origin is not proven.
    let archive = archive_of(&text).unwrap();
    let origin = check_archive_origin(text.as_bytes(), &archive, &KnownKeys::None);
    assert_eq!(origin, Ok(Origin::Unknown(Some(key))));
}

#[tokio::test]
async fn a_super_administrator_downloads_archives_before_an_organization_is_deleted() {
    let held = Held::new().await;
    let root = held.app.super_admin().await;
    let list = format!("/clients/{}/archives", held.club.id);
    let archive = format!("{list}/{}?timeZone=Europe/Berlin", held.meeting.id);
    // Neither the title nor the results of a meeting that is not over.
    assert_eq!(root.get(&list).await.gives(200)["data"], json!([]));
    root.get(&archive).await.refuses(409, "meeting_not_over");
    held.meeting.admin.post(&held.meeting.path("/end"), Value::Null).await.gives(200);
    held.club.meeting_with(json!({ "status": "DRAFT", "title": "Plans" })).await;
    held.club.meeting_with(json!({ "status": "CANCELLED", "title": "Called off" })).await;
    let listed = root.get(&format!("{list}?page=1&pageSize=1")).await.gives(200);
    assert_eq!(listed["meta"], json!({ "page": 1, "pageSize": 1, "total": 2 }));
    let next = root.get(&format!("{list}?page=2&pageSize=1")).await.gives(200);
    let mut ids = [listed["data"][0]["meetingId"].clone(), next["data"][0]["meetingId"].clone()];
    ids.sort_by_key(|id| *id != json!(held.meeting.id));
    assert_eq!(ids[0], json!(held.meeting.id));
    assert_ne!(ids[0], ids[1]);
    let shown: Vec<&String> = listed["data"][0].as_object().unwrap().keys().collect();
    assert_eq!(shown, ["meetingId", "scheduledStartTime", "status", "title"], "no question, person or result");

    held.link().await;
    let file = root.get(&archive).await.gives(200);
    let key = file["signature"]["key"].as_str().unwrap().to_owned();
    assert!(is_whole(&file.to_string(), &key));
    let own = held.archive().await;
    for part in ["/results/rounds", "/results/closings", "/organizationId", "/minutes/timeZone"] {
        assert_eq!(file.pointer(part), own.pointer(part), "{part} is that of the organizer's archive");
    }
    // Both logs name the super administrator.
    for log in [
        held.club.admin.get("/client/audit?kind=results_exported").await,
        root.get("/audit?kind=results_exported").await,
    ] {
        let entries = log.gives(200)["data"].as_array().unwrap().clone();
        let of_root: Vec<&Value> = entries.iter().filter(|entry| entry["by"]["role"] == "SUPER_ADMIN").collect();
        assert_eq!(of_root.len(), 1, "{entries:?}");
        assert_eq!(of_root[0]["subject"]["id"], json!(held.meeting.id));
        assert_eq!(of_root[0]["changes"], json!([{ "field": "format", "before": null, "after": "archive" }]));
    }
    root.delete(&format!("/clients/{}", held.club.id)).await.gives(200);
    root.get(&list).await.refuses(404, "client_not_found");
    root.get(&archive).await.refuses(404, "meeting_not_found");
}

#[tokio::test]
async fn nobody_else_gets_archives_of_an_organization_by_its_id() {
    let held = Held::new().await;
    held.meeting.admin.post(&held.meeting.path("/end"), Value::Null).await.gives(200);
    let root = held.app.super_admin().await;
    let other = held.app.client("Sailing Club").await;
    let ben = held.club.voter("ben").await;
    let list = format!("/clients/{}/archives", held.club.id);
    let archive = format!("{list}/{}", held.meeting.id);
    for path in [&list, &archive] {
        for caller in [&held.club.admin, &other.admin, &ben.caller] {
            assert_eq!(caller.get(path).await.status, 403, "{path}");
        }
        assert_eq!(held.app.anyone().get(path).await.status, 401, "{path}");
    }
    // A meeting of another organization than the one in the address.
    let crossed = format!("/clients/{}/archives/{}", other.id, held.meeting.id);
    root.get(&crossed).await.refuses(404, "meeting_not_found");
    assert_eq!(root.get(&format!("/clients/{}/archives", other.id)).await.gives(200)["data"], json!([]));
    assert_eq!(root.get(&format!("{list}?page=0&pageSize=201")).await.wrong_fields(), ["page", "pageSize"]);
    assert_eq!(root.get(&format!("{archive}?timeZone=Mars")).await.wrong_fields(), ["timeZone"]);
    let noted = held.club.admin.get("/client/audit?kind=results_exported").await.gives(200)["data"].clone();
    assert_eq!(noted, json!([]), "a refused call exports nothing");
}

#[tokio::test]
async fn records_and_audit_log_stay_when_meeting_and_organization_are_deleted() {
    let held = Held::new().await;
    let hash = held.archive().await["results"]["rounds"][0]["result"]["record"]["hash"].as_str().unwrap().to_owned();
    held.meeting.admin.post(&held.meeting.path("/end"), Value::Null).await.gives(200);
    held.meeting.admin.delete(&held.meeting.path("")).await.gives(200);
    held.meeting.admin.get(&held.meeting.path("/archive")).await.refuses(404, "meeting_not_found");
    let root = held.app.super_admin().await;
    root.delete(&format!("/clients/{}", held.club.id)).await.gives(200);

    let (keys, writer) = held.app.record_writer();
    let db = held.app.database.db();
    let records = PostgresRecords::new(db.clone(), writer);
    let timestamps = PostgresTimestamps::new(db.clone());
    let stores = KeptStores { records: &records, timestamps: &timestamps };
    let (client, meeting) = records.find(&hash).await.unwrap().expect("the record is still there");
    assert_eq!((client.to_string(), meeting.to_string()), (held.club.id.clone(), held.meeting.id.clone()));
    let now = plenum_adapter_security::SystemClock.now();
    let kept = kept_results(stores, &*keys, (client, meeting), now).await.unwrap().unwrap();
    assert!(verify(&kept).agrees());
    assert_eq!(kept.rounds[0].result.record.as_ref().unwrap().hash, hash);
    assert_eq!(
        kept_results(stores, &*keys, (client, MeetingId::from_uuid(client.as_uuid())), now).await.unwrap(),
        None
    );
    // The last entries are linked when the log is read.
    let audit = PostgresMeetingAudit::new(&db).of_meeting(client, meeting).await.unwrap();
    let deletion = audit.entries.last().unwrap();
    assert_eq!((deletion.kind.as_str(), deletion.by_name.as_deref()), ("meeting_deleted", Some("Anna Berg")));
    // The log of the organization ends with its own deletion, and the records still agree with it.
    let chains = AuditChains::new(db.clone());
    let log = chains.page(client.as_uuid(), 0).await.unwrap().entries;
    assert_eq!(log.last().unwrap().kind, "client_deleted");
    assert_eq!(EvidenceCheck::new(db, keys).findings(None).await.unwrap(), EvidenceFindings::default());
}
