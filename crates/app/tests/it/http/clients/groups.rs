//! Groups of voters, and meetings and questions for some of them.

use serde_json::{Value, json};

use crate::http::support::{Organization, PASSWORD, TestApp, TestVoter};

const GROUPS: &str = "/client/groups";
const PEOPLE: &str = "/client/end-users";
const UNKNOWN: &str = "019a9d5e-0000-7000-8000-0000000000ff";

async fn group(club: &Organization, name: &str) -> String {
    let made = club.admin.post(GROUPS, json!({ "name": name })).await.gives(201);
    made["data"]["id"].as_str().unwrap().to_owned()
}

async fn join(club: &Organization, group: &str, people: &[&TestVoter]) -> Value {
    let ids: Vec<&str> = people.iter().map(|person| person.id.as_str()).collect();
    club.admin.post(&format!("{GROUPS}/{group}/members"), json!({ "add": ids })).await.gives(200)
}

/// The names and members of the groups.
async fn listed(club: &Organization) -> Vec<(String, u64)> {
    let listed = club.admin.get(GROUPS).await.gives(200)["data"].clone();
    let row = |group: &Value| (group["name"].as_str().unwrap().to_owned(), group["members"].as_u64().unwrap());
    listed.as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn groups_are_created_listed_by_name_renamed_and_deleted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let made = club.admin.post(GROUPS, json!({ "name": " tenants " })).await;
    let id = made.json()["data"]["id"].as_str().unwrap().to_owned();
    assert!(made.header("location").is_some_and(|place| place.ends_with(&format!("{GROUPS}/{id}"))));
    assert_eq!(made.gives(201)["data"]["name"], "tenants");
    group(&club, "Owners").await;
    let (ben, cleo) = (club.voter("ben").await, club.voter("cleo").await);
    let changed = join(&club, &id, &[&ben, &cleo]).await;
    assert_eq!((&changed["added"], &changed["removed"], &changed["members"]), (&json!(2), &json!(0), &json!(2)));
    assert_eq!(listed(&club).await, [("Owners".to_owned(), 0), ("tenants".to_owned(), 2)]);
    let path = format!("{GROUPS}/{id}");
    // Another spelling of its own name is not taken.
    assert_eq!(club.admin.put(&path, json!({ "name": "Tenants" })).await.gives(200)["data"]["name"], "Tenants");
    let members = club.admin.get(&format!("{PEOPLE}?groupId={id}")).await.gives(200);
    assert_eq!(members["data"].as_array().unwrap().len(), 2, "{members}");
    club.admin.delete(&path).await.gives(200);
    club.admin.delete(&path).await.refuses(404, "group_not_found");
    let person = club.admin.get(&format!("{PEOPLE}/{}", ben.id)).await.gives(200);
    assert_eq!(person["data"]["groups"], json!([]), "the person stays");
}

#[tokio::test]
async fn a_group_is_refused_with_its_reason() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let invisible = json!({ "name": "Owners\u{3164}" });
    for body in [json!({}), json!({ "name": " " }), json!({ "name": "n".repeat(101) }), json!({ "name": 7 }), invisible]
    {
        assert_eq!(club.admin.post(GROUPS, body.clone()).await.wrong_fields(), ["name"], "{body}");
    }
    let (owners, tenants) = (group(&club, "Owners").await, group(&club, "Tenants").await);
    let theirs = group(&other, "Owners").await;
    let taken = club.admin.post(GROUPS, json!({ "name": "OWNERS" })).await;
    assert!(taken.refuses(409, "group_name_taken")["fields"]["name"].is_array());
    assert_eq!(club.admin.post(GROUPS, json!({ "name": "Unit \u{a0} 2" })).await.gives(201)["data"]["name"], "Unit 2");
    club.admin.post(GROUPS, json!({ "name": "unit  2" })).await.refuses(409, "group_name_taken");
    let renamed = club.admin.put(&format!("{GROUPS}/{tenants}"), json!({ "name": "owners" })).await;
    assert!(renamed.refuses(409, "group_name_taken")["fields"]["name"].is_array());
    assert_eq!(club.admin.put(&format!("{GROUPS}/{owners}"), json!({ "name": "" })).await.wrong_fields(), ["name"]);
    for id in [theirs.as_str(), UNKNOWN, "no-id"] {
        let path = format!("{GROUPS}/{id}");
        club.admin.get(&path).await.refuses(404, "group_not_found");
        club.admin.put(&path, json!({ "name": "Mine" })).await.refuses(404, "group_not_found");
        club.admin.delete(&path).await.refuses(404, "group_not_found");
        club.admin.post(&format!("{path}/members"), json!({})).await.refuses(404, "group_not_found");
    }
    assert_eq!(listed(&other).await, [("Owners".to_owned(), 0)]);
    for number in 3..200 {
        group(&club, &format!("Group {number}")).await;
    }
    club.admin.post(GROUPS, json!({ "name": "Late" })).await.refuses(409, "too_many_groups");
}

#[tokio::test]
async fn members_are_people_of_the_organization_or_nothing_changes() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (ben, cleo) = (club.voter("ben").await, club.voter("cleo").await);
    let stranger = other.voter("ben").await;
    let owners = group(&club, "Owners").await;
    join(&club, &owners, &[&ben]).await;
    let path = format!("{GROUPS}/{owners}/members");
    for (body, field) in [
        (json!({ "add": [cleo.id, stranger.id] }), "add"),
        (json!({ "add": [cleo.id, UNKNOWN], "remove": [ben.id] }), "add"),
        (json!({ "add": ["no-id"] }), "add"),
        (json!({ "add": [cleo.id], "remove": ["no-id"] }), "remove"),
        (json!({ "add": vec![UNKNOWN; 20_001] }), "add"),
    ] {
        assert_eq!(club.admin.post(&path, body).await.wrong_fields(), [field]);
    }
    assert_eq!(listed(&club).await, [("Owners".to_owned(), 1)], "nothing has changed");
    // Again, and without effect on people who are no members.
    let changed = club.admin.post(&path, json!({ "add": [ben.id, ben.id], "remove": [cleo.id, stranger.id] })).await;
    let changed = changed.gives(200);
    assert_eq!((&changed["added"], &changed["removed"], &changed["members"]), (&json!(0), &json!(0), &json!(1)));
    // The same from the side of the person.
    let theirs = group(&other, "Theirs").await;
    let person = format!("{PEOPLE}/{}", cleo.id);
    for groups in [json!([theirs]), json!([UNKNOWN]), json!(["no-id"]), json!(vec![&owners; 51])] {
        let refused = club.admin.put(&person, json!({ "groupIds": groups })).await;
        assert_eq!(refused.wrong_fields(), ["groupIds"]);
        let body = json!({ "username": "dora", "name": "Dora", "password": PASSWORD, "groupIds": groups });
        assert_eq!(club.admin.post(PEOPLE, body).await.wrong_fields(), ["groupIds"]);
    }
    let changed = club.admin.put(&person, json!({ "groupIds": [owners] })).await.gives(200);
    assert_eq!(changed["data"]["groups"], json!([{ "id": owners, "name": "Owners" }]));
    assert_eq!(listed(&club).await, [("Owners".to_owned(), 2)]);
}

#[tokio::test]
async fn a_person_is_in_at_most_fifty_groups() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, cleo) = (club.voter("ben").await, club.voter("cleo").await);
    let mut groups = Vec::new();
    for number in 0..51 {
        groups.push(group(&club, &format!("Group {number}")).await);
    }
    club.admin.put(&format!("{PEOPLE}/{}", ben.id), json!({ "groupIds": groups[..50] })).await.gives(200);
    let path = |group: &str| format!("{GROUPS}/{group}/members");
    let refused = club.admin.post(&path(&groups[50]), json!({ "add": [cleo.id, ben.id] })).await;
    let text = refused.refuses(409, "too_many_groups_of_person")["error"].as_str().unwrap().to_owned();
    assert!(text.contains("at most 50 groups") && text.contains("(ben)"), "{text}");
    assert_eq!(join(&club, &groups[49], &[&cleo, &ben]).await["members"], 2, "a member stays");
    let members = club.admin.get(&format!("{PEOPLE}?groupId={}", groups[50])).await.gives(200);
    assert_eq!(members["data"], json!([]), "nobody was added");
}

#[tokio::test]
async fn a_group_in_use_is_not_deleted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let owners = group(&club, "Owners").await;
    let path = format!("{GROUPS}/{owners}");
    let meeting = club.meeting_with(json!({ "status": "DRAFT", "groupIds": [owners] })).await;
    let text = club.admin.delete(&path).await.refuses(409, "group_in_use")["error"].as_str().unwrap().to_owned();
    assert!(text.contains("“General assembly”"), "{text}");
    club.admin.put(&meeting.path(""), json!({ "groupIds": [] })).await.gives(200);
    let question = meeting.ask("YES_NO", json!({ "options": ["Yes", "No"], "groupIds": [owners] })).await;
    let text = club.admin.delete(&path).await.refuses(409, "group_in_use")["error"].as_str().unwrap().to_owned();
    assert!(text.contains("the question “Agreed?”"), "{text}");
    club.admin.delete(&format!("/client/questions/{question}")).await.gives(200);
    club.admin.delete(&path).await.gives(200);
}

#[tokio::test]
async fn meetings_and_questions_are_for_groups_of_their_organization() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let theirs = group(&other, "Theirs").await;
    let meeting = club.meeting_with(json!({ "status": "DRAFT" })).await;
    let question = meeting.ask_yes_no().await;
    let many: Vec<String> = (0..51).map(|number| format!("019a9d5e-0000-7000-8000-0000000000{number:02}")).collect();
    for groups in [json!([theirs]), json!([UNKNOWN]), json!(["no-id"]), json!(many), json!("all")] {
        let body = json!({ "groupIds": groups });
        assert_eq!(club.admin.put(&meeting.path(""), body.clone()).await.wrong_fields(), ["groupIds"], "{groups}");
        let path = format!("/client/questions/{question}");
        assert_eq!(club.admin.put(&path, body).await.wrong_fields(), ["groupIds"], "{groups}");
        let body =
            json!({ "meetingId": meeting.id, "questionText": "More?", "questionType": "YES_NO", "groupIds": groups });
        assert_eq!(club.admin.post("/client/questions", body).await.wrong_fields(), ["groupIds"], "{groups}");
    }
    let people = club.admin.get(&format!("{PEOPLE}?groupId={theirs}")).await.gives(200);
    assert_eq!(people["data"], json!([]), "a group of another organization has no members here");
}

#[tokio::test]
async fn a_list_keeps_people_outside_the_groups_and_shows_them_on_request() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (owner, tenant) = (club.voter("owner").await, club.voter("tenant").await);
    let owners = group(&club, "Owners").await;
    join(&club, &owners, &[&owner]).await;
    let meeting = club.meeting_with(json!({ "groupIds": [owners] })).await;
    let path = meeting.path("/participants");
    club.admin.post(&path, json!({ "endUserIds": [owner.id, tenant.id] })).await.gives(200);
    for (query, expected) in
        [("", vec!["owner"]), ("?outsideGroups=false", vec!["owner"]), ("?outsideGroups=true", vec!["owner", "tenant"])]
    {
        let rows = club.admin.get(&format!("{path}{query}")).await.gives(200);
        let names = rows.as_array().unwrap().iter().map(|row| row["endUser"]["username"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), expected, "{query}");
    }
    let page = club.admin.get(&format!("{path}?outsideGroups=true&page=1&pageSize=1")).await.gives(200);
    assert_eq!((&page["data"][0]["endUser"]["username"], &page["meta"]["total"]), (&json!("owner"), &json!(2)));
    assert_eq!(club.admin.get(&format!("{path}?outsideGroups=some")).await.wrong_fields(), ["outsideGroups"]);
}

#[tokio::test]
async fn whoever_is_in_no_group_of_a_question_does_not_vote_on_it() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (owner, tenant) = (club.voter("owner").await, club.voter("tenant").await);
    let owners = group(&club, "Owners").await;
    join(&club, &owners, &[&owner]).await;
    let meeting = club.meeting().await;
    let question = meeting.ask("YES_NO", json!({ "options": ["Yes", "No"], "groupIds": [owners] })).await;
    let round = meeting.open(&question).await["roundId"].clone();
    owner.vote(&meeting, &question, &["Yes"]).await.gives(201);
    tenant.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    // The register is frozen: whoever joins now is not on it, and whoever leaves stays on it.
    join(&club, &owners, &[&tenant]).await;
    let leaving = json!({ "remove": [owner.id] });
    club.admin.post(&format!("{GROUPS}/{owners}/members"), leaving).await.gives(200);
    tenant.vote(&meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    let refused = club.admin.put(&format!("/client/questions/{question}"), json!({ "groupIds": [] })).await;
    refused.refuses(409, "question_has_votes");
    meeting.clear().await;
    meeting.count(&round).await.gives(200);
    let result = meeting.result(&round).await.gives(200);
    assert_eq!((&result["votesCast"]["heads"], &result["groups"]), (&json!(1), &json!(["Owners"])), "{result}");
}
