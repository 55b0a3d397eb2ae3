//! Seats after an election: acceptance, who moves up, and ballots that continue an election.

use serde_json::{Value, json};

use super::elections::Hall;
use crate::http::support::{Answer, EventStream};

impl Hall {
    /// Asks, votes and declares. Returns the question and its round.
    async fn elect(&self, names: &[&str], terms: Value, ballots: &[&[&str]]) -> (String, Value) {
        let question = self.ask(names, terms, json!({})).await;
        let round = self.vote(&question, ballots).await;
        self.meeting.count(&round).await.gives(200);
        self.declare(&round).await.gives(200);
        (question, round)
    }

    async fn answer(&self, round: &Value, candidate: u32, answer: &str) -> Answer {
        let body = json!({ "candidate": candidate, "answer": answer });
        self.meeting.admin.post(&self.round_path(round, "/seat-answers"), body).await
    }

    /// The only election of the meeting after an answer.
    async fn after(&self, round: &Value, candidate: u32, answer: &str) -> Value {
        let elections = self.answer(round, candidate, answer).await.gives(200);
        assert_eq!(elections.as_array().unwrap().len(), 1, "{elections}");
        elections[0].clone()
    }

    async fn elections(&self) -> Value {
        self.meeting.admin.get(&self.meeting.path("/elections")).await.gives(200)
    }

    async fn next_ballot(&self, round: &Value) -> Answer {
        self.meeting.admin.post(&self.round_path(round, "/next-ballot"), Value::Null).await
    }
}

fn names(holders: &Value) -> Vec<&str> {
    holders.as_array().unwrap().iter().map(|holder| holder["name"].as_str().unwrap()).collect()
}

fn last_words(outcome: &Value) -> &str {
    outcome["answers"].as_array().unwrap().last().unwrap()["words"].as_str().unwrap()
}

const NAMES: [&str; 4] = ["Anna", "Bert", "Carla", "Dora"];

#[tokio::test]
async fn one_declines_and_the_next_moves_up_beside_the_declared_result() {
    let hall = Hall::with(6).await;
    let ballots: [&[&str]; 6] = [&["1", "2"], &["1", "2"], &["1", "2"], &["1", "3"], &["3", "4"], &["1"]];
    let question = hall.ask(&NAMES, json!({ "method": "plurality", "seats": 2 }), json!({})).await;
    let round = hall.vote(&question, &ballots).await;
    hall.meeting.count(&round).await.gives(200);
    hall.answer(&round, 1, "accepted").await.refuses(409, "round_not_declared");
    let declared = hall.declare(&round).await.gives(200);

    let before = hall.elections().await[0].clone();
    assert_eq!((names(&before["holders"]), &before["vacant"]), (vec!["Anna", "Bert"], &json!(0)));
    assert_eq!(before["next"], Value::Null, "no seat is left");
    hall.answer(&round, 4, "accepted").await.refuses(409, "no_seat");
    hall.answer(&round, 9, "declined").await.refuses(409, "no_seat");
    let unknown = hall.meeting.admin.post(&hall.round_path(&round, "/seat-answers"), json!({ "candidate": 1 })).await;
    assert_eq!(unknown.wrong_fields(), ["answer"]);
    let stranger = hall.app.client("Other Club").await;
    let body = json!({ "candidate": 1, "answer": "declined" });
    stranger.admin.post(&hall.round_path(&round, "/seat-answers"), body).await.refuses(404, "round_not_found");

    let accepted = hall.after(&round, 1, "accepted").await;
    assert_eq!(last_words(&accepted), "Anna accepts the election.");
    assert_eq!(accepted["holders"][0]["answer"], "accepted");
    let declined = hall.after(&round, 2, "declined").await;
    assert_eq!(last_words(&declined), "Bert declines the election. Carla moves up.");
    assert_eq!((names(&declined["holders"]), names(&declined["declined"])), (vec!["Anna", "Carla"], vec!["Bert"]));
    assert_eq!(declined["holders"][1]["hasMovedUp"], true);
    assert_eq!(hall.after(&round, 2, "declined").await, declined, "a repeat changes nothing");
    let declined = hall.after(&round, 3, "declined").await;
    assert_eq!(names(&declined["holders"]), ["Anna", "Dora"]);
    let corrected = hall.after(&round, 3, "taken_back").await;
    assert_eq!(last_words(&corrected), "The answer of Carla is taken back. Dora no longer has a seat.");
    assert_eq!(names(&corrected["holders"]), ["Anna", "Carla"]);
    assert_eq!(corrected["answers"].as_array().unwrap().len(), 4, "each answer stays on record");

    assert_eq!(hall.meeting.result(&round).await.gives(200), declared, "the declared result never changes");
    let results = hall.meeting.admin.get(&hall.meeting.path("/results")).await.gives(200);
    assert_eq!(results["elections"][0], corrected);
    hall.assert_verified().await;
    hall.app.link_audit_log().await;
    let log = hall.club.admin.get("/client/audit?kind=seat_answered").await.gives(200)["data"].clone();
    assert_eq!(log.as_array().unwrap().len(), 4, "{log}");
    let of_anna = json!([
        { "field": "candidate", "before": null, "after": "Anna" },
        { "field": "seat_answer", "before": null, "after": "ACCEPTED" },
        { "field": "seated", "before": "Anna, Bert", "after": "Anna, Bert" },
    ]);
    assert!(log.as_array().unwrap().iter().any(|entry| entry["changes"] == of_anna), "{log}");
    let of_bert = json!([
        { "field": "candidate", "before": null, "after": "Bert" },
        { "field": "seat_answer", "before": null, "after": "DECLINED" },
        { "field": "seated", "before": "Anna, Bert", "after": "Anna, Carla" },
    ]);
    assert!(log.as_array().unwrap().iter().any(|entry| entry["changes"] == of_bert), "{log}");
}

#[tokio::test]
async fn changed_seats_in_a_file_are_found() {
    let hall = Hall::with(4).await;
    let ballots: [&[&str]; 4] = [&["1"], &["1"], &["2"], &["3"]];
    let (_, round) = hall.elect(&NAMES, json!({ "method": "plurality" }), &ballots).await;
    let declined = hall.after(&round, 1, "declined").await;
    let lot = &declined["answers"][0]["drawn"][0];
    let order = lot["order"].as_array().unwrap();
    assert_eq!(order.len(), 2, "Bert and Carla are equal: {declined}");
    assert_eq!(declined["holders"][0]["candidate"], order[0]);
    hall.assert_verified().await;
    let file: Value = serde_json::from_slice(&hall.exported().await).unwrap();
    for (pointer, value) in [
        ("/elections/0/holders/0/candidate", order[1].clone()),
        ("/elections/0/holders/0/name", json!("Dora")),
        ("/elections/0/holders/0/hasMovedUp", json!(false)),
        ("/elections/0/declined/0/name", json!("Dora")),
        ("/elections/0/vacant", json!(1)),
        ("/elections/0/seats", json!(2)),
        ("/elections/0/questionText", json!("Who else?")),
        ("/elections/0/answers/0/seated/0", order[1].clone()),
        ("/elections/0/answers/0/drawn/0/order", json!([order[1], order[0]])),
        ("/elections/0/answers/0/answer", json!("accepted")),
    ] {
        let mut changed = file.clone();
        let place = changed.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}: {file:#}"));
        assert_ne!(*place, value, "{pointer}");
        *place = value;
        let report = hall.verify(serde_json::to_vec(&changed).unwrap()).await;
        let differences = report["data"]["differences"].to_string();
        assert!(differences.contains("elections"), "{pointer}: {report}");
    }
}

#[tokio::test]
async fn in_each_method_the_ballots_say_who_moves_up() {
    let lists = json!([{ "name": "Greens", "candidates": [1, 2] }, { "name": "Reds", "candidates": [3, 4] }]);
    for (terms, ballots, declines, holders) in [
        (
            json!({ "method": "per_candidate", "seats": 1 }),
            [&["1=yes", "2=yes"][..], &["1=yes", "2=yes"], &["1=yes", "3=yes"], &["2=no"], &["3=no"]],
            1,
            vec!["Bert"],
        ),
        (
            json!({ "method": "plurality", "requirement": {
                "base": "valid_ballots", "comparison": "at_least", "numerator": 2, "denominator": 5 } }),
            [&["1"], &["1"], &["1"], &["2"], &["3"]],
            1,
            vec![],
        ),
        (
            json!({ "method": "cumulative", "seats": 1, "votes": 3 }),
            [&["3=3"], &["1=2", "2=1"], &["2=1"], &["1=2"], &["4=1"]],
            1,
            vec!["Carla"],
        ),
        (json!({ "method": "approval" }), [&["1", "3"], &["3"], &["2"], &["3", "1"], &["blank"]], 3, vec!["Anna"]),
        // Counted again without Carla: her ballots go to Bert.
        (json!({ "method": "irv" }), [&["1:3", "2:2"], &["1:3", "2:2"], &["1:3"], &["1:1"], &["1:2"]], 3, vec!["Bert"]),
        (
            json!({ "method": "stv_scottish", "seats": 2 }),
            [&["1:1", "2:3"], &["1:1", "2:3"], &["1:2"], &["1:2"], &["1:4", "2:3"]],
            1,
            vec!["Bert", "Carla"],
        ),
        (
            json!({ "method": "schulze" }),
            [&["1:1", "2:2", "3:3"], &["1:1", "1:2"], &["1:2"], &["1:3", "2:1"], &["1:1"]],
            1,
            vec!["Bert"],
        ),
        (
            json!({ "method": "borda" }),
            [&["1:1", "2:2", "3:3"], &["1:1", "2:3"], &["1:2"], &["1:3", "2:1"], &["1:1"]],
            1,
            vec!["Carla"],
        ),
        (
            json!({ "method": "score", "points": 5 }),
            [&["1=5", "2=1"], &["2=4"], &["3=2"], &["1=0"], &["2=2"]],
            2,
            vec!["Anna"],
        ),
        // The seat stays with the list.
        (
            json!({ "method": "lists", "seats": 1, "lists": lists }),
            [&["list=1"], &["list=1"], &["list=1"], &["list=2"], &["list=2"]],
            1,
            vec!["Bert"],
        ),
    ] {
        let hall = Hall::with(5).await;
        let (_, round) = hall.elect(&NAMES, terms.clone(), &ballots).await;
        let outcome = hall.after(&round, declines, "declined").await;
        assert_eq!(names(&outcome["holders"]), holders, "{terms}: {outcome:#}");
        hall.assert_verified().await;
    }
}

#[tokio::test]
async fn who_moves_up_needs_the_support_of_those_represented_too() {
    let hall = Hall::with(6).await;
    let settings = json!({
        "isOn": true, "principalsMayGrant": true, "maxPrincipals": null, "maxWeight": null, "maxSharePercent": null,
        "holders": "PARTICIPANTS", "questionsWithout": [],
    });
    hall.meeting.admin.put(&hall.meeting.path("/proxies/settings"), settings).await.gives(200);
    for principal in ["voter4", "voter5"] {
        let body = json!({ "principal": principal, "holder": "voter0", "reference": null, "note": null });
        hall.meeting.admin.post(&hall.meeting.path("/proxies"), body).await.gives(201);
    }
    let holder = EventStream::watch(&hall.voters[0].caller, &hall.meeting.id).await;
    // Of the 6 who are present or represented, 3 are needed. Of the 4 who are present, Bert would need 2.
    let half = json!({ "base": "present", "comparison": "at_least", "numerator": 1, "denominator": 2 });
    let terms = json!({ "method": "approval", "leastSupport": half });
    let (_, round) = hall.elect(&NAMES, terms, &[&["1", "2"], &["1", "2"], &["1"], &["1"]]).await;
    let declined = hall.after(&round, 1, "declined").await;
    assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec![], &json!(1)), "{declined:#}");
    hall.assert_verified().await;
    drop(holder);
}

#[tokio::test]
async fn a_seat_stays_vacant_where_the_terms_say_so() {
    let hall = Hall::with(3).await;
    let terms = json!({ "method": "plurality", "declined": "stays_vacant" });
    let (_, round) = hall.elect(&NAMES, terms, &[&["1"], &["1"], &["2"]]).await;
    let declined = hall.after(&round, 1, "declined").await;
    assert_eq!(last_words(&declined), "Anna declines the election. The seat stays vacant.");
    assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec![], &json!(1)));
    assert_eq!(declined["next"]["candidates"], json!([2, 3, 4]), "Anna does not stand again");
    hall.assert_verified().await;
}

#[tokio::test]
async fn the_ballots_of_a_run_off_are_one_election() {
    let hall = Hall::with(5).await;
    let terms = json!({
        "method": "plurality", "seats": 2, "ties": "run_off", "order": "by_lot",
        "candidates": [{ "line": "Flat 1" }, { "line": "Flat 2" }, { "line": "Flat 3" }, {}],
    });
    let question = hall.ask(&NAMES, terms, json!({ "quorum": null })).await;
    let out = json!({ "endUserId": hall.voters[4].id, "reason": "Conflict of interest" });
    let exclusions = |question: &str| hall.meeting.path(&format!("/questions/{question}/exclusions"));
    hall.meeting.admin.post(&exclusions(&question), out).await.gives(201);
    let ballots: [&[&str]; 4] = [&["1", "2"], &["1", "2"], &["1", "3"], &["1", "3"]];
    let round = hall.vote(&question, &ballots).await;
    hall.meeting.count(&round).await.gives(200);
    hall.next_ballot(&round).await.refuses(409, "round_not_declared");
    hall.declare(&round).await.gives(200);
    let waiting = hall.elections().await[0].clone();
    assert_eq!((names(&waiting["holders"]), &waiting["vacant"]), (vec!["Anna"], &json!(1)));
    assert_eq!(waiting["next"], json!({ "roundId": round, "candidates": [2, 3], "seats": 1 }), "the tied");

    let next = hall.next_ballot(&round).await.gives(201);
    assert_eq!(next["questionText"], "Agreed? (ballot 2)");
    let options: Vec<_> = next["optionsList"].as_array().unwrap().iter().map(|option| &option["text"]).collect();
    assert_eq!(options, ["Bert", "Carla"]);
    let election = &next["decisionRule"]["election"];
    assert_eq!(election["follows"], json!({ "round": round, "ballot": 2 }));
    assert_eq!((&election["seats"], &election["mostChoices"]), (&json!(1), &json!(1)));
    assert_eq!(election["candidates"][1]["line"], "Flat 3");
    assert_eq!(election["orderSeed"], next["id"], "a lot of its own");
    let id = next["id"].as_str().unwrap();
    let excluded = hall.meeting.admin.get(&exclusions(id)).await.gives(200);
    assert_eq!((&excluded[0]["endUserId"], excluded.as_array().unwrap().len()), (&json!(hall.voters[4].id), 1));
    hall.next_ballot(&round).await.refuses(409, "next_ballot_exists");

    // Nobody else can continue an election, and a copy does not.
    let path = format!("/client/questions/{id}");
    let mut rule = next["decisionRule"].clone();
    rule["election"]["follows"]["ballot"] = json!(3);
    let forged = hall.meeting.admin.put(&path, json!({ "decisionRule": rule })).await;
    assert_eq!(forged.wrong_fields(), ["decisionRule.election.follows"]);
    rule["election"].as_object_mut().unwrap().remove("follows");
    let kept = hall.meeting.admin.put(&path, json!({ "decisionRule": rule })).await.gives(200);
    assert_eq!(kept["decisionRule"], next["decisionRule"], "it stays if the change does not say");
    let body = json!({
        "meetingId": hall.meeting.id, "questionText": "Who?", "questionType": "ELECTION", "options": ["Anna", "Bert"],
        "decisionRule": next["decisionRule"],
    });
    let forged = hall.meeting.admin.post("/client/questions", body).await;
    assert_eq!(forged.wrong_fields(), ["decisionRule.election.follows"]);
    let copy = hall.meeting.admin.post(&format!("{path}/duplicate"), Value::Null).await.gives(201);
    assert_eq!(copy["decisionRule"]["election"].get("follows"), None, "{copy}");

    let second = hall.vote(id, &[&["2"], &["2"], &["1"]]).await;
    hall.meeting.count(&second).await.gives(200);
    hall.declare(&second).await.gives(200);
    let elections = hall.elections().await;
    assert_eq!(elections.as_array().unwrap().len(), 1, "{elections}");
    let whole = &elections[0];
    assert_eq!((&whole["rounds"], &whole["seats"]), (&json!([round, second]), &json!(2)));
    assert_eq!((names(&whole["holders"]), &whole["vacant"]), (vec!["Anna", "Carla"], &json!(0)));
    hall.next_ballot(&round).await.refuses(409, "next_ballot_exists");
    hall.next_ballot(&second).await.refuses(409, "no_next_ballot");

    // The first ballot gives nobody a seat any more.
    let declined = hall.after(&round, 1, "declined").await;
    assert_eq!(last_words(&declined), "Anna declines the election. The seat stays vacant.");
    assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec!["Carla"], &json!(1)));
    assert_eq!(declined["next"], json!({ "roundId": second, "candidates": [1], "seats": 1 }), "Bert is left");
    hall.answer(&round, 1, "taken_back").await.refuses(409, "next_ballot_exists");
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_tie_that_is_left_to_another_ballot_is_not_broken_by_a_refusal() {
    let hall = Hall::with(4).await;
    let terms = json!({ "method": "plurality", "seats": 2, "ties": "run_off" });
    let ballots: [&[&str]; 4] = [&["1", "2"], &["1", "2"], &["1", "3"], &["1", "3"]];
    let (_, round) = hall.elect(&NAMES, terms, &ballots).await;
    let declined = hall.after(&round, 1, "declined").await;
    assert_eq!(
        last_words(&declined),
        "Anna declines the election. The seat stays vacant. Bert and Carla are equal for it, so another ballot decides."
    );
    assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec![], &json!(2)));
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_second_ballot_needs_no_majority_and_is_added_once_by_two_organizers() {
    let hall = Hall::with(5).await;
    let majority = json!({ "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2 });
    let terms = json!({ "method": "plurality", "requirement": majority });
    let (_, round) = hall.elect(&NAMES, terms, &[&["1"], &["1"], &["2"], &["2"], &["3"]]).await;
    let (one, other) = tokio::join!(hall.next_ballot(&round), hall.next_ballot(&round));
    let created: Vec<&Answer> = [&one, &other].into_iter().filter(|answer| answer.status == 201).collect();
    let [created] = created[..] else { panic!("one of them creates it") };
    let created = created.json();
    assert_eq!(created["optionsList"].as_array().unwrap().len(), 4, "nobody is elected");
    assert_eq!(created["decisionRule"]["election"].get("requirement"), None);
    let yes_no = hall.meeting.ask_yes_no().await;
    let other = hall.vote(&yes_no, &[&["Yes"]]).await;
    hall.declare(&other).await.gives(200);
    hall.next_ballot(&other).await.refuses(409, "no_next_ballot");
    hall.answer(&other, 1, "accepted").await.refuses(409, "no_election");
}

#[tokio::test]
async fn a_seat_for_which_nobody_is_left_stays_vacant() {
    for method in ["irv", "stv_scottish", "approval"] {
        let hall = Hall::with(2).await;
        let marks: &[&str] = if method == "approval" { &["1"] } else { &["1:1"] };
        let (_, round) = hall.elect(&["Anna"], json!({ "method": method }), &[marks, marks]).await;
        let declined = hall.after(&round, 1, "declined").await;
        assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec![], &json!(1)), "{method}");
        assert_eq!(declined["next"], Value::Null, "{method}");
        hall.assert_verified().await;
    }
}

#[tokio::test]
async fn a_ballot_is_read_as_in_the_election_when_somebody_declines() {
    let hall = Hall::with(5).await;
    // All four ranks are needed, so the last ballot is invalid.
    let terms = json!({ "method": "irv", "leastRanks": 4 });
    let all = |first: &'static str| [first, "2:2", "3:3", "4:4"];
    let (one, other) = (all("1:1"), ["1:1", "2:3", "3:2", "4:4"]);
    let ballots: [&[&str]; 5] = [&one, &one, &other, &other, &["1:3"]];
    let (_, round) = hall.elect(&NAMES, terms, &ballots).await;
    let declined = hall.after(&round, 1, "declined").await;
    let drawn = &declined["answers"][0]["drawn"][0]["order"];
    assert_eq!(drawn.as_array().map(Vec::len), Some(2), "Bert and Carla are equal with two ballots each: {declined}");
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_file_is_verified_although_the_next_ballot_has_moved_later_questions() {
    let hall = Hall::with(3).await;
    let terms = json!({ "method": "plurality", "declined": "stays_vacant" });
    let (_, round) = hall.elect(&NAMES, terms, &[&["1"], &["1"], &["2"]]).await;
    let yes_no = hall.meeting.ask_yes_no().await;
    let later = hall.vote(&yes_no, &[&["Yes"]]).await;
    hall.declare(&later).await.gives(200);
    hall.after(&round, 1, "declined").await;
    let next = hall.next_ballot(&round).await.gives(201);
    assert_eq!(next["orderIndex"], 2, "right after its election");
    let second = hall.vote(next["id"].as_str().unwrap(), &[&["2"], &["2"]]).await;
    hall.meeting.count(&second).await.gives(200);
    hall.declare(&second).await.gives(200);
    let whole = hall.elections().await[0].clone();
    assert_eq!(names(&whole["holders"]), ["Carla"], "the second of those who were left");
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_missed_quorum_elects_nobody_and_waits_for_no_lot() {
    let hall = Hall::with(5).await;
    let quorum = json!({
        "comparison": "at_least", "numerator": 3, "denominator": 4, "unit": "heads", "attendance": "voted",
    });
    let terms = json!({ "method": "plurality", "seats": 2 });
    // Anna is first, and Bert and Carla are equal for the second seat. 4 of 5 would be needed.
    let question = hall.ask(&NAMES, terms, json!({ "quorum": quorum })).await;
    let round = hall.vote(&question, &[&["1", "2"], &["1", "3"]]).await;
    let counted = hall.meeting.count(&round).await.gives(200);
    assert_eq!(counted["decision"], json!({ "outcome": "quorum_missed", "elected": [], "tie": null }));
    let tie = &counted["election"]["tie"];
    let lot = json!({ "stage": tie["stage"], "numbers": tie["numbers"], "by": "lot" });
    hall.meeting.admin.post(&hall.round_path(&round, "/tie-decisions"), lot).await.refuses(409, "quorum_missed");
    hall.declare(&round).await.gives(200);
    let outcome = hall.elections().await[0].clone();
    assert_eq!((names(&outcome["holders"]), &outcome["vacant"]), (vec![], &json!(2)));
    assert_eq!(outcome["next"], Value::Null, "the ballot itself is held again");
    for answer in ["accepted", "declined"] {
        hall.answer(&round, 1, answer).await.refuses(409, "quorum_missed");
    }
    hall.next_ballot(&round).await.refuses(409, "no_next_ballot");
    hall.assert_verified().await;
    let table = hall.meeting.admin.get(&hall.meeting.path("/results/export?format=csv")).await.text;
    assert!(table.contains("The quorum was missed, so nobody is elected."), "{table}");
    assert!(!table.contains("Anna is elected") && !table.contains("are equal"), "{table}");

    let mut file: Value = serde_json::from_slice(&hall.exported().await).unwrap();
    file["elections"][0]["vacant"] = json!(1);
    let report = hall.verify(serde_json::to_vec(&file).unwrap()).await;
    assert!(report["data"]["differences"].to_string().contains("elections"), "{report}");
}

#[tokio::test]
async fn a_revote_of_the_first_ballot_replaces_its_run_off_too() {
    let hall = Hall::with(4).await;
    let terms = json!({ "method": "plurality", "ties": "run_off" });
    let (question, first) = hall.elect(&NAMES, terms, &[&["1"], &["1"], &["2"], &["2"]]).await;
    let next = hall.next_ballot(&first).await.gives(201);
    let revote = json!({ "questionId": question, "reason": "Somebody was cut off." });
    let waiting = hall.meeting.admin.post(&hall.meeting.path("/rounds"), revote.clone()).await;
    waiting.refuses(409, "next_ballot_exists");
    let run_off = hall.vote(next["id"].as_str().unwrap(), &[&["1"], &["1"], &["2"]]).await;
    hall.meeting.count(&run_off).await.gives(200);
    hall.declare(&run_off).await.gives(200);
    let elections = hall.elections().await;
    assert_eq!(elections[0]["rounds"], json!([first, run_off]));

    hall.meeting.admin.post(&hall.meeting.path("/rounds"), revote).await.gives(201);
    for voter in &hall.voters[..3] {
        voter.vote(&hall.meeting, &question, &["3"]).await.gives(201);
    }
    hall.meeting.clear().await;
    let rounds = hall.meeting.rounds().await;
    let again = rounds.iter().find(|round| round["number"] == 2).unwrap()["id"].clone();
    hall.meeting.count(&again).await.gives(200);
    hall.declare(&again).await.gives(200);
    let elections = hall.elections().await;
    assert_eq!(elections.as_array().unwrap().len(), 1, "{elections}");
    assert_eq!((&elections[0]["rounds"], names(&elections[0]["holders"])), (&json!([again]), vec!["Carla"]));
    hall.answer(&run_off, 1, "accepted").await.refuses(409, "revote_declared");
    hall.assert_verified().await;
}

#[tokio::test]
async fn a_ballot_that_is_open_again_has_no_next_ballot_after_its_earlier_round() {
    let hall = Hall::with(4).await;
    let terms = json!({ "method": "plurality", "ties": "run_off" });
    let (question, first) = hall.elect(&NAMES, terms, &[&["1"], &["1"], &["2"], &["2"]]).await;
    let revote = json!({ "questionId": question, "reason": "Somebody was cut off." });
    hall.meeting.admin.post(&hall.meeting.path("/rounds"), revote).await.gives(201);
    hall.next_ballot(&first).await.refuses(409, "round_superseded");
}

#[tokio::test]
async fn a_revote_waits_for_a_later_ballot_of_its_election_too() {
    let hall = Hall::with(4).await;
    let terms = json!({ "method": "plurality", "ties": "run_off" });
    let tie: [&[&str]; 4] = [&["1"], &["1"], &["2"], &["2"]];
    let (question, first) = hall.elect(&NAMES, terms, &tie).await;
    let next = hall.next_ballot(&first).await.gives(201);
    let second = hall.vote(next["id"].as_str().unwrap(), &tie).await;
    hall.meeting.count(&second).await.gives(200);
    hall.declare(&second).await.gives(200);
    hall.next_ballot(&second).await.gives(201);
    let revote = json!({ "questionId": question, "reason": "Somebody was cut off." });
    hall.meeting.admin.post(&hall.meeting.path("/rounds"), revote).await.refuses(409, "next_ballot_exists");
}

#[tokio::test]
async fn nobody_moves_up_by_the_scottish_count_without_any_support() {
    let hall = Hall::with(5).await;
    // Quota 2. Nobody ranks Carla or Dora.
    let terms = json!({ "method": "stv_scottish", "seats": 2 });
    let ballots: [&[&str]; 5] = [&["1:1"], &["1:1"], &["1:1"], &["1:2"], &["1:2"]];
    let (_, round) = hall.elect(&NAMES, terms.clone(), &ballots).await;
    let declined = hall.after(&round, 2, "declined").await;
    assert_eq!((names(&declined["holders"]), &declined["vacant"]), (vec!["Anna"], &json!(1)), "{declined}");
    assert_eq!(last_words(&declined), "Bert declines the election. The seat stays vacant.");
    hall.assert_verified().await;

    let hall = Hall::with(5).await;
    let ballots: [&[&str]; 5] = [&["1:1"], &["1:1"], &["1:1"], &["1:2"], &["1:2", "2:4"]];
    let (_, round) = hall.elect(&NAMES, terms, &ballots).await;
    let declined = hall.after(&round, 2, "declined").await;
    assert_eq!(names(&declined["holders"]), ["Anna", "Dora"], "one ballot ranks Dora: {declined}");
    hall.assert_verified().await;
}

#[tokio::test]
async fn somebody_who_moved_up_by_the_scottish_count_keeps_the_seat() {
    let hall = Hall::with(16).await;
    let names_of_five = ["Anna", "Bert", "Carla", "Dora", "Emma"];
    // Quota 6. Anna has 7 and Bert 6.
    let kinds: [(usize, &[&str]); 7] = [
        (4, &["1:1", "2:5"]),
        (3, &["1:1", "2:4"]),
        (3, &["1:2", "2:3"]),
        (3, &["1:2", "2:4"]),
        (1, &["1:3"]),
        (1, &["1:4"]),
        (1, &["1:5", "2:3"]),
    ];
    let ballots: Vec<&[&str]> = kinds.iter().flat_map(|(voters, marks)| vec![*marks; *voters]).collect();
    let terms = json!({ "method": "stv_scottish", "seats": 2 });
    let (_, round) = hall.elect(&names_of_five, terms, &ballots).await;
    // Without Bert: Emma has fewest and her ballot goes to Carla, who has 5 then. Dora has 4.43 with the surplus of Anna.
    let first = hall.after(&round, 2, "declined").await;
    assert_eq!(names(&first["holders"]), ["Anna", "Carla"], "{first:#}");
    hall.after(&round, 3, "accepted").await;
    // Without both: Dora has 7, Emma 5 and Carla 4.
    let second = hall.after(&round, 1, "declined").await;
    assert_eq!(last_words(&second), "Anna declines the election. Dora moves up.");
    assert_eq!(names(&second["holders"]), ["Carla", "Dora"], "{second:#}");
    hall.assert_verified().await;
    // Without Anna alone: Emma has 5, Dora 4 and Carla 1.
    let back = hall.after(&round, 2, "taken_back").await;
    let words = "The answer of Bert is taken back. Emma moves up. Carla and Dora no longer have a seat.";
    assert_eq!((last_words(&back), names(&back["holders"])), (words, vec!["Bert", "Emma"]));
    hall.assert_verified().await;
}
