//! Check-in with desks: presence as a record, registers, self check-in and attendance files.

use std::time::Instant;

use chrono::TimeDelta;
use plenum_adapter_security::{SystemClock, TimeOrderedIds};
use plenum_kernel::{Clock as _, NewIds as _};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::http::support::{Answer, Caller, EventStream, NO_ID, Organization, TestApp, TestMeeting, TestVoter};

/// A running meeting with check-in, and a helper at its desk.
struct Hall {
    app: TestApp,
    club: Organization,
    meeting: TestMeeting,
    desk: Caller,
    desk_id: String,
    voters: [TestVoter; 3],
}

impl Hall {
    async fn open() -> Self {
        let app = TestApp::start().await;
        let club = app.client("Rowing Club").await;
        let voters = [club.voter_of_weight("ada", "2.5").await, club.voter("ben").await, club.voter("cleo").await];
        let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": "ON", "selfCheckIn": true })).await;
        let (desk, desk_id) = made_desk(&app, &meeting, "Desk 1").await;
        Self { app, club, meeting, desk, desk_id, voters }
    }

    async fn by_hand(&self, voter: &TestVoter, kind: &str) -> Answer {
        self.club.admin.post(&self.meeting.path("/attendance"), json!({ "endUserId": voter.id, "kind": kind })).await
    }

    /// The exported results.
    async fn export(&self) -> Value {
        self.club.admin.get(&self.meeting.path("/results/export?format=json")).await.gives(200)
    }

    /// The findings about a file that anybody gets.
    async fn checked(&self, file: &Value) -> Value {
        let request = self.app.anyone().request("POST", "/public/verify");
        let request = request.header("content-type", "application/octet-stream").body(file.to_string());
        Answer::read(request.send().await.unwrap()).await.gives(200)["data"].clone()
    }
}

async fn made_desk(app: &TestApp, meeting: &TestMeeting, name: &str) -> (Caller, String) {
    let made = meeting.admin.post(&meeting.path("/desks"), json!({ "name": name })).await.gives(201);
    let token = made["token"].as_str().unwrap();
    (app.anyone().with_token(token), made["desk"]["id"].as_str().unwrap().to_owned())
}

/// An id as a device makes it.
fn new_id() -> Uuid {
    TimeOrderedIds.next_uuid()
}

fn entry(voter: &str, kind: &str) -> Value {
    json!({ "id": new_id(), "endUserId": voter, "kind": kind, "at": null })
}

/// What became of one entry of a desk.
async fn noted(desk: &Caller, entry: Value) -> Value {
    let body = json!({ "entries": [entry], "contactAt": null });
    let answer = desk.post("/desk/entries", body).await.gives(200);
    answer["data"][0].clone()
}

#[tokio::test]
async fn the_register_and_the_quorum_follow_the_desk_and_not_the_connections() {
    let hall = Hall::open().await;
    let [ada, ben, cleo] = &hall.voters;
    let mut screen = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let _connected = EventStream::watch(&cleo.caller, &hall.meeting.id).await;
    let came = noted(&hall.desk, entry(&ada.id, "IN")).await;
    assert_eq!(came["answer"]["outcome"], "NOTED");
    assert_eq!(came["answer"]["entry"]["by"], "Desk 1");
    screen.until_event(|event| event.data["participantCount"] == 1).await;
    let question = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    cleo.vote(&hall.meeting, &question, &["Yes"]).await.refuses(403, "not_in_register");
    // Ben comes while the question is open, and is admitted.
    noted(&hall.desk, entry(&ben.id, "IN")).await;
    ben.vote(&hall.meeting, &question, &["No"]).await.refuses(403, "not_in_register");
    let admission = hall.meeting.path(&format!("/rounds/{}/admissions", round.as_str().unwrap()));
    let late = json!({ "endUserId": ben.id, "reason": "Came late" });
    hall.club.admin.post(&admission, late).await.gives(201);
    ben.vote(&hall.meeting, &question, &["No"]).await.gives(201);
    hall.meeting.clear().await;
    hall.meeting.count(&round).await.gives(200);
    let result = hall.meeting.result(&round).await.gives(200);
    assert_eq!(result["presence"], "CHECKED_IN");
    assert_eq!(result["register"], json!({ "heads": 2, "weight": 3.5 }));
    assert_eq!(result["absent"], json!({ "heads": 1, "weight": 1 }));
    assert_eq!(result["present"], json!({ "heads": 2, "weight": 3.5 }));
}

#[tokio::test]
async fn a_reopening_registers_who_has_come_beside_who_has_gone_and_the_export_is_consistent() {
    let hall = Hall::open().await;
    let [ada, ben, cleo] = &hall.voters;
    for person in [ada, ben] {
        noted(&hall.desk, entry(&person.id, "IN")).await;
    }
    let question = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&question).await["roundId"].clone();
    ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    noted(&hall.desk, entry(&ada.id, "OUT")).await;
    // It is ended by mistake. Two are in at any time.
    hall.meeting.clear().await;
    noted(&hall.desk, entry(&cleo.id, "IN")).await;
    assert_eq!(hall.meeting.open(&question).await["roundId"], round);
    cleo.vote(&hall.meeting, &question, &["No"]).await.gives(201);
    hall.meeting.clear().await;
    let result = hall.meeting.count(&round).await.gives(200);
    assert_eq!((&result["register"]["heads"], &result["present"]["heads"]), (&json!(3), &json!(3)));
    let mut file = hall.export().await;
    let checked = hall.checked(&file).await;
    assert_eq!(checked["verdict"], "signed", "{checked}");
    // Somebody more is said to have been there at the first opening.
    for voter in file["rounds"][0]["register"].as_array_mut().unwrap() {
        voter["addedAt"] = result["openedAt"].clone();
    }
    let checked = hall.checked(&file).await;
    assert!(checked.to_string().contains("no more than the 2 who were checked in at once"), "{checked}");
}

#[tokio::test]
async fn a_desk_sends_at_most_100_entries_in_one_call() {
    let hall = Hall::open().await;
    let send = async |number: usize| {
        let entries: Vec<Value> = (0..number).map(|_| entry(&hall.voters[0].id, "IN")).collect();
        hall.desk.post("/desk/entries", json!({ "entries": entries, "contactAt": null })).await
    };
    for number in [101, 150] {
        let refused = send(number).await.gives(422);
        assert_eq!(refused["fields"], json!({ "entries": ["Must have at most 100 entries."] }));
    }
    assert_eq!(hall.desk.get("/desk/entries").await.gives(200)["data"], json!([]), "none of them is stored");
    assert_eq!(send(100).await.gives(200)["data"].as_array().unwrap().len(), 100);
}

#[tokio::test]
async fn a_longer_list_is_announced_with_check_in_and_without_a_quorum() {
    let hall = Hall::open().await;
    let [ada, ben, _] = &hall.voters;
    let list = hall.meeting.path("/participants");
    hall.club.admin.post(&list, json!({ "endUserIds": [ada.id] })).await.gives(200);
    let mut organizer = EventStream::watch(&hall.club.admin, &hall.meeting.id).await;
    let mut screen = EventStream::watch_presentation(&hall.app.anyone(), &hall.meeting.id).await;
    for stream in [&mut organizer, &mut screen] {
        assert_eq!(stream.until("connected").await["checkIn"]["eligible"], 1);
    }
    hall.club.admin.post(&list, json!({ "endUserIds": [ben.id] })).await.gives(200);
    for stream in [&mut organizer, &mut screen] {
        let counted = stream.until("participant_count").await;
        let check_in = json!({ "eligible": 2, "selfCheckIn": true });
        assert_eq!(counted, json!({ "participantCount": 0, "checkIn": check_in }));
    }
}

#[tokio::test]
async fn check_in_is_a_setting_that_stays_while_a_question_is_open() {
    let hall = Hall::open().await;
    let path = hall.meeting.path("");
    let found = hall.club.admin.get(&path).await.gives(200);
    assert_eq!((&found["checkIn"], &found["selfCheckIn"]), (&json!("ON"), &json!(true)));
    let plain = hall.club.meeting().await;
    let plain = hall.club.admin.get(&plain.path("")).await.gives(200);
    assert_eq!((&plain["checkIn"], &plain["selfCheckIn"]), (&json!("OFF"), &json!(false)));
    let question = hall.meeting.ask_yes_no().await;
    hall.by_hand(&hall.voters[0], "IN").await.gives(200);
    hall.meeting.open(&question).await;
    hall.club.admin.put(&path, json!({ "checkIn": "OFF" })).await.refuses(409, "check_in_in_use");
    hall.club.admin.put(&path, json!({ "checkIn": "ON", "selfCheckIn": false })).await.gives(200);
    hall.meeting.clear().await;
    hall.club.admin.put(&path, json!({ "checkIn": "OFF" })).await.gives(200);
    hall.by_hand(&hall.voters[0], "OUT").await.refuses(409, "check_in_off");
}

#[tokio::test]
async fn a_desk_has_a_right_to_its_meeting_alone_until_it_is_revoked() {
    let hall = Hall::open().await;
    let state = hall.desk.get("/desk").await.gives(200);
    assert_eq!((&state["desk"], &state["checkIn"], &state["eligible"]), (&json!("Desk 1"), &json!("ON"), &json!(3)));
    for path in ["/client/meetings", "/voting/meetings", "/auth/me", "/clients"] {
        hall.desk.get(path).await.refuses(403, "wrong_role");
    }
    hall.desk.get(&hall.meeting.path("/attendance")).await.refuses(403, "wrong_role");
    hall.club.admin.get("/desk").await.refuses(403, "wrong_role");
    hall.voters[0].caller.get("/desk/people").await.refuses(403, "wrong_role");
    hall.app.anyone().with_token("desk_made-up").get("/desk").await.refuses(403, "invalid_token");
    let desk = hall.meeting.path(&format!("/desks/{}", hall.desk_id));
    let others = hall.app.client("Sailing Club").await;
    others.admin.delete(&desk).await.refuses(404, "desk_not_found");
    hall.club.admin.delete(&hall.meeting.path(&format!("/desks/{NO_ID}"))).await.refuses(404, "desk_not_found");
    hall.club.admin.delete(&desk).await.gives(200);
    hall.desk.get("/desk").await.refuses(401, "desk_ended");
    let (second, _) = made_desk(&hall.app, &hall.meeting, "Desk 1").await;
    second.get("/desk").await.gives(200);
    for name in ["desk 1", "Desk\u{a0}1"] {
        let twin = hall.club.admin.post(&hall.meeting.path("/desks"), json!({ "name": name })).await;
        twin.refuses(409, "desk_name_taken");
    }
    let invisible = hall.club.admin.post(&hall.meeting.path("/desks"), json!({ "name": "Desk 1\u{3164}" })).await;
    assert_eq!(invisible.wrong_fields(), ["name"]);
    hall.club.admin.post(&hall.meeting.path("/end"), Value::Null).await.gives(200);
    second.get("/desk").await.refuses(401, "desk_ended");
    hall.club.admin.post(&hall.meeting.path("/desks"), json!({ "name": "Late" })).await.refuses(409, "meeting_over");
}

#[tokio::test]
async fn a_desk_and_an_organizer_see_the_groups_of_people_and_the_proxies_that_they_hold() {
    let hall = Hall::open().await;
    let [ada, ..] = &hall.voters;
    let admin = &hall.club.admin;
    for name in ["Units", "Members"] {
        let group = admin.post("/client/groups", json!({ "name": name })).await.gives(201);
        let members = format!("/client/groups/{}/members", group["data"]["id"].as_str().unwrap());
        admin.post(&members, json!({ "add": [ada.id], "remove": [] })).await.gives(200);
    }
    let settings = |is_on: bool| {
        json!({
            "isOn": is_on, "principalsMayGrant": true, "maxPrincipals": null, "maxWeight": null, "maxSharePercent": null,
            "holders": "PARTICIPANTS", "questionsWithout": [],
        })
    };
    admin.put(&hall.meeting.path("/proxies/settings"), settings(true)).await.gives(200);
    let mut granted = Vec::new();
    for principal in ["ben", "cleo"] {
        let body = json!({ "principal": principal, "holder": "ada", "reference": null, "note": null });
        granted.push(admin.post(&hall.meeting.path("/proxies"), body).await.gives(201)["id"].clone());
    }
    let seen = async || {
        let people = hall.desk.get("/desk/people").await.gives(200)["data"].clone();
        let listed = admin.get(&hall.meeting.path("/attendance?search=ada")).await.gives(200)["data"].clone();
        let of_desk = people.as_array().unwrap().iter().find(|person| person["id"] == *ada.id).unwrap().clone();
        assert_eq!(of_desk, listed[0]);
        (of_desk["groups"].clone(), of_desk["proxies"].clone())
    };
    assert_eq!(seen().await, (json!(["Members", "Units"]), json!(2)));
    let revoked = hall.meeting.path(&format!("/proxies/{}", granted[0].as_str().unwrap()));
    admin.delete(&revoked).await.gives(200);
    assert_eq!(seen().await, (json!(["Members", "Units"]), json!(1)));
    admin.put(&hall.meeting.path("/proxies/settings"), settings(false)).await.gives(200);
    assert_eq!(seen().await, (json!(["Members", "Units"]), json!(0)));
}

#[tokio::test]
async fn desks_name_the_kind_of_weight_that_is_counted() {
    let hall = Hall::open().await;
    assert_eq!(hall.desk.get("/desk").await.gives(200)["weightKind"], Value::Null);
    let body = json!({ "name": "Living area", "unit": "m²", "decimals": 2 });
    let kind = hall.club.admin.post("/client/weight-kinds", body).await.gives(201)["data"]["id"].clone();
    hall.club.admin.put(&hall.meeting.path(""), json!({ "weightKindId": kind })).await.gives(200);
    let named = json!({ "id": kind, "name": "Living area", "unit": "m²", "decimals": 2 });
    assert_eq!(hall.desk.get("/desk").await.gives(200)["weightKind"], named);
    let made = json!({ "name": "Tellers 1", "purpose": "TELLERS" });
    let token = hall.club.admin.post(&hall.meeting.path("/desks"), made).await.gives(201)["token"].clone();
    let tellers = hall.app.anyone().with_token(token.as_str().unwrap());
    hall.meeting.open(&hall.meeting.ask_yes_no().await).await;
    assert_eq!(tellers.get("/desk/question").await.gives(200)["question"]["weightKind"], named);
}

#[tokio::test]
async fn a_queue_is_sent_later_and_a_repeat_is_the_same_entry() {
    let hall = Hall::open().await;
    let [ada, ben, _] = &hall.voters;
    let (other, _) = made_desk(&hall.app, &hall.meeting, "Desk 2").await;
    noted(&other, entry(&ada.id, "IN")).await;
    let happened = SystemClock.now() - TimeDelta::milliseconds(5);
    let late = json!({ "id": new_id(), "endUserId": ben.id, "kind": "IN", "at": happened });
    let also = json!({ "id": new_id(), "endUserId": ada.id, "kind": "IN", "at": happened });
    let stranger = entry(NO_ID, "IN");
    let future = json!({ "id": new_id(), "endUserId": ben.id, "kind": "OUT", "at": "2999-01-01T00:00:00Z" });
    let contact = happened - TimeDelta::milliseconds(1);
    let body = json!({ "entries": [late, also, stranger, future], "contactAt": contact });
    let first = hall.desk.post("/desk/entries", body.clone()).await.gives(200);
    let outcome = |at: usize| first["data"][at]["answer"]["outcome"].clone();
    assert_eq!((outcome(0), outcome(1), outcome(3)), (json!("NOTED"), json!("ALREADY_IN"), json!("NOTED")));
    assert_eq!(first["data"][1]["answer"]["entry"]["by"], "Desk 2");
    assert_eq!(first["data"][2]["refusal"]["code"], "end_user_not_found");
    let entry = &first["data"][0]["answer"]["entry"];
    assert!(entry["at"].as_str() < entry["notedAt"].as_str(), "{entry}");
    let future = &first["data"][3]["answer"]["entry"];
    assert_eq!(future["at"], future["notedAt"], "a time in the future gives way to the server's");
    let second = hall.desk.post("/desk/entries", body).await.gives(200);
    assert_eq!(second["data"][0]["answer"]["outcome"], "REPEATED");
    let log = hall.desk.get("/desk/entries?after=0").await.gives(200);
    assert_eq!(log["data"].as_array().unwrap().len(), 3);
    let rest = hall.desk.get("/desk/entries?after=2").await.gives(200);
    assert_eq!(rest["data"][0]["number"], 3);
    hall.desk.get("/desk/entries?after=x").await.refuses(422, "invalid_input");
    hall.desk.get("/desk/people?after=x").await.refuses(422, "invalid_input");
    let people = hall.desk.get("/desk/people").await.gives(200);
    assert_eq!((people["data"].as_array().unwrap().len(), &people["next"]), (3, &Value::Null));
}

#[tokio::test]
async fn voters_check_themselves_in_with_the_code_on_the_presentation() {
    let hall = Hall::open().await;
    let [ada, ben, _] = &hall.voters;
    let own = format!("/voting/meetings/{}/check-in", hall.meeting.id);
    let before = ada.caller.get(&own).await.gives(200);
    assert_eq!((&before["checkIn"], &before["entry"]), (&json!("ON"), &Value::Null));
    let id = ada.id.replace('-', "").to_uppercase();
    assert_eq!(before["code"], format!("PLENUM-IN:{id}"));
    ada.caller.post(&own, json!({ "code": "000000x" })).await.refuses(409, "wrong_check_in_code");
    let shown = hall.app.anyone().get(&format!("/public/meetings/{}/check-in-code", hall.meeting.id)).await.gives(200);
    let code = shown["code"].as_str().unwrap();
    let mut phone = EventStream::watch(&ada.caller, &hall.meeting.id).await;
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let answer = ada.caller.post(&own, json!({ "code": spaced })).await.gives(200);
    assert_eq!((&answer["outcome"], &answer["entry"]["role"]), (&json!("NOTED"), &json!("PERSON")));
    phone.until_event(|event| event.kind == "own_check_in" && event.data["checkedIn"] == true).await;
    assert_eq!(ada.caller.get(&own).await.gives(200)["entry"]["by"], "ada");
    hall.club.admin.put(&hall.meeting.path(""), json!({ "selfCheckIn": false })).await.gives(200);
    ben.caller.post(&own, json!({ "code": code })).await.refuses(409, "no_self_check_in");
    let code_path = format!("/public/meetings/{}/check-in-code", hall.meeting.id);
    hall.app.anyone().get(&code_path).await.refuses(404, "no_check_in_code");
}

#[tokio::test]
async fn the_attendance_is_listed_and_exported() {
    let hall = Hall::open().await;
    let [ada, ben, cleo] = &hall.voters;
    noted(&hall.desk, entry(&ada.id, "IN")).await;
    hall.by_hand(ben, "IN").await.gives(200);
    let out = hall.by_hand(ben, "OUT").await.gives(200);
    assert_eq!((&out["outcome"], &out["entry"]["by"]), (&json!("NOTED"), &json!("Anna Berg")));
    assert_eq!(hall.by_hand(cleo, "OUT").await.gives(200), json!({ "outcome": "ALREADY_OUT", "entry": null }));
    let path = hall.meeting.path("/attendance");
    let list = hall.club.admin.get(&path).await.gives(200);
    assert_eq!(list["totals"]["present"], json!({ "heads": 1, "weight": 2.5 }));
    assert_eq!(list["totals"]["eligible"], json!({ "heads": 3, "weight": 4.5 }));
    let absent = hall.club.admin.get(&format!("{path}?presence=absent&search=e&pageSize=1")).await.gives(200);
    assert_eq!((absent["data"][0]["name"].as_str(), absent["meta"]["total"].as_u64()), (Some("ben"), Some(2)));
    hall.club.admin.get(&format!("{path}?presence=here")).await.refuses(422, "invalid_input");
    let csv = hall.club.admin.get(&format!("{path}/export")).await;
    let lines = csv.text.trim_start_matches('\u{feff}').lines();
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with("Signature,")).collect();
    assert_eq!(lines.len(), 4, "{}", csv.text);
    assert!(lines[1].starts_with("ada,ada,2.5,yes,") && lines[1].contains("Desk 1"), "{}", lines[1]);
    assert!(lines[2].starts_with("ben,ben,1,no,") && lines[2].contains("Anna Berg,Anna Berg"), "{}", lines[2]);
    assert!(lines[3].starts_with("cleo,cleo,1,no,,"), "{}", lines[3]);
    let workbook = hall.club.admin.get(&format!("{path}/export?format=xlsx")).await;
    assert!(workbook.status == 200 && workbook.text.starts_with("PK"));
    hall.club.admin.get(&format!("{path}/export?format=pdf")).await.refuses(422, "invalid_input");
    let log = hall.club.admin.get("/client/audit?kind=presence_noted").await.gives(200);
    assert_eq!(log["data"].as_array().unwrap().len(), 2, "desks are in the attendance log only");
}

/// A thousand people pass three desks. One desk has no network in the meantime, and some people come to two desks at once.
#[tokio::test]
async fn a_thousand_people_pass_three_desks_and_nobody_is_lost_or_twice() {
    const PEOPLE: usize = 1_000;
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows: Vec<Value> = (0..PEOPLE)
        .map(|number| {
            json!({ "line": number + 2, "name": format!("Person {number}"), "weight": "1", "isActive": "yes" })
        })
        .collect();
    club.admin.post("/client/end-users/import", json!({ "rows": rows, "dryRun": false })).await.gives(200);
    let meeting = club.meeting_with(json!({ "status": "ACTIVE", "checkIn": "ON" })).await;
    let mut desks = Vec::new();
    for number in 1..=3 {
        desks.push(made_desk(&app, &meeting, &format!("Desk {number}")).await.0);
    }
    let people = desks[0].get("/desk/people").await.gives(200);
    let ids: Vec<String> =
        people["data"].as_array().unwrap().iter().map(|person| person["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), PEOPLE);
    let contact = SystemClock.now();
    let started = Instant::now();
    let mut work = Vec::new();
    for (number, desk) in desks.into_iter().enumerate() {
        // Each tenth person shows a code at the next desk, too.
        let mine: Vec<String> = (0..PEOPLE)
            .filter(|place| place % 3 == number || (place % 10 == 0 && (place + 1) % 3 == number))
            .map(|place| ids[place].clone())
            .collect();
        work.push(tokio::spawn(async move {
            let (mut times, mut queue, mut notes) = (Vec::new(), Vec::new(), 0);
            let half = mine.len() / 2;
            for (place, person) in mine.iter().enumerate() {
                // The third desk loses the network for a third of its people.
                if number == 2 && (half / 2..half).contains(&place) {
                    let at = SystemClock.now();
                    queue.push(json!({ "id": new_id(), "endUserId": person, "kind": "IN", "at": at }));
                    continue;
                }
                let begun = Instant::now();
                let outcome = noted(&desk, entry(person, "IN")).await;
                times.push(begun.elapsed());
                notes += usize::from(outcome["answer"]["outcome"] == "NOTED");
            }
            for part in queue.chunks(100) {
                let body = json!({ "entries": part, "contactAt": contact });
                // The response of the first attempt is lost.
                desk.post("/desk/entries", body.clone()).await.gives(200);
                let answer = desk.post("/desk/entries", body).await.gives(200);
                for result in answer["data"].as_array().unwrap() {
                    notes += usize::from(result["answer"]["outcome"] == "REPEATED");
                }
            }
            (times, notes)
        }));
    }
    let (mut times, mut notes) = (Vec::new(), 0);
    for desk in work {
        let (of_desk, noted) = desk.await.unwrap();
        times.extend(of_desk);
        notes += noted;
    }
    let total = started.elapsed();
    times.sort();
    assert_eq!(notes, PEOPLE, "each person is checked in exactly once");
    let list = club.admin.get(&meeting.path("/attendance?presence=present&pageSize=1")).await.gives(200);
    assert_eq!(list["totals"]["present"]["heads"], PEOPLE);
    assert_eq!(list["meta"]["total"], PEOPLE);
    let (median, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("check-in of {PEOPLE} people at 3 desks: {total:?}; median {median:?}, 99 % within {late:?}");
}

#[tokio::test]
async fn the_end_seals_the_attendance_log_without_names_and_exports_are_checked_against_it() {
    let hall = Hall::open().await;
    let [ada, ben, _] = &hall.voters;
    noted(&hall.desk, entry(&ada.id, "IN")).await;
    let question = hall.meeting.ask_yes_no().await;
    let round = hall.meeting.open(&question).await["roundId"].as_str().unwrap().to_owned();
    ada.vote(&hall.meeting, &question, &["Yes"]).await.gives(201);
    hall.meeting.clear().await;
    let declare = hall.meeting.path(&format!("/rounds/{round}/declare"));
    hall.club.admin.post(&declare, Value::Null).await.gives(200);
    noted(&hall.desk, entry(&ben.id, "IN")).await;
    hall.club.admin.put(&hall.meeting.path(""), json!({ "status": "COMPLETED" })).await.gives(200);
    let mut file = hall.export().await;
    let record = &file["closings"][0]["record"];
    assert_eq!(record["checkIns"]["entries"], 2);
    let names_nobody = ["\"ada\"", ada.id.as_str()].iter().all(|name| !record.to_string().contains(name));
    assert!(names_nobody, "the record outlives the meeting: {record}");
    assert_eq!(file["checkIns"][1]["username"], "ben");
    let verdict = async |file: &Value| hall.checked(file).await.to_string();
    assert!(!verdict(&file).await.contains("checkIns"));
    file["checkIns"][1]["username"] = json!("cleo");
    assert!(verdict(&file).await.contains("checkIns"), "another person than the sealed one");
    file["checkIns"] = json!([]);
    let emptied = verdict(&file).await;
    assert!(emptied.contains("rounds.0.register"), "somebody was present and nobody had come: {emptied}");
}
