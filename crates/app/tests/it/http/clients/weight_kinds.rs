//! Kinds of weight, and the values of voters.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diesel::connection::SimpleConnection as _;
use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, PASSWORD, TestApp};

const KINDS: &str = "/client/weight-kinds";
const PEOPLE: &str = "/client/end-users";
const LARGEST: &str = "999999999999999999.999999";

async fn kind(club: &Organization, name: &str, decimals: u8) -> String {
    let made = club.admin.post(KINDS, json!({ "name": name, "decimals": decimals })).await.gives(201);
    made["data"]["id"].as_str().unwrap().to_owned()
}

async fn person(club: &Organization, username: &str, weights: Value) -> Answer {
    let body = json!({ "username": username, "name": username, "password": PASSWORD, "weights": weights });
    club.admin.post(PEOPLE, body).await
}

fn one(kind: &str, value: &str) -> Value {
    json!([{ "kindId": kind, "value": value }])
}

/// The weights of the people, by name.
async fn weights(club: &Organization) -> Vec<Value> {
    let listed = club.admin.get(PEOPLE).await.gives(200)["data"].clone();
    listed.as_array().unwrap().iter().map(|person| person["weights"].clone()).collect()
}

async fn totals(club: &Organization) -> Vec<(String, String)> {
    let listed = club.admin.get(KINDS).await.gives(200)["data"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    listed.as_array().unwrap().iter().map(|kind| (text(&kind["name"]), text(&kind["total"]))).collect()
}

#[tokio::test]
async fn kinds_are_created_listed_by_name_changed_and_deleted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let body = json!({ "name": " living area ", "unit": "m²", "decimals": 2 });
    let made = club.admin.post(KINDS, body).await;
    let id = made.json()["data"]["id"].as_str().unwrap().to_owned();
    assert!(made.header("location").is_some_and(|place| place.ends_with(&format!("{KINDS}/{id}"))));
    let area = made.gives(201)["data"].clone();
    let shown = json!({
        "id": id, "name": "living area", "unit": "m²", "decimals": 2, "total": "0", "createdAt": area["createdAt"],
    });
    assert_eq!(area, shown);
    let shares = kind(&club, "Shares", 0).await;
    person(&club, "ben", json!([{ "kindId": id, "value": "70.25" }, { "kindId": shares, "value": "3" }]))
        .await
        .gives(201);
    person(&club, "cleo", one(&id, "12345.50")).await.gives(201);
    assert_eq!(
        totals(&club).await,
        [("living area", "12415.75"), ("Shares", "3")].map(|(name, sum)| { (name.to_owned(), sum.to_owned()) })
    );
    let path = format!("{KINDS}/{id}");
    let changed = club.admin.put(&path, json!({ "name": "Area", "decimals": 3 })).await.gives(200)["data"].clone();
    let expected = json!({
        "id": id, "name": "Area", "unit": "m²", "decimals": 3, "total": "12415.75", "createdAt": area["createdAt"],
    });
    assert_eq!(changed, expected);
    let changed = club.admin.put(&path, json!({ "unit": "" })).await.gives(200)["data"].clone();
    assert_eq!((&changed["unit"], &changed["name"]), (&Value::Null, &json!("Area")));
    assert_eq!(club.admin.get(&path).await.gives(200)["data"], changed);
    club.admin.delete(&path).await.gives(200);
    club.admin.delete(&path).await.refuses(404, "weight_kind_not_found");
    assert_eq!(weights(&club).await, [one(&shares, "3"), json!([])]);
}

#[tokio::test]
async fn a_kind_is_refused_with_its_reason() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    for (body, fields) in [
        (json!({ "name": " ", "decimals": 7 }), vec!["decimals", "name"]),
        (json!({ "name": "n".repeat(101), "unit": "u".repeat(21), "decimals": 7 }), vec!["decimals", "name", "unit"]),
        (json!({ "name": "Shares", "decimals": -1 }), vec!["decimals"]),
        (json!({ "name": "Shares" }), vec!["decimals"]),
        (json!({ "name": "Shares", "decimals": "2" }), vec!["decimals"]),
        (json!({ "name": "Shares", "decimals": 1.5 }), vec!["decimals"]),
    ] {
        assert_eq!(club.admin.post(KINDS, body.clone()).await.wrong_fields(), fields, "{body}");
    }
    let id = kind(&club, "Shares", 2).await;
    let theirs = kind(&other, "Theirs", 0).await;
    let path = format!("{KINDS}/{id}");
    let taken = club.admin.post(KINDS, json!({ "name": "SHARES", "decimals": 0 })).await;
    assert!(taken.refuses(409, "weight_kind_name_taken")["fields"]["name"].is_array());
    kind(&other, "Shares", 0).await;
    let second = kind(&club, "Second", 0).await;
    let renamed = club.admin.put(&format!("{KINDS}/{second}"), json!({ "name": "shares" })).await;
    assert!(renamed.refuses(409, "weight_kind_name_taken")["fields"]["name"].is_array());
    let fewer = club.admin.put(&path, json!({ "decimals": 1 })).await.refuses(409, "fewer_decimals");
    assert_eq!(fewer["fields"]["decimals"], json!(["The number of decimals cannot be reduced."]));
    assert_eq!(club.admin.put(&path, json!({ "decimals": 9 })).await.wrong_fields(), ["decimals"]);
    for id in [theirs.as_str(), "no-id"] {
        let path = format!("{KINDS}/{id}");
        club.admin.get(&path).await.refuses(404, "weight_kind_not_found");
        club.admin.put(&path, json!({ "name": "Mine" })).await.refuses(404, "weight_kind_not_found");
        club.admin.delete(&path).await.refuses(404, "weight_kind_not_found");
    }
    for number in 2..20 {
        kind(&club, &format!("Kind {number}"), 0).await;
    }
    club.admin.post(KINDS, json!({ "name": "Late", "decimals": 0 })).await.refuses(409, "too_many_weight_kinds");
}

#[tokio::test]
async fn a_kind_in_use_is_not_deleted() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let id = kind(&club, "Shares", 0).await;
    person(&club, "ben", one(&id, "3")).await.gives(201);
    let meeting = club.meeting_with(json!({ "status": "DRAFT" })).await;
    let question = meeting.ask_yes_no().await;
    let path = format!("{KINDS}/{id}");
    let update = |statement: &str| app.database.connection().batch_execute(statement).unwrap();
    for (table, column, row) in [
        ("meetings", "weight_kind_id", &meeting.id),
        ("questions", "weight_kind_id", &question),
        ("questions", "second_weight_kind_id", &question),
    ] {
        update(&format!("UPDATE {table} SET {column} = '{id}' WHERE id = '{row}'"));
        let refused = club.admin.delete(&path).await.refuses(409, "weight_kind_in_use");
        let text = refused["error"].as_str().unwrap();
        assert!(text.contains("“General assembly”"), "{text}");
        assert_eq!(text.contains("the question"), table == "questions", "{text}");
        update(&format!("UPDATE {table} SET {column} = NULL WHERE id = '{row}'"));
    }
    assert_eq!(weights(&club).await, [one(&id, "3")]);
    club.admin.delete(&path).await.gives(200);
}

#[tokio::test]
async fn a_voter_has_exact_values() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (capital, shares) = (kind(&club, "Capital", 6).await, kind(&club, "Shares", 0).await);
    let both = json!([{ "kindId": shares, "value": "0" }, { "kindId": capital, "value": LARGEST }]);
    let ben = person(&club, "ben", both).await.gives(201)["data"].clone();
    assert_eq!(ben["weights"], one(&capital, LARGEST));
    let path = format!("{PEOPLE}/{}", ben["id"].as_str().unwrap());
    let change = async |body: Value| club.admin.put(&path, body).await.gives(200)["data"]["weights"].clone();
    assert_eq!(change(json!({ "name": "Ben" })).await, one(&capital, LARGEST), "missing values stay");
    assert_eq!(change(json!({ "weights": null })).await, one(&capital, LARGEST));
    assert_eq!(change(json!({ "weights": one(&shares, "007") })).await, one(&shares, "7"), "all others are 0");
    assert_eq!(club.admin.get(&path).await.gives(200)["data"]["weights"], one(&shares, "7"));
    let meeting = club.meeting_with(json!({ "status": "DRAFT" })).await;
    let invited = club.admin.get(&meeting.path("/participants")).await.gives(200);
    assert!(invited.to_string().contains(&format!("\"weights\":{}", one(&shares, "7"))), "{invited}");
    assert_eq!(change(json!({ "weights": [] })).await, json!([]));
    let anna = person(&club, "anna", Value::Null).await.gives(201)["data"].clone();
    assert_eq!(anna["weights"], json!([]));
}

#[tokio::test]
async fn a_change_of_one_kind_keeps_the_values_of_the_others() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (area, shares) = (kind(&club, "Area", 2).await, kind(&club, "Shares", 0).await);
    let both = json!([{ "kindId": area, "value": "50" }, { "kindId": shares, "value": "100" }]);
    let ben = person(&club, "ben", both).await.gives(201)["data"].clone();
    let path = format!("{PEOPLE}/{}", ben["id"].as_str().unwrap());
    let change = async |weights: Value| club.admin.put(&path, json!({ "weightChanges": weights })).await;
    // As of two administrators who both started from 50 and 100.
    change(one(&shares, "200")).await.gives(200);
    change(one(&area, "60.5")).await.gives(200);
    let of = |weights: &Value, kind: &str| {
        let weights = weights.as_array().unwrap();
        weights.iter().find(|weight| weight["kindId"] == kind).map(|weight| weight["value"].clone())
    };
    let stored = club.admin.get(&path).await.gives(200)["data"]["weights"].clone();
    assert_eq!((of(&stored, &area), of(&stored, &shares)), (Some(json!("60.5")), Some(json!("200"))), "{stored}");
    assert_eq!(change(one(&area, "0")).await.gives(200)["data"]["weights"], one(&shares, "200"), "0 removes the value");
    for nothing in [json!([]), Value::Null] {
        assert_eq!(change(nothing).await.gives(200)["data"]["weights"], one(&shares, "200"));
    }
    let contradiction = json!({ "weights": one(&shares, "1"), "weightChanges": one(&area, "1") });
    assert_eq!(club.admin.put(&path, contradiction).await.wrong_fields(), ["weightChanges"]);
    assert_eq!(weights(&club).await, [one(&shares, "200")]);
}

#[tokio::test]
async fn a_wrong_value_is_refused_and_named() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (id, theirs) = (kind(&club, "Shares", 1).await, kind(&other, "Theirs", 0).await);
    let ben = person(&club, "ben", one(&id, "2.5")).await.gives(201)["data"].clone();
    let path = format!("{PEOPLE}/{}", ben["id"].as_str().unwrap());
    let twice = json!([{ "kindId": id, "value": "1" }, { "kindId": id, "value": "1" }]);
    let many: Vec<Value> = (0..21).map(|_| json!({ "kindId": id, "value": "1" })).collect();
    for (weights, field) in [
        (one(&theirs, "1"), "weights.0.kindId"),
        (one("no-id", "1"), "weights.0.kindId"),
        (twice, "weights.1.kindId"),
        (one(&id, "0.25"), "weights.0.value"),
        (one(&id, "-1"), "weights.0.value"),
        (one(&id, "1,5"), "weights.0.value"),
        (one(&id, "1e3"), "weights.0.value"),
        (one(&id, ""), "weights.0.value"),
        (one(&id, "1000000000000000000"), "weights.0.value"),
        (json!([{ "kindId": id, "value": 2.5 }]), "weights.0.value"),
        (json!([{ "kindId": id }]), "weights.0.value"),
        (json!(many), "weights"),
        (json!("2.5"), "weights"),
    ] {
        assert_eq!(person(&club, "cleo", weights.clone()).await.wrong_fields(), [field], "{weights}");
        assert_eq!(club.admin.put(&path, json!({ "weights": weights })).await.wrong_fields(), [field], "{weights}");
        let changed = field.replace("weights", "weightChanges");
        let body = json!({ "weightChanges": weights });
        assert_eq!(club.admin.put(&path, body).await.wrong_fields(), [changed], "{weights}");
    }
    assert_eq!(weights(&club).await, [one(&id, "2.5")]);
}

#[tokio::test]
async fn the_audit_log_tells_kinds_and_values_by_their_names() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let id = kind(&club, "Shares", 0).await;
    let ben = person(&club, "ben", one(&id, "3")).await.gives(201)["data"].clone();
    let path = format!("{PEOPLE}/{}", ben["id"].as_str().unwrap());
    club.admin.put(&path, json!({ "weights": one(&id, "5") })).await.gives(200);
    club.admin.put(&path, json!({ "weights": one(&id, "5") })).await.gives(200);
    club.admin.put(&format!("{KINDS}/{id}"), json!({ "decimals": 2 })).await.gives(200);
    club.admin.delete(&format!("{KINDS}/{id}")).await.gives(200);
    let entries = async |kind: &str| {
        let read = club.admin.get(&format!("/client/audit?kind={kind}")).await.gives(200)["data"].clone();
        read.as_array().unwrap().iter().map(|entry| entry["changes"].clone()).collect::<Vec<_>>()
    };
    let change = |field: &str, before: Value, after: Value| json!({ "field": field, "before": before, "after": after });
    assert_eq!(entries("end_user_changed").await, [json!([change("weight: Shares", json!("3"), json!("5"))])]);
    assert_eq!(entries("weight_kind_changed").await, [json!([change("decimals", json!("0"), json!("2"))])]);
    assert_eq!(entries("weight_kind_created").await.len(), 1);
    assert_eq!(entries("weight_kind_deleted").await.len(), 1);
    let deleted = club.admin.get("/client/audit?kind=weight_kind_deleted").await.gives(200)["data"][0].clone();
    assert_eq!((&deleted["subject"]["kind"], &deleted["subject"]["name"]), (&json!("weight_kind"), &json!("Shares")));
}

#[tokio::test]
async fn an_erased_person_has_no_values_in_the_log_or_in_the_sum() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let id = kind(&club, "Shares", 0).await;
    let ben = person(&club, "ben", one(&id, "31415")).await.gives(201)["data"].clone();
    let erase = format!("{PEOPLE}/{}/erase", ben["id"].as_str().unwrap());
    club.admin.post(&erase, json!({ "username": "ben" })).await.gives(200);
    assert_eq!(weights(&club).await, [json!([])]);
    assert_eq!(totals(&club).await, [("Shares".to_owned(), "0".to_owned())]);
    let erased = club.admin.get("/client/audit?kind=end_user_erased").await.gives(200)["data"].clone();
    assert_eq!(erased[0]["changes"], json!([]));
}

/// The rows of a file, with the fields that the suggested columns give them.
async fn rows_of(club: &Organization, (name, content): (&str, &[u8])) -> Value {
    let file = json!({ "fileName": name, "content": STANDARD.encode(content) });
    let read = club.admin.post("/client/end-users/import/read", file).await.gives(200)["data"].clone();
    let cell = |row: &Value, column: &Value| row[usize::try_from(column.as_u64().unwrap()).unwrap()].clone();
    let rows = read["rows"].as_array().unwrap().iter().zip(read["lines"].as_array().unwrap()).map(|(cells, line)| {
        let mut row = json!({ "line": line, "isFromWorkbook": read["format"] == "xlsx" });
        for (field, column) in read["mapping"].as_object().unwrap() {
            row[field] = match column.as_array() {
                None => cell(cells, column),
                Some(kinds) => {
                    let value =
                        |kind: &Value| json!({ "kindId": kind["kindId"], "value": cell(cells, &kind["column"]) });
                    kinds.iter().map(value).collect()
                }
            };
        }
        row
    });
    rows.collect()
}

async fn import(club: &Organization, rows: &Value, is_dry: bool) -> Value {
    let body = json!({ "rows": rows, "dryRun": is_dry });
    club.admin.post("/client/end-users/import", body).await.gives(200)["data"].clone()
}

#[tokio::test]
async fn an_exported_file_with_kinds_is_imported_again() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    // Names that other columns have, too, and one that a program might execute.
    let kinds = [kind(&club, "Weight", 3).await, kind(&club, "=Area; m²", 6).await, kind(&club, "Groups", 0).await];
    let of = |values: [&str; 3]| -> Value {
        kinds.iter().zip(values).map(|(kind, value)| json!({ "kindId": kind, "value": value })).collect()
    };
    person(&club, "anna", of(["1.234", LARGEST, "1234567890123456"])).await.gives(201);
    person(&club, "ben", of(["0.5", "123456789.123456", "0"])).await.gives(201);
    person(&club, "cleo", json!([])).await.gives(201);
    let before = weights(&club).await;
    for format in ["csv", "xlsx"] {
        let path = format!("/client/end-users/export?format={format}");
        let content = club.admin.request("GET", &path).send().await.unwrap().bytes().await.unwrap();
        let rows = rows_of(&club, (&format!("people.{format}"), &content)).await;
        let checked = import(&club, &rows, true).await;
        let counts = json!({ "new": 0, "change": 0, "unchanged": 3, "error": 0 });
        assert_eq!(checked["counts"], counts, "{format}: {checked}");
        for name in ["anna", "ben", "cleo"] {
            let id = club.admin.get(&format!("{PEOPLE}?search={name}")).await.gives(200)["data"][0]["id"].clone();
            let path = format!("{PEOPLE}/{}", id.as_str().unwrap());
            club.admin.put(&path, json!({ "weights": of(["9", "9", "9"]) })).await.gives(200);
        }
        let imported = import(&club, &rows, false).await;
        assert_eq!(imported["counts"]["change"], 3, "{imported}");
        assert_eq!(imported["rows"][0]["changes"], json!(["weights"]));
        assert_eq!(weights(&club).await, before, "{format}");
    }
}

#[tokio::test]
async fn a_file_with_values_is_read_checked_and_imported() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let made = club.admin.post(KINDS, json!({ "name": "Fläche", "unit": "m²", "decimals": 1 })).await.gives(201);
    let area = made["data"]["id"].as_str().unwrap().to_owned();
    let shares = kind(&club, "Shares", 0).await;
    let theirs = kind(&other, "Fläche", 0).await;
    person(&club, "ben", json!([{ "kindId": area, "value": "70.5" }, { "kindId": shares, "value": "2" }]))
        .await
        .gives(201);
    let content = "Name;Username;Gewicht;Fläche (m²);Shares\nben;ben;1;;3\ncleo;cleo;2;1.070,5;\n";
    let rows = rows_of(&club, ("people.csv", content.as_bytes())).await;
    let of =
        |first: &str, second: &str| json!([{ "kindId": area, "value": first }, { "kindId": shares, "value": second }]);
    assert_eq!((&rows[0]["weights"], &rows[0]["weight"]), (&of("", "3"), &json!("1")), "{rows}");
    let imported = import(&club, &rows, false).await;
    assert_eq!(imported["counts"], json!({ "new": 1, "change": 1, "unchanged": 0, "error": 0 }), "{imported}");
    let read = json!([one(&shares, "3"), one(&area, "1070.5")]);
    assert_eq!(json!([imported["rows"][0]["weights"], imported["rows"][1]["weights"]]), read);
    let [ben, cleo] = weights(&club).await.try_into().unwrap();
    assert!(
        ben.to_string().contains("\"70.5\"") && ben.to_string().contains("\"3\""),
        "an empty cell changes nothing: {ben}"
    );
    assert_eq!(cleo, one(&area, "1070.5"));

    let row = |weights: Value| json!([{ "line": 2, "name": "dora", "username": "dora", "weights": weights }]);
    for (weights, kind_id, message) in [
        (one(&shares, "1,5"), &shares, "Shares: Must be a whole number."),
        (one(&theirs, "1"), &theirs, "Must be of a kind of weight of your organization."),
    ] {
        let checked = import(&club, &row(weights), true).await;
        let error = json!([{ "field": "weights", "kindId": kind_id, "message": message }]);
        assert_eq!(checked["rows"][0]["errors"], error, "{checked}");
    }
    let body = json!({ "rows": row(one("no-id", "1")), "dryRun": true });
    assert_eq!(club.admin.post("/client/end-users/import", body).await.wrong_fields(), ["rows.0.weights.0.kindId"]);
    let many = Value::from_iter(std::iter::repeat_n(json!({ "kindId": shares, "value": "1" }), 21));
    let body = json!({ "rows": row(many), "dryRun": true });
    assert_eq!(club.admin.post("/client/end-users/import", body).await.wrong_fields(), ["rows.0.weights"]);
}

#[tokio::test]
async fn a_number_of_a_workbook_is_not_read_as_thousands() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let area = kind(&club, "Area", 3).await;
    person(&club, "anna", one(&area, "125.375")).await.gives(201);
    let path = "/client/end-users/export?format=xlsx";
    let content = club.admin.request("GET", path).send().await.unwrap().bytes().await.unwrap();
    let theirs = kind(&other, "Area", 2).await;
    let rows = rows_of(&other, ("people.xlsx", &content)).await;
    let checked = import(&other, &rows, true).await;
    let error = json!([{ "field": "weights", "kindId": theirs, "message": "Area: Must have at most 2 decimals." }]);
    assert_eq!(checked["rows"][0]["errors"], error, "{checked}");
}
