//! Votes on paper, which two tellers enter and confirm, and votes at a voting place.

use plenum_adapter_security::TimeOrderedIds;
use plenum_kernel::NewIds as _;
use serde_json::{Value, json};

use crate::http::support::paper::desk;
use crate::http::support::{Answer, Caller, NO_ID, Organization, TestApp, TestMeeting, TestVoter};

/// A running meeting with three voters, tellers and a voting place.
struct Hall {
    app: TestApp,
    club: Organization,
    meeting: TestMeeting,
    voters: [TestVoter; 3],
    tellers: Caller,
    place: Caller,
}

impl Hall {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let voters = [club.voter("ada").await, club.voter("ben").await, club.voter("cleo").await];
        let meeting = club.meeting().await;
        let tellers = app.anyone().with_token(desk(&meeting, "Tellers 1", "TELLERS").await);
        let place = app.anyone().with_token(desk(&meeting, "Place 1", "VOTING_PLACE").await);
        Self { app, club, meeting, voters, tellers, place }
    }

    /// Opens a new yes-no question with this secrecy, and returns its id and its round.
    async fn ask(&self, secrecy: &str) -> (String, String) {
        let fields = json!({ "options": ["Yes", "No"], "secrecy": secrecy });
        let question = self.meeting.ask("YES_NO", fields).await;
        let round = self.meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
        (question, round)
    }

    fn batches(&self, round: &str) -> String {
        self.meeting.path(&format!("/rounds/{round}/paper-batches"))
    }

    async fn enter(&self, caller: &Caller, round: &str, votes: Value) -> Answer {
        let mut body = votes;
        body["id"] = json!(new_id());
        caller.post(&self.batches(round), body).await
    }

    async fn close(&self, caller: &Caller, (round, batch): (&str, &Value), action: &str) -> Answer {
        let path = format!("{}/{}/{action}", self.batches(round), batch.as_str().unwrap());
        caller.post(&path, Value::Null).await
    }

    fn vote(&self, voter: usize, answer: &str) -> Value {
        json!({ "endUserId": self.voters[voter].id, "answers": [answer] })
    }

    /// Gives a person a ballot at the voting place, and returns its id.
    async fn issue(&self, round: &str, voter: usize) -> String {
        let id = new_id();
        let ballot = json!({ "id": id, "endUserId": self.voters[voter].id, "roundId": round });
        self.place.post("/desk/ballots", ballot).await.gives(201);
        id
    }

    async fn file(&self, format: &str) -> String {
        self.club.admin.get(&self.meeting.path(&format!("/results/export?format={format}"))).await.text
    }
}

fn new_id() -> String {
    TimeOrderedIds.next_uuid().to_string()
}

#[tokio::test]
async fn results_files_and_the_recount_say_how_many_votes_came_which_way() {
    let hall = Hall::open().await;
    let [ada, _, cleo] = &hall.voters;
    let (question, round) = hall.ask("named").await;
    let batch = hall.enter(&hall.tellers, &round, json!({ "ballots": [hall.vote(0, "Yes")] })).await.gives(201);
    assert_eq!(
        (&batch["state"], &batch["enteredBy"], &batch["isOwn"]),
        (&json!("WAITING"), &json!("Tellers 1"), &json!(true))
    );
    let own = hall.close(&hall.tellers, (&round, &batch["id"]), "confirm").await.refuses(409, "second_teller_needed");
    let reason = own["error"].as_str().unwrap();
    assert!(reason.starts_with("Somebody else has to confirm this batch, because you entered it"), "{reason}");
    let confirmed = hall.close(&hall.club.admin, (&round, &batch["id"]), "confirm").await.gives(200);
    assert_eq!((&confirmed["counted"], &confirmed["closedBy"]), (&json!(1), &json!("Anna Berg")));
    assert_eq!(confirmed["people"][0]["outcome"], "COUNTED");
    let seen = ada.sees(&hall.meeting).await["questions"][0].clone();
    assert_eq!(
        (&seen["hasVoted"], &seen["castOn"], &seen["userVote"]),
        (&json!(true), &json!("PAPER"), &json!(["Yes"]))
    );
    let refused = ada.vote(&hall.meeting, &question, &["Yes"]).await.refuses(409, "already_voted");
    assert_eq!(refused["error"], "Your vote was cast on paper.");

    let ballot = hall.issue(&round, 1).await;
    let vote = json!({ "ballotId": ballot, "answers": ["No"] });
    let stored = hall.place.post("/desk/votes", vote.clone()).await.gives(201);
    assert_eq!(hall.place.post("/desk/votes", vote).await.gives(201), stored, "a repeat gets the first vote");
    cleo.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    let register = hall.meeting.path(&format!("/rounds/{round}/register"));
    let rows = hall.club.admin.get(&register).await.gives(200);
    let places: Vec<_> = rows["data"].as_array().unwrap().iter().map(|row| row["castOn"].clone()).collect();
    assert_eq!(places, [json!("PAPER"), json!("VOTING_PLACE"), Value::Null]);

    hall.meeting.clear().await;
    hall.meeting.count(&json!(round)).await.gives(200);
    let result = hall.meeting.result(&json!(round)).await.gives(200);
    let one = json!({ "heads": 1, "weight": 1 });
    assert_eq!(result["ways"], json!({ "device": one, "paper": one, "votingPlace": one }));
    assert_eq!(result["votesCast"], json!({ "heads": 3, "weight": 3 }));
    let integrity = hall.club.admin.get("/test/data-integrity").await.gives(200);
    assert_eq!(integrity["isValid"], true, "{integrity}");
    let csv = hall.file("csv").await;
    assert!(csv.contains("On paper") && csv.contains("has voted at a voting place"), "{csv}");
    let mut read = plenum_verify::read(hall.file("json").await.as_bytes()).unwrap();
    assert!(plenum_verify::verify(&read).agrees(), "{:?}", plenum_verify::verify(&read));
    read.rounds[0].register[0].cast_on = None;
    assert!(!plenum_verify::verify(&read).agrees(), "a vote on paper is said to come from a phone");
}

#[tokio::test]
async fn numbers_without_names_are_entered_for_people() {
    let hall = Hall::open().await;
    let (_, round) = hall.ask("unshown").await;
    let people = json!([hall.voters[0].id, hall.voters[1].id]);
    let counts = |yes: u32, no: u32| json!([{ "answers": ["Yes"], "count": yes }, { "answers": ["No"], "count": no }]);
    let wrong = json!({ "people": people, "counts": counts(2, 1) });
    let refused = hall.enter(&hall.tellers, &round, wrong).await.refuses(422, "invalid_input");
    assert_eq!(refused["fields"]["counts"], json!(["The numbers add up to 3, and there are 2 people"]));
    let votes = json!({ "people": people, "counts": counts(1, 1) });
    let batch = hall.enter(&hall.tellers, &round, votes).await.gives(201);
    let one = |answer: &str| json!({ "answers": [answer], "count": 1 });
    assert_eq!(batch["counts"], json!([one("No"), one("Yes")]));
    assert!(batch["people"].as_array().unwrap().iter().all(|person| person["answers"].is_null()));
    let confirmed = hall.close(&hall.club.admin, (&round, &batch["id"]), "confirm").await.gives(200);
    assert_eq!((&confirmed["counted"], &confirmed["counts"]), (&json!(2), &json!([])));
    let seen = hall.voters[0].sees(&hall.meeting).await["questions"][0].clone();
    assert_eq!(
        (&seen["castOn"], &seen["userVote"]),
        (&json!("PAPER"), &Value::Null),
        "nobody knows which paper was whose"
    );
}

#[tokio::test]
async fn what_does_not_fit_is_refused_at_its_field() {
    let hall = Hall::open().await;
    let (question, round) = hall.ask("named").await;
    let refused = |answer: Answer, status: u16, code: &'static str, field: &'static str| {
        let error = answer.refuses(status, code);
        assert!(error["fields"][field].is_array(), "{field}: {error}");
    };
    let bad = json!({ "ballots": [hall.vote(0, "Yes"), hall.vote(1, "Maybe")] });
    refused(hall.enter(&hall.tellers, &round, bad).await, 422, "invalid_ballot", "ballots.1.answers");
    let twice = json!({ "ballots": [hall.vote(0, "Yes"), hall.vote(0, "No")] });
    refused(hall.enter(&hall.tellers, &round, twice).await, 422, "invalid_input", "ballots.1.endUserId");
    refused(hall.enter(&hall.tellers, &round, json!({ "ballots": [] })).await, 422, "invalid_input", "ballots");
    refused(hall.enter(&hall.tellers, &round, json!({})).await, 422, "invalid_input", "ballots");
    let numbers = json!({ "people": [hall.voters[0].id], "counts": [{ "answers": ["Yes"], "count": 1 }] });
    refused(hall.enter(&hall.tellers, &round, numbers).await, 422, "invalid_input", "ballots");
    let unknown = json!({ "ballots": [{ "endUserId": NO_ID, "answers": ["Yes"] }] });
    refused(hall.enter(&hall.tellers, &round, unknown).await, 409, "not_in_register", "ballots.0.endUserId");
    hall.voters[0].vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    let late = json!({ "ballots": [hall.vote(0, "No")] });
    refused(hall.enter(&hall.tellers, &round, late).await, 409, "already_voted", "ballots.0.endUserId");
    let first = hall.enter(&hall.tellers, &round, json!({ "ballots": [hall.vote(1, "No")] })).await.gives(201);
    let again = json!({ "ballots": [hall.vote(1, "No")] });
    refused(hall.enter(&hall.club.admin, &round, again).await, 409, "in_other_batch", "ballots.0.endUserId");
    hall.close(&hall.tellers, (&round, &first["id"]), "discard").await.gives(200);
    hall.close(&hall.club.admin, (&round, &first["id"]), "confirm").await.refuses(409, "batch_closed");
    hall.meeting.clear().await;
    hall.enter(&hall.tellers, &round, json!({ "ballots": [hall.vote(1, "No")] })).await.refuses(409, "round_not_open");
}

#[tokio::test]
async fn a_link_has_rights_to_its_purpose_and_meeting_only() {
    let hall = Hall::open().await;
    let (_, round) = hall.ask("named").await;
    let check_in = hall.app.anyone().with_token(desk(&hall.meeting, "Door", "CHECK_IN").await);
    let elsewhere = hall.club.meeting().await;
    let stranger = hall.app.anyone().with_token(desk(&elsewhere, "Other tellers", "TELLERS").await);
    for caller in [&hall.place, &check_in] {
        caller.get(&hall.batches(&round)).await.refuses(403, "wrong_desk");
    }
    stranger.get(&hall.batches(&round)).await.refuses(404, "meeting_not_found");
    stranger.get(&hall.meeting.path(&format!("/rounds/{round}/register"))).await.refuses(404, "meeting_not_found");
    let ballot = json!({ "id": new_id(), "endUserId": hall.voters[0].id, "roundId": round });
    for caller in [&hall.tellers, &check_in] {
        caller.post("/desk/ballots", ballot.clone()).await.refuses(403, "wrong_desk");
    }
    for caller in [&hall.tellers, &hall.place] {
        caller.get("/desk/people").await.refuses(403, "wrong_desk");
        caller.get("/desk").await.gives(200);
    }
    check_in.get("/desk/question").await.refuses(403, "wrong_desk");
    check_in.get(&hall.meeting.path(&format!("/rounds/{round}/register"))).await.refuses(403, "wrong_desk");
    hall.tellers.get(&hall.meeting.path("/rounds")).await.refuses(403, "wrong_role");
    let waiting = hall.tellers.get("/desk/question").await.gives(200);
    assert_eq!((&waiting["question"]["roundId"], &waiting["question"]["waitingBatches"]), (&json!(round), &json!(0)));
    hall.meeting.clear().await;
    assert_eq!(hall.place.get("/desk/question").await.gives(200)["question"], Value::Null);
}

#[tokio::test]
async fn nobody_votes_at_a_voting_place_without_a_ballot_and_each_is_in_the_log() {
    let hall = Hall::open().await;
    let (_, round) = hall.ask("unshown").await;
    let without = json!({ "ballotId": new_id(), "answers": ["Yes"] });
    hall.place.post("/desk/votes", without).await.refuses(404, "ballot_not_found");
    let ballot = hall.issue(&round, 0).await;
    let other = hall.app.anyone().with_token(desk(&hall.meeting, "Place 2", "VOTING_PLACE").await);
    let vote = |answer: &str| json!({ "ballotId": ballot, "answers": [answer] });
    other.post("/desk/votes", vote("Yes")).await.refuses(404, "ballot_not_found");
    hall.place.post("/desk/votes", vote("Perhaps")).await.refuses(422, "invalid_ballot");
    hall.place.post("/desk/votes", vote("Yes")).await.gives(201);
    hall.place.post("/desk/votes", vote("No")).await.refuses(409, "already_voted");
    let again = json!({ "id": new_id(), "endUserId": hall.voters[0].id, "roundId": round });
    other.post("/desk/ballots", again).await.refuses(409, "already_voted");
    let seen = hall.voters[0].sees(&hall.meeting).await["questions"][0].clone();
    assert_eq!(
        (&seen["castOn"], &seen["userVote"]),
        (&json!("VOTING_PLACE"), &Value::Null),
        "only the ballot's own session sees it"
    );
    let log = hall.club.admin.get("/client/audit?limit=50").await.gives(200);
    let issued = log["data"].as_array().unwrap().iter().find(|entry| entry["kind"] == "ballot_issued").unwrap().clone();
    assert_eq!((&issued["by"]["name"], &issued["subject"]["name"]), (&json!("Place 1"), &json!("ada (ada)")));
    let batch = json!({ "people": [hall.voters[1].id], "counts": [{ "answers": ["No"], "count": 1 }] });
    hall.enter(&hall.tellers, &round, batch).await.gives(201);
    let log = hall.club.admin.get("/client/audit?limit=50").await.gives(200).to_string();
    assert!(log.contains("paper_batch_entered") && log.contains("Tellers 1"), "{log}");
    assert!(!log.contains("\"No\""), "no answer is in the log");
}

#[tokio::test]
async fn a_batch_that_waits_after_the_end_is_listed_and_can_be_discarded() {
    let hall = Hall::open().await;
    let (_, round) = hall.ask("named").await;
    let batch = hall.enter(&hall.tellers, &round, json!({ "ballots": [hall.vote(0, "Yes")] })).await.gives(201);
    let waiting = async || hall.meeting.rounds().await[0]["waitingBatches"].clone();
    assert_eq!(waiting().await, json!(1));
    let seen = hall.tellers.get("/desk/question").await.gives(200)["question"]["waitingBatches"].clone();
    assert_eq!(seen, json!(1));
    hall.meeting.clear().await;
    assert_eq!(waiting().await, json!(1), "it is not forgotten at the end");
    let left = async |desk: &Caller| desk.get("/desk/question").await.gives(200)["leftBatches"].clone();
    let text = hall.meeting.rounds().await[0]["questionText"].clone();
    assert_eq!(left(&hall.tellers).await, json!([{ "roundId": round, "text": text }]));
    assert_eq!(left(&hall.place).await, json!([]), "a voting place has no batches");
    let round_id = json!(round);
    hall.meeting.count(&round_id).await.refuses(409, "batches_waiting");
    hall.close(&hall.club.admin, (&round, &batch["id"]), "confirm").await.refuses(409, "round_not_open");
    hall.close(&hall.tellers, (&round, &batch["id"]), "discard").await.gives(200);
    assert_eq!((waiting().await, left(&hall.tellers).await), (json!(0), json!([])));
    hall.meeting.count(&round_id).await.gives(200);
}

#[tokio::test]
async fn a_set_that_cannot_be_counted_names_the_person_because_of_whom() {
    let hall = Hall::open().await;
    let (question, round) = hall.ask("unshown").await;
    let counts = json!([{ "answers": ["Yes"], "count": 2 }]);
    let votes = json!({ "people": [hall.voters[0].id, hall.voters[1].id], "counts": counts });
    let batch = hall.enter(&hall.tellers, &round, votes).await.gives(201);
    hall.voters[1].vote(&hall.meeting, &question, &["No"]).await.gives(201);
    let refused = hall.close(&hall.club.admin, (&round, &batch["id"]), "confirm").await;
    let text = refused.refuses(409, "set_not_countable")["error"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with("None of these votes was counted, because ben has voted before or may not vote"),
        "{text}"
    );
    let own = hall.close(&hall.tellers, (&round, &batch["id"]), "confirm").await.refuses(409, "second_teller_needed");
    assert!(own["error"].as_str().unwrap().contains("with a link of their own"), "{own}");
}

#[tokio::test]
async fn a_person_gets_a_limited_number_of_ballots() {
    let hall = Hall::open().await;
    let (_, round) = hall.ask("unshown").await;
    for _ in 0..20 {
        hall.issue(&round, 0).await;
    }
    let one_more = json!({ "id": new_id(), "endUserId": hall.voters[0].id, "roundId": round });
    hall.place.post("/desk/ballots", one_more).await.refuses(409, "too_many_ballots");
    hall.issue(&round, 1).await;
}
