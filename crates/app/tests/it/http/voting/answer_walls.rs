//! The curation of answers to text questions, and the wall on the presentation.

use serde_json::{Value, json};

use crate::http::support::{Answer, EventStream, Organization, TestApp, TestMeeting, TestVoter};

/// An ended round of a text question, on the screen: "Trees" twice, "Benches" and "Rude words" once each.
struct Hall {
    app: TestApp,
    club: Organization,
    meeting: TestMeeting,
    question: String,
    round: String,
    ada: TestVoter,
}

impl Hall {
    async fn new() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let ada = club.voter("ada").await;
        let meeting = club.meeting().await;
        let others = [club.voter("ben").await, club.voter("cleo").await, club.voter("dora").await];
        let question = meeting.ask("OPEN_TEXT", json!({})).await;
        let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
        ada.vote(&meeting, &question, &["Trees"]).await.gives(201);
        for (voter, text) in others.iter().zip(["Trees", "Benches", "Rude words"]) {
            voter.vote(&meeting, &question, &[text]).await.gives(201);
        }
        meeting.show(&question).await;
        Self { app, club, meeting, question, round, ada }
    }

    async fn counted() -> Self {
        let hall = Self::new().await;
        hall.meeting.count(&json!(hall.round)).await.gives(200);
        hall
    }

    fn path(&self, rest: &str) -> String {
        self.meeting.path(&format!("/rounds/{}/answer-curation{rest}", self.round))
    }

    async fn declare(&self) {
        let path = self.meeting.path(&format!("/rounds/{}/declare", self.round));
        self.club.admin.post(&path, Value::Null).await.gives(200);
    }

    async fn id_of(&self, text: &str) -> String {
        let answers = self.club.admin.get(&self.path("/answers")).await.gives(200);
        let found = answers["data"].as_array().unwrap().iter().find(|answer| answer["text"] == text).cloned();
        found.unwrap()["id"].as_str().unwrap().to_owned()
    }

    async fn curate(&self, body: Value) -> Answer {
        self.club.admin.put(&self.path(""), body).await
    }

    /// A curation that picks Benches, groups Trees, and hides the rude words.
    async fn curation(&self, version: u32) -> Value {
        json!({
            "version": version, "isShown": true, "picked": [self.id_of("Benches").await],
            "groups": [{ "name": " Nature ", "answers": [self.id_of("Trees").await] }],
            "hidden": [self.id_of("Rude words").await],
        })
    }

    async fn wall(&self) -> Answer {
        self.app.anyone().get(&format!("/public/meetings/{}/presentation/answers", self.meeting.id)).await
    }
}

#[tokio::test]
async fn the_presentation_shows_the_answers_as_curated_and_never_the_hidden_ones() {
    let hall = Hall::counted().await;
    let before = hall.club.admin.get(&hall.path("")).await.gives(200);
    assert_eq!(
        (&before["version"], &before["isShown"], &before["isDeclared"]),
        (&json!(0), &json!(false), &json!(false))
    );
    let stored = hall.curate(hall.curation(0).await).await.gives(200);
    assert_eq!((&stored["version"], &stored["groups"][0]["name"]), (&json!(1), &json!("Nature")));
    assert_eq!(stored["groups"][0]["heads"], 2);
    // Counted, and not declared.
    hall.wall().await.refuses(404, "no_answer_wall");
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    assert_eq!(screen.until("connected").await["currentQuestion"]["answerWall"], Value::Null);
    hall.declare().await;
    let state = screen.until("meeting_update").await;
    assert_eq!(state["currentQuestion"]["answerWall"], 1);
    let card = |kind: &str, text: &str, heads: u32| json!({ "kind": kind, "text": text, "isCut": false, "heads": heads, "differentAnswers": 1 });
    let wall = json!({ "cards": [card("PICKED", "Benches", 1), card("GROUP", "Nature", 2)], "more": 0, "hidden": 1 });
    let expected = json!({ "roundId": hall.round, "version": 1, "wall": wall });
    assert_eq!(hall.wall().await.gives(200), expected);
    assert_eq!(stored["wall"], expected["wall"]);
    // After the declaration, too. The screen learns of it.
    let hidden = json!({
        "version": 1, "isShown": true, "picked": [], "groups": [],
        "hidden": [hall.id_of("Rude words").await, hall.id_of("Benches").await],
    });
    hall.curate(hidden).await.gives(200);
    assert_eq!(screen.until("meeting_update").await["currentQuestion"]["answerWall"], 2);
    let shown = hall.wall().await;
    assert_eq!(shown.gives(200)["wall"], json!({ "cards": [card("ANSWER", "Trees", 2)], "more": 0, "hidden": 2 }));
    for rest in ["", "/result", "/answers"] {
        let path = format!("/public/meetings/{}/presentation{rest}", hall.meeting.id);
        let public = hall.app.anyone().get(&path).await;
        assert_eq!(public.status, 200, "{path}");
        assert!(!public.text.contains("Rude") && !public.text.contains("Benches"), "{path}: {}", public.text);
    }
    let none = json!({ "version": 2, "isShown": false, "picked": [], "groups": [], "hidden": [] });
    hall.curate(none).await.gives(200);
    assert_eq!(screen.until("meeting_update").await["currentQuestion"]["answerWall"], Value::Null);
    hall.wall().await.refuses(404, "no_answer_wall");
}

#[tokio::test]
async fn without_a_curation_the_presentation_shows_no_answer() {
    let hall = Hall::new().await;
    hall.declare().await;
    hall.wall().await.refuses(404, "no_answer_wall");
    let state = hall.app.anyone().get(&format!("/public/meetings/{}/presentation", hall.meeting.id)).await.gives(200);
    assert_eq!(state["currentQuestion"]["declaredRoundId"], hall.round);
    assert_eq!(state["currentQuestion"]["answerWall"], Value::Null);
}

#[tokio::test]
async fn results_and_exports_keep_every_answer() {
    let hall = Hall::counted().await;
    hall.declare().await;
    let paths = [
        hall.meeting.path(&format!("/rounds/{}/result", hall.round)),
        hall.meeting.path(&format!("/rounds/{}/answers", hall.round)),
        hall.meeting.path("/results"),
        format!("/voting/meetings/{}/results", hall.meeting.id),
    ];
    let read = async |path: &String| {
        let caller = if path.starts_with("/voting") { &hall.ada.caller } else { &hall.club.admin };
        let mut answer = caller.get(path).await.gives(200);
        // Attendance is recorded in the background, also while answers are curated.
        answer.as_object_mut().map(|fields| fields.remove("attendance"));
        answer
    };
    let mut before = Vec::new();
    for path in &paths {
        before.push(read(path).await);
    }
    let rounds = async || {
        hall.club.admin.get(&hall.meeting.path("/results/export?format=json")).await.gives(200)["rounds"].clone()
    };
    let exported = rounds().await;
    hall.curate(hall.curation(0).await).await.gives(200);
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(read(path).await, before, "{path}");
    }
    assert_eq!(rounds().await, exported);
    assert!(exported.to_string().contains("Rude words"), "{exported}");
}

#[tokio::test]
async fn an_organizer_lists_the_answers_by_frequency_and_place() {
    let hall = Hall::counted().await;
    hall.curate(hall.curation(0).await).await.gives(200);
    let listed = async |query: &str| {
        let page = hall.club.admin.get(&hall.path(&format!("/answers{query}"))).await.gives(200);
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| format!("{} {} {}", row["text"], row["heads"], row["place"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    let all = ["Trees 2 GROUPED", "Benches 1 PICKED", "Rude words 1 HIDDEN"];
    assert_eq!(listed("").await, all);
    assert_eq!(listed("?place=HIDDEN").await, all[2..]);
    assert_eq!(listed("?place=OTHER").await, Vec::<String>::new());
    assert_eq!(listed("?search=tree").await, all[..1]);
    assert_eq!(listed("?page=2&pageSize=2").await, all[2..]);
    for (query, field) in [("?place=hidden", "place"), ("?pageSize=201", "pageSize")] {
        assert_eq!(hall.club.admin.get(&hall.path(&format!("/answers{query}"))).await.wrong_fields(), [field]);
    }
}

#[tokio::test]
async fn a_curation_that_does_not_fit_is_refused_with_its_field() {
    let hall = Hall::counted().await;
    let (trees, benches) = (hall.id_of("Trees").await, hall.id_of("Benches").await);
    let unknown = "0".repeat(32);
    let body = |picked: Value, groups: Value, hidden: Value| json!({ "version": 0, "isShown": true, "picked": picked, "groups": groups, "hidden": hidden });
    let none = || json!([]);
    let group = |name: &str, ids: &[&String]| json!({ "name": name, "answers": ids });
    for (wrong, field) in [
        (body(json!([unknown]), none(), none()), "picked"),
        (body(none(), none(), json!([unknown])), "hidden"),
        (body(none(), json!([group("X", &[&unknown])]), none()), "groups"),
        (body(json!([trees]), none(), json!([trees])), "hidden"),
        (body(none(), json!([group("X", &[&trees]), group("X", &[&benches])]), none()), "groups"),
        (body(none(), json!([group("two\nlines", &[&trees])]), none()), "groups"),
    ] {
        let refused = hall.curate(wrong.clone()).await;
        assert_eq!(refused.wrong_fields(), [field], "{wrong}");
    }
    for wrong in [
        body(json!(["Trees"]), none(), none()),
        body(none(), json!([group("X", &[])]), none()),
        body(none(), json!([group(&"a".repeat(101), &[&trees])]), none()),
        body(json!(vec![trees.clone(); 21]), none(), none()),
        body(none(), json!(vec![group("X", &[&trees]); 51]), none()),
        json!({ "version": -1, "isShown": true, "picked": [], "groups": [], "hidden": [] }),
        json!({ "version": 2_147_483_648_u32, "isShown": true, "picked": [], "groups": [], "hidden": [] }),
        json!({ "version": 0, "picked": [], "groups": [], "hidden": [] }),
    ] {
        assert_eq!(hall.curate(wrong.clone()).await.status, 422, "{wrong}");
    }
    assert_eq!(hall.club.admin.get(&hall.path("")).await.gives(200)["version"], 0);
}

#[tokio::test]
async fn the_first_of_two_organizers_wins_and_a_repeat_changes_nothing() {
    let hall = Hall::counted().await;
    let curation = hall.curation(0).await;
    let first = hall.curate(curation.clone()).await.gives(200);
    let other = json!({ "version": 0, "isShown": true, "picked": [], "groups": [], "hidden": [] });
    hall.curate(other.clone()).await.refuses(409, "answers_curated_meanwhile");
    assert_eq!(hall.curate(curation).await.gives(200), first);
    let mut other = other;
    other["version"] = json!(1);
    assert_eq!(hall.curate(other).await.gives(200)["version"], 2);
    let audit = hall.club.admin.get("/client/audit?kind=answers_curated").await.gives(200)["data"].clone();
    assert_eq!(audit.as_array().unwrap().len(), 2, "{audit}");
    let changes = audit[1]["changes"].to_string();
    for part in ["answers_shown", "Nature", "picked_answers", "hidden_answers"] {
        assert!(changes.contains(part), "{changes}");
    }
    assert!(!audit.to_string().contains("Rude"), "{audit}");
}

#[tokio::test]
async fn answers_are_curated_only_in_the_last_counted_round_of_a_text_question() {
    let hall = Hall::new().await;
    let body = json!({ "version": 0, "isShown": true, "picked": [], "groups": [], "hidden": [] });
    hall.curate(body.clone()).await.refuses(409, "round_not_counted");
    hall.meeting.open(&hall.question).await;
    hall.curate(body.clone()).await.refuses(409, "round_still_open");
    for rest in ["", "/answers"] {
        let refused = hall.club.admin.get(&hall.path(rest)).await;
        refused.refuses(409, "round_still_open");
    }
    hall.meeting.clear().await;
    hall.meeting.count(&json!(hall.round)).await.gives(200);
    hall.curate(body.clone()).await.gives(200);
    let revote = json!({ "questionId": hall.question, "reason": "Somebody was cut off" });
    hall.club.admin.post(&hall.meeting.path("/rounds"), revote).await.gives(201);
    let changed = json!({ "version": 1, "isShown": false, "picked": [], "groups": [], "hidden": [] });
    hall.curate(changed).await.refuses(409, "round_superseded");
    hall.meeting.clear().await;
    let other = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&other).await["roundId"].clone();
    hall.meeting.clear().await;
    hall.meeting.count(&round).await.gives(200);
    let path = hall.meeting.path(&format!("/rounds/{}/answer-curation", round.as_str().unwrap()));
    hall.club.admin.put(&path, body.clone()).await.refuses(409, "not_a_text_question");
    hall.club.admin.get(&path).await.refuses(409, "not_a_text_question");
    let stranger = hall.app.client("Sailing Club").await.admin;
    assert_eq!(stranger.put(&hall.path(""), body.clone()).await.status, 404);
    assert_eq!(hall.ada.caller.put(&hall.path(""), body.clone()).await.status, 403);
    assert_eq!(hall.app.anyone().put(&hall.path(""), body).await.status, 401);
}
