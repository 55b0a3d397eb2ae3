//! The entries of an exported audit log have exactly the members that an export writes.

use plenum_result_format::{
    AUDIT_FORMAT, AuditChange, AuditFile, AuditFileEntry, AuditHead, CHAIN_START, hexadecimal, sha256,
};
use plenum_verify::{Exported, KnownAuthorities, KnownKeys, Verdict, examine};
use serde_json::{Value, json};
use uuid::Uuid;

/// A log of one entry, which nobody signed.
fn log() -> Value {
    let chain = Uuid::from_u128(7);
    let mut entry = AuditFileEntry {
        number: 1,
        at: "2026-11-22T10:00:00.000120Z".parse().unwrap(),
        kind: "end_user_changed".to_owned(),
        by_role: "CLIENT".to_owned(),
        by_id: Some(Uuid::from_u128(0xab)),
        by_name: Some("Anna Berg".to_owned()),
        from_address: None,
        subject_kind: "end_user".to_owned(),
        subject_id: None,
        subject_name: Some("Ben".to_owned()),
        meeting_title: None,
        changes: vec![AuditChange { field: "weight".to_owned(), before: None, after: Some("2".to_owned()) }],
        previous_hash: hexadecimal(&CHAIN_START),
        hash: String::new(),
    };
    let mut hashed = CHAIN_START.to_vec();
    hashed.extend(entry.canonical(chain));
    entry.hash = sha256(&hashed);
    let file = AuditFile {
        format: AUDIT_FORMAT.to_owned(),
        chain,
        exported_at: "2026-11-22T11:00:00Z".parse().unwrap(),
        waiting: 0,
        head: Some(AuditHead { number: 1, hash: entry.hash.clone() }),
        purges: Vec::new(),
        entries: vec![entry],
        signature: None,
    };
    serde_json::to_value(file).unwrap()
}

fn verdict(log: &Value) -> Verdict {
    let content = log.to_string();
    let exported = Exported::Audit(Box::new(serde_json::from_str(&content).unwrap()));
    examine(content.as_bytes(), &exported, &KnownKeys::None, &KnownAuthorities::None).verdict()
}

/// A way to change an entry, in words and as a function.
type Way<'a> = (&'a str, &'a dyn Fn(&mut Value));

#[test]
fn further_missing_and_renamed_members_of_an_entry_are_found() {
    let whole = log();
    assert_eq!(verdict(&whole), Verdict::OriginUnknown(None));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut log = whole.clone();
        change(&mut log["entries"][0]);
        verdict(&log)
    };
    let remove = |object: &mut Value, name: &str| drop(object.as_object_mut().unwrap().remove(name));
    let ways: [Way<'_>; 8] = [
        ("a further member", &|entry| entry["note"] = json!("FORGED")),
        ("a similar member", &|entry| entry["byNames"] = json!("Mallory")),
        ("a further member of a change", &|entry| entry["changes"][0]["beforeValue"] = json!("1")),
        ("a member that was null", &|entry| remove(entry, "fromAddress")),
        ("a member of a change that was null", &|entry| remove(&mut entry["changes"][0], "before")),
        ("a renamed member", &|entry| {
            remove(&mut entry["changes"][0], "before");
            entry["changes"][0]["Before"] = json!("Mallory");
        }),
        ("an id in another form", &|entry| entry["byId"] = json!("000000000000000000000000000000AB")),
        ("a time in another form", &|entry| entry["at"] = json!("2026-11-22T11:00:00.000120+01:00")),
    ];
    for (way, change) in ways {
        assert_eq!(changed(change), Verdict::NotConsistent, "{way}");
    }
}
