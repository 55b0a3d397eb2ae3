//! The key files of secret votes: their life, their loss, restarts and crashes.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use diesel::connection::SimpleConnection as _;
use plenum_adapter_postgres::PostgresUrns;
use plenum_adapter_security::SystemClock;
use plenum_sealed_ballots::SealedAnswer;
use plenum_voting::UrnKeyService;
use serde_json::{Value, json};

use super::secret_rounds::{Club, Urn, ask_secret, declare_at_risk, heads, log_kinds, send};
use crate::http::support::paper::desk;
use crate::http::support::{Caller, EventStream, TestMeeting, VOTE_KEY_PATIENCE};

impl Club {
    fn folder(&self) -> PathBuf {
        self.app.key_folder.path().join("keys")
    }

    /// The names of the key files.
    pub(super) fn key_files(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// The kinds of the audit log about keys, the earliest first.
    async fn key_events(&self) -> Vec<String> {
        let entries = self.club.admin.get("/client/audit?limit=100").await.gives(200)["data"].clone();
        let kinds = entries.as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap().to_owned());
        let mut kinds: Vec<String> = kinds.filter(|kind| kind.starts_with("urn_")).collect();
        kinds.reverse();
        kinds
    }

    /// Destroys the keys that no round needs, as the server does at its start and every minute. Returns their number.
    async fn sweep(&self) -> usize {
        let keys = Arc::new(self.app.urn_keys.clone());
        let urns = Arc::new(PostgresUrns::new(self.app.database.db()));
        UrnKeyService::new(keys, urns, Arc::new(SystemClock)).sweep().await.unwrap()
    }

    /// Restarts the server. All callers go on with their sessions.
    async fn restart(&mut self) {
        self.app.start_again().await;
        let base = self.app.base().to_owned();
        let moved = |caller: &Caller| caller.at(&base);
        self.club.admin = moved(&self.club.admin);
        self.meeting.admin = moved(&self.meeting.admin);
        for voter in &mut self.voters {
            voter.caller = moved(&voter.caller);
        }
    }

    /// Changes rows as somebody does who can write to the database.
    fn tamper(&self, statement: &str) {
        let statement = format!("BEGIN; SET LOCAL session_replication_role = replica; {statement}; COMMIT");
        self.app.database.connection().batch_execute(&statement).unwrap();
    }

    async fn all_vote(&self, question: &str, answer: &str) {
        for voter in &self.voters {
            voter.vote(&self.meeting, question, &[answer]).await.gives(201);
        }
    }
}

#[tokio::test]
async fn the_key_has_a_file_while_voting_and_the_log_tells_its_life() {
    let hall = Club::of(5).await;
    let question = ask_secret(&hall.meeting).await;
    assert!(hall.key_files().is_empty());
    let round = hall.meeting.open(&question).await["roundId"].clone();
    assert_eq!(hall.key_files(), [round.as_str().unwrap()]);
    let file = hall.folder().join(round.as_str().unwrap());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(hall.folder()).unwrap().permissions().mode() & 0o777, 0o700);
    hall.all_vote(&question, "Yes").await;
    hall.meeting.clear().await;
    assert_eq!(hall.key_files().len(), 1);
    assert_eq!(hall.key_events().await, ["urn_key_made"]);
    // Declaring opens the urn first.
    declare_at_risk(&hall.meeting, &round).await.gives(200);
    assert!(hall.key_files().is_empty());
    assert_eq!(hall.key_events().await, ["urn_key_made", "urn_opened", "urn_key_destroyed"]);
    let result = hall.meeting.result(&round).await.gives(200);
    assert_eq!(log_kinds(&result), ["OPENED", "ENDED", "COUNTED", "DECLARED"]);
    assert_eq!(heads(&result), [5, 0, 0]);
}

/// The question on the screen of a voter who opens the meeting now.
async fn question_seen_by(voter: &Caller, meeting: &TestMeeting) -> Value {
    let mut stream = EventStream::watch(voter, &meeting.id).await;
    stream.until_event(|event| event.data["currentQuestion"]["isActive"] == true).await.data["currentQuestion"].clone()
}

#[tokio::test]
async fn no_ballot_is_sealed_for_a_key_that_somebody_put_into_the_database() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    let place = hall.app.anyone().with_token(&desk(meeting, "Place 1", "VOTING_PLACE").await);
    let genuine = place.get("/desk/question").await.gives(200)["question"]["sealing"].clone();
    assert!(genuine.is_object(), "{genuine}");
    // A key whose private part the attacker knows, and another share, from which the attacker cannot derive the key.
    for attack in [
        "UPDATE urns SET public_key = decode('04' || repeat('ab', 64), 'hex')",
        "UPDATE urn_shares SET share = decode(repeat('cd', 32), 'hex')",
    ] {
        hall.tamper("DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT * FROM urns NATURAL JOIN urn_shares");
        hall.tamper(attack);
        if attack.contains("urn_shares") {
            // The instance has confirmed the key, and continues to use it.
            assert_eq!(question_seen_by(&hall.voters[0].caller, meeting).await["sealing"], genuine);
        } else {
            let seen = question_seen_by(&hall.voters[0].caller, meeting).await;
            assert_eq!((&seen["secrecy"], &seen["sealing"]), (&json!("secret"), &Value::Null), "{attack}");
            hall.voters[0].vote(meeting, &question, &["Yes"]).await.refuses(409, "vote_key_unconfirmed");
            let at_place = place.get("/desk/question").await.gives(200);
            assert_eq!(
                (&at_place["question"]["sealing"], &at_place["leftBatches"]),
                (&Value::Null, &json!([])),
                "{attack}"
            );
        }
        hall.tamper(
            "UPDATE urns SET public_key = kept.public_key FROM kept; UPDATE urn_shares SET share = kept.share FROM kept",
        );
    }
    assert_eq!(question_seen_by(&hall.voters[0].caller, meeting).await["sealing"], genuine);
    hall.all_vote(&question, "Yes").await;
    meeting.clear().await;
    declare_at_risk(meeting, &round).await.gives(200);
    assert_eq!(heads(&meeting.result(&round).await.gives(200)), [5, 0, 0]);
}

#[tokio::test]
async fn open_screens_learn_that_the_key_cannot_be_confirmed_and_within_seconds_that_it_can() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let voter = &hall.voters[0];
    let mut phone = EventStream::watch(&voter.caller, &meeting.id).await;
    let mut organizer = EventStream::watch(&meeting.admin, &meeting.id).await;
    meeting.open(&question).await;
    let genuine = phone.until("question_activated").await["sealing"].clone();
    assert!(genuine.is_object(), "{genuine}");
    organizer.until("question_activated").await;
    hall.tamper(
        "CREATE TABLE kept AS SELECT * FROM urns; UPDATE urns SET public_key = decode('04' || repeat('ab', 64), 'hex')",
    );
    // The hub loads the meeting, and finds no other difference.
    let title = meeting.admin.get(&meeting.path("")).await.gives(200)["title"].clone();
    meeting.admin.put(&meeting.path(""), json!({ "title": title })).await.gives(200);
    for stream in [&mut phone, &mut organizer] {
        let away = stream.until("meeting_update").await;
        assert_eq!(
            (&away["currentQuestion"]["id"], &away["currentQuestion"]["sealing"]),
            (&json!(question), &Value::Null)
        );
    }
    voter.vote(meeting, &question, &["Yes"]).await.refuses(409, "vote_key_unconfirmed");
    // Nothing tells the hub that the key is back.
    hall.tamper("UPDATE urns SET public_key = kept.public_key FROM kept");
    let restored = Instant::now();
    for stream in [&mut phone, &mut organizer] {
        let back = stream.until("meeting_update").await;
        assert_eq!(back["currentQuestion"]["sealing"], genuine);
    }
    assert!(restored.elapsed() < Duration::from_secs(8), "{:?}", restored.elapsed());
    voter.vote(meeting, &question, &["Yes"]).await.gives(201);
}

#[tokio::test]
async fn a_round_whose_key_is_lost_is_void_for_everybody_and_a_re_vote_works() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    hall.all_vote(&question, "Yes").await;
    fs::remove_file(hall.folder().join(round.as_str().unwrap())).unwrap();
    meeting.clear().await;
    // Its instance may be restarting, or its disk not be mounted.
    meeting.count(&round).await.refuses(409, "vote_key_away");
    assert_eq!(hall.key_events().await, ["urn_key_made"]);
    tokio::time::sleep(VOTE_KEY_PATIENCE.to_std().unwrap()).await;
    meeting.count(&round).await.refuses(409, "round_void");
    meeting.count(&round).await.refuses(409, "round_void");
    declare_at_risk(meeting, &round).await.refuses(409, "round_void");
    meeting.result(&round).await.refuses(409, "round_not_counted");
    assert_eq!(hall.key_events().await, ["urn_key_made", "urn_key_lost"]);
    // The void round neither reopens nor takes ballots.
    meeting.put_question(json!({ "questionId": question })).await.refuses(409, "round_void");
    hall.voters[0].vote(meeting, &question, &["No"]).await.refuses(409, "already_voted");
    // It is on the screen of everybody, until something else is.
    let voter = &hall.voters[0].caller;
    for watcher in [&meeting.admin, voter] {
        let state = EventStream::watch(watcher, &meeting.id).await.next().await.unwrap().data;
        assert_eq!(state["currentQuestion"]["id"], question.as_str(), "{state}");
        assert_eq!(state["currentQuestion"]["isVoid"], true, "{state}");
        assert_eq!(state["currentQuestion"]["isActive"], false, "{state}");
    }
    let presentation = format!("/public/meetings/{}/presentation", meeting.id);
    let presentation = hall.app.anyone().get(&presentation).await.gives(200);
    assert_eq!(presentation["currentQuestion"]["isVoid"], true, "{presentation}");
    let own = voter.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    assert_eq!(own["meeting"]["questions"][0]["isVoid"], true, "{own}");
    let again = json!({ "questionId": question, "reason": "The key was lost" });
    let again = meeting.admin.post(&meeting.path("/rounds"), again).await.gives(201);
    let second = again["currentQuestion"]["roundId"].clone();
    hall.all_vote(&question, "No").await;
    meeting.clear().await;
    meeting.count(&second).await.gives(200);
    assert_eq!(heads(&meeting.result(&second).await.gives(200)), [0, 5, 0]);
    assert!(hall.key_files().is_empty());
    declare_at_risk(meeting, &second).await.gives(200);
    let file = meeting.admin.get(&meeting.path("/results/export?format=json")).await.gives(200);
    let void = json!([{
        "roundId": round, "questionId": question, "position": 1, "number": 1, "questionText": "Agreed?", "isVoid": true,
    }]);
    assert_eq!(file["uncounted"], void);
    let report = plenum_verify::verify(&plenum_verify::read(file.to_string().as_bytes()).unwrap());
    assert!(report.agrees(), "{report:?}");
}

#[tokio::test]
async fn without_a_writable_key_folder_nothing_opens_and_nothing_changes() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    meeting.show(&question).await;
    let before = meeting.admin.get(&meeting.path("/rounds")).await.gives(200);
    // The mode would not stop root: in place of the folder there is a file.
    fs::remove_dir(hall.folder()).unwrap();
    fs::write(hall.folder(), "").unwrap();
    let refused = meeting.put_question(json!({ "questionId": question })).await;
    assert!((500..600).contains(&refused.status), "{}: {}", refused.status, refused.text);
    assert!(refused.json()["error"].as_str().is_some_and(|error| !error.is_empty()), "{}", refused.text);
    assert_eq!(meeting.admin.get(&meeting.path("/rounds")).await.gives(200), before);
    assert_eq!(hall.key_events().await, [] as [String; 0]);
    hall.voters[0].vote(meeting, &question, &["Yes"]).await.refuses(404, "question_not_found");
    // Other votes go on.
    let unshown = meeting.ask_yes_no().await;
    meeting.open(&unshown).await;
    hall.all_vote(&unshown, "Yes").await;
    meeting.clear().await;
    fs::remove_file(hall.folder()).unwrap();
    fs::create_dir(hall.folder()).unwrap();
    meeting.open(&question).await;
    hall.all_vote(&question, "Yes").await;
}

#[tokio::test]
async fn a_missing_key_folder_makes_no_round_void() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    hall.all_vote(&question, "Yes").await;
    meeting.clear().await;
    let elsewhere = hall.app.key_folder.path().join("elsewhere");
    fs::rename(hall.folder(), &elsewhere).unwrap();
    let refused = meeting.count(&round).await;
    assert!((500..600).contains(&refused.status), "{}: {}", refused.status, refused.text);
    fs::rename(&elsewhere, hall.folder()).unwrap();
    meeting.count(&round).await.gives(200);
    assert_eq!(heads(&meeting.result(&round).await.gives(200)), [5, 0, 0]);
}

#[tokio::test]
async fn a_restart_in_the_middle_of_a_secret_vote_changes_nothing() {
    let mut hall = Club::of(6).await;
    let question = ask_secret(&hall.meeting).await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    let urn = Urn::seen_by(&hall.voters[0].caller, &hall.meeting).await;
    let yes = SealedAnswer::Options(vec![1]);
    let envelopes: Vec<Vec<u8>> = hall.voters.iter().map(|voter| urn.seal(voter, &yes)).collect();
    let cast = async |hall: &Club, numbers: std::ops::Range<usize>| {
        let mut answers = Vec::new();
        for number in numbers {
            let voted = send(&hall.voters[number], &hall.meeting, &question, &envelopes[number]).await;
            answers.push(voted.gives(201));
        }
        answers
    };
    let first = cast(&hall, 0..3).await;
    hall.restart().await;
    assert_eq!(cast(&hall, 0..3).await, first, "equal envelopes are repeats after the restart");
    cast(&hall, 3..6).await;
    hall.meeting.clear().await;
    hall.restart().await;
    assert_eq!(hall.key_files().len(), 1);
    hall.meeting.count(&round).await.gives(200);
    assert_eq!(heads(&hall.meeting.result(&round).await.gives(200)), [6, 0, 0]);
    assert!(hall.key_files().is_empty());
    hall.restart().await;
    assert_eq!(heads(&hall.meeting.result(&round).await.gives(200)), [6, 0, 0]);
}

#[tokio::test]
async fn a_key_that_a_crash_left_is_swept_and_that_of_a_vote_is_not() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    let file = hall.folder().join(round.as_str().unwrap());
    let share = fs::read(&file).unwrap();
    hall.all_vote(&question, "Yes").await;
    meeting.clear().await;
    let age = |path: &PathBuf| {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();
    };
    age(&file);
    assert_eq!(hall.sweep().await, 0, "the round needs its key");
    meeting.count(&round).await.gives(200);
    fs::write(&file, &share).unwrap();
    assert_eq!(hall.sweep().await, 0, "a young share may belong to a round that is being opened");
    age(&file);
    assert_eq!(hall.sweep().await, 1);
    assert!(hall.key_files().is_empty());
    assert_eq!(hall.key_events().await, ["urn_key_made", "urn_opened", "urn_key_destroyed"]);
    assert_eq!(heads(&meeting.result(&round).await.gives(200)), [5, 0, 0]);
}
