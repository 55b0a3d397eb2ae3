use serde_json::{Value, json};

use crate::http::support::{NO_ID, TestApp};

#[tokio::test]
async fn an_organization_is_found_by_its_code_in_any_case() {
    let app = TestApp::start().await;
    app.client("Rowing Club").await;
    for code in ["rowing-club", "ROWING-CLUB"] {
        let answer = app.anyone().get(&format!("/public/client/{code}")).await.gives(200);
        let branding = json!({ "accent": null, "logoVersion": null });
        let client = json!({ "name": "Rowing Club", "clientCode": "rowing-club", "branding": branding });
        assert_eq!(answer, json!({ "success": true, "client": client }));
    }
    for code in ["unknown", "not%20a%20code", "%00", "%25"] {
        app.anyone().get(&format!("/public/client/{code}")).await.refuses(404, "client_not_found");
    }
}

/// Every key and every text of a JSON value.
fn words(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.push(name.clone());
                words(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| words(value, found)),
        Value::String(text) => found.push(text.clone()),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[tokio::test]
async fn the_presentation_shows_the_meeting_and_carries_no_ids() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "description": "Yearly" })).await;
    let [question, second, ..] = meeting.with_questions().await;
    let path = format!("/public/meetings/{}/presentation", meeting.id);
    let before = app.anyone().get(&path).await.gives(200);
    assert_eq!(before["currentQuestion"], Value::Null);

    let opened = meeting.open(&question).await;
    ben.vote(&meeting, &question, &["Yes"]).await.gives(201);
    let shown = crate::http::support::until("the vote is on the screen", async || {
        let shown = app.anyone().get(&path).await.gives(200);
        (shown["voteCount"] == 1).then_some(shown)
    })
    .await;
    assert_eq!((&shown["title"], &shown["description"]), (&json!("General assembly"), &json!("Yearly")));
    assert_eq!((&shown["organization"], &shown["clientCode"]), (&json!("Rowing Club"), &json!("rowing-club")));
    assert_eq!((&shown["status"], &shown["questionCount"]), (&json!("ACTIVE"), &json!(5)));
    assert_eq!(shown["registerSize"], 1);
    let current = &shown["currentQuestion"];
    assert_eq!((&current["questionText"], &current["isOpen"]), (&json!("Agreed?"), &json!(true)));
    assert_eq!(current["options"], json!(["Yes", "No", "Abstain"]));

    let mut found = Vec::new();
    words(&shown, &mut found);
    let secrets = [&meeting.id, &club.id, &question, &ben.id, &opened["roundId"].as_str().unwrap().to_owned()];
    for word in &found {
        // The id of a round appears once its result is declared, not before.
        let is_id = word.ends_with("Id") && word != "declaredRoundId";
        assert!(!is_id && word != "id" && word != "ben", "{word} in {shown}");
        assert!(!secrets.iter().any(|secret| word.contains(*secret)), "{word} in {shown}");
    }

    // The presentation also has a shown question, which is not open.
    meeting.show(&second).await;
    let shown = app.anyone().get(&path).await.gives(200);
    assert_eq!(shown["currentQuestion"]["isOpen"], false);
    assert_eq!(shown["currentQuestion"]["maxChoices"], 2);
}

#[tokio::test]
async fn a_meeting_that_does_not_exist_has_no_presentation() {
    let app = TestApp::start().await;
    for id in [NO_ID, "no-id"] {
        for rest in ["presentation", "presentation/stream"] {
            app.anyone().get(&format!("/public/meetings/{id}/{rest}")).await.refuses(404, "meeting_not_found");
        }
    }
}
