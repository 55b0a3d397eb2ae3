//! A proxy that a call may change.

use serde_json::{Value, json};

use super::world::id_of;
use crate::http::support::{TestMeeting, TestVoter};

/// The body with the settings of proxies.
pub(super) fn settings(max_principals: Option<u32>) -> Value {
    json!({
        "isOn": true, "principalsMayGrant": true, "maxPrincipals": max_principals, "maxWeight": null,
        "maxSharePercent": null, "holders": "ANYBODY", "questionsWithout": [],
    })
}

/// Switches proxies on. The voter grants one for this question, whose id is returned.
pub(super) async fn grant(meeting: &TestMeeting, voter: &TestVoter, holder: &str, question: &str) -> String {
    meeting.admin.put(&meeting.path("/proxies/settings"), settings(None)).await.gives(200);
    let proxy = json!({ "holder": holder, "questionIds": [question] });
    let path = format!("/voting/meetings/{}/proxies", meeting.id);
    id_of(&voter.caller.post(&path, proxy).await.gives(201))
}
