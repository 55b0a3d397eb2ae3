//! Rules with alternatives, groups and casting votes, and quorums for a second call.

use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, TestApp, TestMeeting, TestVoter};

/// A running meeting with four voters.
struct Hall {
    voters: Vec<TestVoter>,
    meeting: TestMeeting,
    club: Organization,
    app: TestApp,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let mut voters = Vec::new();
        for name in ["ada", "ben", "cleo", "dora"] {
            voters.push(club.voter(name).await);
        }
        let meeting = club.meeting().await;
        Self { voters, meeting, club, app }
    }

    /// A counted round of a question with this rule and these answers.
    async fn counted(&self, rule: Value, answers: &[&str]) -> Value {
        let fields = json!({ "options": ["Yes", "No", "Abstain"], "decisionRule": rule });
        let question = self.meeting.ask("YES_NO", fields).await;
        let round = self.meeting.open(&question).await["roundId"].clone();
        for (voter, answer) in self.voters.iter().zip(answers) {
            voter.vote(&self.meeting, &question, &[answer]).await.gives(201);
        }
        self.meeting.clear().await;
        self.meeting.count(&round).await.gives(200);
        round
    }

    async fn cast(&self, round: &Value, body: Value) -> Answer {
        let path = self.meeting.path(&format!("/rounds/{}/casting-vote", round.as_str().unwrap()));
        self.meeting.admin.post(&path, body).await
    }

    async fn declare(&self, round: &Value) -> Answer {
        let path = self.meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
        self.meeting.admin.post(&path, Value::Null).await
    }

    /// Counts the exported results again, and checks their signatures.
    async fn verify(&self) {
        let export = self.meeting.admin.get(&self.meeting.path("/results/export?format=json")).await;
        let report = plenum_verify::verify(&plenum_verify::read(export.text.as_bytes()).unwrap());
        assert!(report.agrees(), "{report:?}");
        let request = self.app.anyone().request("POST", "/public/verify");
        let request = request.header("content-type", "application/octet-stream").body(export.text);
        let checked = Answer::read(request.send().await.unwrap()).await.gives(200);
        assert_eq!(checked["data"]["verdict"], "signed", "{checked}");
    }

    async fn group(&self, name: &str, members: &[usize]) -> String {
        let made = self.club.admin.post("/client/groups", json!({ "name": name })).await.gives(201);
        let id = made["data"]["id"].as_str().unwrap().to_owned();
        let add: Vec<&str> = members.iter().map(|place| self.voters[*place].id.as_str()).collect();
        let members = json!({ "add": add, "remove": [] });
        self.club.admin.post(&format!("/client/groups/{id}/members"), members).await.gives(200);
        id
    }
}

fn condition() -> Value {
    json!({ "units": "heads", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2 })
}

fn with_casting_vote() -> Value {
    json!({ "kind": "majority", "conditions": [condition()], "onTie": "casting_vote" })
}

#[tokio::test]
async fn a_tie_waits_for_the_casting_vote_which_is_noted_once() {
    let hall = Hall::new().await;
    let round = hall.counted(with_casting_vote(), &["Yes", "No", "Abstain"]).await;
    let open = hall.meeting.result(&round).await.gives(200);
    assert_eq!((&open["decision"]["outcome"], open.get("castingVote")), (&json!("casting_vote_open"), None));
    hall.declare(&round).await.refuses(409, "tie_is_open");
    for (body, field) in [
        (json!({ "castBy": " ", "inFavor": true }), "castBy"),
        (json!({ "castBy": "x".repeat(201), "inFavor": true }), "castBy"),
        (json!({ "castBy": "Ada Young" }), "inFavor"),
    ] {
        let refused = hall.cast(&round, body).await;
        assert_eq!((refused.status, refused.wrong_fields()), (422, vec![field.to_owned()]));
    }
    let decided = hall.cast(&round, json!({ "castBy": " Ada Young ", "inFavor": true })).await.gives(200);
    assert_eq!(
        (&decided["decision"]["outcome"], &decided["castingVote"]["castBy"]),
        (&json!("accepted"), &json!("Ada Young"))
    );
    let sentence = decided["arithmetic"]["sentence"].as_str().unwrap();
    assert!(sentence.ends_with("a tie, and the casting vote of Ada Young is yes"), "{sentence}");
    hall.cast(&round, json!({ "castBy": "Ben Birch", "inFavor": false })).await.refuses(409, "no_such_tie");
    hall.declare(&round).await.gives(200);
    hall.cast(&round, json!({ "castBy": "Ben Birch", "inFavor": false })).await.refuses(409, "no_such_tie");
    hall.verify().await;
    hall.app.link_audit_log().await;
    let log = hall.club.admin.get("/client/audit?kind=round_changed").await.gives(200);
    assert!(log.to_string().contains("casting_vote"), "{log}");
}

#[tokio::test]
async fn a_declaration_that_tells_of_a_tie_counts_the_round_so_that_nobody_votes_after_it() {
    let hall = Hall::new().await;
    let fields = json!({ "options": ["Yes", "No", "Abstain"], "decisionRule": with_casting_vote() });
    let question = hall.meeting.ask("YES_NO", fields).await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    for (voter, answer) in hall.voters.iter().zip(["Yes", "No"]) {
        voter.vote(&hall.meeting, &question, &[answer]).await.gives(201);
    }
    hall.meeting.clear().await;
    hall.declare(&round).await.refuses(409, "tie_is_open");
    let path = hall.meeting.path("/current-question");
    hall.meeting.admin.put(&path, json!({ "questionId": question })).await.refuses(409, "round_counted");
    hall.cast(&round, json!({ "castBy": "Ada Young", "inFavor": true })).await.gives(200);
    hall.declare(&round).await.gives(200);
    hall.verify().await;
}

#[tokio::test]
async fn no_casting_vote_is_noted_where_none_is_open() {
    let hall = Hall::new().await;
    let vote = json!({ "castBy": "Ada Young", "inFavor": true });
    let decided = hall.counted(with_casting_vote(), &["Yes", "Yes", "No"]).await;
    hall.cast(&decided, vote.clone()).await.refuses(409, "no_such_tie");
    let plain = json!({ "kind": "majority", "conditions": [condition()], "onTie": "rejected" });
    let rejected = hall.counted(plain, &["Yes", "No"]).await;
    hall.cast(&rejected, vote.clone()).await.refuses(409, "no_such_tie");
    let foreign = hall.app.client("Chess Club").await;
    let path = hall.meeting.path(&format!("/rounds/{}/casting-vote", decided.as_str().unwrap()));
    foreign.admin.post(&path, vote).await.gives(404);
}

#[tokio::test]
async fn a_rule_is_met_in_each_group_and_the_file_counts_them() {
    let hall = Hall::new().await;
    let (owners, tenants) = (hall.group("Owners", &[0, 1, 2]).await, hall.group("Tenants", &[3]).await);
    let rule =
        json!({ "kind": "majority", "conditions": [condition()], "onTie": "rejected", "inEach": [owners, tenants] });
    let round = hall.counted(rule.clone(), &["Yes", "Yes", "No", "No"]).await;
    let result = hall.meeting.result(&round).await.gives(200);
    assert_eq!(result["decision"]["outcome"], "rejected");
    let heads = |group: usize, path: &str| result["inEach"][group].pointer(path).cloned();
    assert_eq!((heads(0, "/votesCast/heads"), heads(1, "/votesCast/heads")), (Some(json!(3)), Some(json!(1))));
    assert_eq!(result["inEach"][1]["name"], "Tenants");
    hall.declare(&round).await.gives(200);
    hall.verify().await;
    // The group is used by a rule.
    let path = format!("/client/groups/{tenants}");
    hall.club.admin.delete(&path).await.gives(409);
}

#[tokio::test]
async fn groups_of_a_rule_are_those_of_the_organization_and_not_of_a_secret_vote() {
    let hall = Hall::new().await;
    let stranger = hall.app.client("Chess Club").await;
    let theirs = stranger.admin.post("/client/groups", json!({ "name": "Theirs" })).await.gives(201);
    let rule = |group: &str| json!({ "kind": "majority", "conditions": [condition()], "inEach": [group] });
    let ask = async |fields: Value| {
        let mut body = json!({ "meetingId": hall.meeting.id, "questionText": "Agreed?", "questionType": "YES_NO" });
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        hall.meeting.admin.post("/client/questions", body).await
    };
    let refused = ask(json!({ "decisionRule": rule(theirs["data"]["id"].as_str().unwrap()) })).await;
    assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["decisionRule.inEach".to_owned()]));
    let owners = hall.group("Owners", &[0]).await;
    let refused = ask(json!({ "decisionRule": rule(&owners), "secrecy": "secret" })).await;
    assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["decisionRule.inEach".to_owned()]));
    ask(json!({ "decisionRule": rule(&owners) })).await.gives(201);
}

#[tokio::test]
async fn a_second_call_has_its_own_quorum() {
    let hall = Hall::new().await;
    let quorum = json!({
        "comparison": "at_least", "numerator": 1, "denominator": 2, "unit": "heads", "attendance": "voted",
        "atOpening": "warn", "secondCall": { "minimum": 1, "unit": "heads", "attendance": "voted" },
    });
    let changed = hall.meeting.admin.put(&hall.meeting.path(""), json!({ "quorum": quorum })).await.gives(200);
    assert_eq!((&changed["quorum"], &changed["isSecondCall"]), (&quorum, &json!(false)));
    let plain = json!({ "kind": "majority", "conditions": [condition()], "onTie": "rejected" });
    let first = hall.counted(plain.clone(), &["Yes"]).await;
    let result = hall.meeting.result(&first).await.gives(200);
    assert_eq!(result["decision"]["outcome"], "quorum_missed");
    hall.meeting.admin.put(&hall.meeting.path(""), json!({ "isSecondCall": true })).await.gives(200);
    let second = hall.counted(plain, &["Yes"]).await;
    let result = hall.meeting.result(&second).await.gives(200);
    assert_eq!(result["decision"]["outcome"], "accepted");
    assert_eq!(result["quorum"], json!({ "minimum": 1, "unit": "heads", "attendance": "voted" }));
    let wrong = json!({ "quorum": { "minimum": 1.5, "unit": "heads", "attendance": "voted", "atOpening": "warn" } });
    let refused = hall.meeting.admin.put(&hall.meeting.path(""), wrong).await;
    assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["quorum.minimum".to_owned()]));
    for round in [&first, &second] {
        hall.declare(round).await.gives(200);
    }
    hall.verify().await;
}
