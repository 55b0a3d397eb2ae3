//! The organizations, people and meetings with which every operation can be called.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::operation::{Access, Operation};
use super::spares::{Spares, current_session};
use super::{Answer, Caller, Organization, PASSWORD, ROOT_EMAIL, TestApp, TestMeeting, TestVoter, paper, proxies};

use Access::{
    AnyAccount, AnyClient, AnyVoter, Desk, Owner, Public, SignedIn, SuperAdmin, TheirAccounts, TheirClient,
    TheirPeople, TheirVoter, VotingPlace,
};

/// An organization with a running meeting in which a voter has voted, and another organization. The meeting counts as
/// test data.
pub(crate) struct World {
    pub(crate) theirs: Organization,
    pub(crate) others: Organization,
    pub(crate) voter: TestVoter,
    pub(crate) meeting: TestMeeting,
    pub(super) open_question: String,
    pub(super) ended_question: String,
    pub(super) open_round: String,
    pub(super) ended_round: String,
    /// A group of the organization with the running meeting.
    pub(super) group: String,
    /// A kind of weight of the same organization.
    pub(super) kind: String,
    /// A voter outside the register of the open round.
    pub(super) latecomer: String,
    pub(super) declared_meeting: String,
    /// A meeting with declared answers on its screen, and their round.
    pub(super) answered: (String, String),
    /// A completed meeting.
    pub(super) over_meeting: String,
    /// A meeting without a rehearsal, with check-in.
    pub(super) scheduled_meeting: String,
    /// A desk of that meeting, and its token.
    pub(super) desk: (String, String),
    /// The token of a voting place of the running meeting, which has given the first walk-in a ballot.
    pub(super) voting_place: String,
    /// Two people in the register of the open round without a vote. A batch of tellers has a vote of the second one.
    pub(super) walk_ins: [String; 2],
    /// That batch.
    pub(super) batch: String,
    /// The code with which voters check themselves in to that meeting.
    pub(super) check_in_code: String,
    /// A meeting with a running rehearsal.
    pub(super) rehearsed_meeting: String,
    pub(super) rehearsal: String,
    pub(super) link: String,
    pub(super) vote: String,
    /// A proxy of the voter for the ended question.
    pub(super) proxy: String,
    /// The session of the organizer.
    pub(super) account: String,
    pub(super) spares: Spares,
    /// Whether a call may have changed data since [`World::renew_meetings`].
    pub(super) was_changed: bool,
    pub(super) root: Caller,
}

pub(super) fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

/// The id of a meeting with a declared result on its screen.
async fn meeting_with_a_declared_result(theirs: &Organization) -> String {
    let meeting = theirs.meeting().await;
    let question = meeting.ask_yes_no().await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    meeting.show(&question).await;
    theirs.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    meeting.id
}

/// A curation that shows all answers, based on this version.
pub(super) fn shown_answers(version: u32) -> Value {
    json!({ "version": version, "isShown": true, "picked": [], "groups": [], "hidden": [] })
}

/// The ids of a meeting with a declared result of a text question on its screen, with its answers, and of their round.
async fn meeting_with_answers(theirs: &Organization, voter: &TestVoter) -> (String, String) {
    let meeting = theirs.meeting().await;
    let question = meeting.ask("OPEN_TEXT", json!({})).await;
    let round = meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    voter.vote(&meeting, &question, &["Trees"]).await.gives(201);
    meeting.show(&question).await;
    theirs.admin.post(&meeting.path(&format!("/rounds/{round}/declare")), Value::Null).await.gives(200);
    let curation = meeting.path(&format!("/rounds/{round}/answer-curation"));
    theirs.admin.put(&curation, shown_answers(0)).await.gives(200);
    (meeting.id, round)
}

impl World {
    pub(crate) async fn new(app: &TestApp) -> Self {
        let theirs = app.client("Rowing Club").await;
        let others = app.client("Sailing Club").await;
        let voter = theirs.voter("voter").await;
        others.voter("voter").await;
        let walk_ins = [theirs.voter("walk-in-1").await.id, theirs.voter("walk-in-2").await.id];
        let meeting = theirs.meeting().await;
        let declared_meeting = meeting_with_a_declared_result(&theirs).await;
        let answered = meeting_with_answers(&theirs, &voter).await;
        let over_meeting = theirs.meeting_with(json!({ "status": "COMPLETED" })).await.id;
        let account = id_of(&theirs.admin.get("/auth/me").await.gives(200)["user"]);
        let group = json!({ "name": "Everybody else" });
        let group = id_of(&theirs.admin.post("/client/groups", group).await.gives(201)["data"]);
        let kind = json!({ "name": "Unused", "decimals": 0 });
        let kind = id_of(&theirs.admin.post("/client/weight-kinds", kind).await.gives(201)["data"]);
        let mut world = Self {
            account,
            group,
            kind,
            theirs,
            others,
            voter,
            meeting,
            open_question: String::new(),
            open_round: String::new(),
            ended_question: String::new(),
            ended_round: String::new(),
            declared_meeting,
            answered,
            over_meeting,
            scheduled_meeting: String::new(),
            desk: (String::new(), String::new()),
            voting_place: String::new(),
            walk_ins,
            batch: String::new(),
            check_in_code: String::new(),
            rehearsed_meeting: String::new(),
            rehearsal: String::new(),
            latecomer: String::new(),
            link: String::new(),
            vote: String::new(),
            proxy: String::new(),
            spares: Spares::default(),
            was_changed: false,
            root: app.super_admin().await,
        };
        world.renew_meetings().await;
        world
    }

    /// A meeting and spares that no earlier operation has changed. This operation may change them.
    pub(crate) async fn prepare_meetings(&mut self, operation: &Operation) {
        self.renew_if_changed().await;
        self.was_changed = operation.changes();
    }

    /// Notes the answer of a call. Every call may have changed something, unless its body was refused.
    pub(crate) fn note(&mut self, answer: &Answer) {
        self.was_changed |= ![400, 413, 415, 422].contains(&answer.status);
    }

    /// A meeting and spares that no earlier call has changed, by the noted answers.
    pub(crate) async fn renew_if_changed(&mut self) {
        if self.was_changed {
            self.renew_meetings().await;
        }
    }

    /// A meeting and spares that no earlier call has changed.
    pub(crate) async fn renew_meetings(&mut self) {
        self.was_changed = false;
        self.sign_in_again().await;
        // Not each time, because some calls fail with the voter's name on purpose.
        let sessions = self.voter.caller.get("/auth/sessions").await.gives(200)["data"].clone();
        if !sessions.as_array().unwrap().iter().any(|session| session["id"] == self.spares.session) {
            let again = self.root.sign_in_voter(&self.theirs.code, "voter").await;
            self.spares.session = current_session(&again).await;
        }
        self.meeting = self
            .theirs
            .meeting_with(json!({ "status": "ACTIVE", "title": "TEST_Assembly", "countsSurveysAtEnd": true }))
            .await;
        self.ended_question = self.meeting.ask_yes_no().await;
        self.ended_round = self.meeting.open(&self.ended_question).await["roundId"].as_str().unwrap().to_owned();
        self.voter.vote(&self.meeting, &self.ended_question, &["Yes"]).await.gives(201);
        self.open_question = self.meeting.ask_yes_no().await;
        self.open_round = self.meeting.open(&self.open_question).await["roundId"].as_str().unwrap().to_owned();
        (self.voting_place, self.batch) =
            paper::prepare(&self.root, &self.meeting, &self.open_round, &self.walk_ins).await;
        // After the opening: a voter in the register of an open round cannot be deleted.
        self.spares.renew(&self.root, &self.theirs).await;
        let username = format!("late-{}", self.spares.number);
        let latecomer = json!({ "username": username, "name": username, "password": PASSWORD });
        self.latecomer = id_of(&self.theirs.admin.post("/client/end-users", latecomer).await.gives(201)["data"]);
        self.vote = id_of(&self.voter.vote(&self.meeting, &self.open_question, &["Yes"]).await.gives(201)["vote"]);
        let holder = format!("spare-{}", self.spares.number);
        self.proxy = proxies::grant(&self.meeting, &self.voter, &holder, &self.ended_question).await;
        let link = self.theirs.admin.post(&self.meeting.path("/generate-link"), Value::Null).await.gives(200);
        self.link = link["invitationLink"].as_str().unwrap().to_owned();
        let scheduled = json!({ "status": "SCHEDULED", "checkIn": "ON", "selfCheckIn": true });
        let scheduled = self.theirs.meeting_with(scheduled).await;
        let made = self.theirs.admin.post(&scheduled.path("/desks"), json!({ "name": "Desk 1" })).await.gives(201);
        self.desk = (id_of(&made["desk"]), made["token"].as_str().unwrap().to_owned());
        let code = self.root.get(&format!("/public/meetings/{}/check-in-code", scheduled.id)).await.gives(200);
        self.check_in_code = code["code"].as_str().unwrap().to_owned();
        self.scheduled_meeting = scheduled.id;
        let rehearsed = self.theirs.meeting_with(json!({ "status": "SCHEDULED" })).await;
        self.rehearsal = id_of(&self.theirs.admin.post(&rehearsed.path("/rehearsal"), Value::Null).await.gives(201));
        self.rehearsed_meeting = rehearsed.id;
    }

    /// Signs in callers again whose sessions an earlier call has ended.
    async fn sign_in_again(&mut self) {
        if self.root.get("/auth/me").await.status != 200 {
            self.root = self.root.sign_in(ROOT_EMAIL).await;
        }
        if self.theirs.admin.get("/auth/me").await.status != 200 {
            self.theirs.admin = self.root.sign_in("admin@rowing-club.example").await;
        }
        if self.voter.caller.get("/auth/me").await.status != 200 {
            self.voter.caller = self.root.sign_in_voter(&self.theirs.code, "voter").await;
        }
    }

    /// A signed-in caller that no other call needs.
    pub(crate) async fn spare_caller(&self) -> Caller {
        self.root.sign_in_voter(&self.theirs.code, &format!("spare-{}", self.spares.number)).await
    }

    /// The organizer of an organization that no other call needs. Waits while wrong passwords in other calls limit the sign-in.
    pub(crate) async fn spare_account(&self) -> Caller {
        let email = format!("spare-{}@example.org", self.spares.number);
        loop {
            let answer = self.root.post("/auth/login", json!({ "email": email, "password": PASSWORD })).await;
            if answer.status != 429 {
                return self.root.with_session(&answer.gives(200));
            }
            sleep(Duration::from_millis(200)).await;
        }
    }

    /// A permitted caller.
    pub(crate) async fn caller_of(&self, app: &TestApp, operation: &Operation) -> Caller {
        match operation.access {
            Public => app.anyone(),
            SignedIn if operation.is_on_spares => self.spare_caller().await,
            AnyAccount if operation.is_on_spares => self.spare_account().await,
            SuperAdmin | SignedIn | AnyAccount | TheirAccounts => app.super_admin().await,
            AnyClient | TheirClient | TheirPeople => self.theirs.admin.clone(),
            AnyVoter | TheirVoter | Owner => self.voter.caller.clone(),
            Desk => self.desk_caller(app),
            VotingPlace => self.voting_place_caller(app),
        }
    }

    /// A helper with the link of the desk.
    pub(crate) fn desk_caller(&self, app: &TestApp) -> Caller {
        app.anyone().with_token(&self.desk.1)
    }

    /// A helper with the link of the voting place.
    pub(crate) fn voting_place_caller(&self, app: &TestApp) -> Caller {
        app.anyone().with_token(&self.voting_place)
    }

    pub(super) fn parameters(&self) -> [(&'static str, &str); 16] {
        [
            ("{accountId}", &self.account),
            ("{clientId}", &self.theirs.id),
            ("{clientCode}", &self.theirs.code),
            ("{endUserId}", &self.voter.id),
            ("{groupId}", &self.group),
            ("{kindId}", &self.kind),
            ("{meetingId}", &self.meeting.id),
            ("{questionId}", &self.open_question),
            ("{roundId}", &self.ended_round),
            ("{remarkId}", &self.spares.remark),
            ("{link}", &self.link),
            ("{linkToken}", &self.link),
            ("{voteId}", &self.vote),
            ("{deskId}", &self.desk.0),
            ("{proxyId}", &self.proxy),
            ("{batchId}", &self.batch),
        ]
    }
}
