//! Elections of persons: terms, ballots, count, ties, records and their check.

use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, TestApp, TestMeeting, TestVoter};

/// A meeting with voters.
pub(super) struct Hall {
    pub(super) app: TestApp,
    pub(super) club: Organization,
    pub(super) meeting: TestMeeting,
    pub(super) voters: Vec<TestVoter>,
}

impl Hall {
    pub(super) async fn with(voters: usize) -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let mut people = Vec::new();
        for number in 0..voters {
            people.push(club.voter(&format!("voter{number}")).await);
        }
        let meeting = club.meeting().await;
        Self { app, club, meeting, voters: people }
    }

    pub(super) async fn ask(&self, names: &[&str], election: Value, more: Value) -> String {
        let rule = json!({ "kind": "election", "election": election });
        let mut fields = json!({ "options": names, "decisionRule": rule });
        for (name, value) in more.as_object().unwrap() {
            fields[name] = value.clone();
        }
        self.meeting.ask("ELECTION", fields).await
    }

    /// Opens the question, casts a ballot for each of the first voters, and ends voting. Returns the round.
    pub(super) async fn vote(&self, question: &str, ballots: &[&[&str]]) -> Value {
        let round = self.meeting.open(question).await["roundId"].clone();
        for (voter, ballot) in self.voters.iter().zip(ballots) {
            voter.vote(&self.meeting, question, ballot).await.gives(201);
        }
        self.meeting.clear().await;
        round
    }

    pub(super) fn round_path(&self, round: &Value, rest: &str) -> String {
        self.meeting.path(&format!("/rounds/{}{rest}", round.as_str().unwrap()))
    }

    pub(super) async fn declare(&self, round: &Value) -> Answer {
        self.meeting.admin.post(&self.round_path(round, "/declare"), Value::Null).await
    }

    async fn decide(&self, round: &Value, body: Value) -> Answer {
        self.meeting.admin.post(&self.round_path(round, "/tie-decisions"), body).await
    }

    pub(super) async fn exported(&self) -> Vec<u8> {
        let path = self.meeting.path("/results/export?format=json");
        self.meeting.admin.request("GET", &path).send().await.unwrap().bytes().await.unwrap().to_vec()
    }

    /// The check of a file of results by the product's second count.
    pub(super) async fn verify(&self, file: Vec<u8>) -> Value {
        let request = self.app.anyone().request("POST", "/public/verify");
        let request = request.header("content-type", "application/octet-stream").body(file);
        Answer::read(request.send().await.unwrap()).await.gives(200)
    }

    pub(super) async fn assert_verified(&self) {
        let report = self.verify(self.exported().await).await;
        let (data, rounds) = (&report["data"], report["data"]["rounds"].as_array().unwrap());
        assert_eq!(data["differences"], json!([]), "{report}");
        let agrees = |round: &Value| round["isRecounted"] == true && round["differences"] == json!([]);
        assert!(!rounds.is_empty() && rounds.iter().all(agrees), "{report}");
    }
}

fn elected(result: &Value) -> Vec<u64> {
    let elected = result["election"]["elected"].as_array().unwrap();
    elected.iter().map(|elected| elected["candidate"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn terms_are_returned_with_all_settings_of_their_method() {
    let hall = Hall::with(0).await;
    let stv = json!({ "method": "stv_scottish", "seats": 2, "candidates": [{ "line": "Flat 1" }, {}, {}] });
    let question = hall.ask(&["Anna", "Bert", "Carla"], stv, json!({})).await;
    let stored = hall.meeting.admin.get(&format!("/client/questions/{question}")).await.gives(200);
    let rule = &stored["decisionRule"];
    assert_eq!(rule["kind"], "election");
    let election = &rule["election"];
    assert_eq!((&election["seats"], &election["skippedRanks"]), (&json!(2), &json!("up_to_there")));
    assert_eq!(election["candidates"][0], json!({ "line": "Flat 1", "about": null, "isWithdrawn": false }));
    let again = json!({ "decisionRule": rule });
    let changed = hall.meeting.admin.put(&format!("/client/questions/{question}"), again).await.gives(200);
    assert_eq!(&changed["decisionRule"], rule, "what was returned can be sent again");
    let by_lot = json!({ "method": "approval", "order": "by_lot" });
    let drawn = hall.ask(&["Anna", "Bert"], by_lot, json!({})).await;
    let drawn = hall.meeting.admin.get(&format!("/client/questions/{drawn}")).await.gives(200);
    assert_eq!(drawn["decisionRule"]["election"]["orderSeed"], drawn["id"], "the seed is the id of the question");
}

#[tokio::test]
async fn wrong_terms_are_named_by_their_field() {
    let hall = Hall::with(0).await;
    let send = async |names: Value, rule: Value| {
        let body = json!({
            "meetingId": hall.meeting.id, "questionText": "Who?", "questionType": "ELECTION", "options": names,
            "decisionRule": rule,
        });
        hall.meeting.admin.post("/client/questions", body).await.wrong_fields()
    };
    let election = |election: Value| json!({ "kind": "election", "election": election });
    let names = json!(["Anna", "Bert"]);
    assert_eq!(send(names.clone(), Value::Null).await, ["decisionRule"]);
    assert_eq!(send(json!([]), election(json!({ "method": "irv" }))).await, ["options"]);
    for (terms, field) in [
        (json!({ "method": "irv", "seats": 3 }), "seats"),
        (json!({ "method": "irv", "seats": null }), "seats"),
        (json!({ "method": "plurality", "seats": null }), "seats"),
        (json!({ "method": "irv", "seats": 0 }), "seats"),
        (json!({ "method": "irv", "votes": 3 }), "votes"),
        (json!({ "method": "score", "points": 0 }), "points"),
        (json!({ "method": "plurality", "leastChoices": 2, "mostChoices": 1 }), "mostChoices"),
        (json!({ "method": "approval", "leastChoices": 3 }), "leastChoices"),
        (json!({ "method": "borda", "leastRanks": 3 }), "leastRanks"),
        (json!({ "method": "score", "leastMarked": 3 }), "leastMarked"),
        (json!({ "method": "cumulative", "votes": 5, "mostForOne": 2, "needsAllVotes": true }), "votes"),
        (json!({ "method": "irv", "leastRanks": 2, "candidates": [{}, { "isWithdrawn": true }] }), "leastRanks"),
        (
            json!({ "method": "lists", "noneOfTheAbove": true, "lists": [{ "name": "A", "candidates": [1] }] }),
            "noneOfTheAbove",
        ),
        (json!({ "method": "lists" }), "lists"),
        (json!({ "method": "lists", "lists": [{ "name": "A", "candidates": [1, 1] }] }), "lists"),
        (json!({ "method": "irv", "candidates": [{}] }), "candidates"),
        (json!({ "method": "irv", "candidates": [{ "isWithdrawn": true }, { "isWithdrawn": true }] }), "candidates"),
        (json!({ "method": "sortition" }), "method"),
    ] {
        let fields = send(names.clone(), election(terms.clone())).await;
        assert_eq!(fields, [format!("decisionRule.election.{field}")], "{terms}");
    }
    let plurality = json!({ "kind": "plurality", "unit": "heads", "seats": 1 });
    assert_eq!(send(names, plurality).await, ["decisionRule"], "other rules decide no election");
}

#[tokio::test]
async fn a_single_transferable_vote_is_counted_in_stages_and_declared() {
    let hall = Hall::with(7).await;
    let names = ["Anna", "Bert", "Carla"];
    let question = hall.ask(&names, json!({ "method": "stv_scottish", "seats": 2 }), json!({})).await;
    let (one, two, three) = (["1:1", "2:2"], ["1:2", "2:3"], ["1:3"]);
    let ballots: [&[&str]; 7] = [&one, &one, &one, &one, &two, &three, &["abstain"]];
    let round = hall.vote(&question, &ballots).await;
    let result = hall.meeting.count(&round).await.gives(200);
    // Quota 3: Anna's surplus of 1 goes to Bert, 4 papers of 0.25.
    assert_eq!(elected(&result), [1, 2]);
    let stages = result["election"]["stages"].as_array().unwrap();
    assert_eq!(stages[0]["quota"], "3.00000");
    assert_eq!(stages[1]["votes"][1], json!({ "candidate": 2, "votes": "2.00000" }));
    assert_eq!(stages[1]["transfers"][0], json!({ "to": 2, "papers": "4", "value": "0.25000", "votes": "1.00000" }));
    assert_eq!(result["election"]["ballots"]["abstentions"], json!({ "heads": 1, "votes": "1" }));
    assert_eq!(result["arithmetic"]["sentence"], "Elected: Anna; Bert");
    assert_eq!(result["options"][0]["heads"], 4, "first preferences");
    let declared = hall.declare(&round).await.gives(200);
    assert_eq!(declared["election"], result["election"]);
    hall.assert_verified().await;
}

#[tokio::test]
async fn what_contradicts_the_ballot_is_refused_and_what_the_terms_treat_is_kept() {
    let hall = Hall::with(2).await;
    let question = hall.ask(&["Anna", "Bert", "Carla"], json!({ "method": "irv" }), json!({})).await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    let [ada, ben] = &hall.voters[..] else { panic!("two voters") };
    for (ballot, told) in [
        (&["Anna"][..], "\"Anna\" is not a mark of this ballot."),
        (&["1:4"], "\"1:4\" is not a mark of this ballot."),
        (&["1=2"], "\"1=2\" is not a mark of this ballot."),
        (&["abstain", "1:1"], "\"abstain\" is not a mark of this ballot."),
        (&[], "Please select an answer"),
        (&["1:1"; 8], "Please send at most 7 marks."),
    ] {
        let refused = ada.vote(&hall.meeting, &question, ballot).await.refuses(422, "invalid_ballot");
        assert!(refused["error"].as_str().unwrap().contains(told), "{refused}");
    }
    let kept = ada.vote(&hall.meeting, &question, &["3:2", "1:1", "1:3"]).await.gives(201);
    assert_eq!(kept["vote"]["answers"], json!(["1. Anna", "1. Carla", "3. Bert"]), "as it was made");
    ben.vote(&hall.meeting, &question, &["2:2", "1:1"]).await.gives(201);
    ben.vote(&hall.meeting, &question, &["1:1", "2:2"]).await.gives(201);
    ben.vote(&hall.meeting, &question, &["1:2", "2:1"]).await.refuses(409, "already_voted");
    hall.meeting.clear().await;
    let result = hall.meeting.count(&round).await.gives(200);
    let faults = result["election"]["ballots"]["faults"].as_array().unwrap();
    let told: Vec<_> = faults.iter().map(|fault| (&fault["fault"], &fault["effect"], &fault["heads"])).collect();
    assert_eq!(told, [(&json!("equal_rank"), &json!("invalid"), &json!(1))], "{result}");
    assert_eq!(elected(&result), [1]);
}

#[tokio::test]
async fn a_tie_waits_for_a_lot_that_anybody_can_repeat() {
    let hall = Hall::with(4).await;
    let question = hall.ask(&["Anna", "Bert", "Carla"], json!({ "method": "plurality", "seats": 1 }), json!({})).await;
    let round = hall.vote(&question, &[&["2"], &["3"], &["2"], &["3"]]).await;
    hall.declare(&round).await.refuses(409, "tie_is_open");
    let result = hall.meeting.result(&round).await.gives(200);
    let tie = &result["election"]["tie"];
    assert_eq!((&tie["matter"], &tie["numbers"], &tie["wanted"]), (&json!("seats"), &json!([2, 3]), &json!(1)));
    assert_eq!(tie["words"], "Bert and Carla are equal, and 1 seat is left for them.");
    let waiting = "The count waits: a tie between Bert and Carla is not decided";
    assert_eq!(result["arithmetic"]["sentence"], waiting);
    let stage = &tie["stage"];

    let others = json!({ "stage": stage, "numbers": [1, 2], "by": "lot" });
    hall.decide(&round, others).await.refuses(409, "no_such_tie");
    let foreign = json!({ "stage": stage, "numbers": [2, 3], "by": "lot", "order": [2, 3] });
    assert_eq!(hall.decide(&round, foreign).await.wrong_fields(), ["order"]);
    let by_hand = |order: Value, drawn_by: &str| {
        json!({
            "stage": stage, "numbers": [2, 3], "by": "lot_by_hand", "order": order, "drawnBy": drawn_by,
            "witnessedBy": "Maria Keller",
        })
    };
    assert_eq!(hall.decide(&round, by_hand(json!([1]), "Tomas Reyes")).await.wrong_fields(), ["order"]);
    assert_eq!(hall.decide(&round, by_hand(json!([3]), " ")).await.wrong_fields(), ["drawnBy"]);
    let stranger = hall.app.client("Other Club").await;
    let body = json!({ "stage": stage, "numbers": [2, 3], "by": "lot" });
    stranger.admin.post(&hall.round_path(&round, "/tie-decisions"), body.clone()).await.refuses(404, "round_not_found");

    let decided = hall.decide(&round, body.clone()).await.gives(200);
    let made = &decided["election"]["decisions"][0];
    assert_eq!((&made["seed"], &made["decidedBy"]), (&round, &json!("Anna Berg")), "the seed is the id of the round");
    assert_eq!(elected(&decided)[0], made["order"][0].as_u64().unwrap());
    let name = ["Anna", "Bert", "Carla"][elected(&decided)[0] as usize - 1];
    assert_eq!(decided["arithmetic"]["sentence"], format!("Elected: {name}, by lot"));
    assert_eq!(decided["election"]["tie"], Value::Null);
    hall.decide(&round, body.clone()).await.refuses(409, "no_such_tie");
    hall.declare(&round).await.gives(200);
    hall.decide(&round, body).await.refuses(409, "no_such_tie");
    hall.assert_verified().await;
    hall.app.link_audit_log().await;
    let log = hall.club.admin.get("/client/audit").await.gives(200);
    assert!(log.to_string().contains("tie_decisions"), "{log}");
}

#[tokio::test]
async fn a_lot_by_hand_is_on_record_with_the_people() {
    let hall = Hall::with(2).await;
    let question = hall.ask(&["Anna", "Bert"], json!({ "method": "approval" }), json!({})).await;
    let round = hall.vote(&question, &[&["1"], &["2"]]).await;
    let tie = hall.meeting.count(&round).await.gives(200)["election"]["tie"].clone();
    let body = json!({
        "stage": tie["stage"], "numbers": tie["numbers"], "by": "lot_by_hand", "order": [2, 1],
        "drawnBy": "Tomas Reyes", "witnessedBy": "Maria Keller",
    });
    let decided = hall.decide(&round, body).await.gives(200);
    assert_eq!(elected(&decided), [2]);
    let made = &decided["election"]["decisions"][0];
    assert_eq!(
        (&made["by"], &made["drawnBy"], &made["witnessedBy"]),
        (&json!("lot_by_hand"), &json!("Tomas Reyes"), &json!("Maria Keller"))
    );
    hall.declare(&round).await.gives(200);
    hall.assert_verified().await;
}

#[tokio::test]
async fn the_terms_can_say_who_draws_the_lot() {
    let hall = Hall::with(2).await;
    let by_hand = json!({ "order": [2, 1], "drawnBy": "Tomas Reyes", "witnessedBy": "Maria Keller" });
    for (ties, refused, allowed) in [("drawn_lot", "lot_by_hand", "lot"), ("lot_by_hand", "lot", "lot_by_hand")] {
        let question = hall.ask(&["Anna", "Bert"], json!({ "method": "approval", "ties": ties }), json!({})).await;
        let round = hall.vote(&question, &[&["1"], &["2"]]).await;
        let tie = hall.meeting.count(&round).await.gives(200)["election"]["tie"].clone();
        let lot = |by: &str| {
            let mut body = json!({ "stage": tie["stage"], "numbers": tie["numbers"], "by": by });
            if by == "lot_by_hand" {
                body.as_object_mut().unwrap().extend(by_hand.as_object().unwrap().clone());
            }
            body
        };
        hall.decide(&round, lot(refused)).await.refuses(409, "other_lot");
        hall.decide(&round, lot(allowed)).await.gives(200);
        hall.declare(&round).await.gives(200);
    }
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_tie_for_seats_can_be_left_to_another_ballot() {
    let hall = Hall::with(2).await;
    let terms = json!({ "method": "plurality", "seats": 1, "ties": "run_off" });
    let question = hall.ask(&["Anna", "Bert"], terms, json!({})).await;
    let round = hall.vote(&question, &[&["1"], &["2"]]).await;
    let result = hall.meeting.count(&round).await.gives(200);
    let body = json!({ "stage": result["election"]["tie"]["stage"], "numbers": [1, 2], "by": "lot" });
    hall.decide(&round, body).await.refuses(409, "tie_left_to_ballot");
    let declared = hall.declare(&round).await.gives(200);
    assert_eq!(declared["decision"]["outcome"], "not_elected");
    assert_eq!(declared["decision"]["tie"]["options"].as_array().unwrap().len(), 2);
    hall.assert_verified().await;
}

#[tokio::test]
async fn each_method_is_counted_and_verified() {
    let hall = Hall::with(5).await;
    let lists = json!([{ "name": "Greens", "candidates": [1, 2] }, { "name": "Reds", "candidates": [3] }]);
    for (terms, ballots, expected) in [
        (
            json!({ "method": "per_candidate", "seats": 2 }),
            [&["1=yes", "2=no"][..], &["1=yes", "3=yes"], &["2=no"], &["3=yes"], &["abstain"]],
            &[1, 3][..],
        ),
        (
            json!({ "method": "plurality", "seats": 2, "noneOfTheAbove": true }),
            [&["1", "2"], &["1"], &["4"], &["2"], &["2"]],
            &[2, 1],
        ),
        (
            json!({ "method": "cumulative", "seats": 2, "votes": 3 }),
            [&["3=3"], &["1=2", "2=1"], &["2=1"], &["1=1"], &["1=1"]],
            &[1, 3],
        ),
        (json!({ "method": "approval", "seats": 1 }), [&["1", "3"], &["3"], &["2"], &["3", "2"], &["blank"]], &[3]),
        (json!({ "method": "irv" }), [&["1:1"], &["1:1"], &["1:2"], &["1:2", "2:1"], &["1:3", "2:2"]], &[2]),
        (json!({ "method": "stv_scottish", "seats": 2 }), [&["1:1"], &["1:1"], &["1:2"], &["1:2"], &["1:3"]], &[1, 2]),
        (
            json!({ "method": "schulze" }),
            [&["1:1", "2:2", "3:3"], &["1:1", "1:2"], &["1:2"], &["1:3", "2:1"], &["1:1"]],
            &[1],
        ),
        (
            json!({ "method": "borda" }),
            [&["1:1", "2:2", "3:3"], &["1:1", "2:3"], &["1:2"], &["1:3", "2:1"], &["1:1"]],
            &[1],
        ),
        (json!({ "method": "score", "points": 5 }), [&["1=5", "2=1"], &["2=4"], &["3=2"], &["1=0"], &["2=2"]], &[2]),
        (
            json!({ "method": "lists", "seats": 2, "lists": lists }),
            [&["list=1"], &["list=1"], &["list=1"], &["list=2"], &["list=2"]],
            &[1, 3],
        ),
    ] {
        let question = hall.ask(&["Anna", "Bert", "Carla"], terms.clone(), json!({})).await;
        let round = hall.vote(&question, &ballots).await;
        let result = hall.meeting.count(&round).await.gives(200);
        assert_eq!(elected(&result), expected, "{terms}: {result}");
        hall.declare(&round).await.gives(200);
    }
    hall.assert_verified().await;
}

#[tokio::test]
async fn none_of_the_above_counts_as_the_phone_offers_it() {
    let hall = Hall::with(4).await;
    let all: &[&str] = &["1=yes", "2=no", "3=no"];
    for (terms, ballots, expected, invalid) in [
        // Alone it needs no second choice.
        (
            json!({ "method": "plurality", "seats": 2, "leastChoices": 2, "noneOfTheAbove": true }),
            [&["1", "2"][..], &["1", "2"], &["4"], &["2"]],
            &[1, 2][..],
            1,
        ),
        // It needs no answer, and is none for a person.
        (
            json!({ "method": "per_candidate", "seats": 2, "unanswered": "invalid", "noneOfTheAbove": true }),
            [all, all, &["2=yes", "3=yes", "4=no"], &["1=no", "2=no", "3=no", "4=yes"]],
            &[1],
            1,
        ),
    ] {
        let question = hall.ask(&["Anna", "Bert", "Carla"], terms.clone(), json!({})).await;
        let round = hall.vote(&question, &ballots).await;
        let result = hall.meeting.count(&round).await.gives(200);
        assert_eq!(result["election"]["ballots"]["invalid"]["heads"], invalid, "{terms}: {result}");
        assert_eq!(elected(&result), expected, "{terms}: {result}");
        hall.declare(&round).await.gives(200);
    }
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_changed_figure_of_an_election_is_found() {
    let hall = Hall::with(8).await;
    let names = ["Anna", "Bert", "Carla", "Dora"];
    let question = hall.ask(&names, json!({ "method": "stv_scottish", "seats": 2 }), json!({})).await;
    let first = ["1:1", "2:2"];
    let ballots: [&[&str]; 8] = [&first, &first, &first, &first, &["1:2"], &["1:3"], &["1:4"], &["abstain"]];
    let round = hall.vote(&question, &ballots).await;
    let tie = hall.meeting.count(&round).await.gives(200)["election"]["tie"].clone();
    let body = json!({ "stage": tie["stage"], "numbers": tie["numbers"], "by": "lot" });
    let decided = hall.decide(&round, body).await.gives(200);
    let [one, other] = [0, 1].map(|place| decided["election"]["decisions"][0]["order"][place].clone());
    hall.declare(&round).await.gives(200);
    let seats = hall.ask(&names[..2], json!({ "method": "irv", "seats": 2 }), json!({})).await;
    let round = hall.vote(&seats, &[&first, &first, &["1:2"]]).await;
    hall.meeting.count(&round).await.gives(200);
    hall.declare(&round).await.gives(200);
    hall.assert_verified().await;

    let file: Value = serde_json::from_slice(&hall.exported().await).unwrap();
    for (pointer, value) in [
        ("/rounds/0/result/election/ballots/cast/heads", json!(9)),
        ("/rounds/0/result/election/ballots/cast/votes", json!("9")),
        ("/rounds/0/result/election/candidates/1/support", json!("6.00000")),
        ("/rounds/0/result/election/stages/0/kind", json!("exclusion")),
        ("/rounds/0/result/election/stages/0/quota", json!("2.00000")),
        ("/rounds/0/result/election/stages/0/isQuotaEnough", json!(false)),
        ("/rounds/0/result/election/stages/1/kind", json!("exclusion")),
        ("/rounds/0/result/election/stages/1/surplus", json!("2.00000")),
        ("/rounds/0/result/election/stages/2/kind", json!("surplus")),
        ("/rounds/0/result/election/stages/2/surplus", json!("1.00000")),
        ("/rounds/0/result/election/decisions/0/order", json!([other, one])),
        ("/rounds/0/result/election/elected/0/stage", json!(2)),
        ("/rounds/1/result/election/stages/1/kind", json!("exclusion")),
        ("/rounds/1/result/election/stages/0/isQuotaEnough", json!(true)),
    ] {
        let mut changed = file.clone();
        let figure = changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {file:#}"));
        assert_ne!(*figure, value, "{pointer}");
        *figure = value;
        let report = hall.verify(serde_json::to_vec(&changed).unwrap()).await;
        let place = if pointer.starts_with("/rounds/0") { 0 } else { 1 };
        let differences = report["data"]["rounds"][place]["differences"].as_array().unwrap();
        let names: Vec<&str> = differences.iter().filter_map(|found| found["field"].as_str()).collect();
        assert!(names.iter().any(|name| name.starts_with("result.election.")), "{pointer}: {names:?}");
    }
}

#[tokio::test]
async fn a_secret_election_opens_its_urn_once_and_counts_heads() {
    let hall = Hall::with(6).await;
    let terms = json!({ "method": "stv_scottish", "seats": 1 });
    let question = hall.ask(&["Anna", "Bert"], terms, json!({ "secrecy": "secret" })).await;
    let ballots: [&[&str]; 6] = [&["1:1"], &["1:1"], &["1:1", "2:2"], &["1:2"], &["1:2"], &["abstain"]];
    let round = hall.vote(&question, &ballots).await;
    let result = hall.meeting.count(&round).await.gives(200);
    assert_eq!(elected(&result), [1]);
    assert_eq!(result["countsHeads"], true);
    hall.declare(&round).await.gives(200);
    hall.assert_verified().await;
}

#[tokio::test]
async fn phones_and_the_presentation_get_the_ballot_of_an_election() {
    let hall = Hall::with(1).await;
    let terms = json!({
        "method": "schulze", "order": "by_name", "noneOfTheAbove": true,
        "candidates": [{ "about": "Rows since 1998." }, { "isWithdrawn": true }],
    });
    let question = hall.ask(&["Carla", "Bert"], terms, json!({})).await;
    let current = hall.meeting.open(&question).await;
    let ballot = &current["election"];
    assert_eq!((&ballot["marks"], &ballot["allowsEqual"]), (&json!("ranking"), &json!(true)));
    assert_eq!((&ballot["ballotOrder"], &ballot["noneOfTheAbove"]), (&json!([2, 1]), &json!(3)));
    assert_eq!(ballot["candidates"][1]["isWithdrawn"], true);
    let seen = hall.voters[0].sees(&hall.meeting).await;
    let of_voter = &seen["questions"][0];
    assert_eq!((&of_voter["type"], &of_voter["election"]), (&json!("ELECTION"), ballot));
}

#[tokio::test]
async fn exports_and_minutes_tell_the_stages_and_the_lot() {
    let hall = Hall::with(4).await;
    let terms = json!({ "method": "irv" });
    let question = hall.ask(&["Anna", "Bert", "Carla"], terms, json!({ "isNamed": true })).await;
    let round = hall.vote(&question, &[&["1:1"], &["1:1"], &["1:2", "2:3"], &["1:3"]]).await;
    let tie = hall.meeting.count(&round).await.gives(200)["election"]["tie"].clone();
    let body = json!({
        "stage": tie["stage"], "numbers": tie["numbers"], "by": "lot_by_hand", "order": [3, 2],
        "drawnBy": "Tomas Reyes", "witnessedBy": "Maria Keller",
    });
    hall.decide(&round, body).await.gives(200);
    hall.declare(&round).await.gives(200);
    let export = async |format: &str| {
        let path = hall.meeting.path(&format!("/results/export?format={format}"));
        hall.meeting.admin.request("GET", &path).send().await.unwrap().bytes().await.unwrap()
    };
    let csv = String::from_utf8(export("csv").await.to_vec()).unwrap();
    for told in [
        "Election,1,1,Agreed?,Ballots,\"4 ballots: 4 valid, 0 abstentions, 0 invalid\"",
        "The first preferences were counted.",
        "\"Bert and Carla are equal, and one of them must be excluded at stage 2. Lot by hand, drawn by Tomas Reyes, seen by Maria Keller: Carla, Bert.\"",
        "1. Bert; 2. Carla",
    ] {
        assert!(csv.contains(told), "{told}: {csv}");
    }
    for format in ["xlsx", "pdf"] {
        let file = export(format).await;
        assert!(file.len() > 1_000, "{format}");
    }
    hall.assert_verified().await;
}
