//! The recount of forty Scottish wards agrees with the program Droop, whose messages are in the fixtures of the engine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plenum_verify::elections::{
    BallotMarks, BlankMeaning, CountMethod, ElectionBallot, ElectionPapers, FaultTreatment, NameKind, RankReading,
    recount_election,
};
use rust_decimal::Decimal;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../voting/fixtures/scottish-wards")
}

fn papers(name: &str) -> ElectionPapers {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    let numbers = |line: &str| line.split_whitespace().map(|number| number.parse().unwrap()).collect::<Vec<u32>>();
    let head = numbers(text.lines().next().unwrap());
    let groups = text.lines().skip(1).take_while(|line| *line != "0").map(numbers);
    let ballot = |line: Vec<u32>| ElectionBallot {
        voters: line[0].into(),
        weight: Decimal::ONE,
        marks: BallotMarks::Ranks((1..).zip(line[1..line.len() - 1].iter().copied()).collect()),
    };
    let reading = RankReading {
        skipped: FaultTreatment::End,
        tolerated: 0,
        repeated: FaultTreatment::End,
        equal: Some(FaultTreatment::End),
        limits: (1, None),
        refuses_more: false,
    };
    ElectionPapers {
        method: CountMethod::Scottish { reading },
        names: vec![NameKind::Person; head[0] as usize],
        seats: Some(head[1]),
        by_weight: false,
        abstentions_are_cast: false,
        blank: BlankMeaning::Invalid,
        least_support: None,
        electorate: (Decimal::ZERO, Decimal::ZERO),
        ballots: groups.map(ballot).collect(),
        decisions: Vec::new(),
        precedents: Vec::new(),
        seed: None,
        leaves_seats: false,
    }
}

/// A number with exactly five decimals, as a number without redundant zeros.
fn normal(text: &Value) -> String {
    text.as_str().unwrap().parse::<Decimal>().unwrap().normalize().to_string()
}

#[test]
fn every_stage_of_forty_wards_is_recounted_as_published() {
    let expected: Value = serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap();
    for (name, expected) in expected.as_object().unwrap() {
        let recounted = recount_election(&papers(name));
        assert_eq!(recounted.tie, None, "{name}");
        let moves = |message: &&Value| message[0] == "begin" || message[0] == "transfer";
        let messages: Vec<&Value> = expected["stages"].as_array().unwrap().iter().filter(moves).collect();
        assert_eq!(recounted.stages.len(), messages.len(), "{name}");
        for (stage, message) in recounted.stages.iter().zip(messages) {
            let votes: BTreeMap<u32, String> = message[3]
                .as_object()
                .unwrap()
                .iter()
                .map(|(number, state)| (number.parse().unwrap(), normal(&state[1])))
                .collect();
            assert_eq!(stage.votes, votes, "{name}: {}", message[1]);
            assert_eq!(stage.non_transferable, normal(&message[4]), "{name}: {}", message[1]);
            assert_eq!(stage.quota.as_ref().unwrap(), &normal(&message[2]), "{name}");
        }
        let mut elected: Vec<u32> = recounted.elected.iter().map(|(number, _)| *number).collect();
        elected.sort_unstable();
        assert_eq!(expected["elected"], serde_json::json!(elected), "{name}");
    }
}
