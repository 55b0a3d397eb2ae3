use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::agenda::{Asked, QuestionKind};
use super::pass::Pass;
use super::person::{Person, text_of};
use super::sessions::{Entrance, keep_in};
use crate::failure::LoadFailure;
use crate::http::{Request, Target};
use crate::journal::Record;
use crate::say::progress;

/// As many rows as one import takes.
const ROWS_OF_AN_IMPORT: usize = 20_000;

/// What a run wants to play with.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// From which the organization has its name.
    pub seed: u64,
    /// Who may make organizations.
    pub admin_email: String,
    /// Their password.
    pub admin_password: String,
    /// How many voters.
    pub voters: usize,
    /// The agenda.
    pub questions: Vec<QuestionKind>,
    /// Whether the meeting has a list of participants. Without it everybody of the organization is invited.
    pub is_listed: bool,
}

/// A simulated voter.
#[derive(Clone, Debug)]
pub struct Voter {
    /// What they sign in with.
    pub username: String,
    /// Their password.
    pub password: String,
    /// Their tokens, once they are let in.
    pub pass: Pass,
}

/// An organization with a running meeting.
#[derive(Debug)]
pub struct Hall {
    /// The server.
    pub target: Arc<Target>,
    root: Person,
    /// Who runs the meeting.
    pub organizer: Person,
    /// The organization.
    pub client_id: String,
    /// Its short name.
    pub client_code: String,
    /// The meeting.
    pub meeting: String,
    /// Its agenda.
    pub questions: Vec<Asked>,
    /// Who may vote.
    pub voters: Vec<Voter>,
}

impl Hall {
    /// Makes it all.
    ///
    /// # Errors
    /// Fails when a call is refused; what was made by then is deleted.
    pub async fn set_up(target: &Arc<Target>, wishes: &Wishes) -> Result<Self, LoadFailure> {
        let mut root = Person::sign_in(target, &wishes.admin_email, &wishes.admin_password).await?;
        let name = format!("Load {}", wishes.seed);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Nobody knows it, and nobody needs it later. The address is like no other, also of a run at the same time.
        let (email, password) =
            (format!("organizer-{}@load.example", since.as_nanos()), format!("organizer {}", since.as_nanos()));
        let body = json!({
            "name": name, "firstName": "Olga", "lastName": "Organizer", "email": email, "password": password,
        });
        let made = root.call("POST", "/clients", Some(body)).await?["data"].take();
        let (client_id, client_code) = (text_of(&made, "id")?, text_of(&made, "clientCode")?);
        progress(&format!("made the organization {name} ({client_code})"));
        let organizer = Person::sign_in(target, &email, &password).await?;
        let target = Arc::clone(target);
        let mut hall = Self {
            target,
            root,
            organizer,
            client_id,
            client_code,
            meeting: String::new(),
            questions: Vec::new(),
            voters: Vec::new(),
        };
        match hall.furnish(wishes).await {
            Ok(()) => Ok(hall),
            Err(failure) => {
                hall.tear_down().await;
                Err(failure)
            }
        }
    }

    async fn furnish(&mut self, wishes: &Wishes) -> Result<(), LoadFailure> {
        self.import_voters(wishes.voters).await?;
        let now = DateTime::<Utc>::from(SystemTime::now());
        let body = json!({
            "title": "Load", "status": "ACTIVE", "scheduledStartTime": now,
            "scheduledEndTime": now + Duration::from_secs(24 * 3600),
        });
        self.meeting = text_of(&self.organizer.call("POST", "/client/meetings", Some(body)).await?, "id")?;
        for (number, kind) in wishes.questions.iter().enumerate() {
            let body = kind.body(&self.meeting, number);
            let id = text_of(&self.organizer.call("POST", "/client/questions", Some(body)).await?, "id")?;
            self.questions.push(Asked { id, kind: *kind });
        }
        if wishes.is_listed {
            self.invite_all().await?;
        }
        Ok(())
    }

    /// Adds meetings that nobody holds, for lists.
    ///
    /// # Errors
    /// Fails when one is refused.
    pub async fn plan_meetings(&mut self, count: usize) -> Result<(), LoadFailure> {
        let starts_at = DateTime::<Utc>::from(SystemTime::now()) + Duration::from_secs(24 * 3600);
        for number in 1..=count {
            let body = json!({
                "title": format!("Planned {number}"), "status": "DRAFT", "scheduledStartTime": starts_at,
                "scheduledEndTime": starts_at + Duration::from_secs(3600),
            });
            self.organizer.call("POST", "/client/meetings", Some(body)).await?;
        }
        Ok(())
    }

    async fn import_voters(&mut self, count: usize) -> Result<(), LoadFailure> {
        let numbers: Vec<usize> = (0..count).collect();
        for batch in numbers.chunks(ROWS_OF_AN_IMPORT) {
            let row = |number: &usize| json!({ "line": number + 2, "username": format!("voter-{number:06}"), "name": format!("Voter {number:06}") });
            let rows: Vec<Value> = batch.iter().map(row).collect();
            let body = json!({ "rows": rows, "dryRun": false });
            let made = self.organizer.call("POST", "/client/end-users/import", Some(body)).await?;
            let credentials = made["data"]["credentials"].as_array().map_or(&[][..], Vec::as_slice);
            for voter in credentials {
                let (username, password) = (text_of(voter, "username")?, text_of(voter, "password")?);
                self.voters.push(Voter { username, password, pass: Pass::default() });
            }
            progress(&format!("{} of {count} voters have an account", self.voters.len()));
        }
        Ok(())
    }

    async fn invite_all(&mut self) -> Result<(), LoadFailure> {
        let everybody = self.organizer.call("GET", "/client/end-users", None).await?;
        let everybody = everybody["data"].as_array().map_or(&[][..], Vec::as_slice);
        let ids: Vec<&Value> = everybody.iter().map(|end_user| &end_user["id"]).collect();
        let path = format!("/client/meetings/{}/participants", self.meeting);
        for batch in ids.chunks(ROWS_OF_AN_IMPORT) {
            self.organizer.call("POST", &path, Some(json!({ "endUserIds": batch }))).await?;
        }
        Ok(())
    }

    /// Gives each of the first so many voters an access token.
    ///
    /// # Errors
    /// Fails when somebody is not let in.
    pub async fn let_in(&self, count: usize, entrance: &Entrance) -> Result<(), LoadFailure> {
        let (target, client) = (&self.target, (self.client_id.as_str(), self.client_code.as_str()));
        entrance.let_in(target, client, &self.voters[..count]).await
    }

    /// Sees to it that each of the first so many voters, once let in, can vote in a round that begins now.
    ///
    /// # Errors
    /// Fails when somebody's tokens cannot be renewed.
    pub async fn keep_in(&self, count: usize) -> Result<(), LoadFailure> {
        keep_in(&self.target, &self.voters[..count]).await
    }

    /// Opens a question for voting, and returns the round.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn open(&mut self, question: usize) -> Result<String, LoadFailure> {
        let body = json!({ "questionId": self.questions[question].id });
        let shown = self.put_question(body).await?;
        text_of(&shown["currentQuestion"], "roundId")
    }

    /// Shows a question without opening it.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn show(&mut self, question: usize) -> Result<(), LoadFailure> {
        let body = json!({ "questionId": self.questions[question].id, "open": false });
        self.put_question(body).await.map(drop)
    }

    /// Ends the open round and clears the screen.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn clear(&mut self) -> Result<(), LoadFailure> {
        self.put_question(json!({ "questionId": null })).await.map(drop)
    }

    async fn put_question(&mut self, body: Value) -> Result<Value, LoadFailure> {
        let path = format!("/client/meetings/{}/current-question", self.meeting);
        self.organizer.call("PUT", &path, Some(body)).await
    }

    /// Counts a round that has ended.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn count(&mut self, round: &str) -> Result<Value, LoadFailure> {
        let path = format!("/client/meetings/{}/rounds/{round}/result", self.meeting);
        self.organizer.call("GET", &path, None).await
    }

    /// Counts a round that has ended, and declares the result.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn declare(&mut self, round: &str) -> Result<(), LoadFailure> {
        self.count(round).await?;
        let path = format!("/client/meetings/{}/rounds/{round}/declare", self.meeting);
        self.organizer.call("POST", &path, None).await.map(drop)
    }

    /// Ends the meeting.
    ///
    /// # Errors
    /// Fails when the server refuses.
    pub async fn end_meeting(&mut self) -> Result<(), LoadFailure> {
        let path = format!("/client/meetings/{}/end", self.meeting);
        self.organizer.call("POST", &path, None).await.map(drop)
    }

    /// The server's own record of all rounds that have ended.
    ///
    /// # Errors
    /// Fails when it is not given out, or cannot be read.
    pub async fn record(&mut self) -> Result<Record, LoadFailure> {
        let path = format!("/client/meetings/{}/results/export?format=json", self.meeting);
        Record::read(&self.organizer.ask("GET", &path, None).await?.body)
    }

    /// The request with which a voter hands in a ballot, as nobody yet.
    pub fn ballot(&self, question: usize, round: &str, answers: &[String]) -> Request {
        ballot(&self.target, &self.meeting, &self.questions[question].id, round, answers)
    }

    /// The request with which somebody watches the meeting.
    pub fn stream(&self, token: &str) -> Vec<u8> {
        let path = format!("/api/sse/meetings/{}/stream", self.meeting);
        self.target.request("GET", &path).bearer(token).bytes_of_stream()
    }

    /// The request with which a big screen watches the meeting.
    pub fn big_screen(&self) -> Vec<u8> {
        let path = format!("/api/public/meetings/{}/presentation/stream", self.meeting);
        self.target.request("GET", &path).bytes_of_stream()
    }

    /// Deletes the organization with everything in it. A failure is told, and is no failure of the run.
    pub async fn tear_down(&mut self) {
        match self.root.call("DELETE", &format!("/clients/{}", self.client_id), None).await {
            Ok(_) => progress(&format!("deleted the organization {}", self.client_code)),
            Err(failure) => progress(&format!("{} is still there: {failure}", self.client_code)),
        }
    }
}

/// The request with which a voter hands in a ballot, as nobody yet.
pub fn ballot(target: &Target, meeting: &str, question: &str, round: &str, answers: &[String]) -> Request {
    let path = format!("/api/voting/meetings/{meeting}/questions/{question}/vote");
    let body = json!({ "answers": answers, "roundId": round }).to_string();
    target.request("POST", &path).json(body)
}
