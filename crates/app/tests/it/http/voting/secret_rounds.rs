//! Secret votes by URL, with envelopes that the test seals as a device does, and with answers that the server seals.

use std::fs::File;
use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plenum_sealed_ballots::{Ballot, Plaintext, PublicKey, SealedAnswer, seal};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::support::{Answer, Caller, EventStream, Organization, TestApp, TestMeeting, TestVoter};

/// The data with which a device seals a ballot.
pub(super) struct Urn {
    key: PublicKey,
    size: usize,
    /// The open round.
    pub(super) round: Uuid,
}

impl Urn {
    /// Reads it from the live state of a voter.
    pub(super) async fn seen_by(voter: &Caller, meeting: &TestMeeting) -> Self {
        // The first event of a meeting that others watch may be older than the opening.
        let question_of = |data: &Value| {
            let places = [&data["currentQuestion"], &data["question"], data];
            places.into_iter().find(|place| place["sealing"].is_object()).cloned()
        };
        let mut stream = EventStream::watch(voter, &meeting.id).await;
        let event = stream.until_event(|event| question_of(&event.data).is_some()).await;
        let question = question_of(&event.data).unwrap();
        let key = STANDARD.decode(question["sealing"]["publicKey"].as_str().unwrap()).unwrap();
        let size = usize::try_from(question["sealing"]["size"].as_u64().unwrap()).unwrap();
        let round = question["roundId"].as_str().unwrap().parse().unwrap();
        Self { key: PublicKey::parse(&key).unwrap(), size, round }
    }

    /// Seals an answer for a voter.
    pub(super) fn seal(&self, voter: &TestVoter, answer: &SealedAnswer) -> Vec<u8> {
        self.seal_bytes(self.round, voter, &answer.write())
    }

    fn seal_bytes(&self, round: Uuid, voter: &TestVoter, bytes: &[u8]) -> Vec<u8> {
        let ballot = Ballot { round, voter: voter.id.parse().unwrap() };
        let mut ephemeral = [0; 32];
        File::open("/dev/urandom").unwrap().read_exact(&mut ephemeral).unwrap();
        seal(&self.key, &ballot, Plaintext { bytes, size: self.size }, &ephemeral).unwrap()
    }
}

/// Sends an envelope for the last round of the question.
pub(super) async fn send(voter: &TestVoter, meeting: &TestMeeting, question: &str, envelope: &[u8]) -> Answer {
    let seen = voter.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    let asked = seen["meeting"]["questions"].as_array().unwrap().iter().find(|asked| asked["id"] == question);
    let body = json!({ "envelope": STANDARD.encode(envelope), "roundId": asked.unwrap()["roundId"] });
    voter.caller.post(&meeting.vote_path(question), body).await
}

/// Adds a secret question with these options.
pub(super) async fn ask_secret(meeting: &TestMeeting) -> String {
    meeting.ask("YES_NO", json!({ "options": ["Yes", "No", "Abstain"], "secrecy": "secret" })).await
}

/// Opens a question although votes could be inferred from its totals. Returns the id of the round.
pub(super) async fn open_at_risk(meeting: &TestMeeting, question: &str) -> Value {
    let body = json!({ "questionId": question });
    let opened = meeting.admin.put(&meeting.path("/current-question?acceptRisk=true"), body).await.gives(200);
    opened["currentQuestion"]["roundId"].clone()
}

/// Counts a round although votes could be inferred from its totals.
pub(super) async fn count_at_risk(meeting: &TestMeeting, round: &Value) -> Answer {
    let path = meeting.path(&format!("/rounds/{}/count?acceptRisk=true", round.as_str().unwrap()));
    meeting.admin.post(&path, Value::Null).await
}

/// Declares a result although votes could be inferred from its totals.
pub(super) async fn declare_at_risk(meeting: &TestMeeting, round: &Value) -> Answer {
    let path = meeting.path(&format!("/rounds/{}/declare?acceptRisk=true", round.as_str().unwrap()));
    meeting.admin.post(&path, Value::Null).await
}

/// The heads of each option.
pub(super) fn heads(result: &Value) -> Vec<u64> {
    result["options"].as_array().unwrap().iter().map(|option| option["heads"].as_u64().unwrap()).collect()
}

/// The kinds of the log of a result.
pub(super) fn log_kinds(result: &Value) -> Vec<&str> {
    result["log"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect()
}

/// An organization with a meeting and voters of weight 1.
pub(super) struct Club {
    pub(super) app: TestApp,
    pub(super) club: Organization,
    pub(super) meeting: TestMeeting,
    pub(super) voters: Vec<TestVoter>,
}

impl Club {
    pub(super) async fn of(people: usize) -> Self {
        Self::served(TestApp::start().await, people).await
    }

    pub(super) async fn served(app: TestApp, people: usize) -> Self {
        let club = app.client("Rowing Club").await;
        let mut voters = Vec::new();
        for number in 1..=people {
            voters.push(club.voter(&format!("voter-{number:02}")).await);
        }
        let meeting = club.meeting().await;
        Self { app, club, meeting, voters }
    }

    async fn receipts_of(&self, round: &Value, caller: &Caller, portal: &str) -> Answer {
        let round = round.as_str().unwrap();
        caller.get(&format!("/{portal}/meetings/{}/rounds/{round}/receipts", self.meeting.id)).await
    }
}

#[tokio::test]
async fn a_secret_vote_of_each_type_is_counted_from_envelopes_and_from_answers_that_the_server_seals() {
    let hall = Club::of(6).await;
    let meeting = &hall.meeting;
    for (question_type, fields, answer, sealed) in [
        ("YES_NO", json!({ "options": ["Yes", "No", "Abstain"] }), json!(["No"]), SealedAnswer::Options(vec![2])),
        (
            "MULTIPLE_CHOICE",
            json!({ "options": ["A", "B", "C"], "maxChoices": 2 }),
            json!(["C", "A"]),
            SealedAnswer::Options(vec![1, 3]),
        ),
        ("RATING", json!({}), json!(["4"]), SealedAnswer::Number("4".to_owned())),
        ("PERCENTAGE", json!({}), json!(["37.5"]), SealedAnswer::Number("37.5".to_owned())),
        ("OPEN_TEXT", json!({}), json!(["Zoë, \"please\""]), SealedAnswer::Text("Zoë, \"please\"".to_owned())),
    ] {
        let mut terms = fields;
        terms["secrecy"] = json!("secret");
        let question = meeting.ask(question_type, terms).await;
        let round = meeting.open(&question).await["roundId"].clone();
        let urn = Urn::seen_by(&hall.voters[0].caller, meeting).await;
        let mut receipts = Vec::new();
        for (number, voter) in hall.voters.iter().enumerate() {
            let voted = if number % 2 == 0 {
                send(voter, meeting, &question, &urn.seal(voter, &sealed)).await
            } else {
                voter.caller.post(&meeting.vote_path(&question), json!({ "answers": answer, "roundId": round })).await
            };
            let vote = voted.gives(201)["vote"].clone();
            assert_eq!((&vote["answers"], &vote["castAt"]), (&json!([]), &Value::Null), "{question_type}");
            receipts.push(vote["receipt"].as_str().unwrap().to_owned());
        }
        receipts.sort();
        meeting.clear().await;
        meeting.result(&round).await.refuses(409, "round_not_counted");
        meeting.count(&round).await.gives(200);
        let result = meeting.result(&round).await.gives(200);
        assert_eq!(result["votesCast"], json!({ "heads": 6, "weight": 6 }), "{question_type}");
        assert_eq!(result["invalid"]["heads"], 0, "{question_type}");
        match question_type {
            "YES_NO" => assert_eq!(heads(&result), [0, 6, 0]),
            "MULTIPLE_CHOICE" => assert_eq!(heads(&result), [6, 0, 6]),
            "OPEN_TEXT" => assert_eq!(result["differentTexts"], 1),
            _ => assert!(result["numbers"].is_object(), "{result}"),
        }
        hall.receipts_of(&round, &hall.club.admin, "client").await.refuses(409, "round_not_declared");
        meeting
            .admin
            .post(&meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap())), Value::Null)
            .await
            .gives(200);
        for (caller, portal) in [(&hall.club.admin, "client"), (&hall.voters[0].caller, "voting")] {
            let listed = hall.receipts_of(&round, caller, portal).await.gives(200);
            assert_eq!(listed["data"], json!(receipts), "{question_type}");
        }
    }
}

#[tokio::test]
async fn receipts_are_for_the_roles_and_the_organization_of_the_meeting() {
    let hall = Club::of(1).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let round = open_at_risk(meeting, &question).await;
    hall.voters[0].vote(meeting, &question, &["Yes"]).await.gives(201);
    meeting.clear().await;
    declare_at_risk(meeting, &round).await.gives(200);
    let other = hall.app.client("Sailing Club").await;
    let stranger = other.voter("eve").await;
    let root = hall.app.super_admin().await;
    for (caller, portal, status) in [
        (&hall.voters[0].caller, "client", 403),
        (&hall.club.admin, "voting", 403),
        (&root, "client", 403),
        (&root, "voting", 403),
        (&other.admin, "client", 404),
        (&stranger.caller, "voting", 404),
        (&hall.app.anyone(), "client", 401),
        (&hall.app.anyone(), "voting", 401),
    ] {
        let refused = hall.receipts_of(&round, caller, portal).await;
        assert_eq!(refused.status, status, "{portal}: {}", refused.text);
    }
}

#[tokio::test]
async fn equal_bytes_repeat_the_first_response_and_other_bytes_are_a_second_vote() {
    let hall = Club::of(5).await;
    let (meeting, ada) = (&hall.meeting, &hall.voters[0]);
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    let urn = Urn::seen_by(&ada.caller, meeting).await;
    let (yes, no) = (SealedAnswer::Options(vec![1]), SealedAnswer::Options(vec![2]));
    let envelope = urn.seal(ada, &yes);
    let first = send(ada, meeting, &question, &envelope).await.gives(201);
    assert_eq!(send(ada, meeting, &question, &envelope).await.gives(201), first);
    let cleo = &hall.voters[2];
    let sealed = urn.seal(cleo, &yes);
    let at_once = futures_util::future::join_all((0..8).map(|_| send(cleo, meeting, &question, &sealed))).await;
    let responses: Vec<Value> = at_once.iter().map(|answer| answer.gives(201)).collect();
    assert!(responses.iter().all(|response| *response == responses[0]), "{responses:?}");
    let again = hall.club.admin.sign_in_voter(&hall.club.code, "voter-01").await;
    let on_another_device = TestVoter { id: ada.id.clone(), caller: again };
    assert_eq!(send(&on_another_device, meeting, &question, &envelope).await.gives(201), first);
    for other in [urn.seal(ada, &yes), urn.seal(ada, &no)] {
        send(ada, meeting, &question, &other).await.refuses(409, "already_voted");
    }
    for answer in ["Yes", "No", "Abstain"] {
        ada.vote(meeting, &question, &[answer]).await.refuses(409, "already_voted");
    }
    let ben = &hall.voters[1];
    meeting.clear().await;
    assert_eq!(
        send(ada, meeting, &question, &envelope).await.gives(201),
        first,
        "the first response may have been lost"
    );
    send(ben, meeting, &question, &urn.seal(ben, &no)).await.refuses(409, "round_not_open");
    count_at_risk(meeting, &round).await.gives(200);
    assert_eq!(
        send(ada, meeting, &question, &envelope).await.gives(201),
        first,
        "the id of the vote still tells that it is a repeat"
    );
    send(ada, meeting, &question, &urn.seal(ada, &yes)).await.refuses(409, "already_voted");
    send(cleo, meeting, &question, &envelope).await.refuses(409, "already_voted");
    send(ben, meeting, &question, &urn.seal(ben, &no)).await.refuses(409, "round_not_open");
    let result = meeting.result(&round).await.gives(200);
    assert_eq!(heads(&result), [2, 0, 0]);
}

#[tokio::test]
async fn a_repeat_that_the_server_seals_learns_of_its_vote_also_after_the_count_and_a_restart() {
    let mut hall = Club::of(6).await;
    let question = ask_secret(&hall.meeting).await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    for voter in &hall.voters[..5] {
        voter.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    }
    hall.meeting.clear().await;
    hall.meeting.count(&round).await.gives(200);
    // The instance does not remember that it has confirmed the key, whose share is deleted.
    hall.app.start_again().await;
    for (voter, code) in [(&hall.voters[0], "already_voted"), (&hall.voters[5], "round_not_open")] {
        let body = json!({ "answers": ["Yes"], "roundId": round });
        let repeated = voter.caller.at(hall.app.base()).post(&hall.meeting.vote_path(&question), body).await;
        repeated.refuses(409, code);
    }
}

#[tokio::test]
async fn each_bad_envelope_has_its_defined_end() {
    let hall = Club::of(9).await;
    let meeting = &hall.meeting;
    let earlier = ask_secret(meeting).await;
    meeting.open(&earlier).await;
    let old_urn = Urn::seen_by(&hall.voters[0].caller, meeting).await;
    meeting.clear().await;
    let question = ask_secret(meeting).await;
    let round = meeting.open(&question).await["roundId"].clone();
    let urn = Urn::seen_by(&hall.voters[0].caller, meeting).await;
    let path = meeting.vote_path(&question);
    let yes = SealedAnswer::Options(vec![1]);
    let [ada, ben, cleo, dora, eli, fay, gus, ..] = hall.voters.as_slice() else { unreachable!() };
    let good = urn.seal(ada, &yes);
    let mut other_version = good.clone();
    other_version[0] = 2;
    for bad in [&good[..good.len() - 1], &[&good[..], &[0]].concat(), &other_version, b"", &good[..1]] {
        let error = send(ada, meeting, &question, bad).await.refuses(422, "invalid_ballot");
        assert!(error["fields"]["envelope"].is_array(), "{error}");
    }
    for text in ["%%%", "QUJD=", &format!("{} ", STANDARD.encode(&good)), &"A".repeat(20_000)] {
        let refused = ada.caller.post(&path, json!({ "envelope": text })).await;
        assert_eq!(refused.wrong_fields(), ["envelope"], "{text:.10}");
    }
    for body in [json!({ "envelope": STANDARD.encode(&good), "answers": ["Yes"] }), json!({})] {
        assert_eq!(ada.caller.post(&path, body).await.status, 422);
    }
    let stated = json!({ "envelope": STANDARD.encode(&good), "roundId": old_urn.round });
    ada.caller.post(&path, stated).await.refuses(409, "round_over");
    // All of them are of the right size, so only the count finds out.
    let not_an_option = urn.seal(cleo, &SealedAnswer::Options(vec![4]));
    let two_options = urn.seal(dora, &SealedAnswer::Options(vec![1, 2]));
    let a_text = urn.seal(eli, &SealedAnswer::Text("Yes".to_owned()));
    let no_json = urn.seal_bytes(urn.round, fay, b"yes");
    let other_round = urn.seal_bytes(old_urn.round, gus, &yes.write());
    for (voter, envelope) in [
        (ada, &good),
        (ben, &good),
        (cleo, &not_an_option),
        (dora, &two_options),
        (eli, &a_text),
        (fay, &no_json),
        (gus, &other_round),
        (&hall.voters[7], &old_urn.seal(&hall.voters[7], &yes)),
    ] {
        let sent = send(voter, meeting, &question, envelope).await;
        assert!(sent.status == 201, "{}: {}", voter.id, sent.text);
    }
    hall.voters[8].vote(meeting, &question, &["Maybe"]).await.refuses(422, "invalid_ballot");
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    assert_eq!((heads(&result), &result["invalid"]["heads"]), (vec![1, 0, 0], &json!(7)), "{result}");
    assert_eq!((&result["votesCast"]["heads"], &result["notVoted"]["heads"]), (&json!(1), &json!(1)));
    let unshown = meeting.ask_yes_no().await;
    meeting.open(&unshown).await;
    let error = send(ada, meeting, &unshown, &good).await.refuses(422, "invalid_ballot");
    assert!(error["fields"]["envelope"].is_array(), "{error}");
}

#[tokio::test]
async fn a_vote_that_could_be_inferred_from_the_totals_needs_the_organizers_consent_which_is_logged() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let heavy = hall.club.voter_of_weight("heavy", "37.5").await;
    let question = ask_secret(meeting).await;
    let refused = meeting.put_question(json!({ "questionId": question })).await.refuses(409, "secrecy_at_risk");
    assert!(refused["error"].as_str().unwrap().contains("(weight 37.5)"), "{refused}");
    assert_eq!(meeting.rounds().await, [] as [Value; 0]);
    assert!(hall.key_files().is_empty());
    let path = meeting.path("/current-question?acceptRisk=maybe");
    let wrong = meeting.admin.put(&path, json!({ "questionId": question })).await;
    assert_eq!(wrong.wrong_fields(), ["acceptRisk"]);
    let round = open_at_risk(meeting, &question).await;
    for voter in hall.voters.iter().chain([&heavy]) {
        voter.vote(meeting, &question, &["Yes"]).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&round).await.refuses(409, "secrecy_at_risk");
    assert_eq!(hall.key_files().len(), 1);
    count_at_risk(meeting, &round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    let accepted: Vec<&Value> =
        result["log"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "RISK_ACCEPTED").collect();
    assert_eq!(accepted.len(), 2, "{result}");
    assert!(accepted.iter().all(|entry| entry["by"] == "Anna Berg" && entry["reason"].is_string()), "{accepted:?}");
    // Counted by heads, there is no risk.
    let by_heads =
        meeting.ask("YES_NO", json!({ "options": ["Yes", "No"], "secrecy": "secret", "countsHeads": true })).await;
    let round = meeting.open(&by_heads).await["roundId"].clone();
    for voter in hall.voters.iter().chain([&heavy]) {
        voter.vote(meeting, &by_heads, &["No"]).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    assert_eq!((&result["countsHeads"], &result["register"]), (&json!(true), &json!({ "heads": 6, "weight": 6 })));
    assert_eq!(result["options"][1]["weight"], 6);
}

#[tokio::test]
async fn a_re_vote_has_a_key_of_its_own_and_refuses_envelopes_of_the_first_round() {
    let hall = Club::of(5).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let first = meeting.open(&question).await["roundId"].clone();
    let old_urn = Urn::seen_by(&hall.voters[0].caller, meeting).await;
    for voter in &hall.voters {
        voter.vote(meeting, &question, &["Yes"]).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&first).await.gives(200);
    let again = json!({ "questionId": question, "reason": "Somebody was cut off" });
    let again = meeting.admin.post(&meeting.path("/rounds"), again).await.gives(201);
    let second = again["currentQuestion"]["roundId"].clone();
    let urn = Urn::seen_by(&hall.voters[0].caller, meeting).await;
    let no = SealedAnswer::Options(vec![2]);
    let (late, fresh) = (old_urn.seal(&hall.voters[0], &no), urn.seal(&hall.voters[0], &no));
    let stated = |envelope: &[u8], round: &Uuid| json!({ "envelope": STANDARD.encode(envelope), "roundId": round });
    let path = meeting.vote_path(&question);
    hall.voters[0].caller.post(&path, stated(&late, &old_urn.round)).await.refuses(409, "round_over");
    hall.voters[0].caller.post(&path, stated(&fresh, &urn.round)).await.gives(201);
    for voter in &hall.voters[1..] {
        send(voter, meeting, &question, &urn.seal(voter, &no)).await.gives(201);
    }
    meeting.clear().await;
    meeting.count(&second).await.gives(200);
    assert_eq!(heads(&meeting.result(&first).await.gives(200)), [5, 0, 0]);
    assert_eq!(heads(&meeting.result(&second).await.gives(200)), [0, 5, 0]);
    assert!(hall.key_files().is_empty());
}

#[tokio::test]
async fn exclusions_latecomers_and_a_reopening_work_as_in_other_rounds_until_the_urn_is_opened() {
    let hall = Club::of(7).await;
    let meeting = &hall.meeting;
    let question = ask_secret(meeting).await;
    let exclusions = meeting.path(&format!("/questions/{question}/exclusions"));
    let exclude = |voter: &TestVoter| json!({ "endUserId": voter.id, "reason": "Conflict of interest" });
    meeting.admin.post(&exclusions, exclude(&hall.voters[0])).await.gives(201);
    let round = meeting.open(&question).await["roundId"].clone();
    let urn = Urn::seen_by(&hall.voters[1].caller, meeting).await;
    let yes = SealedAnswer::Options(vec![1]);
    send(&hall.voters[0], meeting, &question, &urn.seal(&hall.voters[0], &yes)).await.refuses(403, "not_in_register");
    let voted = send(&hall.voters[1], meeting, &question, &urn.seal(&hall.voters[1], &yes)).await.gives(201);
    meeting.admin.post(&exclusions, exclude(&hall.voters[1])).await.refuses(409, "already_voted");
    let late = hall.club.voter("late").await;
    let admissions = meeting.path(&format!("/rounds/{}/admissions", round.as_str().unwrap()));
    let admission = json!({ "endUserId": late.id, "reason": "Came late" });
    meeting.admin.post(&admissions, admission.clone()).await.gives(201);
    send(&late, meeting, &question, &urn.seal(&late, &yes)).await.gives(201);
    meeting.clear().await;
    let reopened = meeting.open(&question).await;
    assert_eq!(reopened["roundId"], round, "a round with ballots is reopened");
    let urn = Urn::seen_by(&hall.voters[2].caller, meeting).await;
    for voter in &hall.voters[2..] {
        send(voter, meeting, &question, &urn.seal(voter, &yes)).await.gives(201);
    }
    let seen = hall.voters[1].caller.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200);
    assert!(seen.to_string().contains(voted["vote"]["receipt"].as_str().unwrap()), "{seen}");
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    assert_eq!((heads(&result), &result["notVoted"]["heads"]), (vec![7, 0, 0], &json!(0)));
    assert_eq!(log_kinds(&result), ["EXCLUDED", "OPENED", "ADMITTED", "ENDED", "REOPENED", "ENDED", "COUNTED"]);
    meeting.admin.post(&admissions, admission).await.refuses(409, "round_over");
    let refused = meeting.put_question(json!({ "questionId": question })).await;
    assert_eq!(refused.status, 409, "an opened urn takes no ballots: {}", refused.text);
}
