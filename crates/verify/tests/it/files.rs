use plenum_verify::{Unreadable, read, verify};

use crate::hall::meeting;

fn json() -> String {
    serde_json::to_string_pretty(&meeting(Vec::new())).unwrap()
}

#[test]
fn a_file_without_rounds_agrees() {
    assert!(verify(&read(json().as_bytes()).unwrap()).agrees());
    let marked = format!("\u{feff}{}", json());
    assert!(read(marked.as_bytes()).is_ok());
}

#[test]
fn a_file_without_results_is_refused() {
    for content in
        ["", "{}", "[]", "name,weight\r\nAnna,1", r#"{ "format": 1 }"#, r#"{ "format": "other/1" }"#, "\u{0}"]
    {
        assert!(matches!(read(content.as_bytes()), Err(Unreadable::Foreign)), "{content}");
    }
    assert!(matches!(read(&[0xff, 0xfe, 0x00]), Err(Unreadable::Foreign)));
}

#[test]
fn another_version_is_named() {
    let content = json().replace("plenum-results/2", "plenum-results/3");
    let Err(Unreadable::OtherVersion(version)) = read(content.as_bytes()) else { panic!("it was read") };
    assert_eq!(version, "plenum-results/3");
}

#[test]
fn a_truncated_or_incomplete_file_is_damaged() {
    let whole = json();
    let cut_off = &whole[..whole.len() / 2];
    let lacking = whole.replace("\"title\"", "\"titel\"");
    let twice = whole.replacen("\"rounds\"", "\"rounds\": [], \"rounds\"", 1);
    let no_number = whole.replacen("\"heads\": 4", "\"heads\": -4", 1);
    assert!(matches!(read(twice.as_bytes()), Err(Unreadable::Ambiguous)));
    for content in [cut_off, &lacking, &no_number] {
        assert!(matches!(read(content.as_bytes()), Err(Unreadable::Damaged(_))), "{content}");
    }
}
