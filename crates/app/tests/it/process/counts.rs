//! `plenum count`.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::process::support::{folder, plenum, run, stderr, stdout};

/// Counts a file with this text.
fn count(text: &str, arguments: &[&str]) -> Output {
    let folder = folder();
    std::fs::write(folder.path().join("ballots.blt"), text).unwrap();
    let mut command = plenum(folder.path(), &["count", "ballots.blt"]);
    command.args(arguments);
    run(command)
}

fn counted(text: &str, arguments: &[&str]) -> Value {
    let output = count(text, &[&["--json"], arguments].concat());
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
}

const TENNESSEE: &str = "4 1\n42 1 2 3 4 0\n26 2 3 4 1 0\n15 3 4 2 1 0\n17 4 3 2 1 0\n0\n\"Memphis\"\n\"Nashville\"\n\"Chattanooga\"\n\"Knoxville\"\n\"Capital\"\n";

#[test]
fn a_published_ward_is_counted_from_its_file() {
    let folder = folder();
    let wards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../voting/fixtures/scottish-wards");
    let expected: Value = serde_json::from_slice(&std::fs::read(wards.join("expected.json")).unwrap()).unwrap();
    let name = "highland_2012_ward16.blt";
    let ward = wards.join(name);
    let command = plenum(folder.path(), &["count", "--method", "stv_scottish", &ward.to_string_lossy(), "--json"]);
    let output = run(command);
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(found["elected"], json!([6, 1, 2, 5]));
    let moves = |message: &&Value| message[0] == "begin" || message[0] == "transfer";
    let messages: Vec<&Value> = expected[name]["stages"].as_array().unwrap().iter().filter(moves).collect();
    let stages = found["stages"].as_array().unwrap();
    assert_eq!(stages.len(), messages.len());
    for (stage, message) in stages.iter().zip(messages) {
        for (number, state) in message[3].as_object().unwrap() {
            assert_eq!(stage["votes"][number], state[1], "{}", message[1]);
        }
        assert_eq!((&stage["nonTransferable"], &stage["quota"]), (&message[4], &found["quota"]));
    }
    assert_eq!(found["quota"], expected[name]["stages"][0][2]);
}

#[test]
fn each_ranked_method_counts_the_same_file() {
    let irv = counted(TENNESSEE, &["--method", "irv"]);
    assert_eq!((&irv["elected"], &irv["quota"]), (&json!([4]), &json!("51")));
    assert_eq!(irv["stages"][2]["votes"], json!({ "1": "42", "2": "0", "3": "0", "4": "58" }));
    let borda = counted(TENNESSEE, &["--method", "borda", "--seats", "4"]);
    assert_eq!((&borda["elected"], &borda["quota"]), (&json!([2, 3, 1, 4]), &Value::Null));
    assert_eq!(borda["stages"][0]["votes"]["2"], "194");
    let schulze = counted(TENNESSEE, &["--method", "schulze", "--seats", "4"]);
    assert_eq!(schulze["elected"], json!([2, 3, 4, 1]));
    assert_eq!(schulze["pairs"]["preferred"]["1"]["2"], "42");
    let stv = counted(TENNESSEE, &["--method", "stv_scottish"]);
    assert_eq!((&stv["elected"], &stv["quota"]), (&json!([4]), &json!("51.00000")));
}

#[test]
fn the_table_names_stages_and_elected_candidates() {
    let output = count(TENNESSEE, &["--method", "irv"]);
    assert_eq!(
        stdout(&output),
        "Capital\n100 ballots, 100 valid\n\n\
         Stage 1. The first preferences were counted. More than 50 votes are needed.\n   \
         1  42  Memphis\n   2  26  Nashville\n   3  15  Chattanooga\n   4  17  Knoxville\n\n\
         Stage 2. Chattanooga had the fewest votes and was excluded. More than 50 votes are needed.\n   \
         1  42  Memphis\n   2  26  Nashville\n   3   0  Chattanooga\n   4  32  Knoxville\n\n\
         Stage 3. Nashville had the fewest votes and was excluded. More than 50 votes are needed.\n   \
         1  42  Memphis\n   2   0  Nashville\n   3   0  Chattanooga\n   4  58  Knoxville\n\
         Knoxville has more than half of the votes and is elected.\n\n\
         Elected: 4 Knoxville\n"
    );
}

#[test]
fn a_tie_ends_the_count_and_a_seed_draws_a_lot() {
    let tied = "3 1\n4 1 0\n2 2 1 0\n2 3 1 0\n0\nA\nB\nC\n";
    let output = count(tied, &["--method", "stv_scottish", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("B and C are equal, and one of them must be excluded at stage 2."),
        "{}",
        stderr(&output)
    );
    let open: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let tie = json!({ "stage": 2, "matter": "exclusion", "candidates": [2, 3], "wanted": 1 });
    assert_eq!((&open["tie"], &open["elected"]), (&tie, &json!([])));
    let table = stdout(&count(tied, &["--method", "stv_scottish"]));
    assert!(table.contains("The count waits at a tie.") && !table.contains("Nobody is elected"), "{table}");
    let drawn = counted(tied, &["--method", "stv_scottish", "--seed", "blue sky"]);
    assert_eq!((&drawn["elected"], &drawn["tie"]), (&json!([1]), &Value::Null));
    assert_eq!(drawn["decided"][0]["by"], "lot");
}

#[test]
fn a_stage_is_printed_whenever_votes_have_moved() {
    let found = counted("5 1\n3 1 0\n2 2 0\n1 3 1 0\n0\nA\nB\nC\nD\nE\n", &["--method", "stv_scottish"]);
    let numbers: Vec<&Value> = found["stages"].as_array().unwrap().iter().map(|stage| &stage["stage"]).collect();
    // Candidates 4 and 5 are excluded at stages 2 and 3, without any paper.
    assert_eq!(numbers, [1, 4]);
    assert_eq!(found["stages"][1]["excluded"], json!([4, 5, 3]));
}

#[test]
fn a_wrong_file_is_refused_with_its_line() {
    let output = count("2 1\n3 1 3 0\n0\nA\nB\n", &["--method", "irv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("ballots.blt: line 2: 3 must be a candidate from 1 to 2"), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let missing = run(plenum(folder().path(), &["count", "--method", "irv", "missing.blt"]));
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
    let method = count(TENNESSEE, &["--method", "dice"]);
    assert_eq!(method.status.code(), Some(2), "{}", stderr(&method));
}
