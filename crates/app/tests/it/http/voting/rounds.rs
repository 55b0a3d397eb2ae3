use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp};

#[tokio::test]
async fn an_open_round_shows_no_tally() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    meeting.count(&round).await.refuses(409, "round_still_open");
    meeting.clear().await;
    meeting.open(&question).await;
    meeting.count(&round).await.refuses(409, "round_still_open");
}

#[tokio::test]
async fn options_are_counted_in_heads_and_in_exact_weight() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let voters = [
        (club.voter_of_weight("ada", "0.1").await, "Yes"),
        (club.voter_of_weight("ben", "0.2").await, "Yes"),
        (club.voter_of_weight("cleo", "33.3333").await, "No"),
        (club.voter_of_weight("dora", "0").await, "Yes"),
    ];
    club.voter_of_weight("absent", "100").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    for (voter, answer) in &voters {
        voter.vote(&meeting, &question, &[answer]).await.gives(201);
    }
    meeting.clear().await;
    let answer = meeting.count(&round).await;
    let result = answer.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": 4, "weight": 33.6333 }));
    assert_eq!(result["register"], json!({ "heads": 5, "weight": 133.6333 }));
    // 0.1 + 0.2 is exactly 0.3.
    assert!(answer.text.contains(r#""heads":3,"weight":0.3,"#), "{}", answer.text);
    let options = result["options"].as_array().unwrap();
    let counts: Vec<_> = options.iter().map(|option| (&option["text"], &option["heads"], &option["role"])).collect();
    assert_eq!(counts[0], (&json!("Yes"), &json!(3), &json!("yes")));
    assert_eq!(counts[1], (&json!("No"), &json!(1), &json!("no")));
    assert_eq!(counts[2], (&json!("Abstain"), &json!(0), &json!("abstain")));
    assert_eq!((&result["numbers"], &result["differentTexts"]), (&Value::Null, &Value::Null));
    assert_eq!((&result["roundId"], &result["status"]), (&round, &json!("COUNTED")));
    assert_eq!(result["notVoted"], json!({ "heads": 1, "weight": 100 }));
    assert_eq!(result["invalid"], json!({ "heads": 0, "weight": 0 }));
    assert_eq!((&options[0]["headsPercent"], &options[0]["weightPercent"]), (&json!(75), &json!(0.89)));
    assert_eq!((&options[1]["headsPercent"], &options[1]["weightPercent"]), (&json!(25), &json!(99.11)));
    assert!(result["endedAt"].is_string());
}

#[tokio::test]
async fn numbers_and_texts_have_tallies_of_their_own() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let voters = [
        club.voter_of_weight("ada", "1").await,
        club.voter_of_weight("ben", "2.5").await,
        club.voter_of_weight("cleo", "0.0001").await,
    ];
    let meeting = club.meeting().await;
    let [_, choices, rating, percentage, text] = meeting.with_questions().await;
    let mut results = Vec::new();
    let mut texts_of = meeting.admin.get(&meeting.path("/rounds")).await;
    for (question, answers) in [
        (&choices, [vec!["A", "B"], vec!["B"], vec!["B", "A"]]),
        (&rating, [vec!["1"], vec!["5"], vec!["5"]]),
        (&percentage, [vec!["0"], vec!["50.50"], vec!["100"]]),
        (&text, [vec!["Trees"], vec!["Trees"], vec!["Benches"]]),
    ] {
        let round = meeting.open(question).await["roundId"].clone();
        for (voter, answers) in voters.iter().zip(&answers) {
            voter.vote(&meeting, question, answers).await.gives(201);
        }
        meeting.clear().await;
        results.push(meeting.count(&round).await.gives(200));
        texts_of = meeting.admin.get(&meeting.path(&format!("/rounds/{}/answers", round.as_str().unwrap()))).await;
    }
    let options = &results[0]["options"];
    assert_eq!((&options[0]["heads"], &options[0]["weight"]), (&json!(2), &json!(1.0001)));
    assert_eq!((&options[1]["heads"], &options[1]["weight"]), (&json!(3), &json!(3.5001)));
    assert_eq!((&options[2]["heads"], &options[2]["weight"]), (&json!(0), &json!(0)));
    assert_eq!(results[0]["votesCast"], json!({ "heads": 3, "weight": 3.5001 }));

    let numbers = &results[1]["numbers"];
    assert_eq!(numbers["mean"], json!(3.6667));
    assert_eq!(numbers["median"], json!(5));
    assert_eq!(numbers["distribution"].as_array().unwrap().len(), 5);
    assert_eq!(numbers["distribution"][4], json!({ "value": 5, "heads": 2, "weight": 2.5001 }));

    let numbers = &results[2]["numbers"];
    assert_eq!((&numbers["mean"], &numbers["median"]), (&json!(50.1667), &json!(50.5)));
    assert_eq!(numbers["distribution"].as_array().unwrap().len(), 3);

    let texts = &texts_of.gives(200)["data"];
    assert_eq!(results[3]["differentTexts"], 2);
    assert_eq!(texts[0], json!({ "text": "Benches", "heads": 1, "weight": 0.0001 }));
    assert_eq!(texts[1], json!({ "text": "Trees", "heads": 2, "weight": 3.5 }));
    assert_eq!(results[3]["options"], json!([]));
}

#[tokio::test]
async fn a_round_without_votes_has_a_result_without_numbers() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let meeting = club.meeting().await;
    let [_, _, rating, ..] = meeting.with_questions().await;
    let round = meeting.open(&rating).await["roundId"].clone();
    meeting.clear().await;
    let result = meeting.count(&round).await.gives(200);
    assert_eq!(result["votesCast"], json!({ "heads": 0, "weight": 0 }));
    assert_eq!(result["register"], json!({ "heads": 0, "weight": 0 }));
    assert_eq!((&result["numbers"]["mean"], &result["numbers"]["weightedMean"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_round_of_another_meeting_or_of_none_is_404() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (meeting, other) = (club.meeting().await, club.meeting().await);
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].clone();
    meeting.clear().await;
    other.count(&round).await.refuses(404, "round_not_found");
    for id in [NO_ID, "no-id"] {
        meeting.count(&json!(id)).await.refuses(404, "round_not_found");
    }
    assert_eq!(other.rounds().await, Vec::<Value>::new());
}

#[tokio::test]
async fn organizers_see_who_has_not_voted_and_never_what_anyone_voted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ada, ben) = (club.voter("ada").await, club.voter_of_weight("ben", "1.5").await);
    club.voter("clara").await;
    let meeting = club.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    ada.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let register =
        async |query: &str| club.admin.get(&meeting.path(&format!("/rounds/{round}/register{query}"))).await.gives(200);
    let names = |answer: &Value| -> Vec<String> {
        let rows = answer["data"].as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };

    let all = register("").await;
    assert_eq!(names(&all), ["ada", "ben", "clara"]);
    assert_eq!(all["meta"], json!({ "page": 1, "pageSize": 50, "total": 3 }));
    let of_ben = json!({ "endUserId": ben.id, "name": "ben", "username": "ben", "weight": 1.5, "secondWeight": null,
        "hasVoted": false, "castOn": null, "holder": null });
    assert_eq!(all["data"][1], of_ben);
    assert_eq!(names(&register("?voted=true").await), ["ada"]);
    let missing = register("?voted=false&pageSize=1&page=2").await;
    assert_eq!((names(&missing), &missing["meta"]["total"]), (vec!["clara".to_owned()], &json!(2)));
    assert_eq!(names(&register("?search=BE").await), ["ben"]);
    for (query, field) in [("voted=maybe", "voted"), ("page=0", "page"), ("pageSize=201", "pageSize")] {
        let answer = club.admin.get(&meeting.path(&format!("/rounds/{round}/register?{query}"))).await;
        assert_eq!(answer.wrong_fields(), [field], "{query}");
    }
    let stranger = club.meeting().await;
    club.admin.get(&stranger.path(&format!("/rounds/{round}/register"))).await.refuses(404, "round_not_found");
}
