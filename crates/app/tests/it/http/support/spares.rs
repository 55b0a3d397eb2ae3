//! Targets that single calls may delete or change.

use serde_json::json;

use super::world::id_of;
use crate::http::support::{Caller, Organization, PASSWORD};

/// The logo of the organization with the running meeting, and another one: headers of PNG files.
const LOGO: &str = "iVBORw0KGgoAAAANSUhEUgAAAHgAAAAo";
pub(super) const NEW_LOGO: &str = "iVBORw0KGgoAAAANSUhEUgAAAFAAAAAo";

/// The id of the caller's session.
pub(super) async fn current_session(caller: &Caller) -> String {
    let sessions = caller.get("/auth/sessions").await.gives(200)["data"].clone();
    id_of(sessions.as_array().unwrap().iter().find(|session| session["isCurrent"] == true).unwrap())
}

/// Targets that calls may delete or change without effect on other calls.
#[derive(Default)]
pub(super) struct Spares {
    /// The number of spares so far.
    pub(super) number: u32,
    pub(super) client: String,
    /// A voter of the organization with the running meeting. The meeting is a draft, and its only question excludes the
    /// voter.
    pub(super) voter: String,
    /// A deactivated voter.
    pub(super) inactive: String,
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) meeting: String,
    pub(super) question: String,
    /// In the same meeting.
    pub(super) remark: String,
    /// The session of the voter of the running meeting.
    pub(super) session: String,
}

impl Spares {
    pub(super) fn parameters(&self) -> [(&'static str, &str); 8] {
        [
            ("{clientId}", &self.client),
            ("{endUserId}", &self.voter),
            ("{groupId}", &self.group),
            ("{kindId}", &self.kind),
            ("{meetingId}", &self.meeting),
            ("{questionId}", &self.question),
            ("{remarkId}", &self.remark),
            ("{sessionId}", &self.session),
        ]
    }

    /// Creates new spares.
    pub(super) async fn renew(&mut self, root: &Caller, theirs: &Organization) {
        self.number += 1;
        let name = format!("spare-{}", self.number);
        let client = json!({
            "name": name, "firstName": "S", "lastName": "S", "email": format!("{name}@example.org"),
            "password": PASSWORD,
        });
        let voter = json!({ "username": name, "name": name, "password": PASSWORD });
        let meeting = theirs.meeting_with(json!({ "status": "DRAFT" })).await;
        self.client = id_of(&root.post("/clients", client).await.gives(201)["data"]);
        self.voter = id_of(&theirs.admin.post("/client/end-users", voter).await.gives(201)["data"]);
        self.group = id_of(&theirs.admin.post("/client/groups", json!({ "name": name })).await.gives(201)["data"]);
        self.renew_kind(theirs, &name).await;
        let gone = format!("gone-{}", self.number);
        let gone = json!({ "username": gone, "name": gone, "password": PASSWORD, "isActive": false });
        self.inactive = id_of(&theirs.admin.post("/client/end-users", gone).await.gives(201)["data"]);
        self.question = meeting.ask_yes_no().await;
        let exclusion = json!({ "endUserId": self.voter, "reason": "Conflict of interest" });
        let exclusions = meeting.path(&format!("/questions/{}/exclusions", self.question));
        theirs.admin.post(&exclusions, exclusion).await.gives(201);
        let remark = json!({ "kind": "REMARK", "text": "It rained." });
        self.remark = id_of(&theirs.admin.post(&meeting.path("/remarks"), remark).await.gives(201));
        self.meeting = meeting.id;
        theirs.admin.put("/client/branding/logo", json!({ "content": LOGO })).await.gives(200);
    }

    /// Another kind of weight in place of the last one: an organization has few of them.
    async fn renew_kind(&mut self, theirs: &Organization, name: &str) {
        if !self.kind.is_empty() {
            theirs.admin.delete(&format!("/client/weight-kinds/{}", self.kind)).await;
        }
        let kind = json!({ "name": name, "decimals": 0 });
        self.kind = id_of(&theirs.admin.post("/client/weight-kinds", kind).await.gives(201)["data"]);
    }
}
