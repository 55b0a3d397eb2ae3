use serde_json::{Value, json};

use super::{Answer, Caller, PASSWORD};

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// An organization with its administrator.
pub(crate) struct Organization {
    pub(crate) id: String,
    pub(crate) code: String,
    pub(crate) name: String,
    pub(crate) admin: Caller,
}

impl Organization {
    /// Reads the organization from a response.
    pub(crate) fn new(client: &Value, admin: Caller) -> Self {
        Self { id: text(&client["id"]), code: text(&client["clientCode"]), name: text(&client["name"]), admin }
    }

    /// A new signed-in voter of weight 1.
    pub(crate) async fn voter(&self, username: &str) -> TestVoter {
        self.voter_of_weight(username, "1").await
    }

    /// A new signed-in voter.
    pub(crate) async fn voter_of_weight(&self, username: &str, weight: &str) -> TestVoter {
        let weight: Value = serde_json::from_str(weight).unwrap();
        let body = json!({ "username": username, "name": username, "weight": weight, "password": PASSWORD });
        let made = self.admin.post("/client/end-users", body).await.gives(201);
        TestVoter { id: text(&made["data"]["id"]), caller: self.admin.sign_in_voter(&self.code, username).await }
    }

    /// A new running meeting.
    pub(crate) async fn meeting(&self) -> TestMeeting {
        self.meeting_with(json!({ "status": "ACTIVE" })).await
    }

    /// A new meeting with these fields, in which a round without a decision rule stays uncounted and can reopen.
    pub(crate) async fn meeting_with(&self, fields: Value) -> TestMeeting {
        let mut body = json!({
            "title": "General assembly", "scheduledStartTime": "2030-05-01T18:00:00Z",
            "scheduledEndTime": "2030-05-01T20:00:00Z", "countsSurveysAtEnd": false,
        });
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        let made = self.admin.post("/client/meetings", body).await.gives(201);
        TestMeeting { id: text(&made["id"]), admin: self.admin.clone() }
    }
}

/// A signed-in voter.
pub(crate) struct TestVoter {
    pub(crate) id: String,
    pub(crate) caller: Caller,
}

impl TestVoter {
    /// Votes like the front end.
    pub(crate) async fn vote(&self, meeting: &TestMeeting, question: &str, answers: &[&str]) -> Answer {
        self.caller.post(&meeting.vote_path(question), json!({ "answers": answers })).await
    }

    /// The meeting as the voter sees it.
    pub(crate) async fn sees(&self, meeting: &TestMeeting) -> Value {
        self.caller.get(&format!("/voting/meetings/{}", meeting.id)).await.gives(200)["meeting"].clone()
    }
}

/// A meeting and its organizer.
pub(crate) struct TestMeeting {
    pub(crate) id: String,
    pub(crate) admin: Caller,
}

impl TestMeeting {
    /// An address below that of the meeting.
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/client/meetings/{}{rest}", self.id)
    }

    /// The address for votes on a question.
    pub(crate) fn vote_path(&self, question: &str) -> String {
        format!("/voting/meetings/{}/questions/{question}/vote", self.id)
    }

    /// Adds a question to the agenda. Returns its id.
    pub(crate) async fn ask(&self, question_type: &str, fields: Value) -> String {
        let mut body = json!({ "meetingId": self.id, "questionText": "Agreed?", "questionType": question_type });
        for (name, value) in fields.as_object().unwrap() {
            body[name] = value.clone();
        }
        text(&self.admin.post("/client/questions", body).await.gives(201)["id"])
    }

    /// Adds a question with the options Yes, No and Abstain.
    pub(crate) async fn ask_yes_no(&self) -> String {
        self.ask("YES_NO", json!({ "options": ["Yes", "No", "Abstain"] })).await
    }

    /// Adds a question of each type: YES_NO, MULTIPLE_CHOICE (two of A, B, C), RATING to 5, PERCENTAGE, OPEN_TEXT.
    pub(crate) async fn with_questions(&self) -> [String; 5] {
        [
            self.ask_yes_no().await,
            self.ask("MULTIPLE_CHOICE", json!({ "options": ["A", "B", "C"], "maxChoices": 2 })).await,
            self.ask("RATING", json!({})).await,
            self.ask("PERCENTAGE", json!({})).await,
            self.ask("OPEN_TEXT", json!({})).await,
        ]
    }

    /// Opens a question for voting. Returns the current question.
    pub(crate) async fn open(&self, question: &str) -> Value {
        self.put_question(json!({ "questionId": question })).await.gives(200)["currentQuestion"].clone()
    }

    /// Shows a question without opening it.
    pub(crate) async fn show(&self, question: &str) -> Value {
        let body = json!({ "questionId": question, "open": false });
        self.put_question(body).await.gives(200)["currentQuestion"].clone()
    }

    /// Ends the voting and clears the presentation.
    pub(crate) async fn clear(&self) {
        self.put_question(json!({ "questionId": null })).await.gives(200);
    }

    pub(crate) async fn put_question(&self, body: Value) -> Answer {
        self.admin.put(&self.path("/current-question"), body).await
    }

    /// The rounds of the meeting.
    pub(crate) async fn rounds(&self) -> Vec<Value> {
        self.admin.get(&self.path("/rounds")).await.gives(200).as_array().unwrap().clone()
    }

    /// Counts a round.
    pub(crate) async fn count(&self, round: &Value) -> Answer {
        let path = self.path(&format!("/rounds/{}/count", round.as_str().unwrap()));
        self.admin.post(&path, Value::Null).await
    }

    /// The result of a counted round.
    pub(crate) async fn result(&self, round: &Value) -> Answer {
        self.admin.get(&self.path(&format!("/rounds/{}/result", round.as_str().unwrap()))).await
    }
}
