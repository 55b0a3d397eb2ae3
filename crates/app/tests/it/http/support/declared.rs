use plenum_adapter_postgres::AuditChains;
use serde_json::{Value, json};

use super::{TestApp, TestMeeting, TestVoter};

/// A meeting with a declared round of every type of question, and a declared re-vote.
pub(crate) struct Declared {
    pub(crate) app: TestApp,
    pub(crate) meeting: TestMeeting,
    pub(crate) ada: TestVoter,
    /// The id of the organization.
    pub(crate) client: String,
    /// Of the first question.
    pub(crate) round: String,
}

impl Declared {
    /// A served product with this meeting.
    pub(crate) async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let (ada, ben) = (club.voter_of_weight("ada", "2.5").await, club.voter("ben").await);
        let meeting = club.meeting().await;
        let mut questions = meeting.with_questions().await;
        questions[0] = meeting
            .ask("YES_NO", json!({ "options": ["Yes", "No", "Abstain"], "decisionRule": simple_majority() }))
            .await;
        chain_the_log(&app).await;
        let answers: [&[&str]; 5] = [&["Yes"], &["A", "B"], &["4"], &["37.5"], &["Trees"]];
        let mut first = None;
        for (question, answer) in questions.iter().zip(answers) {
            let round = meeting.open(question).await["roundId"].as_str().unwrap().to_owned();
            let voted = ada.vote(&meeting, question, answer).await;
            assert!(voted.status == 201, "{question} {answer:?}: {}", voted.text);
            meeting.clear().await;
            declare(&meeting, &round).await;
            first.get_or_insert(round);
        }
        let again = json!({ "questionId": questions[0], "reason": "Somebody was cut off" });
        let again = meeting.admin.post(&meeting.path("/rounds"), again).await.gives(201);
        ben.vote(&meeting, &questions[0], &["No"]).await.gives(201);
        meeting.clear().await;
        declare(&meeting, again["currentQuestion"]["roundId"].as_str().unwrap()).await;
        Self { app, meeting, ada, client: club.id, round: first.unwrap() }
    }

    /// The exported results.
    pub(crate) async fn export(&self) -> Value {
        self.meeting.admin.get(&self.meeting.path("/results/export?format=json")).await.gives(200)
    }

    /// The rounds of the export.
    pub(crate) async fn rounds(&self) -> Value {
        self.export().await["rounds"].clone()
    }
}

fn simple_majority() -> Value {
    let condition = json!({
        "units": "weight", "base": "yes_plus_no", "comparison": "more_than", "numerator": 1, "denominator": 2,
    });
    json!({ "kind": "majority", "conditions": [condition], "onTie": "rejected" })
}

/// Links the entries of the audit log now, so that records contain its end.
async fn chain_the_log(app: &TestApp) {
    let chains = AuditChains::new(app.database.db());
    let all = chains.all().await.unwrap();
    for chain in all {
        while chains.state(chain).await.unwrap().head.is_none() {
            chains.link().await.unwrap();
        }
    }
}

async fn declare(meeting: &TestMeeting, round: &str) {
    meeting.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
}
