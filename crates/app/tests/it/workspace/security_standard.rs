//! The list of ASVS requirements in `docs/security.md`.

use std::fs;

use super::root;

/// A row of the list in `docs/security.md`: number, status, explanation, files that show it.
fn security_list() -> Vec<[String; 4]> {
    let text = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| V"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(|cell| cell.trim_matches([' ', '|'])).collect();
        let &[number, _, standing, how, held] = cells.as_slice() else { panic!("{row} has not five cells") };
        [number, standing, how, held].map(str::to_owned)
    })
    .collect()
}

#[test]
fn every_requirement_of_the_security_standard_is_listed_once() {
    let listed: Vec<String> = security_list().into_iter().map(|[number, ..]| number).collect();
    let expected: Vec<&str> = include_str!("asvs-4.0.3-level-2.txt").lines().collect();
    assert_eq!(expected.len(), 260);
    assert_eq!(listed, expected);
}

#[test]
fn the_totals_are_those_of_the_list() {
    let list = security_list();
    let [met, not_met, not_applicable] = ["met", "not met", "not applicable"]
        .map(|state| list.iter().filter(|[_, standing, ..]| standing == state).count());
    let totals = format!("\n{met} are met, {not_met} are not met, {not_applicable} are not applicable.\n");
    assert!(fs::read_to_string(root().join("docs/security.md")).unwrap().contains(&totals), "{totals}");
}

#[test]
fn each_met_requirement_names_existing_files_and_each_other_one_its_reason() {
    let mut missing = Vec::new();
    for [number, standing, how, held] in security_list() {
        match standing.as_str() {
            "met" if held.starts_with("by hand: `") => {}
            "met" => {
                let paths: Vec<&str> = held.split(", ").map(|path| path.trim_matches('`')).collect();
                missing.extend(
                    paths
                        .iter()
                        .filter(|path| path.is_empty() || !root().join(path).exists())
                        .map(|path| format!("{number}: {path}")),
                );
            }
            "not met" | "not applicable" => assert!(!how.is_empty(), "{number} has no reason"),
            other => panic!("{number} is {other}"),
        }
    }
    assert!(missing.is_empty(), "nothing is there of {missing:#?}");
}
