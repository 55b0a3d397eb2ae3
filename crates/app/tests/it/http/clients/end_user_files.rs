use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{Answer, Organization, PASSWORD, TestApp};

const EXPORT: &str = "/client/end-users/export";
const READ: &str = "/client/end-users/import/read";
const IMPORT: &str = "/client/end-users/import";

fn file(name: &str, content: impl AsRef<[u8]>) -> Value {
    json!({ "fileName": name, "content": STANDARD.encode(content) })
}

async fn dry_run(club: &Organization, rows: &Value) -> Value {
    let body = json!({ "rows": rows, "dryRun": true });
    club.admin.post(IMPORT, body).await.gives(200)["data"].clone()
}

async fn import(club: &Organization, rows: &Value) -> Answer {
    club.admin.post(IMPORT, json!({ "rows": rows, "dryRun": false })).await
}

async fn listed(club: &Organization) -> Value {
    club.admin.get("/client/end-users").await.gives(200)["data"].clone()
}

fn verdicts(data: &Value) -> Vec<&str> {
    data["rows"].as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_list_is_exported_as_csv_as_it_is_searched_and_filtered() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    other.voter("stranger").await;
    for (username, name, is_active) in [("ben", "Ben Öst", true), ("cleo", "=Cleo", false)] {
        let body = json!({
            "username": username, "name": name, "email": format!("{username}@example.org"), "weight": 1.5,
            "address": "Main Street 1, Town", "isActive": is_active, "password": PASSWORD,
        });
        club.admin.post("/client/end-users", body).await.gives(201);
    }
    let answer = club.admin.get(EXPORT).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    let name = answer.header("content-disposition").unwrap();
    let day = name.strip_prefix("attachment; filename=\"rowing-club-end-users-").unwrap();
    let day = day.strip_suffix(".csv\"").unwrap();
    assert!(chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").is_ok(), "{name}");
    let heading = "Name,Username,Email,Address,Weight,Status,Last Login,Groups";
    let ben = "Ben Öst,ben,ben@example.org,\"Main Street 1, Town\",1.5,Active,,";
    let cleo = "'=Cleo,cleo,cleo@example.org,\"Main Street 1, Town\",1.5,Inactive,,";
    // Without the byte order mark, which the caller removes.
    let lines =
        |answer: &Answer| answer.text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&answer), [heading, cleo, ben]);
    for (query, expected) in [
        ("?status=active", vec![heading, ben]),
        ("?status=inactive&format=csv", vec![heading, cleo]),
        ("?search=BEN", vec![heading, ben]),
        ("?search=nobody", vec![heading]),
    ] {
        assert_eq!(lines(&club.admin.get(&format!("{EXPORT}{query}")).await), expected, "{query}");
    }
    for (query, field) in [("?format=pdf", "format"), ("?status=asleep", "status")] {
        assert_eq!(club.admin.get(&format!("{EXPORT}{query}")).await.wrong_fields(), [field]);
    }
}

#[tokio::test]
async fn an_exported_file_can_be_imported_without_changes() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for number in 0..3 {
        club.voter_of_weight(&format!("Voter-{number}"), "33.3333").await;
    }
    for format in ["csv", "xlsx"] {
        let response = club.admin.request("GET", &format!("{EXPORT}?format={format}")).send().await.unwrap();
        let content = response.bytes().await.unwrap();
        let read = club.admin.post(READ, file(&format!("voters.{format}"), content)).await.gives(200)["data"].clone();
        assert_eq!((&read["rowCount"], &read["format"]), (&json!(3), &json!(format)));
        let mapping = read["mapping"].as_object().unwrap();
        let rows: Vec<Value> = read["rows"]
            .as_array()
            .unwrap()
            .iter()
            .zip(read["lines"].as_array().unwrap())
            .map(|(cells, line)| {
                let mut row = json!({ "line": line });
                for (field, column) in mapping {
                    row[field] = cells[usize::try_from(column.as_u64().unwrap()).unwrap()].clone();
                }
                row
            })
            .collect();
        let outcome = dry_run(&club, &json!(rows)).await;
        assert_eq!(outcome["counts"], json!({ "new": 0, "change": 0, "unchanged": 3, "error": 0 }), "{outcome}");
    }
}

#[tokio::test]
async fn a_file_is_read_with_the_meaning_of_its_columns() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let content =
        b"Vorname;Nachname;E-Mail;Stimmen\r\nJ\xfcrgen;M\xfcller;;1,5\r\n\r\nB\xe4rbel;\xd6zt\xfcrk;b@example.org\r\n";
    let read = club.admin.post(READ, file("Mitglieder.CSV", content)).await.gives(200);
    let expected = json!({
        "sheet": null, "sheets": [], "headerRow": 1,
        "headerRows": [
            { "row": 1, "cells": ["Vorname", "Nachname", "E-Mail", "Stimmen"] },
            { "row": 2, "cells": ["Jürgen", "Müller", "", "1,5"] },
            { "row": 4, "cells": ["Bärbel", "Öztürk", "b@example.org"] },
        ],
        "columns": ["Vorname", "Nachname", "E-Mail", "Stimmen"],
        "rows": [["Jürgen", "Müller", "", "1,5"], ["Bärbel", "Öztürk", "b@example.org", ""]],
        "lines": [2, 4], "rowCount": 2, "format": "csv", "separator": ";", "encoding": "windows-1252",
        "mapping": { "firstName": 0, "lastName": 1, "email": 2, "weight": 3 },
    });
    assert_eq!(read, json!({ "success": true, "data": expected }));
}

#[tokio::test]
async fn an_unreadable_file_is_422_with_a_reason() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows = |number: usize| format!("Name\n{}", "Anna\n".repeat(number));
    let mut reasons = Vec::new();
    for (body, field) in [
        (file("voters.pdf", "Name\nAnna\n"), "fileName"),
        (file("", "Name\nAnna\n"), "fileName"),
        (json!({ "fileName": "voters.csv", "content": "Näme" }), "content"),
        (file("voters.xls", "Name\nAnna\n"), "content"),
        (file("voters.xlsx", "Name\nAnna\n"), "content"),
        (file("voters.csv", ""), "content"),
        (file("voters.csv", rows(20_001)), "content"),
        (file("voters.csv", format!("{}\nx\n", "x,".repeat(51))), "content"),
        (file("voters.csv", " ".repeat(5 * 1024 * 1024 + 1)), "content"),
    ] {
        let answer = club.admin.post(READ, body).await;
        assert_eq!(answer.wrong_fields(), [field], "{}", answer.text);
        reasons.push(answer.json()["error"].as_str().unwrap().to_owned());
    }
    reasons.sort();
    reasons.dedup();
    assert_eq!(reasons.len(), 8, "each says something else, but for the two names: {reasons:#?}");
    let large = file("voters.csv", " ".repeat(7 * 1024 * 1024));
    club.admin.post(READ, large).await.refuses(413, "body_too_large");
}

#[tokio::test]
async fn a_dry_run_lists_changes_and_makes_none() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let (ben, _) = (club.voter("Ben").await, club.voter("cleo").await);
    let before = listed(&club).await;
    let rows = json!([
        { "line": 2, "username": "BEN", "weight": "1,5", "isActive": "nein", "password": "another horse" },
        { "line": 3, "username": "cleo", "weight": "" },
        { "line": 5, "name": "Jürgen Müller-Lang", "email": null },
        { "line": 6, "firstName": "Dora", "lastName": "Berg", "weight": "heavy", "email": "x" },
        { "line": 7 },
    ]);
    let outcome = dry_run(&club, &rows).await;
    let expected = json!({
        "rows": [
            { "line": 2, "verdict": "change", "username": "Ben", "name": "Ben", "errors": [],
              "changes": ["weight", "isActive", "password"] },
            { "line": 3, "verdict": "unchanged", "username": "cleo", "name": "cleo", "errors": [], "changes": [] },
            { "line": 5, "verdict": "new", "username": "jurgen.muller-lang", "name": "Jürgen Müller-Lang",
              "errors": [], "changes": [] },
            { "line": 6, "verdict": "error", "username": null, "name": "Dora Berg", "changes": [], "errors": [
                { "field": "email", "message": "Must be an email address, for example name@example.org." },
                { "field": "weight", "message": "Must be a number from 0 to 100." },
            ] },
            { "line": 7, "verdict": "error", "username": null, "name": null, "changes": [], "errors": [
                { "field": "name", "message": "Must not be empty." },
            ] },
        ],
        "counts": { "new": 1, "change": 1, "unchanged": 1, "error": 2 },
        "newGroups": [], "applied": false, "credentials": [],
    });
    assert_eq!(outcome, expected, "{outcome:#}");
    assert_eq!(listed(&club).await, before);
    ben.caller.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn an_import_creates_and_changes_voters_who_can_sign_in() {
    let app = TestApp::start().await;
    let (club, other) = (app.client("Rowing Club").await, app.client("Sailing Club").await);
    let (ben, cleo) = (club.voter("ben").await, club.voter("cleo").await);
    other.voter("ben").await;
    let others = listed(&other).await;
    let rows = json!([
        { "line": 2, "name": "Anna Berg", "email": "anna@example.org", "weight": "2,5" },
        { "line": 3, "name": "Dora", "username": "dora", "password": "correct battery", "isActive": "1" },
        { "line": 4, "username": "Ben", "name": "Ben Otto", "password": "another horse" },
        { "line": 5, "username": "cleo", "isActive": "inaktiv" },
    ]);
    let outcome = import(&club, &rows).await.gives(200)["data"].clone();
    assert_eq!(verdicts(&outcome), ["new", "new", "change", "change"]);
    assert_eq!(outcome["applied"], true);
    let credentials = outcome["credentials"].as_array().unwrap();
    let usernames: Vec<&Value> = credentials.iter().map(|one| &one["username"]).collect();
    assert_eq!(usernames, ["anna.berg", "dora", "ben"]);
    assert_eq!(credentials[0]["password"].as_str().unwrap().len(), 12);
    assert_eq!((&credentials[1]["password"], &credentials[2]["name"]), (&json!("correct battery"), &json!("Ben Otto")));
    for one in credentials {
        let body = json!({
            "clientCode": one["clientCode"], "username": one["username"], "password": one["password"],
        });
        app.anyone().post("/auth/end-user/login", body).await.gives(200);
    }
    // Both sessions have ended, for different reasons.
    ben.caller.get("/auth/me").await.refuses(401, "session_ended");
    cleo.caller.get("/auth/me").await.refuses(401, "session_ended");
    let stats = club.admin.get("/client/end-users/stats").await.gives(200);
    assert_eq!(stats["data"], json!({ "total": 4, "active": 3, "inactive": 1, "totalWeight": 4.5 }));
    assert_eq!(listed(&other).await, others);

    let again = json!([rows[0], { "line": 3, "username": "DORA", "isActive": "ja" }, rows[3]]);
    let outcome = import(&club, &again).await.gives(200)["data"].clone();
    assert_eq!(verdicts(&outcome), ["unchanged", "unchanged", "unchanged"]);
    assert_eq!(outcome["credentials"], json!([]));
}

#[tokio::test]
async fn an_import_with_an_error_imports_nothing() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let ben = club.voter("ben").await;
    let before = listed(&club).await;
    let good = json!({ "line": 2, "name": "Anna Berg" });
    let change = json!({ "line": 3, "username": "ben", "isActive": "no", "password": "another horse" });
    for wrong in [json!({ "line": 4, "name": "Dora", "weight": "101" }), json!({ "line": 4, "username": "BEN" })] {
        import(&club, &json!([good, change, wrong])).await.refuses(409, "import_has_errors");
        assert_eq!(listed(&club).await, before);
    }
    ben.caller.get("/auth/me").await.gives(200);
}

#[tokio::test]
async fn rows_are_counted_and_their_fields_are_texts() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows = |number: usize| Value::from_iter((0..number).map(|line| json!({ "line": line + 2, "username": "" })));
    for (rows, field) in [
        (json!([]), "rows"),
        (rows(20_001), "rows"),
        (json!({}), "rows"),
        (json!([{ "name": "Anna" }]), "rows.0.line"),
        (json!([{ "line": 1, "weight": 1.5 }]), "rows.0.weight"),
    ] {
        assert_eq!(import(&club, &rows).await.wrong_fields(), [field]);
    }
    let most = dry_run(&club, &rows(20_000)).await;
    assert_eq!(most["counts"]["error"], 20_000);
    // A file of 20,000 rows with 20 kinds of weight takes about 30 MB.
    let large = |megabytes: usize| json!([{ "line": 2, "name": " ".repeat(megabytes * 1024 * 1024) }]);
    assert_eq!(verdicts(&dry_run(&club, &large(47)).await), ["error"]);
    import(&club, &large(49)).await.refuses(413, "body_too_large");
}

#[tokio::test]
async fn hundreds_of_voters_are_imported_at_once() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows = Value::from_iter((2..802).map(|line| json!({ "line": line, "name": format!("Voter {line}") })));
    let outcome = import(&club, &rows).await.gives(200)["data"].clone();
    assert_eq!(outcome["counts"]["new"], 800);
    assert_eq!(outcome["credentials"].as_array().unwrap().len(), 800);
    assert_eq!(listed(&club).await.as_array().unwrap().len(), 800);
    let last = &outcome["credentials"][799];
    let body = json!({ "clientCode": club.code, "username": "voter.801", "password": last["password"] });
    app.anyone().post("/auth/end-user/login", body).await.gives(200);
}

#[tokio::test]
async fn a_list_below_a_title_is_found_and_another_header_row_can_be_chosen() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let text =
        "Members as of 1 May\r\n\r\nMember no.;Name;Home address\r\n17;Anna;\"Main Street 1\nTown\"\r\n\r\n18;;x\r\n";
    let read = club.admin.post(READ, file("list.csv", text)).await.gives(200)["data"].clone();
    assert_eq!((&read["headerRow"], &read["lines"]), (&json!(3), &json!([4, 6])));
    assert_eq!(read["mapping"], json!({ "username": 0, "name": 1, "address": 2 }));
    assert_eq!((&read["sheet"], &read["sheets"]), (&Value::Null, &json!([])));
    let rows: Vec<&Value> = read["headerRows"].as_array().unwrap().iter().map(|row| &row["row"]).collect();
    assert_eq!(rows, [1, 3, 4, 6]);
    let mut at_another_place = file("list.csv", text);
    at_another_place["headerRow"] = json!(4);
    let read = club.admin.post(READ, at_another_place.clone()).await.gives(200)["data"].clone();
    assert_eq!((&read["columns"][0], &read["lines"]), (&json!("17"), &json!([6])));
    at_another_place["headerRow"] = json!(6);
    assert_eq!(club.admin.post(READ, at_another_place.clone()).await.wrong_fields(), ["headerRow"]);
    at_another_place["sheet"] = json!("Members");
    assert_eq!(club.admin.post(READ, at_another_place).await.wrong_fields(), ["sheet"]);
}

#[tokio::test]
async fn valid_rows_can_be_imported_without_the_invalid_ones() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let rows = json!([
        { "line": 4, "name": "Ada" }, { "line": 7, "name": "Ben", "weight": "much" }, { "line": 9, "name": "Cleo" },
    ]);
    import(&club, &rows).await.refuses(409, "import_has_errors");
    let body = json!({ "rows": rows, "dryRun": false, "skipErrors": true });
    let done = club.admin.post(IMPORT, body).await.gives(200)["data"].clone();
    assert_eq!(done["counts"], json!({ "new": 2, "change": 0, "unchanged": 0, "error": 1 }));
    assert_eq!((&done["rows"][1]["line"], &done["rows"][1]["verdict"]), (&json!(7), &json!("error")));
    assert_eq!(done["credentials"].as_array().unwrap().len(), 2);
    assert_eq!(listed(&club).await.as_array().unwrap().len(), 2);
    let body = json!({ "rows": [rows[1].clone()], "dryRun": false, "skipErrors": true });
    club.admin.post(IMPORT, body).await.refuses(409, "import_has_errors");
}

#[tokio::test]
async fn a_letter_whose_lower_case_has_two_matches_as_in_the_database() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (username, group, verdict) in [("ipek", "\u{130}lk", "new"), ("\u{130}PEK", "ilk", "unchanged")] {
        let rows = json!([{ "line": 2, "username": username, "name": "Cem", "groups": group }]);
        let done = import(&club, &rows).await.gives(200)["data"].clone();
        assert_eq!(verdicts(&done), [verdict], "{done}");
    }
    let twice =
        json!([{ "line": 2, "username": "\u{130}nci", "name": "A" }, { "line": 3, "username": "inci", "name": "B" }]);
    assert_eq!(verdicts(&dry_run(&club, &twice).await), ["error", "error"]);
}
