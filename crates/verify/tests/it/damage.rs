//! Files of the server with damage at any place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plenum_kernel::QuestionType;
use plenum_kernel::testkit::fuzz_seeds;
use plenum_result_format::RoundFile;
use plenum_verify::fuzzing::results;
use plenum_verify::{read, verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::hall::{meeting, without_rare_weights};
use crate::secret_rounds::{secret_election, secret_motion, secret_rating};
use crate::tampering::{election, motion, of_numbers, of_texts};

/// Rounds of each type, as the server would write them.
fn real_rounds() -> Vec<RoundFile> {
    let halls = [
        motion(true),
        motion(false),
        election(),
        of_numbers(QuestionType::Rating),
        of_numbers(QuestionType::Percentage),
        of_texts(),
        secret_motion(),
        secret_election(),
        secret_rating(),
    ];
    let mut rounds: Vec<_> = halls.iter().map(|hall| hall.file()).collect();
    let sums = [motion(false), election(), of_numbers(QuestionType::Rating), of_texts()];
    rounds.extend(sums.iter().zip(7..).map(|(hall, number)| {
        let mut round = without_rare_weights(hall.file());
        round.result.round_id = Uuid::from_u128(number);
        round
    }));
    for (position, round) in (1..).zip(&mut rounds) {
        round.result.position = position;
    }
    rounds
}

/// A file with all of them.
fn real_file() -> Value {
    serde_json::to_value(meeting(real_rounds())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_read_to_its_end_or_refused(
        damages in vec((any::<Index>(), any::<Index>(), 0_usize..8), 1..4), cut in proptest::option::of(any::<Index>()),
    ) {
        let mut content = real_file().to_string().into_bytes();
        for (place, source, length) in damages {
            // Bytes from elsewhere in the file, which often have more effect than random ones.
            let source = source.index(content.len() - length);
            let copied = content[source..source + length].to_vec();
            let place = place.index(content.len() - length);
            content.splice(place..place + length / 2, copied);
        }
        content.truncate(cut.map_or(content.len(), |cut| cut.index(content.len())));
        results(&content);
    }

    #[test]
    fn extreme_numbers_are_read_or_refused(
        changes in vec((any::<Index>(), "-?[0-9]{1,40}([.][0-9]{1,40})?(e-?[0-9]{1,3})?"), 1..4),
    ) {
        let mut file = real_file();
        let places = places_of(&file, |value| value.is_number());
        for (place, number) in changes {
            let Ok(number) = serde_json::from_str::<Value>(&number) else { continue };
            *file.pointer_mut(&places[place.index(places.len())]).unwrap() = number;
        }
        results(file.to_string().as_bytes());
    }
}

#[test]
fn the_seeds_of_the_fuzzer_hold() {
    if std::env::var_os("PLENUM_BLESS").is_some() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/results");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("meeting.json"), real_file().to_string()).unwrap();
    }
    fuzz_seeds("results").iter().for_each(|seed| results(seed));
}

/// The JSON pointers of the values in a file that match `is_wanted`.
fn places_of(file: &Value, is_wanted: impl Fn(&Value) -> bool + Copy) -> Vec<String> {
    let within = |name: &str, value: &Value| {
        places_of(value, is_wanted).into_iter().map(|place| format!("/{name}{place}")).collect::<Vec<_>>()
    };
    match file {
        Value::Array(values) => {
            (0..).zip(values).flat_map(|(at, value)| within(&usize::to_string(&at), value)).collect()
        }
        Value::Object(fields) => fields.iter().flat_map(|(name, value)| within(name, value)).collect(),
        value if is_wanted(value) => vec![String::new()],
        _ => Vec::new(),
    }
}

/// Numbers that nothing in the file can verify: the eligible people at a moment, and positions in the agenda. The
/// positions may have gaps, because not every question was voted on.
const FREE: &[&str] = &["/attendance/eligible/heads", "/attendance/eligible/weight", "/rounds/result/position"];

#[test]
fn a_changed_number_or_flag_is_found_anywhere() {
    let report = verify(&read(real_file().to_string().as_bytes()).unwrap());
    assert!(report.agrees(), "{report:#?}");
    let mut free = BTreeSet::new();
    // One round in each file, because every change is recounted.
    for round in real_rounds() {
        add_free(&mut free, &serde_json::to_value(meeting(vec![round])).unwrap());
    }
    assert_eq!(free.iter().map(String::as_str).collect::<Vec<_>>(), FREE);
}

/// Adds the numbers and flags of a file that can be changed unseen.
fn add_free(free: &mut BTreeSet<String>, file: &Value) {
    for place in places_of(file, |value| value.is_number() || value.is_boolean()) {
        let mut changed = file.clone();
        let value = changed.pointer_mut(&place).unwrap();
        *value = match value {
            Value::Bool(is_true) => json!(!*is_true),
            Value::Number(number) => serde_json::from_str(&format!("{number}1")).unwrap_or(json!(1)),
            _ => unreachable!("only numbers and switches are asked for"),
        };
        let agrees = read(changed.to_string().as_bytes()).is_ok_and(|file| verify(&file).agrees());
        if agrees {
            let names = place.split('/').filter(|name| name.parse::<usize>().is_err());
            free.insert(names.collect::<Vec<_>>().join("/"));
        }
    }
}
