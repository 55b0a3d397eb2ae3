//! Forty wards of Scottish councils, 2012 to 2022: the published ballots (repository `mggg/scot-elex`), and every stage
//! as the program Droop counted it by its rule "scotland".

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plenum_voting::elections::{Action, Ballot, Count, ElectedBy};
use serde_json::Value;

use super::profiles::{STV, ballots, counted, is_complete, ranking, terms};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scottish-wards")
}

/// A ward: its number of candidates and seats, and its ballots.
struct Ward {
    candidates: usize,
    seats: u32,
    ballots: Vec<Ballot>,
}

fn read(name: &str) -> Ward {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    let mut lines =
        text.lines().map(|line| line.split(' ').map(str::parse).map_while(Result::ok).collect::<Vec<u32>>());
    let head = lines.next().unwrap();
    let groups = lines.take_while(|line| line != &[0]);
    let ballots = groups.map(|line| ballots(line[0].into(), ranking(&line[1..line.len() - 1]))).collect();
    Ward { candidates: head[0] as usize, seats: head[1], ballots }
}

/// The candidate at the end of a message such as `Elect, transfer pending: c4`.
fn candidate(message: &str) -> u32 {
    let name = message.rsplit_once(": c").unwrap().1;
    name.split(' ').next().unwrap().parse().unwrap()
}

/// The votes of a message, and its non-transferable votes.
fn figures(message: &Value) -> (Vec<String>, String) {
    let votes: BTreeMap<u32, String> = message[3]
        .as_object()
        .unwrap()
        .iter()
        .map(|(number, state)| (number.parse().unwrap(), state[1].as_str().unwrap().to_owned()))
        .collect();
    (votes.into_values().collect(), message[4].as_str().unwrap().to_owned())
}

/// Compares a count with the messages of the program. One of its stages is several messages: that a candidate is
/// chosen, that votes moved, and that candidates are elected.
fn compare(name: &str, count: &Count, messages: &[Value]) {
    let mut stages = count.stages.iter();
    let mut elected = count.elected.iter();
    let mut chosen = None;
    let mut reached = 0;
    for message in messages {
        let text = message[1].as_str().unwrap();
        match message[0].as_str().unwrap() {
            "unpend" | "defeat" if !text.contains("remaining") => chosen = Some(candidate(text)),
            "elect" => {
                let elected = elected.next().unwrap_or_else(|| panic!("{name}: {text}"));
                let by_last = text.contains("remaining");
                let by = if by_last { ElectedBy::LastVacancies } else { ElectedBy::Quota };
                let found = (elected.candidate.number(), elected.stage, elected.by);
                assert_eq!(found, (candidate(text), reached, by), "{name}: {text}");
            }
            "begin" | "transfer" => {
                let stage = stages.next().unwrap_or_else(|| panic!("{name}: {text}"));
                reached = stage.number;
                let moved = match &stage.action {
                    Action::Surplus { of, .. } => Some(of.number()),
                    Action::Exclusion { of, .. } => Some(of[0].number()),
                    Action::Count | Action::NextSeat => None,
                };
                assert_eq!(moved, chosen, "{name}: {text}");
                let votes: Vec<String> = stage.votes.iter().map(|(_, votes)| votes.text(5)).collect();
                assert_eq!((votes, stage.non_transferable.text(5)), figures(message), "{name}: {text}");
                assert_eq!(stage.quota.unwrap().votes.text(5), message[2].as_str().unwrap(), "{name}: {text}");
            }
            _ => {}
        }
    }
    assert!(stages.next().is_none() && elected.next().is_none(), "{name}: the count goes on");
}

#[test]
fn every_stage_of_forty_wards_is_counted_as_published() {
    let expected: Value = serde_json::from_slice(&fs::read(folder().join("expected.json")).unwrap()).unwrap();
    let expected = expected.as_object().unwrap();
    assert_eq!(expected.len(), 40);
    for (name, expected) in expected {
        let ward = read(name);
        assert_eq!(expected["seats"], ward.seats, "{name}");
        assert_eq!(expected["candidates"], ward.candidates, "{name}");
        let count = counted(terms(STV, ward.candidates, ward.seats), &ward.ballots);
        assert!(is_complete(&count), "{name}: {:?}", count.outcome);
        compare(name, &count, expected["stages"].as_array().unwrap());
        let mut elected: Vec<u32> = count.elected.iter().map(|elected| elected.candidate.number()).collect();
        elected.sort_unstable();
        assert_eq!(expected["elected"], serde_json::json!(elected), "{name}");
    }
}
