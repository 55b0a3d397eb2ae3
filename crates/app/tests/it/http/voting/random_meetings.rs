//! Meetings with random steps. Whatever their order, no step fails in the server, and at the end all files and the database
//! are consistent. `PLENUM_RANDOM_MEETINGS=1-500` takes other seeds than those of the gate.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::support::paper::desk;
use crate::http::support::{Answer, Caller, Organization, TestApp, TestMeeting, TestVoter, until};

const VOTERS: usize = 6;
const STEPS_OF_A_MEETING: usize = 70;

#[tokio::test]
async fn random_steps_leave_consistent_files_and_a_consistent_database() {
    let seeds = std::env::var("PLENUM_RANDOM_MEETINGS").unwrap_or_else(|_| "1-3".to_owned());
    let (first, last) = seeds.split_once('-').expect("two numbers, as in 1-500");
    let app = TestApp::start().await;
    for seed in first.parse().unwrap()..=last.parse().unwrap() {
        let mut walk = Walk::begin(&app, seed).await;
        for _ in 0..STEPS_OF_A_MEETING {
            let step = *walk.dice.pick(&STEPS);
            walk.take(step).await;
        }
        walk.finish(&app).await;
    }
}

/// Random numbers that follow from the seed alone (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(limit).unwrap()).unwrap()
    }

    fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// The form of a valid answer.
#[derive(Clone, Copy)]
enum Form {
    YesNo,
    Choices,
    Rating,
    Text,
    Ranking,
    Plurality,
}

impl Form {
    fn answers(self, dice: &mut Dice) -> Vec<&'static str> {
        let choices: &[&[&str]] = match self {
            Self::YesNo => &[&["Yes"], &["Yes"], &["No"], &["Abstain"]],
            Self::Choices => &[&["A"], &["B", "C"], &["A", "C"]],
            Self::Rating => &[&["1"], &["4"], &["5"]],
            Self::Text => &[&["More light"], &["more light"], &["=1+1"]],
            Self::Ranking => &[&["1:1"], &["1:2", "2:1"], &["1:3", "2:2", "3:1"], &["abstain"]],
            Self::Plurality => &[&["1"], &["2"], &["3"]],
        };
        dice.pick(choices).to_vec()
    }
}

/// A question, as it is asked.
struct Asked {
    id: String,
    form: Form,
}

/// The kinds of questions: the form of their answers, their type and their terms.
fn kinds() -> Vec<(Form, &'static str, Value)> {
    let more_than_half = |units: &str, base: &str| json!({ "units": units, "base": base, "comparison": "more_than", "numerator": 1, "denominator": 2 });
    let majority = json!([more_than_half("heads", "yes_plus_no")]);
    let both = json!([more_than_half("weight", "votes_cast"), more_than_half("heads", "whole_register")]);
    let election = |method: &str, seats: u32, ties: &str| {
        let election = json!({ "method": method, "seats": seats, "ties": ties });
        json!({ "options": ["Ann", "Bob", "Cy"], "decisionRule": { "kind": "election", "election": election } })
    };
    let yes_no = ["Yes", "No", "Abstain"];
    vec![
        (Form::YesNo, "YES_NO", json!({ "options": yes_no })),
        (
            Form::YesNo,
            "YES_NO",
            json!({ "options": yes_no, "decisionRule": {
                "kind": "majority", "conditions": majority, "onTie": "casting_vote",
            } }),
        ),
        (
            Form::YesNo,
            "YES_NO",
            json!({ "options": yes_no, "decisionRule": { "kind": "majority", "conditions": both },
                "quorum": { "unit": "heads", "attendance": "voted", "minimum": 2 } }),
        ),
        (
            Form::Choices,
            "MULTIPLE_CHOICE",
            json!({ "options": ["A", "B", "C"], "maxChoices": 2,
                "decisionRule": { "kind": "plurality", "unit": "weight", "seats": 2 } }),
        ),
        (Form::Rating, "RATING", json!({})),
        (Form::Text, "OPEN_TEXT", json!({})),
        (Form::Ranking, "ELECTION", election("irv", 1, "lot")),
        (Form::Plurality, "ELECTION", election("plurality", 2, "lot_by_hand")),
    ]
}

/// A step of the organizer, of voters, or of helpers. Many are refused where they happen.
#[derive(Clone, Copy, Debug)]
enum Step {
    Open,
    Close,
    Vote,
    VoteForOthers,
    Count,
    Declare,
    VoteAgain,
    Come,
    Exclude,
    Admit,
    Grant,
    ChangePerson,
    ChangeList,
    ChangeMeeting,
    EndOrStart,
    Paper,
    Place,
    DecideTies,
    AnswerSeat,
    AddNextBallot,
    Reorder,
}

/// The steps, those of most meetings more often.
const STEPS: [Step; 42] = {
    use Step::*;
    [
        Open,
        Open,
        Open,
        Open,
        Open,
        Close,
        Close,
        Close,
        Vote,
        Vote,
        Vote,
        Vote,
        Vote,
        Vote,
        VoteForOthers,
        VoteForOthers,
        Count,
        Count,
        Count,
        Declare,
        Declare,
        Declare,
        VoteAgain,
        VoteAgain,
        Come,
        Come,
        Exclude,
        Admit,
        Admit,
        Grant,
        Grant,
        ChangePerson,
        ChangeList,
        ChangeMeeting,
        EndOrStart,
        Paper,
        Place,
        DecideTies,
        DecideTies,
        AnswerSeat,
        AddNextBallot,
        Reorder,
    ]
};

/// The open round.
struct Opened {
    question: String,
    round: String,
    form: Form,
}

/// A meeting in which anything may happen next.
struct Walk {
    seed: u64,
    dice: Dice,
    meeting: TestMeeting,
    voters: Vec<TestVoter>,
    asked: Vec<Asked>,
    tellers: Caller,
    place: Caller,
    /// What was done so far, for the message of a failure.
    trail: Vec<String>,
}

impl Walk {
    async fn begin(app: &TestApp, seed: u64) -> Self {
        let mut dice = Dice(seed);
        let club: Organization = app.client(&format!("Club {seed}")).await;
        let mut voters = Vec::new();
        for number in 0..VOTERS {
            let weight = *dice.pick(&["1", "1", "2.5", "10"]);
            voters.push(club.voter_of_weight(&name_of(number), weight).await);
        }
        let quorum = json!({ "unit": "weight", "attendance": "present", "comparison": "at_least", "numerator": 1,
            "denominator": 3, "atOpening": "warn" });
        let check_in = *dice.pick(&["ON", "OFF"]);
        let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": check_in, "quorum": quorum })).await;
        let proxies = json!({
            "isOn": true, "principalsMayGrant": true, "maxPrincipals": null, "maxWeight": null,
            "maxSharePercent": null, "holders": "PARTICIPANTS", "questionsWithout": [],
        });
        meeting.admin.put(&meeting.path("/proxies/settings"), proxies).await.gives(200);
        let tellers = app.anyone().with_token(desk(&meeting, "Tellers 1", "TELLERS").await);
        let place = app.anyone().with_token(desk(&meeting, "Place 1", "VOTING_PLACE").await);
        let mut walk = Self { seed, dice, meeting, voters, asked: Vec::new(), tellers, place, trail: Vec::new() };
        for _ in 0..4 {
            walk.ask().await;
        }
        for number in 0..VOTERS - 1 {
            walk.note_presence(number, "IN").await;
        }
        walk
    }

    async fn ask(&mut self) {
        let (form, question_type, mut terms) = self.dice.pick(&kinds()).clone();
        terms["secrecy"] = json!(self.dice.pick(&["named", "unshown", "secret"]));
        let id = self.meeting.ask(question_type, terms).await;
        self.asked.push(Asked { id, form });
    }

    /// Notes a response, which must not be an error of the server.
    fn noted(&mut self, what: &str, answer: Answer) -> Answer {
        self.trail.push(format!("{what}: {}", answer.status));
        assert!(answer.status < 500, "{}\n{}", self.told(), answer.text);
        answer
    }

    fn told(&self) -> String {
        format!("seed {}: {}", self.seed, self.trail.join(", "))
    }

    /// A step of the organizer at an address of the meeting.
    async fn organize(&mut self, method: &str, path: &str, body: Value) -> Answer {
        let answer = self.meeting.admin.call(method, &self.meeting.path(path), Some(body)).await;
        self.noted(path, answer)
    }

    fn person(&mut self) -> String {
        let number = self.dice.below(VOTERS);
        self.voters[number].id.clone()
    }

    fn question(&mut self) -> String {
        let number = self.dice.below(self.asked.len());
        self.asked[number].id.clone()
    }

    async fn round(&mut self) -> Option<String> {
        let rounds = self.meeting.rounds().await;
        (!rounds.is_empty()).then(|| text(&self.dice.pick(&rounds)["id"]))
    }

    async fn opened(&self) -> Option<Opened> {
        let current = self.meeting.admin.get(&self.meeting.path("/current-question")).await;
        if current.status != 200 {
            return None;
        }
        let current = current.json();
        let asked = self.asked.iter().find(|asked| current["id"] == asked.id.as_str())?;
        let (question, form) = (asked.id.clone(), asked.form);
        (current["isActive"] == true).then(|| Opened { question, round: text(&current["roundId"]), form })
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Open => {
                let body = json!({ "questionId": self.question() });
                self.organize("PUT", "/current-question?acceptRisk=true", body).await;
            }
            Step::Close => {
                self.organize("PUT", "/current-question", json!({ "questionId": null })).await;
            }
            Step::Vote => self.vote().await,
            Step::VoteForOthers => self.vote_for_others().await,
            Step::Count | Step::Declare => self.close_round(step).await,
            Step::VoteAgain => {
                let body = json!({ "questionId": self.question(), "reason": "Somebody was cut off" });
                self.organize("POST", "/rounds?acceptRisk=true", body).await;
            }
            Step::Come => {
                let (number, kind) = (self.dice.below(VOTERS), *self.dice.pick(&["IN", "IN", "OUT"]));
                self.note_presence(number, kind).await;
            }
            Step::Exclude => self.exclude().await,
            Step::Admit => self.admit().await,
            Step::Grant => {
                let (principal, holder) = (self.dice.below(VOTERS), self.dice.below(VOTERS));
                let body = json!({ "principal": name_of(principal), "holder": name_of(holder) });
                self.organize("POST", "/proxies", body).await;
            }
            Step::ChangePerson => self.change_person().await,
            Step::ChangeList => {
                let body = json!({ "endUserIds": [self.person()] });
                let method = *self.dice.pick(&["POST", "DELETE"]);
                self.organize(method, "/participants", body).await;
            }
            Step::ChangeMeeting => self.change_meeting().await,
            Step::EndOrStart => self.end_or_start().await,
            Step::Paper => self.vote_on_paper().await,
            Step::Place => self.vote_at_place().await,
            Step::DecideTies => self.decide_ties().await,
            Step::AnswerSeat => self.answer_seat().await,
            Step::AddNextBallot => self.add_next_ballot().await,
            Step::Reorder => self.reorder().await,
        }
    }

    async fn note_presence(&mut self, number: usize, kind: &str) {
        let body = json!({ "endUserId": self.voters[number].id, "kind": kind });
        self.organize("POST", "/attendance", body).await;
    }

    async fn vote(&mut self) {
        let Some(opened) = self.opened().await else { return };
        for number in 0..VOTERS {
            if self.dice.one_in(3) {
                continue;
            }
            let body = json!({ "answers": opened.form.answers(&mut self.dice), "roundId": opened.round });
            let answer = self.voters[number].caller.post(&self.meeting.vote_path(&opened.question), body).await;
            self.noted("vote", answer);
        }
    }

    async fn vote_for_others(&mut self) {
        let Some(opened) = self.opened().await else { return };
        let path = format!("/voting/meetings/{}/questions/{}", self.meeting.id, opened.question);
        for number in 0..VOTERS {
            let caller = self.voters[number].caller.clone();
            let held = self.noted("held", caller.get(&format!("{path}/proxies")).await);
            if held.status != 200 {
                continue;
            }
            let mut people: Vec<String> =
                held.json()["votes"].as_array().unwrap().iter().map(|vote| text(&vote["principal"]["id"])).collect();
            if people.is_empty() {
                continue;
            }
            people.push("self".to_owned());
            let ballots: Vec<Value> = people
                .into_iter()
                .map(|person| json!({ "for": person, "answers": opened.form.answers(&mut self.dice) }))
                .collect();
            let body = json!({ "roundId": opened.round, "ballots": ballots });
            let answer = caller.post(&format!("{path}/votes"), body).await;
            self.noted("votes", answer);
        }
    }

    async fn close_round(&mut self, step: Step) {
        let Some(round) = self.round().await else { return };
        let action = if matches!(step, Step::Count) { "count" } else { "declare" };
        self.organize("POST", &format!("/rounds/{round}/{action}?acceptRisk=true"), Value::Null).await;
    }

    async fn exclude(&mut self) {
        let (question, person) = (self.question(), self.person());
        let path = format!("/questions/{question}/exclusions");
        if self.dice.one_in(3) {
            self.organize("DELETE", &format!("{path}/{person}"), Value::Null).await;
        } else {
            self.organize("POST", &path, json!({ "endUserId": person, "reason": "It concerns this person" })).await;
        }
    }

    async fn admit(&mut self) {
        let Some(opened) = self.opened().await else { return };
        let body = json!({ "endUserId": self.person(), "reason": "The train was late" });
        self.organize("POST", &format!("/rounds/{}/admissions", opened.round), body).await;
    }

    async fn change_person(&mut self) {
        let person = self.person();
        let body = match self.dice.below(2) {
            0 => json!({ "weight": self.dice.pick(&[1.0, 3.0, 0.25]) }),
            _ => json!({ "name": format!("Person {}", self.dice.below(100)) }),
        };
        let answer = self.meeting.admin.put(&format!("/client/end-users/{person}"), body).await;
        self.noted("person", answer);
    }

    async fn change_meeting(&mut self) {
        let by_heads = json!({ "unit": "heads", "attendance": "present", "minimum": 3, "atOpening": "warn" });
        let body = match self.dice.below(3) {
            0 => json!({ "quorum": null }),
            1 => json!({ "quorum": by_heads }),
            _ => json!({ "isSecondCall": self.dice.one_in(2) }),
        };
        self.organize("PUT", "", body).await;
    }

    async fn end_or_start(&mut self) {
        if self.dice.one_in(3) {
            self.organize("POST", "/end", Value::Null).await;
        } else {
            self.organize("PUT", "", json!({ "status": "ACTIVE", "confirmRestart": true })).await;
        }
    }

    async fn vote_on_paper(&mut self) {
        let Some(opened) = self.opened().await else { return };
        let (batch, person) = (self.uuid(), self.person());
        let answers = opened.form.answers(&mut self.dice);
        let path = self.meeting.path(&format!("/rounds/{}/paper-batches", opened.round));
        let votes = if self.dice.one_in(2) {
            json!({ "id": batch, "ballots": [{ "endUserId": person, "answers": answers }] })
        } else {
            json!({ "id": batch, "people": [person], "counts": [{ "answers": answers, "count": 1 }] })
        };
        let entered = self.meeting.admin.post(&path, votes).await;
        self.noted("batch", entered);
        let action = *self.dice.pick(&["confirm", "confirm", "discard"]);
        let decided = self.tellers.post(&format!("{path}/{batch}/{action}"), json!({})).await;
        self.noted(action, decided);
    }

    async fn vote_at_place(&mut self) {
        let Some(opened) = self.opened().await else { return };
        let (ballot, person) = (self.uuid(), self.person());
        let given = json!({ "id": ballot, "endUserId": person, "roundId": opened.round });
        let given = self.place.post("/desk/ballots", given).await;
        self.noted("ballot", given);
        let vote = json!({ "ballotId": ballot, "answers": opened.form.answers(&mut self.dice) });
        for _ in 0..2 {
            let cast = self.place.post("/desk/votes", vote.clone()).await;
            self.noted("vote at the place", cast);
        }
    }

    fn uuid(&mut self) -> Uuid {
        Uuid::from_u64_pair(self.dice.roll(), self.dice.roll())
    }

    /// Decides the ties and casting votes for which results wait.
    async fn decide_ties(&mut self) {
        for round in self.meeting.rounds().await {
            let path = format!("/rounds/{}", text(&round["id"]));
            let result = self.organize("GET", &format!("{path}/result"), Value::Null).await;
            if result.status != 200 {
                continue;
            }
            let result = result.json();
            let tie = &result["election"]["tie"];
            if result["decision"]["outcome"] == "casting_vote_open" {
                let body = json!({ "castBy": "The chair", "inFavor": self.dice.one_in(2) });
                self.organize("POST", &format!("{path}/casting-vote"), body).await;
            } else if tie.is_object() {
                let mut body = json!({ "stage": tie["stage"], "numbers": tie["numbers"], "by": "lot" });
                if self.dice.one_in(2) {
                    body["by"] = json!("lot_by_hand");
                    body["order"] = tie["numbers"].clone();
                    body["drawnBy"] = json!("Ada");
                }
                self.organize("POST", &format!("{path}/tie-decisions"), body).await;
            }
        }
    }

    async fn answer_seat(&mut self) {
        let Some(round) = self.round().await else { return };
        let answer = *self.dice.pick(&["accepted", "declined", "taken_back"]);
        let body = json!({ "candidate": self.dice.below(3) + 1, "answer": answer });
        self.organize("POST", &format!("/rounds/{round}/seat-answers"), body).await;
    }

    async fn add_next_ballot(&mut self) {
        let Some(round) = self.round().await else { return };
        let added = self.organize("POST", &format!("/rounds/{round}/next-ballot"), Value::Null).await;
        if added.status == 201 {
            let added = added.json();
            let is_ranking = added["decisionRule"]["election"]["method"] == "irv";
            let form = if is_ranking { Form::Ranking } else { Form::Plurality };
            self.asked.push(Asked { id: text(&added["id"]), form });
        }
    }

    async fn reorder(&mut self) {
        let first = self.dice.below(self.asked.len());
        let (before, after) = self.asked.split_at(first);
        let orders: Vec<Value> = (1_usize..)
            .zip(after.iter().chain(before))
            .map(|(place, asked)| json!({ "questionId": asked.id, "orderIndex": place }))
            .collect();
        let path = format!("/client/questions/meeting/{}/reorder", self.meeting.id);
        let answer = self.meeting.admin.put(&path, json!({ "questionOrders": orders })).await;
        self.noted("reorder", answer);
    }

    /// Declares most results, and checks all files and the database.
    async fn finish(mut self, app: &TestApp) {
        self.take(Step::Close).await;
        for round in self.meeting.rounds().await {
            for action in ["count", "declare"] {
                if !self.dice.one_in(5) {
                    let path = format!("/rounds/{}/{action}?acceptRisk=true", text(&round["id"]));
                    self.organize("POST", &path, Value::Null).await;
                }
            }
        }
        app.link_audit_log().await;
        assert_eq!(app.evidence_of_last_meeting().await, [""; 0], "{}", self.told());
        for path in
            ["/results/export?format=json", "/results/export?format=csv", "/results/export?format=xlsx", "/archive"]
        {
            let file = self.meeting.admin.request("GET", &self.meeting.path(path)).send().await.unwrap();
            assert_eq!(file.status(), 200, "{path}, {}", self.told());
            let content = file.bytes().await.unwrap().to_vec();
            let checked = until("the file is checked", async || verified(app, content.clone()).await).await;
            assert_eq!(checked["verdict"], "signed", "{path}, {}: {checked}", self.told());
        }
    }
}

/// The answer of the public check. `None` while too many files are checked.
async fn verified(app: &TestApp, content: Vec<u8>) -> Option<Value> {
    let request = app.anyone().request("POST", "/public/verify");
    let request = request.header("content-type", "application/octet-stream").body(content);
    let answer = Answer::read(request.send().await.unwrap()).await;
    (answer.status != 429).then(|| answer.gives(200)["data"].clone())
}

fn name_of(number: usize) -> String {
    format!("voter-{number}")
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}
