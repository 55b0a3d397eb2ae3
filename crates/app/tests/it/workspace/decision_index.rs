//! The index of the decision records.

use std::collections::BTreeSet;
use std::fs;

use super::root;

#[test]
fn the_index_lists_every_decision_record_by_its_title() {
    let folder = root().join("docs/decisions");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let listed: BTreeSet<String> = index.lines().filter(|line| line.starts_with("- ")).map(str::to_owned).collect();
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let records: BTreeSet<String> = files
        .filter(|name| name != "README.md")
        .map(|name| {
            let text = fs::read_to_string(folder.join(&name)).unwrap();
            let heading = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap();
            let (number, title) = heading.split_once(". ").unwrap();
            assert!(name.starts_with(&format!("{number:0>4}-")), "{name} has the number {number}");
            format!("- {number}: [{title}]({name})")
        })
        .collect();
    assert_eq!(listed, records);
}
