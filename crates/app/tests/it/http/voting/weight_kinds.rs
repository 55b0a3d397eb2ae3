//! Meetings, questions and results that count by kinds of weight.

use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, TestApp, TestMeeting, TestVoter};

/// A running meeting of owners: ada has 600 thousandths, ben 399.5, cleo none. Each has one unit, cleo two.
struct Hall {
    thousandths: String,
    units: String,
    voters: Vec<TestVoter>,
    meeting: TestMeeting,
    club: Organization,
    app: TestApp,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Condominium").await;
        let thousandths = add_kind(&club, "Thousandths", 1).await;
        let units = add_kind(&club, "Units", 0).await;
        let mut voters = Vec::new();
        for (name, share, unit) in [("ada", "600", "1"), ("ben", "399.5", "1"), ("cleo", "0", "2")] {
            let voter = club.voter(name).await;
            let weights = json!({ "weights": [
                { "kindId": thousandths, "value": share }, { "kindId": units, "value": unit },
            ] });
            club.admin.put(&format!("/client/end-users/{}", voter.id), weights).await.gives(200);
            voters.push(voter);
        }
        let meeting = club.meeting().await;
        Self { thousandths, units, voters, meeting, club, app }
    }

    /// More than half of the units that voted, and at least half of all thousandths.
    fn double_majority(&self) -> Value {
        json!({
            "options": ["Yes", "No"], "weightKindId": self.units, "secondWeightKindId": self.thousandths,
            "decisionRule": { "kind": "majority", "conditions": [
                { "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2 },
                {
                    "units": "second_weight", "base": "whole_register", "comparison": "at_least",
                    "numerator": 1, "denominator": 2,
                },
            ] },
        })
    }

    async fn counted(&self, question: &str, answers: &[&str]) -> Value {
        let round = self.meeting.open(question).await["roundId"].clone();
        for (voter, answer) in self.voters.iter().zip(answers).filter(|(_, answer)| !answer.is_empty()) {
            voter.vote(&self.meeting, question, &[answer]).await.gives(201);
        }
        self.meeting.clear().await;
        self.meeting.count(&round).await.gives(200);
        round
    }

    async fn exported(&self, format: &str) -> String {
        let export = self.club.admin.get(&self.meeting.path(&format!("/results/export?format={format}"))).await;
        assert_eq!(export.status, 200);
        export.text
    }

    /// Asks a question of this type with these fields.
    async fn try_asking(&self, question_type: &str, fields: Value) -> Answer {
        let mut body = json!({
            "meetingId": self.meeting.id, "questionText": "Agreed?", "questionType": question_type,
        });
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        self.club.admin.post("/client/questions", body).await
    }
}

async fn add_kind(club: &Organization, name: &str, decimals: u32) -> String {
    let body = json!({ "name": name, "unit": null, "decimals": decimals });
    let made = club.admin.post("/client/weight-kinds", body).await.gives(201);
    let kind = made.get("data").unwrap_or(&made);
    kind["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_question_is_decided_by_two_weights_and_the_recount_agrees() {
    let hall = Hall::new().await;
    let question = hall.meeting.ask("YES_NO", hall.double_majority()).await;
    // Two of four units, and 600 of 999.5 thousandths: an even vote by units.
    let round = hall.counted(&question, &["Yes", "", "No"]).await;
    let result = hall.meeting.result(&round).await.gives(200);
    assert_eq!(result["decision"]["outcome"], "rejected");
    assert_eq!((&result["weightKind"]["name"], &result["votesCast"]["weight"]), (&json!("Units"), &json!(3)));
    let second = &result["secondWeight"];
    assert_eq!((&second["kind"]["name"], &second["kind"]["decimals"]), (&json!("Thousandths"), &json!(1)));
    assert_eq!((&second["register"]["weight"], &second["votesCast"]["weight"]), (&json!(999.5), &json!(600)));
    assert_eq!(second["options"][0]["weight"], 600);
    let sentence = result["arithmetic"]["sentence"].as_str().unwrap();
    let told = "600 of 999.5 in the whole register by Thousandths are yes";
    assert!(sentence.contains(told) && sentence.contains("1 of 3 votes by Units"), "{sentence}");
    let path = hall.meeting.path(&format!("/rounds/{}/declare", round.as_str().unwrap()));
    hall.club.admin.post(&path, Value::Null).await.gives(200);
    // Later changes of names and values change nothing in it.
    let renamed = json!({ "name": "Shares", "unit": "‰", "decimals": 3 });
    hall.club.admin.put(&format!("/client/weight-kinds/{}", hall.thousandths), renamed).await.gives(200);
    assert_eq!(hall.meeting.result(&round).await.gives(200)["secondWeight"], *second);
    let file = plenum_verify::read(hall.exported("json").await.as_bytes()).unwrap();
    let report = plenum_verify::verify(&file);
    assert!(report.agrees(), "{report:?}");
    let csv = hall.exported("csv").await;
    for part in ["Second weight", "by Thousandths", "Units"] {
        assert!(csv.contains(part), "{part}: {csv}");
    }
    let rounds = hall.meeting.rounds().await;
    assert_eq!((&rounds[0]["weightKind"]["name"], &rounds[0]["registerWeight"]), (&json!("Units"), &json!(4)));
    assert_eq!(rounds[0]["secondWeightKind"]["name"], "Thousandths");
    let register = hall.meeting.path(&format!("/rounds/{}/register", round.as_str().unwrap()));
    let rows = hall.club.admin.get(&register).await.gives(200)["data"].clone();
    assert_eq!((&rows[1]["weight"], &rows[1]["secondWeight"]), (&json!(1), &json!(399.5)));
    let integrity = hall.club.admin.get("/test/data-integrity").await.gives(200);
    assert_eq!(integrity["isValid"], true, "{integrity}");
    hall.app.link_audit_log().await;
    let log = hall.club.admin.get("/client/audit?pageSize=100").await.gives(200).to_string();
    assert!(log.contains("second_weight_kind") && log.contains("Thousandths"), "{log}");
}

#[tokio::test]
async fn a_meeting_counts_quorum_and_questions_by_its_kind() {
    let hall = Hall::new().await;
    let quorum = json!({ "minimum": 500, "unit": "weight", "attendance": "voted", "atOpening": "warn" });
    let changes = json!({ "weightKindId": hall.thousandths, "quorum": quorum });
    let changed = hall.club.admin.put(&hall.meeting.path(""), changes).await.gives(200);
    assert_eq!(changed["weightKindId"], json!(hall.thousandths));
    let question = hall.meeting.ask_yes_no().await;
    let missed = hall.counted(&question, &["", "Yes", "Yes"]).await;
    let result = hall.meeting.result(&missed).await.gives(200);
    assert_eq!(
        (&result["arithmetic"]["quorum"]["isMet"], &result["weightKind"]["name"]),
        (&json!(false), &json!("Thousandths"))
    );
    let question = hall.meeting.ask_yes_no().await;
    let met = hall.counted(&question, &["Yes"]).await;
    let quorum = hall.meeting.result(&met).await.gives(200)["arithmetic"]["quorum"].clone();
    assert_eq!((&quorum["isMet"], &quorum["attending"]), (&json!(true), &json!(600)));
    // A copy of the meeting counts as it does.
    let plan = json!({
        "title": "Next year", "scheduledStartTime": "2031-05-01T18:00:00Z", "scheduledEndTime": "2031-05-01T20:00:00Z",
    });
    let copy = hall.club.admin.post(&hall.meeting.path("/copy"), plan).await.gives(201);
    assert_eq!(copy["weightKindId"], json!(hall.thousandths));
    // The kind is used.
    let used = hall.club.admin.delete(&format!("/client/weight-kinds/{}", hall.thousandths)).await;
    used.refuses(409, "weight_kind_in_use");
}

#[tokio::test]
async fn kinds_that_do_not_fit_are_refused_at_their_field() {
    let hall = Hall::new().await;
    let stranger = hall.app.client("Chess Club").await;
    let theirs = add_kind(&stranger, "Theirs", 0).await;
    let own = hall.units.as_str();
    let rule = hall.double_majority()["decisionRule"].clone();
    let wrong = async |question_type: &str, fields: Value| {
        let refused = hall.try_asking(question_type, fields).await;
        assert_eq!(refused.status, 422, "{}", refused.text);
        refused.wrong_fields()
    };
    for kind in [theirs.as_str(), "00000000-0000-7000-8000-000000000000", "Units"] {
        assert_eq!(wrong("RATING", json!({ "weightKindId": kind })).await, ["weightKindId"], "{kind}");
        assert_eq!(wrong("RATING", json!({ "secondWeightKindId": kind })).await, ["secondWeightKindId"], "{kind}");
        let refused = hall.club.admin.put(&hall.meeting.path(""), json!({ "weightKindId": kind })).await;
        assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["weightKindId".to_owned()]), "{kind}");
    }
    let options = json!(["Yes", "No"]);
    for (fields, field) in [
        (json!({ "options": options, "decisionRule": rule }), "secondWeightKindId"),
        (json!({ "options": options, "weightKindId": own, "secondWeightKindId": own }), "secondWeightKindId"),
        (json!({ "options": options, "secrecy": "secret", "secondWeightKindId": own }), "secondWeightKindId"),
    ] {
        assert_eq!(wrong("YES_NO", fields.clone()).await, [field], "{fields}");
    }
    let by_option = json!({
        "options": ["Anna", "Bert"], "secondWeightKindId": own,
        "decisionRule": { "kind": "each_option", "condition": {
            "units": "second_weight", "base": "votes_cast", "comparison": "more_than", "numerator": 1, "denominator": 2,
        } },
    });
    assert_eq!(wrong("MULTIPLE_CHOICE", by_option).await, ["decisionRule.condition.units"]);
    // What the rule needs cannot be taken away, and neither can change once there are votes.
    let question = hall.meeting.ask("YES_NO", hall.double_majority()).await;
    let path = format!("/client/questions/{question}");
    let refused = hall.club.admin.put(&path, json!({ "secondWeightKindId": null })).await;
    assert_eq!((refused.status, refused.wrong_fields()), (422, vec!["secondWeightKindId".to_owned()]));
    hall.counted(&question, &["Yes"]).await;
    hall.club.admin.put(&path, json!({ "weightKindId": null })).await.refuses(409, "question_has_votes");
    // Nobody else reads or changes it.
    assert_eq!(stranger.admin.put(&path, json!({ "weightKindId": theirs })).await.status, 404);
}

#[tokio::test]
async fn a_forecast_of_secrecy_knows_the_kind() {
    let hall = Hall::new().await;
    let path = hall.meeting.path("/secrecy-forecast");
    let forecast = async |query: &str| hall.club.admin.get(&format!("{path}{query}")).await;
    let by_weight = forecast("").await.gives(200);
    assert!(by_weight["byWeight"].as_str().is_some_and(|words| words.ends_with("(weight 1)")), "{by_weight}");
    let by_shares = forecast(&format!("?weightKindId={}", hall.thousandths)).await.gives(200);
    assert!(by_shares["byWeight"].as_str().is_some_and(|words| words.contains("399.5")), "{by_shares}");
    assert_eq!(forecast("?weightKindId=x").await.wrong_fields(), ["weightKindId"]);
}

#[tokio::test]
async fn people_without_a_value_of_a_kind_are_told_before_the_meeting() {
    let hall = Hall::new().await;
    let path = hall.meeting.path("/missing-weights");
    let missing = async |query: &str| hall.club.admin.get(&format!("{path}{query}")).await;
    assert_eq!(missing("").await.gives(200), json!({ "people": 0, "first": [] }));
    let fresh = add_kind(&hall.club, "Inhabitants", 0).await;
    let zoe = hall.club.voter("zoe").await;
    let by_shares = missing(&format!("?weightKindId={}", hall.thousandths)).await.gives(200);
    assert_eq!((&by_shares["people"], &by_shares["first"][0]["username"]), (&json!(2), &json!("cleo")));
    assert_eq!(by_shares["first"][1], json!({ "endUserId": zoe.id, "name": "zoe", "username": "zoe" }));
    hall.club.admin.put(&hall.meeting.path(""), json!({ "weightKindId": fresh })).await.gives(200);
    let everybody = missing("").await.gives(200);
    assert!(everybody["people"].as_u64() > Some(1), "nobody has a value of the meeting's new kind: {everybody}");
    assert_eq!(missing("?weightKindId=x").await.wrong_fields(), ["weightKindId"]);
    assert_eq!(missing("?groupIds=x").await.wrong_fields(), ["groupIds"]);
    let stranger = hall.app.client("Chess Club").await;
    assert_eq!(stranger.admin.get(&path).await.status, 404);
}
