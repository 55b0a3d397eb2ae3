//! Candidates from a file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::support::{Answer, Caller, TestApp};

async fn read(caller: &Caller, name: &str, content: &[u8]) -> Answer {
    let body = json!({ "fileName": name, "content": STANDARD.encode(content) });
    caller.post("/client/questions/candidates/read", body).await
}

fn refusal(answer: &Answer) -> String {
    let refused = answer.refuses(422, "invalid_input");
    refused["fields"]["content"][0].as_str().unwrap_or_else(|| panic!("{refused}")).to_owned()
}

#[tokio::test]
async fn candidates_are_read_with_the_columns_that_their_headings_name() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    for (file, expected) in [
        (
            "Candidate;Party;About\nNadia Brandt;Greens;Rows since 1998.\nTomas Weller;;\n",
            json!([
                { "name": "Nadia Brandt", "line": "Greens", "about": "Rows since 1998." },
                { "name": "Tomas Weller", "line": null, "about": null },
            ]),
        ),
        (
            "Vorname,Nachname,Wohnung\nNadia,Brandt,12\n",
            json!([{ "name": "Nadia Brandt", "line": "12", "about": null }]),
        ),
        ("Members 2026\n\nName\n Imani Okoye \n", json!([{ "name": "Imani Okoye", "line": null, "about": null }])),
    ] {
        let found = read(&club.admin, "candidates.csv", file.as_bytes()).await.gives(200);
        assert_eq!(found, expected, "{file}");
        // They fit into an election.
        let meeting = club.meeting().await;
        let names: Vec<&Value> = found.as_array().unwrap().iter().map(|candidate| &candidate["name"]).collect();
        let notes: Vec<Value> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|candidate| json!({ "line": candidate["line"], "about": candidate["about"] }))
            .collect();
        let rule = json!({ "kind": "election", "election": { "method": "approval", "candidates": notes } });
        meeting.ask("ELECTION", json!({ "options": names, "decisionRule": rule })).await;
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_used_is_refused_with_its_rows() {
    let app = TestApp::start().await;
    let club = app.client("Rowing Club").await;
    let long = "x".repeat(121);
    for (file, told) in [
        ("Flat,Floor\n12,1\n".to_owned(), "Must have a column with the heading Name."),
        ("Name\nNadia\nnadia\n".to_owned(), "Row 3: \"nadia\" is in the file twice."),
        ("Name\nNadia\nNadia\u{34f}\n".to_owned(), "Row 3: \"Nadia\u{34f}\" is in the file twice."),
        (format!("Name,Line\nNadia,{long}\n"), "Row 2, line: Must be at most 120 characters"),
        ("Name,Line\n,Flat 12\n".to_owned(), "Row 2, name: Must"),
        (format!("Name\n{}", "Nadia\n".repeat(101)), "Must have at most 100 candidates."),
        ("Name\n".to_owned(), "Must have headings and at least one row below them."),
    ] {
        let refused = refusal(&read(&club.admin, "candidates.csv", file.as_bytes()).await);
        assert!(refused.starts_with(told), "{file}: {refused}");
    }
    assert_eq!(read(&club.admin, "candidates.pdf", b"x").await.wrong_fields(), ["fileName"]);
    let voter = club.voter("ada").await;
    read(&voter.caller, "candidates.csv", b"Name\nNadia\n").await.refuses(403, "wrong_role");
}
